package io.weir.standalone.bench;

import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.standalone.Connection;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a scheduler finds that was away, or only watched, for a while: jobs that the resource manager ran by itself,
 * each submitted, started and ended, many at a time under way, and a poll at the end. One thread.
 */
public final class Backlog implements AutoCloseable {
    /** Facts of a job. */
    public static final int FACTS_PER_JOB = 3;

    private static final long WALLTIME_SECONDS = 3_600;

    /** A job starts when so many more were submitted, and ends when so many more were started. */
    private static final int WAITING = 20;

    private final BenchSite site;
    private final AvroCodec codec;
    private final BenchConnector connector;
    private final int running;
    private long jobs;
    private boolean open;

    /** Connects to the installation behind {@code connection}, in which {@code site} is scheduled. */
    public Backlog(Connection connection, BenchSite site) {
        TopicNames names = new TopicNames(TopicNames.DEFAULT_PREFIX);
        this.site = site;
        this.running = site.nodes();
        codec = new AvroCodec(names, connection.registry());
        codec.prepare(Topics.all());
        connector = new BenchConnector(connection, codec, names);
    }

    /** Writes all of {@code more} jobs; returns how many reports of jobs have been written in all. */
    public long write(int more) {
        if (!open) {
            connector.openWith(site);
            open = true;
        }
        long first = jobs + 1;
        long last = jobs + more;
        for (long step = first; step <= last + WAITING + running; step++) {
            if (step <= last) {
                connector.send(job(step, JobState.IDLE));
            }
            if (isIn(first, step - WAITING, last)) {
                connector.send(job(step - WAITING, JobState.RUNNING));
            }
            if (isIn(first, step - WAITING - running, last)) {
                connector.send(job(step - WAITING - running, JobState.COMPLETED));
            }
        }
        jobs = last;
        connector.heartbeat(false);
        connector.flush();
        return connector.facts(Topics.RM_JOBS);
    }

    private static boolean isIn(long first, long number, long last) {
        return first <= number && number <= last;
    }

    private JobReport job(long number, JobState state) {
        Instant now = BenchConnector.now();
        boolean started = state != JobState.IDLE;
        @Nullable Instant start = started ? now : null;
        return JobReport.newBuilder()
                .setCluster(BenchConnector.CLUSTER)
                .setJobId("j" + number)
                .setQueueSequence(number)
                .setUser("bench")
                .setState(state)
                .setTasks(1)
                .setWalltimeSeconds(WALLTIME_SECONDS)
                .setSubmitTime(now)
                .setStartTime(start)
                .setEndTime(state == JobState.COMPLETED ? now : null)
                .setAllocation(
                        started
                                ? List.of(new NodeAllocation(BenchSite.nodeId((int) (number % site.nodes())), 1))
                                : List.of())
                .setAsOfCommand(connector.lastCommand())
                .build();
    }

    @Override
    public void close() {
        connector.close();
        codec.close();
    }
}
