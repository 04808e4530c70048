package io.weir.topics;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for a broker at the start of a service, which may well be up before it: after a power cut everything starts at once. */
public final class BrokerPatience {
    private static final Logger log = LoggerFactory.getLogger(BrokerPatience.class);
    private static final int QUESTIONS = 60;
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    private BrokerPatience() {}

    /**
     * Returns when a broker behind {@code admin} answers; says so while it has to wait.
     *
     * @throws UnfitBrokerException when none has answered after five minutes
     * @throws KafkaException when one has, but refuses
     */
    public static void await(Admin admin) {
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
        throw new UnfitBrokerException(List.of("No broker has answered within "
                + ANSWER_LIMIT.multipliedBy(QUESTIONS).toMinutes()
                + " min. Start one, or correct kafka.bootstrap.servers"));
    }
}
