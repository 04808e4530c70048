package io.weir.standalone.bench;

import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import io.weir.standalone.Connection;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    public static final String CLUSTER = BenchConnector.CLUSTER;

    /** How long a broker waits for a command, in milliseconds. */
    private static final int FETCH_WAIT_MS = 5;

    private static final int FACTS_PER_JOB = 4;
    private static final long WALLTIME_SECONDS = 3600;
    private static final Duration RUN = Duration.ofSeconds(1);
    private static final Duration POLL = Duration.ofSeconds(1);

    /** A job that runs, and when it ends by {@link System#nanoTime}. */
    private record Running(
            String jobId, long sequence, Instant start, List<NodeAllocation> allocation, long endNanos) {}

    private final BenchSite site;
    private final AvroCodec codec;
    private final BenchConnector connector;
    private final KafkaConsumer<byte[], byte[]> commands;
    private final Map<String, Long> submitted = new HashMap<>();
    private final Deque<Running> running = new ArrayDeque<>();
    private final List<StartLatency> latencies = new ArrayList<>();
    private boolean open;
    private long jobs;

    /** Connects to the installation behind {@code connection}, which is to schedule {@code site}. */
    public LatencyBench(Connection connection, BenchSite site) {
        this.site = site;
        TopicNames names = new TopicNames(TopicNames.DEFAULT_PREFIX);
        codec = new AvroCodec(names, connection.registry());
        codec.prepare(Topics.all());
        connector = new BenchConnector(connection, codec, names);
        commands = committed(connection, names.full(Topics.COMMANDS));
    }

    /** Returns a reader of what is committed on a topic of one partition, from its beginning. */
    static KafkaConsumer<byte[], byte[]> committed(Connection connection, String topic) {
        Map<String, Object> settings = connection.kafka();
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MS);
        KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(List.of(new TopicPartition(topic, 0)));
        return consumer;
    }

    /**
     * Runs for {@code warmUp} without measuring, then for {@code measured}. May be called again. Submissions come at their
     * rate whatever becomes of them; the other facts of a job follow its start command, as those of a resource manager do.
     *
     * @param factsPerSecond rate of facts, if starts keep up
     */
    public LatencyReport run(int factsPerSecond, Duration warmUp, Duration measured) {
        if (!open) {
            open();
        }
        long began = System.nanoTime();
        long jobsBefore = jobs;
        long measureFrom = began + warmUp.toNanos();
        long end = measureFrom + measured.toNanos();
        double jobsPerNano = factsPerSecond / (double) FACTS_PER_JOB / 1e9;
        long nextHeartbeat = began + POLL.toNanos();
        long reports = 0;
        long factsBefore = 0;
        boolean measuring = false;
        MachineUse.Meter meter = MachineUse.begin();
        for (long now = began; now < end; now = System.nanoTime()) {
            if (!measuring && now >= measureFrom) {
                measuring = true;
                latencies.clear();
                factsBefore = connector.facts();
                meter = MachineUse.begin();
            }
            while (jobs - jobsBefore < (now - began) * jobsPerNano) {
                submit();
            }
            endJobs(now);
            long due = (now - began) * site.measuredPerSecond() / 1_000_000_000L;
            for (; reports < due; reports++) {
                measure(reports);
            }
            if (now >= nextHeartbeat) {
                connector.heartbeat(false);
                nextHeartbeat += POLL.toNanos();
            }
            for (ConsumerRecord<byte[], byte[]> record : commands.poll(Duration.ofMillis(1))) {
                carryOut(codec.decode(Topics.COMMANDS, record.value()));
            }
        }
        return LatencyReport.of(connector.facts() - factsBefore, meter.read(), measureFrom, latencies);
    }

    @Override
    public void close() {
        commands.close();
        connector.close();
        codec.close();
    }

    private void open() {
        open = true;
        connector.openWith(site);
        jobs = site.nodes() + (long) site.jobsWaiting();
        awaitFirstStart();
    }

    /** Waits until all that the site consists of has been taken in: until a job that came behind it starts. */
    private void awaitFirstStart() {
        submit();
        while (!submitted.isEmpty()) {
            for (ConsumerRecord<byte[], byte[]> record : commands.poll(POLL)) {
                carryOut(codec.decode(Topics.COMMANDS, record.value()));
            }
            connector.heartbeat(false);
        }
    }

    private void submit() {
        String id = "j" + ++jobs;
        submitted.put(id, System.nanoTime());
        connector.send(job(id, jobs, JobState.IDLE, null, null, List.of()));
    }

    private void measure(long number) {
        int index = (int) (number % site.nodes());
        connector.send(Topics.RM_NODES, BenchSite.nodeId(index), site.measured(index, number / site.nodes()));
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
        connector.carriedOut(command.getNumber());
        Instant start = now();
        connector.send(
                Topics.RESULTS,
                id,
                new CommandResult(
                        CLUSTER,
                        command.getConnector(),
                        command.getNumber(),
                        command.getCommandId(),
                        id,
                        CommandOutcome.DONE,
                        start,
                        null,
                        false,
                        false));
        long sequence = Long.parseLong(id.substring(1));
        connector.send(job(id, sequence, JobState.RUNNING, start, null, command.getAllocation()));
        running.add(new Running(id, sequence, start, command.getAllocation(), System.nanoTime() + RUN.toNanos()));
    }

    private void endJobs(long nanos) {
        while (!running.isEmpty() && running.peek().endNanos() <= nanos) {
            Running ended = running.remove();
            connector.send(job(ended.jobId(), ended.sequence(), JobState.COMPLETED, ended.start(), now(), List.of()));
        }
    }

    private JobReport job(
            String id,
            long sequence,
            JobState state,
            @Nullable Instant start,
            @Nullable Instant end,
            List<NodeAllocation> allocation) {
        return job(id, sequence, state, start, end, allocation, connector.lastCommand());
    }

    static JobReport job(
            String id,
            long sequence,
            JobState state,
            @Nullable Instant start,
            @Nullable Instant end,
            List<NodeAllocation> allocation,
            long asOfCommand) {
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
                .setAsOfCommand(asOfCommand)
                .build();
    }

    private static Instant now() {
        return BenchConnector.now();
    }
}
