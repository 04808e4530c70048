package io.weir.topics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for a broker at the start of a service, which may well be up before it: after a power cut everything starts at once. */
public final class BrokerPatience {
    private static final Logger log = LoggerFactory.getLogger(BrokerPatience.class);
    private static final int QUESTIONS = 60;
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private BrokerPatience() {}

    /**
     * Connects to a broker as soon as one answers; says so while it has to wait.
     *
     * @param client properties of an admin client
     * @return the client, which the caller closes
     * @throws UnfitBrokerException when none has answered after five minutes, or one speaks TLS and the client would not
     * @throws KafkaException when one has, but refuses
     */
    public static Admin connect(Map<String, Object> client) {
        long start = System.nanoTime();
        for (int question = 1; !isThere(client); question++) {
            if (question >= QUESTIONS) {
                throw silence(start);
            }
            log.warn("No broker answers yet, question {} of {}; see kafka.bootstrap.servers", question, QUESTIONS);
        }
        Admin admin = Admin.create(client);
        try {
            await(admin);
            return admin;
        } catch (RuntimeException e) {
            admin.close(Duration.ZERO);
            throw e;
        }
    }

    /** Says whether a broker answers within the time for one question. */
    private static boolean isThere(Map<String, Object> client) {
        long start = System.nanoTime();
        while (!TlsListener.refuse(client)) {
            if (System.nanoTime() - start > ANSWER_LIMIT.toNanos()) {
                return false;
            }
            pause();
        }
        return true;
    }

    /** Returns when a broker behind {@code admin} answers; says so while it has to wait. */
    static void await(Admin admin) {
        long start = System.nanoTime();
        DescribeClusterOptions options = new DescribeClusterOptions().timeoutMs((int) ANSWER_LIMIT.toMillis());
        for (int question = 1; question <= QUESTIONS; question++) {
            try {
                KafkaFutures.get(admin.describeCluster(options).nodes(), "an answer of a broker");
                return;
            } catch (KafkaException e) {
                if (!(e.getCause() instanceof RetriableException)) {
                    throw e;
                }
                log.warn(
                        "No broker answers yet, question {} of {}; see kafka.bootstrap.servers: {}",
                        question,
                        QUESTIONS,
                        e.getMessage());
            }
        }
        throw silence(start);
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static UnfitBrokerException silence(long start) {
        return new UnfitBrokerException(List.of("No broker has answered any of " + QUESTIONS + " questions within "
                + Duration.ofNanos(System.nanoTime() - start).toSeconds()
                + " s. Start one, or correct kafka.bootstrap.servers"));
    }
}
