package io.weir.scheduler.stream;

import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TopicCount;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Writes facts as a connector does: epoch by HELLO, numbers per topic, counts in heartbeats. Delivers nothing. */
public final class FakeConnector {
    public static final String NAME = "sim";

    private final StreamHarness harness;
    private final String cluster;
    private final String name;
    private final Map<String, Long> counts = new TreeMap<>();
    private long epoch;
    private long heartbeats;
    private long lastCommand;
    private Instant rmTime;

    public FakeConnector(StreamHarness harness) {
        this(harness, StreamHarness.CLUSTER);
    }

    public FakeConnector(StreamHarness harness, String cluster) {
        this(harness, cluster, NAME);
    }

    public FakeConnector(StreamHarness harness, String cluster, String name) {
        this.harness = harness;
        this.cluster = cluster;
        this.name = name;
        this.rmTime = harness.now();
    }

    public ConsumerRecord<byte[], byte[]> hello() {
        counts.clear();
        heartbeats = 0;
        RecordHeaders headers = new RecordHeaders();
        FactHeaders.CONNECTOR.put(headers, name);
        ConsumerRecord<byte[], byte[]> record =
                harness.write(Topics.RM_HEARTBEATS, cluster + "/" + name, beat(HeartbeatKind.HELLO, 0, false), headers);
        epoch = record.offset();
        return record;
    }

    public ConsumerRecord<byte[], byte[]> node(String id, int procs) {
        return node(id, procs, NodeState.IDLE);
    }

    public ConsumerRecord<byte[], byte[]> node(String id, int procs, NodeState state) {
        return fact(
                Topics.RM_NODES,
                id,
                NodeReport.newBuilder()
                        .setCluster(cluster)
                        .setNodeId(id)
                        .setState(state)
                        .setProcs(procs)
                        .build());
    }

    public ConsumerRecord<byte[], byte[]> job(long number, int procs) {
        return fact(Topics.RM_JOBS, "j" + number, jobReport(number, procs).build());
    }

    public ConsumerRecord<byte[], byte[]> running(long number, int procs, String node) {
        return fact(
                Topics.RM_JOBS,
                "j" + number,
                jobReport(number, procs)
                        .setState(JobState.RUNNING)
                        .setStartTime(rmTime)
                        .setAllocation(List.of(new NodeAllocation(node, procs)))
                        .build());
    }

    public ConsumerRecord<byte[], byte[]> ended(long number, int procs) {
        return fact(
                Topics.RM_JOBS,
                "j" + number,
                jobReport(number, procs)
                        .setState(JobState.COMPLETED)
                        .setStartTime(rmTime.minusSeconds(60))
                        .setEndTime(rmTime)
                        .setExitCode(0)
                        .build());
    }

    public JobReport.Builder jobReport(long number, int procs) {
        return JobReport.newBuilder()
                .setCluster(cluster)
                .setJobId("j" + number)
                .setQueueSequence(number)
                .setState(JobState.IDLE)
                .setTasks(procs)
                .setProcsPerTask(1)
                .setWalltimeSeconds(3600L)
                .setSubmitTime(rmTime);
    }

    public ConsumerRecord<byte[], byte[]> done(RmCommand command) {
        return fact(
                Topics.RESULTS,
                command.getJobId(),
                CommandResult.newBuilder()
                        .setCluster(cluster)
                        .setConnector(name)
                        .setNumber(command.getNumber())
                        .setCommandId(command.getCommandId())
                        .setJobId(command.getJobId())
                        .setOutcome(CommandOutcome.DONE)
                        .setEffectTime(rmTime)
                        .build());
    }

    public <T extends SpecificRecord> ConsumerRecord<byte[], byte[]> fact(Topic<T> topic, String entity, T value) {
        return harness.write(topic, cluster + "/" + entity, value, nextHeaders(topic));
    }

    /** Returns the headers of the next fact on {@code topic} and counts it. */
    public Headers nextHeaders(Topic<?> topic) {
        return headers(counts.merge(topic.name(), 1L, Long::sum));
    }

    public Headers headers(long sequence) {
        RecordHeaders headers = new RecordHeaders();
        FactHeaders.CONNECTOR.put(headers, name);
        FactHeaders.EPOCH.put(headers, epoch);
        FactHeaders.SEQUENCE.put(headers, sequence);
        return headers;
    }

    public ConsumerRecord<byte[], byte[]> heartbeat() {
        return heartbeat(heartbeats == 0);
    }

    public ConsumerRecord<byte[], byte[]> heartbeat(boolean full) {
        heartbeats++;
        return harness.write(
                Topics.RM_HEARTBEATS,
                cluster + "/" + name,
                beat(HeartbeatKind.HEARTBEAT, heartbeats, full),
                headers(heartbeats));
    }

    /** Forgets a fact that was counted: it is lost on its way. */
    public void lose(Topic<?> topic) {
        counts.merge(topic.name(), 1L, Long::sum);
    }

    public void at(Instant time) {
        rmTime = time;
    }

    /** Says which command was finished last. */
    public void finished(long command) {
        lastCommand = command;
    }

    public long lastCommand() {
        return lastCommand;
    }

    public Instant rmTime() {
        return rmTime;
    }

    public long epoch() {
        return epoch;
    }

    public Heartbeat beat(HeartbeatKind kind, long number, boolean full) {
        List<TopicCount> list = new ArrayList<>();
        counts.forEach((topic, count) -> list.add(new TopicCount(topic, count)));
        return Heartbeat.newBuilder()
                .setCluster(cluster)
                .setConnector(name)
                .setKind(kind)
                .setNumber(number)
                .setFull(full)
                .setRmTime(rmTime)
                .setLastCommand(lastCommand)
                .setCounts(list)
                .build();
    }
}
