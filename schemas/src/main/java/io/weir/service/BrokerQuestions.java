package io.weir.service;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the brokers the same questions again and again, on a thread of its own from {@link #start} to {@link #stop}. What they do
 * not answer is asked again next time.
 */
public final class BrokerQuestions {
    private static final Logger log = LoggerFactory.getLogger(BrokerQuestions.class);
    private static final Duration INTERVAL = Duration.ofSeconds(15);
    private static final long CLOSE_MILLIS = 1_000;

    private final Supplier<Admin> clients;
    private final List<Question> questions;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "broker-questions");

    private @Nullable Admin client;

    /** What is asked. */
    public interface Question {
        /** Asks once, and remembers what is answered. */
        void ask(Admin admin) throws ExecutionException, InterruptedException;
    }

    /**
     * Makes one that asks nothing yet.
     *
     * @param clients makes the client to ask with
     */
    BrokerQuestions(Supplier<Admin> clients, List<? extends Question> questions) {
        this.clients = clients;
        this.questions = List.copyOf(questions);
    }

    /** Starts to ask, with a client of these {@code properties}. */
    public static BrokerQuestions start(Map<String, Object> properties, List<? extends Question> questions) {
        BrokerQuestions asking = new BrokerQuestions(() -> Admin.create(properties), questions);
        asking.thread.setDaemon(true);
        asking.thread.start();
        return asking;
    }

    /** Ends the asking. */
    public void stop() throws InterruptedException {
        stopping.countDown();
        thread.interrupt();
        thread.join(CLOSE_MILLIS);
    }

    private void run() {
        try {
            while (!stopping.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                askAll();
            }
        } catch (InterruptedException e) {
            log.debug("stopped while it waited");
        } finally {
            if (client != null) {
                client.close(Duration.ZERO);
            }
        }
    }

    /** Asks each question once. */
    void askAll() throws InterruptedException {
        for (Question question : questions) {
            try {
                if (client == null) {
                    client = clients.get();
                }
                question.ask(client);
            } catch (ExecutionException | RuntimeException e) {
                log.debug("The brokers do not answer {} now", question, e);
            }
        }
    }
}
