package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.timeline.GapIndex;
import io.weir.scheduler.core.timeline.NodeSharing;
import io.weir.scheduler.core.timeline.TaskNeed;
import io.weir.scheduler.core.timeline.TimelineRow;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of one partition that would do for some plan keys, and when they have room for the least that these take.
 * Valid for one configuration of the nodes.
 */
final class CandidateGroup {
    /**
     * What tells groups apart.
     *
     * @param nodes positions of the nodes
     * @param least amounts of the floor
     * @param company with whom its tasks share their nodes
     */
    record Key(BitSet nodes, List<Integer> least, NodeSharing company) {}

    private final BitSet nodes;
    private final TaskNeed floor;

    /** The positions of the nodes, once somebody asked; few of the groups that are made are new ones. */
    private int @Nullable [] positions;

    private @Nullable GapIndex index;

    /** The plan that the index is of, and how many releases and timelines of it were told to the index. */
    private long plan = -1;

    private int released;
    private int lines;

    CandidateGroup(BitSet nodes, TaskNeed floor) {
        this.nodes = nodes;
        this.floor = floor;
    }

    Key key() {
        return new Key(nodes, Arrays.stream(floor.full()).boxed().toList(), floor.sharing());
    }

    /** Returns the positions of the nodes, ascending; not to be written. */
    int[] positions() {
        int[] known = positions;
        if (known == null) {
            known = nodes.stream().toArray();
            positions = known;
        }
        return known;
    }

    /** Returns the positions of the nodes as a set; not to be written. */
    BitSet nodes() {
        return nodes;
    }

    /** Returns when the nodes have room, made ready for searches for {@code seconds} as they are seen just now. */
    GapIndex index(NodeAvailabilityPlan availability, int seconds) {
        TimelineRow row = availability.lines();
        ReleaseLog releases = availability.releases();
        GapIndex gaps = index == null ? new GapIndex(row, positions(), floor) : index;
        index = gaps;
        if (plan != releases.plan()) {
            plan = releases.plan();
            gaps.clear();
            released = releases.size();
            lines = row.nodes();
        }
        for (; lines < row.size(); lines++) {
            if (nodes.get(row.node(lines))) {
                gaps.add(lines);
            }
        }
        for (; released < releases.size(); released++) {
            gaps.giveBack(releases.line(released), releases.from(released), releases.to(released));
        }
        gaps.open(seconds, availability.accessView().lines());
        return gaps;
    }
}
