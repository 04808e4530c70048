package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.reservation.NodeBlock;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ResourceTimeline;
import java.util.ArrayList;
import java.util.List;

/**
 * What reservations that are no job's keep from the jobs with one and the same access to them, laid over the timelines
 * while such a job is looked at.
 */
final class Veil {
    /** Keeps nothing from anybody. */
    static final Veil NONE = new Veil(0);

    /** An amount kept on a node during [from, to), in seconds after the start of the plan. */
    private record Part(int position, int from, int to, Capacity amount) {}

    private final int number;
    private final List<Part> parts = new ArrayList<>();

    private Veil(int number) {
        this.number = number;
    }

    /** Returns the number of the veil in its plan, 0 for the one that keeps nothing. */
    int number() {
        return number;
    }

    /** Finds what is kept from {@code job} and all jobs with the same access, in a plan that begins at {@code base}. */
    static Veil of(int number, Job job, ReservationAccess access, NodeTable nodes, long base) {
        Veil veil = new Veil(number);
        boolean everywhere = access.confined(job);
        for (int position = 0; position < nodes.size(); position++) {
            if (!everywhere && access.open(nodes.at(position).id())) {
                continue;
            }
            for (NodeBlock block : access.blocks(job, position, base)) {
                veil.parts.add(
                        new Part(position, clamp(block.from() - base), seconds(block.to() - base), block.amount()));
            }
        }
        return veil;
    }

    /** Lays the veil over the timelines of {@code room}, which follow {@code resources} resources, or takes it off. */
    void draw(NodeRoom room, int resources, int sign) {
        int[] amounts = new int[resources];
        for (Part part : parts) {
            amounts[NodeResources.PROCS] = part.amount().procs();
            amounts[NodeResources.MEMORY] = clamp(part.amount().memoryMb());
            amounts[NodeResources.SWAP] = clamp(part.amount().swapMb());
            amounts[NodeResources.DISK] = clamp(part.amount().diskMb());
            room.keep(part.position(), part.from(), part.to(), amounts, sign);
        }
    }

    /** Returns whether anything is kept on the node at {@code position} at any instant of [from, to). */
    boolean touches(int position, int from, int to) {
        return parts.stream().anyMatch(part -> part.position() == position && part.from() < to && from < part.to());
    }

    private static int clamp(long amount) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE / 4, amount));
    }

    private static int seconds(long seconds) {
        return (int) Math.max(0, Math.min(ResourceTimeline.NEVER, seconds));
    }
}
