package io.weir.service;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker of a running service again and again whether it is there: consumers and streams wait for one that is
 * away without a word. So do they for one that is left alone, which answers, lists the others as before, and takes nothing.
 * After half a minute without an answer, or without most of the brokers listed, the condition is unmet; the next answer
 * meets it again. Asks on a thread of its own from {@link #start} to {@link #stop}.
 */
final class BrokerWatch {

    private static final Logger log = LoggerFactory.getLogger(BrokerWatch.class);
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(10);
    private static final int CONNECT_MILLIS = 1_000;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Supplier<Admin> clients;
    private final Predicate<Node> takesConnections;
    private final Readiness.Condition answers;
    private final LongSupplier nanos;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "broker-watch");

    private @Nullable Admin client;
    private boolean silent;
    private long lastAnswer;

    /** When most brokers were last found to be there. */
    private long lastLook;

    /**
     * Makes a watch that asks nothing yet.
     *
     * @param clients makes the client to ask with
     * @param takesConnections whether a broker can be connected to
     * @param answers is told whether a broker answers
     * @param nanos the time, as {@link System#nanoTime}
     */
    BrokerWatch(
            Supplier<Admin> clients,
            Predicate<Node> takesConnections,
            Readiness.Condition answers,
            LongSupplier nanos) {
        this.clients = clients;
        this.takesConnections = takesConnections;
        this.answers = answers;
        this.nanos = nanos;
        this.lastAnswer = nanos.getAsLong();
        this.lastLook = lastAnswer;
    }

    /** Starts to ask with a client of these {@code properties}, for a service whose start a broker has just answered. */
    static BrokerWatch start(Map<String, Object> properties, Readiness.Condition answers) {
        answers.met();
        BrokerWatch watch =
                new BrokerWatch(() -> Admin.create(properties), BrokerWatch::connects, answers, System::nanoTime);
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
            Collection<Node> listed = client.describeCluster(
                            new DescribeClusterOptions().timeoutMs((int) ANSWER_LIMIT.toMillis()))
                    .nodes()
                    .get();
            lookAt(listed);
        } catch (ExecutionException e) {
            missed(e.getCause() == null ? e : e.getCause());
        } catch (KafkaException e) {
            missed(e);
        }
    }

    /** A controller strikes brokers off the list that are away: who lists many of them perhaps has none any more. */
    private void lookAt(Collection<Node> listed) {
        if (!silent && nanos.getAsLong() - lastLook < LOOK_INTERVAL.toNanos()) {
            answered();
            return;
        }
        List<String> away = listed.stream()
                .filter(takesConnections.negate())
                .map(broker -> broker.host() + ":" + broker.port())
                .sorted()
                .toList();
        if (away.size() * 2 > listed.size()) {
            missed("most brokers take no connection", String.join(", ", away));
        } else {
            lastLook = nanos.getAsLong();
            answered();
        }
    }

    private static boolean connects(Node broker) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(broker.host(), broker.port()), CONNECT_MILLIS);
            return true;
        } catch (IOException e) {
            log.debug("{} takes no connection", broker, e);
            return false;
        }
    }

    private void answered() {
        if (silent) {
            log.info("Brokers answer again, after {} s", secondsOfSilence());
        }
        silent = false;
        lastAnswer = nanos.getAsLong();
        answers.met();
    }

    private void missed(Throwable why) {
        missed("no broker has answered", BrokerTrouble.describe(why));
    }

    private void missed(String what, String detail) {
        if (nanos.getAsLong() - lastAnswer < PATIENCE.toNanos()) {
            return;
        }
        String reason = what + " for " + secondsOfSilence() + " s: " + detail;
        if (!silent) {
            log.warn("Not ready: {}", reason);
        }
        silent = true;
        answers.unmet(reason);
    }

    private long secondsOfSilence() {
        return Duration.ofNanos(nanos.getAsLong() - lastAnswer).toSeconds();
    }
}
