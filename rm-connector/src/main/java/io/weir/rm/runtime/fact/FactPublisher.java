package io.weir.rm.runtime.fact;

import io.weir.rm.spi.Poll;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmCapabilities;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.HeartbeatReference;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeReport;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TopicCount;
import io.weir.topics.AvroTrust;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes one epoch of a connector: the HELLO that opens it, numbered reports and results, and after each poll a
 * heartbeat that counts them. Within a topic the numbers are 1, 2, 3 … without a gap. One thread.
 */
public final class FactPublisher {

    static {
        AvroTrust.install();
    }

    private final FactLog log;
    private final String cluster;
    private final String connector;
    private final @Nullable Long pollSeconds;
    private final PollDiff diff = new PollDiff();
    private final UnlistedNodes unlisted = new UnlistedNodes();
    private final ReportFit fit = new ReportFit();

    /** Records written in this epoch, by topic name: the number of the last one. */
    private final SortedMap<String, Long> counts = new TreeMap<>();

    private long epoch = -1;
    private long heartbeats;

    /**
     * Creates a publisher for a new epoch; {@link #hello} comes first.
     *
     * @param pollInterval longest time between two polls while the resource manager answers; null when polls follow no clock
     */
    public FactPublisher(FactLog log, String cluster, String connector, @Nullable Duration pollInterval) {
        pollSeconds = pollInterval == null
                ? null
                : pollInterval.plusSeconds(1).minusNanos(1).toSeconds();
        this.log = log;
        this.cluster = cluster;
        this.connector = connector;
        for (Topic<?> topic : List.of(Topics.RM_NODES, Topics.RM_JOBS, Topics.RESULTS)) {
            counts.put(topic.name(), 0L);
        }
    }

    /**
     * Opens the epoch.
     *
     * @return its number: the offset of the HELLO
     */
    public long hello(RmCapabilities rm, Instant rmTime) {
        Heartbeat hello = Heartbeat.newBuilder()
                .setCluster(cluster)
                .setConnector(connector)
                .setKind(HeartbeatKind.HELLO)
                .setNumber(0)
                .setRmTime(rmTime)
                .setRmType(rm.type())
                .setRmVersion(rm.version())
                .setPollSeconds(pollSeconds)
                .build();
        epoch = log.appendFirst(Topics.RM_HEARTBEATS, connector, hello, connector);
        return epoch;
    }

    /**
     * Writes what {@code seen} adds to this epoch, then its heartbeat. The first poll of an epoch is full in any case.
     *
     * @param rm what is known of the resource manager by now, some know their version by the first contact; told with all
     *     that is full
     * @param finished the commands that were finished before the poll began
     * @param full whether to write everything, changed or not
     * @param trouble what went wrong up to this poll and in it
     */
    public PublishedPoll poll(
            Poll seen, RmCapabilities rm, FinishedCommands finished, boolean full, PollTrouble trouble) {
        heartbeats++;
        Poll poll = unlisted.completed(seen);
        boolean everything = full || heartbeats == 1;
        PollDiff.Changes changes = diff.take(poll, everything);
        for (NodeReport report : changes.nodes()) {
            NodeReport stamped = NodeReport.newBuilder(fit.fitted(report))
                    .setAsOfCommand(finished.all())
                    .build();
            append(Topics.RM_NODES, report.getNodeId(), stamped);
        }
        append(changes.jobs(), finished);
        fit.keep(poll.nodes(), poll.jobs());
        long malformed = trouble.malformed() + unlisted.count() + fit.count();
        // Monitoring's topics have other writers too, and nobody counts what is on them.
        changes.metrics().forEach(metric -> log.append(Topics.MONITORING_METRICS, metric.getNodeId(), metric));
        changes.events().forEach(event -> log.append(Topics.MONITORING_EVENTS, event.getObjectId(), event));
        Heartbeat heartbeat = Heartbeat.newBuilder()
                .setCluster(cluster)
                .setConnector(connector)
                .setKind(HeartbeatKind.HEARTBEAT)
                .setNumber(heartbeats)
                .setFull(everything)
                .setRmTime(poll.rmTime())
                .setLastCommand(finished.all())
                .setRmType(everything ? rm.type() : null)
                .setRmVersion(everything ? rm.version() : null)
                .setCounts(counts.entrySet().stream()
                        .map(count -> new TopicCount(count.getKey(), count.getValue()))
                        .toList())
                .setFailures(trouble.failures())
                .setMalformed(malformed)
                .setPollSeconds(everything ? pollSeconds : null)
                .build();
        log.append(Topics.RM_HEARTBEATS, connector, heartbeat, new FactOrigin(connector, epoch, heartbeats));
        return new PublishedPoll(
                new HeartbeatReference(connector, epoch, heartbeats),
                changes.nodes().size(),
                changes.jobs().size(),
                (int) poll.jobs().stream()
                        .filter(job -> job.getState() == JobState.IDLE)
                        .count(),
                malformed);
    }

    /**
     * Writes what a look at single jobs adds. No heartbeat follows it: what it says of the other jobs is as old as the last poll.
     *
     * @param finished which commands were finished when it looked
     */
    public void look(List<JobReport> seen, FinishedCommands finished) {
        append(diff.take(seen), finished);
    }

    private void append(List<JobReport> reports, FinishedCommands finished) {
        for (JobReport report : reports) {
            JobReport stamped = JobReport.newBuilder(fit.fitted(report))
                    .setAsOfCommand(finished.about(report.getJobId()))
                    .build();
            append(Topics.RM_JOBS, report.getJobId(), stamped);
        }
    }

    /** Writes the result of a command that the resource manager answered. */
    public void result(RmCommand command, RmAnswer answer) {
        append(
                command,
                begin(command)
                        .setOutcome(answer.outcome())
                        .setEffectTime(answer.effectTime())
                        .setMessage(answer.message())
                        .setPassing(answer.passing())
                        .setAboutJob(answer.aboutJob()));
    }

    /** Writes that {@code command} came too late and was not tried. */
    public void expired(RmCommand command, String message) {
        append(command, begin(command).setOutcome(CommandOutcome.EXPIRED).setMessage(message));
    }

    private CommandResult.Builder begin(RmCommand command) {
        return CommandResult.newBuilder()
                .setCluster(cluster)
                .setConnector(connector)
                .setNumber(command.getNumber())
                .setCommandId(command.getCommandId())
                .setJobId(command.getJobId());
    }

    private void append(RmCommand command, CommandResult.Builder result) {
        @Nullable String job = command.getJobId();
        append(Topics.RESULTS, job == null ? connector : job, result.build());
        if (job != null) {
            diff.touch(job);
        }
    }

    /** Puts aside a record that could not be used. */
    public void deadLetter(DeadLetter letter) {
        log.append(Topics.DEAD_LETTERS, "", letter);
    }

    /** Waits until everything written is safe. */
    public void flush() {
        log.flush();
    }

    private <T extends SpecificRecord> void append(Topic<T> topic, String entity, T fact) {
        long sequence = counts.merge(topic.name(), 1L, Long::sum);
        log.append(topic, entity, fact, new FactOrigin(connector, epoch, sequence));
    }
}
