package io.weir.scheduler.core.output;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.nonstop.NonstopJob;
import io.weir.scheduler.core.nonstop.Recovery;
import io.weir.schemas.NonstopEvent;
import io.weir.schemas.NonstopEventKind;
import io.weir.schemas.bound.Bound;
import io.weir.schemas.bound.Limit;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Publishes what befalls the nodes of running jobs, and what the failure service does about it. Serves one iteration. */
public final class NonstopEvents {
    private static final Bound.Prose NOTE = new Bound.Prose(Limit.NOTE_LENGTH, true);

    private final String cluster;
    private final long iteration;
    private final Instant now;
    private final List<Output> outputs;
    private int published;

    NonstopEvents(String cluster, long iteration, Instant now, List<Output> outputs) {
        this.cluster = cluster;
        this.iteration = iteration;
        this.now = now;
        this.outputs = outputs;
    }

    /** Publishes what befell a node of a running job, or was done about it. */
    public void happened(
            NonstopEventKind kind,
            Job job,
            NonstopJob record,
            String nodeId,
            @Nullable String replacement,
            int procs,
            @Nullable String reason) {
        NonstopEvent.Builder event = event(kind, job, record)
                .setNodeId(nodeId)
                .setReplacement(replacement)
                .setProcs(procs)
                .setReason(reason == null ? null : NOTE.cut(reason));
        outputs.add(new Output(OutputKind.NONSTOP_EVENT, cluster + "/" + job.id(), event.build()));
    }

    /** Publishes that a node of a running job was replaced. */
    public void replaced(Job job, NonstopJob record, Recovery done, int procs) {
        NonstopEvent.Builder event = event(NonstopEventKind.NODE_REPLACED, job, record)
                .setNodeId(done.nodeId())
                .setReplacement(done.replacement())
                .setSpare(done.spare())
                .setProcs(procs);
        outputs.add(new Output(OutputKind.NONSTOP_EVENT, cluster + "/" + job.id(), event.build()));
    }

    /** Publishes that the time limit of a job was extended. */
    public void extended(Job job, NonstopJob record, long minutes) {
        NonstopEvent.Builder event =
                event(NonstopEventKind.TIME_EXTENDED, job, record).setMinutes(minutes);
        outputs.add(new Output(OutputKind.NONSTOP_EVENT, cluster + "/" + job.id(), event.build()));
    }

    private NonstopEvent.Builder event(NonstopEventKind kind, Job job, NonstopJob record) {
        return NonstopEvent.newBuilder()
                .setCluster(cluster)
                .setEventId(cluster + "/" + iteration + "/" + published++)
                .setJobId(job.id())
                .setIteration(iteration)
                .setTime(now)
                .setKind(kind)
                .setBalance(record.balance())
                .setUser(job.request().credentials().user())
                .setEndpoints(record.endpoints());
    }
}
