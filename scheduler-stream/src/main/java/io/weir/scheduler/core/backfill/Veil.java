package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.reservation.NodeBlock;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ResourceTimeline;
import io.weir.scheduler.core.reservation.StartLimits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What reservations that are no job's keep from the jobs with one and the same access to them, laid over the timelines
 * while such a job is looked at. What starts of these jobs taught is kept here, apart from that of others.
 */
final class Veil {
    /** Keeps nothing from anybody. */
    static final Veil NONE = new Veil();

    /** An amount kept on a node during [from, to), in seconds after the start of the plan. */
    private record Part(int position, int from, int to, int[] amounts) {}

    private final List<Part> parts = new ArrayList<>();
    private final Map<PlanShape, StartLimits> limits = new LinkedHashMap<>();
    private long limitsOf = -1;

    private Veil() {}

    /** Finds what is kept from {@code job} and all jobs with the same access, in a plan that begins at {@code base}. */
    static Veil of(Job job, ReservationAccess access, NodeTable nodes, int resources, long base) {
        Veil veil = new Veil();
        boolean everywhere = access.confined(job.request());
        for (int position = 0; position < nodes.size(); position++) {
            if (!everywhere && access.open(nodes.at(position).id())) {
                continue;
            }
            for (NodeBlock block : access.blocks(job.request(), position, base)) {
                Capacity amount = block.amount();
                int[] amounts = new int[resources];
                amounts[NodeResources.PROCS] = amount.procs();
                amounts[NodeResources.MEMORY] = clamp(amount.memoryMb());
                amounts[NodeResources.SWAP] = clamp(amount.swapMb());
                amounts[NodeResources.DISK] = clamp(amount.diskMb());
                veil.parts.add(new Part(position, clamp(block.from() - base), seconds(block.to() - base), amounts));
            }
        }
        return veil;
    }

    /** Lays the veil over {@code lines}, or takes it off. */
    void draw(ResourceTimeline[] lines, int sign) {
        for (Part part : parts) {
            lines[part.position()].take(part.from(), part.to(), part.amounts(), sign);
        }
    }

    /** Returns whether anything is kept on the node at {@code position} at any instant of [from, to). */
    boolean touches(int position, int from, int to) {
        return parts.stream().anyMatch(part -> part.position() == position && part.from() < to && from < part.to());
    }

    /** Returns what is known of starts of jobs of {@code shape} in the plan's {@code generation}. */
    StartLimits limits(PlanShape shape, long generation) {
        if (limitsOf != generation) {
            limitsOf = generation;
            limits.clear();
        }
        return limits.computeIfAbsent(shape, key -> new StartLimits());
    }

    private static int clamp(long amount) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE / 4, amount));
    }

    private static int seconds(long seconds) {
        return (int) Math.max(0, Math.min(ResourceTimeline.NEVER, seconds));
    }
}
