package io.weir.service;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker of a running service again and again whether it is there: consumers and streams wait for one that is
 * away without a word. After half a minute without an answer the condition is unmet; the next answer meets it again. Asks
 * on a thread of its own from {@link #start} to {@link #stop}.
 */
final class BrokerWatch {

    private static final Logger log = LoggerFactory.getLogger(BrokerWatch.class);
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Supplier<Admin> clients;
    private final Readiness.Condition answers;
    private final LongSupplier nanos;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "broker-watch");

    private @Nullable Admin client;
    private boolean silent;
    private long lastAnswer;

    /**
     * Makes a watch that asks nothing yet.
     *
     * @param clients makes the client to ask with
     * @param answers is told whether a broker answers
     * @param nanos the time, as {@link System#nanoTime}
     */
    BrokerWatch(Supplier<Admin> clients, Readiness.Condition answers, LongSupplier nanos) {
        this.clients = clients;
        this.answers = answers;
        this.nanos = nanos;
        this.lastAnswer = nanos.getAsLong();
    }

    /** Starts to ask with a client of these {@code properties}, for a service whose start a broker has just answered. */
    static BrokerWatch start(Map<String, Object> properties, Readiness.Condition answers) {
        answers.met();
        BrokerWatch watch = new BrokerWatch(() -> Admin.create(properties), answers, System::nanoTime);
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    /** Ends the asking. */
    void stop() throws InterruptedException {
        stopping.countDown();
        thread.interrupt();
        // A look-up of the broker's name cannot be interrupted.
        thread.join(CLOSE_LIMIT.toMillis());
    }

    private void run() {
        try {
            while (!stopping.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                ask();
            }
        } catch (InterruptedException e) {
            log.debug("stopped while it waited");
        } finally {
            if (client != null) {
                client.close(Duration.ZERO);
            }
        }
    }

    /** Asks once. */
    void ask() throws InterruptedException {
        try {
            if (client == null) {
                client = clients.get();
            }
            client.describeCluster(new DescribeClusterOptions().timeoutMs((int) ANSWER_LIMIT.toMillis()))
                    .nodes()
                    .get();
            answered();
        } catch (ExecutionException e) {
            missed(e.getCause() == null ? e : e.getCause());
        } catch (KafkaException e) {
            missed(e);
        }
    }

    private void answered() {
        if (silent) {
            log.info("A broker answers again, after {} s", secondsOfSilence());
        }
        silent = false;
        lastAnswer = nanos.getAsLong();
        answers.met();
    }

    private void missed(Throwable why) {
        if (nanos.getAsLong() - lastAnswer < PATIENCE.toNanos()) {
            return;
        }
        if (!silent) {
            log.warn("No broker has answered for {} s: {}", secondsOfSilence(), why.toString());
        }
        silent = true;
        answers.unmet("no broker has answered for " + secondsOfSilence() + " s: " + why);
    }

    private long secondsOfSilence() {
        return Duration.ofNanos(nanos.getAsLong() - lastAnswer).toSeconds();
    }
}
