package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.reservation.Company;
import io.weir.scheduler.core.reservation.GapCalendar;
import io.weir.scheduler.core.reservation.ResourceTimeline;
import io.weir.scheduler.core.reservation.TaskNeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Nodes of one partition that would do for some shapes of requests, and when they have room for the least that these take.
 * Valid for one configuration of the nodes.
 */
final class NodeGroup {
    /**
     * What tells groups apart.
     *
     * @param nodes positions of the nodes
     * @param least amounts of the floor
     * @param company with whom its tasks share their nodes
     */
    record Key(BitSet nodes, List<Integer> least, Company company) {}

    /** A calendar and what it has heard of. */
    private static final class View {
        final GapCalendar calendar;
        long plan = -1;
        int heard;

        View(GapCalendar calendar) {
            this.calendar = calendar;
        }
    }

    private final BitSet nodes;
    private final int[] positions;
    private final TaskNeed floor;

    /** By the number of the veil. */
    private final List<View> views = new ArrayList<>();

    NodeGroup(BitSet nodes, TaskNeed floor) {
        this.nodes = nodes;
        this.floor = floor;
        positions = nodes.stream().toArray();
    }

    Key key() {
        return new Key(nodes, Arrays.stream(floor.full()).boxed().toList(), floor.company());
    }

    /** Returns the positions of the nodes, ascending; not to be written. */
    int[] positions() {
        return positions;
    }

    /** Returns the positions of the nodes as a set; not to be written. */
    BitSet nodes() {
        return nodes;
    }

    /** Returns when the nodes have room in {@code lines} under the veil of that number, which lies over them. */
    GapCalendar calendar(ResourceTimeline[] lines, int veil, Releases releases) {
        while (views.size() <= veil) {
            views.add(new View(new GapCalendar(lines, positions, floor)));
        }
        View view = views.get(veil);
        if (view.plan != releases.plan()) {
            view.plan = releases.plan();
            view.calendar.clear();
            view.heard = releases.size();
        }
        for (; view.heard < releases.size(); view.heard++) {
            int i = view.heard;
            view.calendar.giveBack(releases.position(i), releases.from(i), releases.to(i));
        }
        return view.calendar;
    }
}
