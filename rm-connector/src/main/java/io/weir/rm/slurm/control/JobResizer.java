package io.weir.rm.slurm.control;

import io.weir.rm.slurm.client.HostList;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmError;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmNode;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.spi.RetriableRmException;
import io.weir.schemas.NodeAllocation;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a running job another node, or takes one away. Slurm lets a job grow only by merging another job of the same user
 * into it, so a short-lived one is allocated on the node first. Needs {@code permit_job_expansion} among Slurm's
 * SchedulerParameters and, to do it more than once, slurmdbd. One thread.
 */
public final class JobResizer {
    private static final Logger log = LoggerFactory.getLogger(JobResizer.class);

    private final SlurmRest rest;
    private final SlurmCommands commands;

    public JobResizer(SlurmRest rest, SlurmCommands commands) {
        this.rest = rest;
        this.commands = commands;
    }

    /** Takes back what was allocated for the job to grow and never merged: its connector died between the two. */
    public void undoHalfDone(SlurmJob job) {
        for (String expansion : commands.jobsNamed(SlurmCommands.expansionName(Long.toString(job.id())))) {
            try {
                rest.cancel(expansion);
            } catch (SlurmRefusal e) {
                log.info("job={} was to expand job {} and has ended: {}", expansion, job.id(), e.getMessage());
            }
        }
    }

    /** Adds {@code procs} processors of a node that is free; to a batch job only of one behind that where its script runs. */
    public void add(SlurmJob job, String node, int procs) throws SlurmRefusal {
        if (job.user() == null) {
            throw new SlurmRefusal(new SlurmError(0, "the user of job " + job.id() + " is not known"));
        }
        checkOrder(job, node);
        String expansion = commands.allocateToExpand(job, node, procs);
        boolean merged = false;
        try {
            commands.update(expansion, List.of("NumNodes=0"));
            merged = true;
        } finally {
            if (!merged) {
                giveBack(expansion);
            }
        }
    }

    /**
     * The first of a batch job's nodes in Slurm's order is where Slurm looks for its script. Were another node the first, Slurm
     * would miss the script when that node registers the next time, and requeue the job.
     */
    private void checkOrder(SlurmJob job, String node) throws SlurmRefusal {
        @Nullable String script = job.scriptNode();
        if (script == null) {
            return;
        }
        List<String> order = rest.nodes(null).orElseGet(List::of).stream()
                .map(SlurmNode::name)
                .toList();
        int position = order.indexOf(node);
        if (position >= 0 && position < order.indexOf(script)) {
            throw new SlurmRefusal(new SlurmError(
                    0,
                    "node " + node + " comes before " + script + ", where the script of job " + job.id()
                            + " runs: Slurm would miss the script there and requeue the job"));
        }
    }

    private void giveBack(String expansion) throws SlurmRefusal {
        try {
            rest.cancel(expansion);
        } catch (RetriableRmException e) {
            throw new RetriableRmException("job " + expansion + " was to expand another and could not be cancelled", e);
        }
    }

    /** Takes nodes away; the one where the job's script runs Slurm does not take. */
    public void remove(SlurmJob job, Set<String> nodes) throws SlurmRefusal {
        List<String> left = job.allocation().stream()
                .map(NodeAllocation::getNodeId)
                .filter(name -> !nodes.contains(name))
                .toList();
        if (nodes.isEmpty() || left.size() != job.allocation().size() - nodes.size() || left.isEmpty()) {
            throw new SlurmRefusal(new SlurmError(0, "job " + job.id() + " has not " + nodes + " to spare"));
        }
        commands.update(Long.toString(job.id()), List.of("NodeList=" + HostList.compress(left)));
    }
}
