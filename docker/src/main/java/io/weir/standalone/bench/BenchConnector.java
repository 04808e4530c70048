package io.weir.standalone.bench;

import io.weir.rm.runtime.fact.FactOrigin;
import io.weir.rm.runtime.fact.KafkaFactLog;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.TopicCount;
import io.weir.standalone.Connection;
import io.weir.topics.AvroCodec;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;

/** Writes facts as a connector does: each with its place, counted by heartbeats. One thread. */
final class BenchConnector implements AutoCloseable {
    /** Cluster the scheduler under test has to own. */
    static final String CLUSTER = "bench";

    private static final String CONNECTOR = "bench";

    private final KafkaFactLog log;
    private final Map<String, Long> sequences = new HashMap<>();
    private final long epoch;
    private long heartbeats;
    private long lastCommand;
    private long facts;

    /** Takes over from whoever wrote before, in the name of {@code connection}'s account. */
    BenchConnector(Connection connection, AvroCodec codec, TopicNames names) {
        log = new KafkaFactLog(connection.kafka(), false, codec, names, CLUSTER);
        Heartbeat hello = heartbeat(HeartbeatKind.HELLO, 0, false, List.of());
        epoch = log.appendFirst(Topics.RM_HEARTBEATS, CONNECTOR, hello, CONNECTOR);
    }

    /** Writes all nodes of {@code site} and the jobs that are there all the time, as a complete poll. */
    void openWith(BenchSite site) {
        for (int i = 0; i < site.nodes(); i++) {
            send(Topics.RM_NODES, BenchSite.nodeId(i), site.node(i));
        }
        Instant now = now();
        for (int i = 0; i < site.nodes(); i++) {
            if (site.isBusy(i)) {
                send(site.busy(i, now));
            }
        }
        for (int i = 0; i < site.jobsWaiting(); i++) {
            send(site.waiting(i, now));
        }
        heartbeat(true);
        log.flush();
    }

    void send(JobReport job) {
        send(Topics.RM_JOBS, job.getJobId(), job);
    }

    <T extends SpecificRecord> void send(Topic<T> topic, String entity, T fact) {
        facts++;
        long sequence = sequences.merge(topic.name(), 1L, Long::sum);
        log.append(topic, entity, fact, new FactOrigin(CONNECTOR, epoch, sequence));
    }

    /** Says that a poll is complete. */
    void heartbeat(boolean full) {
        List<TopicCount> counts = sequences.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> new TopicCount(entry.getKey(), entry.getValue()))
                .toList();
        long number = ++heartbeats;
        log.append(
                Topics.RM_HEARTBEATS,
                CONNECTOR,
                heartbeat(HeartbeatKind.HEARTBEAT, number, full, counts),
                new FactOrigin(CONNECTOR, epoch, number));
    }

    private Heartbeat heartbeat(HeartbeatKind kind, long number, boolean full, List<TopicCount> counts) {
        return new Heartbeat(
                CLUSTER, CONNECTOR, kind, number, full, now(), lastCommand, counts, "bench", null, null, null, null);
    }

    /** Notes that a command was carried out. */
    void carriedOut(long command) {
        lastCommand = Math.max(lastCommand, command);
    }

    /** Returns the number of the last command carried out; 0 for none. */
    long lastCommand() {
        return lastCommand;
    }

    /** Returns how many facts were written, heartbeats apart. */
    long facts() {
        return facts;
    }

    /** Returns how many facts were written to {@code topic}. */
    long facts(Topic<?> topic) {
        return sequences.getOrDefault(topic.name(), 0L);
    }

    void flush() {
        log.flush();
    }

    static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS);
    }

    @Override
    public void close() {
        log.close();
    }
}
