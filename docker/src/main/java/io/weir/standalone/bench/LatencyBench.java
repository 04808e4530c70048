package io.weir.standalone.bench;

import io.weir.rm.runtime.fact.FactOrigin;
import io.weir.rm.runtime.fact.KafkaFactLog;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TopicCount;
import io.weir.standalone.Connection;
import io.weir.topics.AvroCodec;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Plays a resource manager at a steady rate of facts and takes the time from the moment a submission is handed to the
 * producer to the moment its committed start command is read. Each job is four facts: submitted, started (result and
 * report) and ended. One thread.
 */
public final class LatencyBench implements AutoCloseable {
    /** Cluster the scheduler under test has to own. */
    public static final String CLUSTER = "bench";

    private static final String CONNECTOR = "bench";
    private static final long NOT_OPEN = -1;
    private static final int FACTS_PER_JOB = 4;
    private static final long WALLTIME_SECONDS = 3600;
    private static final Duration RUN = Duration.ofSeconds(1);
    private static final Duration POLL = Duration.ofSeconds(1);

    /** A job that runs, and when it ends by {@link System#nanoTime}. */
    private record Running(
            String jobId, long sequence, Instant start, List<NodeAllocation> allocation, long endNanos) {}

    private final BenchSite site;
    private final AvroCodec codec;
    private final KafkaFactLog log;
    private final KafkaConsumer<byte[], byte[]> commands;
    private final Map<String, Long> sequences = new HashMap<>();
    private final Map<String, Long> submitted = new HashMap<>();
    private final Deque<Running> running = new ArrayDeque<>();
    private final List<StartLatency> latencies = new ArrayList<>();
    private long epoch = NOT_OPEN;
    private long heartbeats;
    private long lastCommand;
    private long jobs;
    private long facts;

    /** Connects to the installation behind {@code connection}, which is to schedule {@code site}. */
    public LatencyBench(Connection connection, BenchSite site) {
        this.site = site;
        TopicNames names = new TopicNames(TopicNames.DEFAULT_PREFIX);
        codec = new AvroCodec(names, connection.registry());
        codec.prepare(Topics.all());
        Map<String, Object> settings = connection.kafka();
        log = new KafkaFactLog(settings, codec, names, CLUSTER);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 5);
        commands = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        commands.assign(List.of(new TopicPartition(names.full(Topics.COMMANDS), 0)));
    }

    /**
     * Runs for {@code warmUp} without measuring, then for {@code measured}. May be called again. Submissions come at their
     * rate whatever becomes of them; the other facts of a job follow its start command, as those of a resource manager do.
     *
     * @param factsPerSecond rate of facts, if starts keep up
     */
    public LatencyReport run(int factsPerSecond, Duration warmUp, Duration measured) {
        if (epoch == NOT_OPEN) {
            open();
        }
        long began = System.nanoTime();
        long jobsBefore = jobs;
        long measureFrom = began + warmUp.toNanos();
        long end = measureFrom + measured.toNanos();
        double jobsPerNano = factsPerSecond / (double) FACTS_PER_JOB / 1e9;
        long nextHeartbeat = began + POLL.toNanos();
        long factsBefore = 0;
        boolean measuring = false;
        for (long now = began; now < end; now = System.nanoTime()) {
            if (!measuring && now >= measureFrom) {
                measuring = true;
                latencies.clear();
                factsBefore = facts;
            }
            while (jobs - jobsBefore < (now - began) * jobsPerNano) {
                submit();
            }
            endJobs(now);
            if (now >= nextHeartbeat) {
                heartbeat(false);
                nextHeartbeat += POLL.toNanos();
            }
            for (ConsumerRecord<byte[], byte[]> record : commands.poll(Duration.ofMillis(1))) {
                carryOut(codec.decode(Topics.COMMANDS, record.value()));
            }
        }
        double seconds = measured.toNanos() / 1e9;
        return LatencyReport.of((facts - factsBefore) / seconds, measureFrom, latencies);
    }

    @Override
    public void close() {
        commands.close();
        log.close();
        codec.close();
    }

    private void open() {
        Heartbeat hello =
                new Heartbeat(CLUSTER, CONNECTOR, HeartbeatKind.HELLO, 0L, false, now(), 0L, List.of(), "bench", null);
        epoch = log.appendFirst(Topics.RM_HEARTBEATS, CONNECTOR, hello, CONNECTOR);
        for (int i = 0; i < site.nodes(); i++) {
            send(Topics.RM_NODES, BenchSite.nodeId(i), site.node(i));
        }
        Instant now = now();
        for (int i = 0; i < site.nodes(); i++) {
            if (site.isBusy(i)) {
                JobReport busy = site.busy(i, now);
                send(Topics.RM_JOBS, busy.getJobId(), busy);
            }
        }
        for (int i = 0; i < site.jobsWaiting(); i++) {
            JobReport waiting = site.waiting(i, now);
            send(Topics.RM_JOBS, waiting.getJobId(), waiting);
        }
        jobs = site.nodes() + (long) site.jobsWaiting();
        heartbeat(true);
        log.flush();
        awaitFirstStart();
    }

    /** Waits until all that the site consists of has been taken in: until a job that came behind it starts. */
    private void awaitFirstStart() {
        submit();
        while (!submitted.isEmpty()) {
            for (ConsumerRecord<byte[], byte[]> record : commands.poll(POLL)) {
                carryOut(codec.decode(Topics.COMMANDS, record.value()));
            }
            heartbeat(false);
        }
    }

    private void submit() {
        String id = "j" + ++jobs;
        submitted.put(id, System.nanoTime());
        send(Topics.RM_JOBS, id, job(id, jobs, JobState.IDLE, null, null, List.of()));
    }

    private void carryOut(RmCommand command) {
        String id = command.getJobId();
        if (command.getKind() != CommandKind.START_JOB || id == null) {
            return;
        }
        Long sent = submitted.remove(id);
        if (sent != null) {
            latencies.add(new StartLatency(sent, System.nanoTime() - sent));
        }
        lastCommand = Math.max(lastCommand, command.getNumber());
        Instant start = now();
        send(
                Topics.RESULTS,
                id,
                new CommandResult(
                        CLUSTER,
                        CONNECTOR,
                        command.getNumber(),
                        command.getCommandId(),
                        id,
                        CommandOutcome.DONE,
                        start,
                        null,
                        false));
        long sequence = Long.parseLong(id.substring(1));
        send(Topics.RM_JOBS, id, job(id, sequence, JobState.RUNNING, start, null, command.getAllocation()));
        running.add(new Running(id, sequence, start, command.getAllocation(), System.nanoTime() + RUN.toNanos()));
    }

    private void endJobs(long nanos) {
        while (!running.isEmpty() && running.peek().endNanos() <= nanos) {
            Running ended = running.remove();
            send(
                    Topics.RM_JOBS,
                    ended.jobId(),
                    job(ended.jobId(), ended.sequence(), JobState.COMPLETED, ended.start(), now(), List.of()));
        }
    }

    private JobReport job(
            String id,
            long sequence,
            JobState state,
            @Nullable Instant start,
            @Nullable Instant end,
            List<NodeAllocation> allocation) {
        return JobReport.newBuilder()
                .setCluster(CLUSTER)
                .setJobId(id)
                .setQueueSequence(sequence)
                .setUser("bench")
                .setState(state)
                .setTasks(1)
                .setWalltimeSeconds(WALLTIME_SECONDS)
                .setSubmitTime(now())
                .setStartTime(start)
                .setEndTime(end)
                .setAllocation(allocation)
                .setAsOfCommand(lastCommand)
                .build();
    }

    private void heartbeat(boolean full) {
        List<TopicCount> counts = sequences.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> new TopicCount(entry.getKey(), entry.getValue()))
                .toList();
        long number = ++heartbeats;
        Heartbeat heartbeat = new Heartbeat(
                CLUSTER, CONNECTOR, HeartbeatKind.HEARTBEAT, number, full, now(), lastCommand, counts, "bench", null);
        log.append(Topics.RM_HEARTBEATS, CONNECTOR, heartbeat, new FactOrigin(CONNECTOR, epoch, number));
    }

    private <T extends SpecificRecord> void send(Topic<T> topic, String entity, T fact) {
        facts++;
        long sequence = sequences.merge(topic.name(), 1L, Long::sum);
        log.append(topic, entity, fact, new FactOrigin(CONNECTOR, epoch, sequence));
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS);
    }
}
