package io.weir.scheduler.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Timelines and the sweep over them against arrays with one entry per second. A failure names its seed. */
class ResourceTimelineTest {
    private static final int ROUNDS = 400;
    private static final int HORIZON = 60;
    private static final int RESOURCES = 2;

    /** Counts every node by its own timeline. */
    private static final int[] ALL = {0, 1, 2, 3, 4, 5};

    private final Random random = new Random();
    private int[][][] naive = new int[0][][];
    private TimelineRow row = new TimelineRow(0, RESOURCES);

    @Test
    void shouldAnswerAsAnArrayOfSecondsDoes() {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            makeUp(seed, 1);
            ResourceTimeline line = row.at(0);
            for (int question = 0; question < 40; question++) {
                TaskNeed need = need();
                int from = random.nextInt(HORIZON);
                int duration = 1 + random.nextInt(20);
                String what = "seed " + seed + " question " + question;

                assertThat(line.tasks(need, from, from + duration)).as(what).isEqualTo(tasks(0, need, from, duration));
                int count = Math.min(need.most(), 1 + random.nextInt(3));
                assertThat(line.earliestWithin(need, new TaskNeed(0, 0), from, duration, count))
                        .as(what)
                        .isEqualTo(earliest(1, need, from, duration, count, 0));
                line.look(need, from, duration);
                assertThat(line.found()).as(what).isEqualTo(tasks(0, need, from, duration));
                int until = line.foundUntil();
                for (int t = from; t < Math.min(until, 2 * HORIZON); t++) {
                    assertThat(tasks(0, need, t, duration))
                            .as("%s, start %d before %d", what, t, until)
                            .isEqualTo(line.found());
                }
            }
        }
    }

    @Test
    void shouldFindTheEarliestStartOnManyNodes() {
        StartTimeScan scan = new StartTimeScan();
        for (long seed = 1; seed <= ROUNDS; seed++) {
            makeUp(seed, 6);
            for (int question = 0; question < 20; question++) {
                TaskNeed need = need();
                int from = random.nextInt(HORIZON);
                int duration = 1 + random.nextInt(20);
                int wanted = 1 + random.nextInt(12);
                int wantedNodes = random.nextInt(4);

                GapIndex gapIndex = new GapIndex(row, ALL, need.withAmounts(need.full()));
                gapIndex.open(duration, ALL);
                scan.begin(gapIndex, need, from, duration);
                boolean found = scan.total() >= wanted && scan.nodes() >= wantedNodes;
                while (!found && scan.advance()) {
                    found = scan.total() >= wanted && scan.nodes() >= wantedNodes;
                }

                assertThat(found ? scan.time() : ResourceTimeline.NEVER)
                        .as("seed %d question %d", seed, question)
                        .isEqualTo(earliest(6, need, from, duration, wanted, wantedNodes));
            }
        }
    }

    /** One calendar through a life of slots taken and given back: every search still finds the true earliest start. */
    @Test
    void shouldFindTheEarliestStartWhateverWasTakenAndGivenBackSince() {
        StartTimeScan scan = new StartTimeScan();
        for (long seed = 1; seed <= ROUNDS; seed++) {
            makeUp(seed, 6);
            TaskNeed floor = new TaskNeed(1 + random.nextInt(3), 0);
            GapIndex gapIndex = new GapIndex(row, ALL, floor);
            List<int[]> slots = new ArrayList<>();
            for (int question = 0; question < 40; question++) {
                if (!slots.isEmpty() && random.nextInt(4) == 0) {
                    int[] slot = slots.remove(random.nextInt(slots.size()));
                    use(slot, -1);
                    gapIndex.giveBack(slot[0], slot[1], slot[2]);
                } else {
                    int start = random.nextInt(HORIZON);
                    int[] slot = {random.nextInt(6), start, start + random.nextInt(25), random.nextInt(3)};
                    use(slot, 1);
                    slots.add(slot);
                }
                TaskNeed need = need();
                while (need.full()[0] < floor.full()[0]) {
                    need = need();
                }
                int from = random.nextInt(HORIZON);
                int duration = 1 + random.nextInt(20);
                int wanted = 1 + random.nextInt(12);
                gapIndex.open(duration, ALL);
                scan.begin(gapIndex, need, from, duration);
                boolean found = scan.total() >= wanted;
                while (!found && scan.advance()) {
                    found = scan.total() >= wanted;
                }

                assertThat(found ? scan.time() : ResourceTimeline.NEVER)
                        .as("seed %d question %d", seed, question)
                        .isEqualTo(earliest(6, need, from, duration, wanted, 0));
            }
        }
    }

    private void use(int[] slot, int sign) {
        row.at(slot[0]).take(slot[1], slot[2], new int[] {slot[3], 0}, sign);
        for (int t = slot[1]; t < Math.min(slot[2], 2 * HORIZON); t++) {
            naive[slot[0]][t][0] -= slot[3] * sign;
        }
    }

    @Test
    void shouldBeAsBeforeOnceEverythingIsGivenBack() {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            makeUp(seed, 1);
            ResourceTimeline before = new ResourceTimeline(RESOURCES);
            before.copy(row.at(0));
            int[][] taken = new int[30][];
            for (int i = 0; i < taken.length; i++) {
                int from = random.nextInt(HORIZON);
                taken[i] = new int[] {from, from + random.nextInt(20), random.nextInt(3), random.nextInt(300)};
                row.at(0).take(taken[i][0], taken[i][1], new int[] {taken[i][2], taken[i][3]}, 1);
            }
            for (int[] take : taken) {
                row.at(0).take(take[0], take[1], new int[] {take[2], take[3]}, -1);
            }
            for (int t = 0; t < 2 * HORIZON; t++) {
                assertThat(row.at(0).free(0, t)).isEqualTo(before.free(0, t));
                assertThat(row.at(0).nextStep(t)).as("seed %d at %d", seed, t).isEqualTo(before.nextStep(t));
            }
        }
    }

    private void makeUp(long seed, int nodes) {
        random.setSeed(seed);
        row = new TimelineRow(nodes, RESOURCES);
        naive = new int[nodes][2 * HORIZON][RESOURCES];
        for (int n = 0; n < nodes; n++) {
            int[] capacity = {1 + random.nextInt(8), 1000 * (1 + random.nextInt(4))};
            row.at(n).reset(capacity, 0);
            for (int t = 0; t < 2 * HORIZON; t++) {
                naive[n][t] = capacity.clone();
            }
            for (int i = random.nextInt(12); i > 0; i--) {
                int from = random.nextInt(HORIZON);
                int to = random.nextInt(20) == 0 ? ResourceTimeline.NEVER : from + random.nextInt(25);
                int[] amounts = {random.nextInt(3), random.nextInt(1500)};
                int count = 1 + random.nextInt(2);
                row.at(n).take(from, to, amounts, count);
                for (int t = from; t < Math.min(to, 2 * HORIZON); t++) {
                    naive[n][t][0] -= amounts[0] * count;
                    naive[n][t][1] -= amounts[1] * count;
                }
            }
        }
    }

    private TaskNeed need() {
        int most = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : Integer.MAX_VALUE;
        return new TaskNeed(
                new int[] {1 + random.nextInt(3), random.nextBoolean() ? 0 : 1 + random.nextInt(1000)},
                random.nextInt(3) == 0 ? new int[] {random.nextInt(5), random.nextInt(2000)} : new int[0],
                most,
                1 + random.nextInt(2),
                1 + random.nextInt(2),
                -1,
                NodeSharing.AS_THE_NODE_SAYS);
    }

    private int tasks(int node, TaskNeed need, int from, int duration) {
        int best = need.most();
        for (int t = from; t < from + duration; t++) {
            for (int r = 0; r < RESOURCES; r++) {
                int free = naive[node][Math.min(t, 2 * HORIZON - 1)][r];
                while (best > 0 && need.taken(r, Math.min(best, 100)) > Math.max(0, free)) {
                    best = Math.min(best, 100) - 1;
                }
            }
        }
        return best;
    }

    private int earliest(int nodes, TaskNeed need, int from, int duration, int wanted, int wantedNodes) {
        for (int t = from; t < 2 * HORIZON; t++) {
            int total = 0;
            int with = 0;
            for (int n = 0; n < nodes; n++) {
                int tasks = tasks(n, need, t, duration);
                tasks = nodes == 1 ? tasks : need.usable(tasks);
                total += tasks;
                with += tasks > 0 ? 1 : 0;
            }
            if (total >= wanted && with >= wantedNodes) {
                return t;
            }
        }
        return ResourceTimeline.NEVER;
    }
}
