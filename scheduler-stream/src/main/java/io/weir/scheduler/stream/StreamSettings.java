package io.weir.scheduler.stream;

import io.weir.topics.TopicNames;
import java.time.Duration;
import java.util.SortedSet;

/**
 * What the stream has to know besides Kafka's own properties.
 *
 * @param names how topics are called here
 * @param clusters the clusters this installation schedules; records of others are dead letters
 * @param givenUp clusters whose state may be in the stores though they are not scheduled any more
 * @param partitions partitions of every input topic
 * @param clock whose clock decides
 * @param coalesce wall clock: how long an urgent event waits for others before an iteration
 * @param maxSkew wall clock: how far {@code now} may run ahead of the last complete heartbeat
 * @param gapTimeout how long none of the facts that a heartbeat counts come before they are given up as lost
 * @param foreignReports whether reports of nodes and jobs are taken from producers that are no connectors
 * @param build the release, recorded in every iteration
 * @param rewriting which state is to be written anew to the topics that keep it
 */
public record StreamSettings(
        TopicNames names,
        SortedSet<String> clusters,
        SortedSet<String> givenUp,
        int partitions,
        ClockMode clock,
        Duration coalesce,
        Duration maxSkew,
        Duration gapTimeout,
        boolean foreignReports,
        String build,
        Rewriting rewriting) {

    /** Settings of a stream whose topics keep all of its state. */
    public StreamSettings(
            TopicNames names,
            SortedSet<String> clusters,
            SortedSet<String> givenUp,
            int partitions,
            ClockMode clock,
            Duration coalesce,
            Duration maxSkew,
            Duration gapTimeout,
            boolean foreignReports,
            String build) {
        this(
                names,
                clusters,
                givenUp,
                partitions,
                clock,
                coalesce,
                maxSkew,
                gapTimeout,
                foreignReports,
                build,
                new Rewriting());
    }
}
