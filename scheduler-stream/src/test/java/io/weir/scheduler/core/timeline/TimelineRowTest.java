package io.weir.scheduler.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Copies of timelines from which something is kept, made at any time in a life of slots taken and given back, against
 * arrays with one entry per second from which the same is taken for each look. A failure names its seed.
 */
class TimelineRowTest {
    private static final int ROUNDS = 300;
    private static final int QUESTIONS = 60;
    private static final int NODES = 6;
    private static final int VIEWS = 4;
    private static final int HORIZON = 60;

    private final Random random = new Random();
    private final TimelineRow row = new TimelineRow(NODES, 1);

    /** By node and second, what is free. */
    private final int[][] free = new int[NODES][2 * HORIZON];

    /** By view, node and second, what is kept. */
    private final int[][][] kept = new int[VIEWS][NODES][2 * HORIZON];

    /** By view and node, the timeline that shows it. */
    private final int[][] views = new int[VIEWS][NODES];

    @Test
    void shouldFindTheEarliestStartAsAnyViewHasIt() {
        StartTimeScan scan = new StartTimeScan();
        for (long seed = 1; seed <= ROUNDS; seed++) {
            begin(seed);
            int floor = 1 + random.nextInt(3);
            int[] nodes = random.ints(0, NODES).distinct().limit(4).sorted().toArray();
            GapIndex gapIndex = new GapIndex(row, nodes, new TaskNeed(floor));
            List<int[]> slots = new ArrayList<>();
            int told = NODES;
            for (int question = 0; question < QUESTIONS; question++) {
                change(slots, gapIndex);
                keep(random.nextInt(VIEWS));
                for (; told < row.size(); told++) {
                    if (Arrays.binarySearch(nodes, row.node(told)) >= 0) {
                        gapIndex.add(told);
                    }
                }
                int view = random.nextInt(VIEWS);
                int procs = floor + random.nextInt(3);
                int from = random.nextInt(HORIZON);
                int duration = 1 + random.nextInt(20);
                int wanted = 1 + random.nextInt(8);
                gapIndex.open(duration, views[view]);
                scan.begin(gapIndex, new TaskNeed(procs), from, duration);
                boolean found = scan.total() >= wanted;
                while (!found && scan.advance()) {
                    found = scan.total() >= wanted;
                }

                assertThat(found ? scan.time() : ResourceTimeline.NEVER)
                        .as("seed %d question %d", seed, question)
                        .isEqualTo(earliest(nodes, view, procs, from, duration, wanted));
            }
        }
    }

    @Test
    void shouldTellViewsApartExactlyWhereSomethingIsKept() {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            begin(seed);
            for (int question = 0; question < 20; question++) {
                int view = random.nextInt(VIEWS);
                keep(view);
                int node = random.nextInt(NODES);
                int from = random.nextInt(HORIZON);
                int to = from + 1 + random.nextInt(20);
                boolean differs = Arrays.stream(kept[view][node], from, to).anyMatch(amount -> amount > 0);

                assertThat(row.at(views[view][node]).differs(row.at(node), from, to))
                        .as("seed %d question %d", seed, question)
                        .isEqualTo(differs);
            }
        }
    }

    /** Starts anew on the same row, so that copies dropped before are used again. */
    private void begin(long seed) {
        random.setSeed(seed);
        row.dropCopies();
        for (int node = 0; node < NODES; node++) {
            int procs = 1 + random.nextInt(8);
            row.at(node).reset(new int[] {procs}, 0);
            Arrays.fill(free[node], procs);
            for (int view = 0; view < VIEWS; view++) {
                views[view][node] = node;
                Arrays.fill(kept[view][node], 0);
            }
        }
    }

    private void change(List<int[]> slots, GapIndex gapIndex) {
        if (!slots.isEmpty() && random.nextInt(3) == 0) {
            int[] slot = slots.remove(random.nextInt(slots.size()));
            use(slot, -1);
            for (int line = slot[0]; line >= 0; line = row.next(line)) {
                gapIndex.giveBack(line, slot[1], slot[2]);
            }
        } else {
            int start = random.nextInt(HORIZON);
            int[] slot = {random.nextInt(NODES), start, start + random.nextInt(25), random.nextInt(3)};
            use(slot, 1);
            slots.add(slot);
        }
    }

    private void use(int[] slot, int sign) {
        row.take(slot[0], slot[1], slot[2], new int[] {slot[3]}, sign);
        for (int t = slot[1]; t < slot[2]; t++) {
            free[slot[0]][t] -= slot[3] * sign;
        }
    }

    /** Now and then keeps something of a node that a view has not been told to show otherwise yet. */
    private void keep(int view) {
        int node = random.nextInt(NODES);
        if (views[view][node] != node || random.nextInt(4) > 0) {
            return;
        }
        int line = row.copy(node);
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            int from = random.nextInt(HORIZON);
            int to = from + 1 + random.nextInt(30);
            int amount = 1 + random.nextInt(4);
            row.at(line).take(from, to, new int[] {amount}, 1);
            for (int t = from; t < to; t++) {
                kept[view][node][t] += amount;
            }
        }
        for (int other = 0; other < VIEWS; other++) {
            if (other == view || random.nextInt(4) == 0) {
                views[other][node] = line;
                kept[other][node] = kept[view][node].clone();
            }
        }
    }

    private int earliest(int[] nodes, int view, int procs, int from, int duration, int wanted) {
        for (int start = from; start < 2 * HORIZON; start++) {
            int total = 0;
            for (int node : nodes) {
                int least = Integer.MAX_VALUE;
                for (int t = start; t < start + duration; t++) {
                    int second = Math.min(t, 2 * HORIZON - 1);
                    least = Math.min(least, free[node][second] - kept[view][node][second]);
                }
                total += Math.max(0, least) / procs;
            }
            if (total >= wanted) {
                return start;
            }
        }
        return ResourceTimeline.NEVER;
    }
}
