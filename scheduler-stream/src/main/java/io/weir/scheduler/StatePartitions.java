package io.weir.scheduler;

import io.weir.scheduler.reduction.ReductionTopology;
import io.weir.topics.Topics;
import io.weir.topics.UnfitBrokerException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the topic that keeps the reduction's state as many partitions as the metrics have: a site adds partitions to these when
 * there are more than one thread can read, and Kafka Streams does not start while the numbers differ. What is kept stays where it
 * is; a node whose metrics come on another partition from then on is looked at there as a new one. Blocks for the broker.
 */
final class StatePartitions {
    private static final Logger log = LoggerFactory.getLogger(StatePartitions.class);
    private static final long TIMEOUT_SECONDS = 30;

    private final Admin admin;
    private final String metrics;
    private final String changelog;

    private StatePartitions(Admin admin, String metrics, String changelog) {
        this.admin = admin;
        this.metrics = metrics;
        this.changelog = changelog;
    }

    /** Returns those of the reduction; {@code admin} stays open. */
    static StatePartitions of(ReductionConfig config, Admin admin) {
        return new StatePartitions(
                admin,
                config.topics().names().full(Topics.MONITORING_METRICS),
                ReductionTopology.changelog(config.applicationId()));
    }

    /**
     * Adds the partitions that are missing. Nothing happens where the state was never kept, or the broker does not answer.
     *
     * @throws UnfitBrokerException when this account may not, or the metrics have fewer partitions than the state
     */
    void match() {
        try {
            int kept = partitions(changelog);
            int wanted = partitions(metrics);
            if (kept > 0 && kept < wanted) {
                add(wanted);
                log.warn(
                        "Partitions were added to {}: the state has {} of them now, {} before. What holds on nodes whose metrics"
                                + " come on another partition is reported again",
                        metrics,
                        wanted,
                        kept);
            } else if (kept > wanted && wanted > 0) {
                throw new UnfitBrokerException(List.of("Topic " + metrics + " has " + wanted + " partitions, but "
                        + changelog + ", which keeps the state of the reduction, has " + kept
                        + ": the metrics were made"
                        + " anew with fewer. Remove the topic " + changelog
                        + " and start again: what holds then is reported"
                        + " again"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.warn(
                    "The partitions of {} could not be compared with those of {}: {}",
                    changelog,
                    metrics,
                    e.toString());
        }
    }

    /** Returns how many partitions {@code topic} has; 0 when there is none. */
    private int partitions(String topic) throws InterruptedException, ExecutionException, TimeoutException {
        try {
            Map<String, TopicDescription> found =
                    get(admin.describeTopics(List.of(topic)).allTopicNames());
            return found.values().stream()
                    .mapToInt(description -> description.partitions().size())
                    .sum();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return 0;
            }
            throw e;
        }
    }

    private void add(int wanted) throws InterruptedException, TimeoutException {
        try {
            get(admin.createPartitions(Map.of(changelog, NewPartitions.increaseTo(wanted)))
                    .all());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InvalidPartitionsException) {
                log.info("Another instance added partitions to {}", changelog);
                return;
            }
            throw new UnfitBrokerException(List.of("Partitions were added to " + metrics + ", and "
                    + changelog + ", which keeps the state of the reduction, needs as many: " + e.getCause()
                    + ". Have an account that may do so run: kafka-topics.sh --bootstrap-server HOST:PORT --alter --topic "
                    + changelog + " --partitions " + wanted));
        }
    }

    private static <T> T get(KafkaFuture<T> future) throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
}
