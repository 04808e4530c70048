package io.weir.scheduler.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Two nodes of two processors, searched for gaps in which a task of one processor fits. */
class GapIndexTest {
    private static final int[] OWN = {0, 1};

    private final TimelineRow row = new TimelineRow(2, 1);
    private final GapIndex gaps = new GapIndex(row, new int[] {0, 1}, new TaskNeed(1));
    private final StartTimeScan scan = new StartTimeScan();

    GapIndexTest() {
        row.at(0).reset(new int[] {2}, 0);
        row.at(1).reset(new int[] {2}, 0);
    }

    private void take(int node, int from, int to, int procs) {
        row.take(node, from, to, new int[] {procs}, 1);
    }

    private void giveBack(int node, int from, int to, int procs) {
        row.take(node, from, to, new int[] {procs}, -1);
        for (int line = node; line >= 0; line = row.next(line)) {
            gaps.giveBack(line, from, to);
        }
    }

    /** Returns the first start from {@code from} on of {@code tasks} tasks, each of {@code procs} processors. */
    private int earliest(int procs, int tasks, int from, int duration, int... view) {
        gaps.open(duration, view.length == 0 ? OWN : view);
        scan.begin(gaps, new TaskNeed(procs), from, duration);
        boolean found = scan.total() >= tasks;
        while (!found && scan.advance()) {
            found = scan.total() >= tasks;
        }
        return found ? scan.time() : ResourceTimeline.NEVER;
    }

    @Test
    void shouldFindAStartAtOnceOnFreeNodes() {
        assertThat(earliest(1, 4, 5, 100)).isEqualTo(5);
    }

    @Test
    void shouldFindAGapBetweenTwoSlots() {
        take(0, 0, 10, 2);
        take(0, 20, 90, 2);
        take(1, 0, 80, 2);

        assertThat(earliest(2, 1, 0, 10)).isEqualTo(10);
    }

    @Test
    void shouldPassOverAGapThatIsTooShort() {
        take(0, 0, 10, 2);
        take(0, 20, 90, 2);
        take(1, 0, 80, 2);

        assertThat(earliest(2, 1, 0, 11)).isEqualTo(80);
    }

    @Test
    void shouldStartInTheMiddleOfAGapThatLastsLongEnough() {
        take(0, 50, 60, 2);
        take(1, 0, 100, 2);

        assertThat(earliest(1, 1, 30, 20)).isEqualTo(30);
        assertThat(earliest(1, 1, 31, 20)).isEqualTo(60);
    }

    @Test
    void shouldAddUpGapsOfSeveralNodes() {
        take(0, 0, 30, 2);
        take(1, 0, 40, 1);

        assertThat(earliest(1, 1, 0, 5)).isZero();
        assertThat(earliest(1, 3, 0, 5)).isEqualTo(30);
        assertThat(earliest(1, 4, 0, 5)).isEqualTo(40);
    }

    @Test
    void shouldFindNothingForMoreThanTheNodesHave() {
        assertThat(earliest(1, 5, 0, 5)).isEqualTo(ResourceTimeline.NEVER);
        assertThat(earliest(3, 1, 0, 5)).isEqualTo(ResourceTimeline.NEVER);
    }

    @Test
    void shouldNoticeWhatIsTakenOutOfAKnownGap() {
        assertThat(earliest(2, 2, 0, 50)).isZero();
        take(0, 10, 20, 2);
        take(1, 10, 20, 1);

        assertThat(earliest(2, 2, 0, 50)).isEqualTo(20);
        assertThat(earliest(2, 2, 0, 10)).isZero();
    }

    @Test
    void shouldFindWhatWasGivenBack() {
        take(0, 0, 100, 2);
        take(1, 0, 100, 2);
        assertThat(earliest(1, 1, 0, 20)).isEqualTo(100);

        giveBack(1, 30, 50, 2);

        assertThat(earliest(1, 1, 0, 20)).isEqualTo(30);
        assertThat(earliest(1, 1, 0, 21)).isEqualTo(100);
    }

    @Test
    void shouldFindAShorterGapAfterSearchesForLongOnes() {
        take(0, 10, 100, 2);
        take(1, 0, 100, 2);
        assertThat(earliest(1, 1, 0, 50)).isEqualTo(100);

        assertThat(earliest(1, 1, 0, 10)).isZero();
    }

    @Test
    void shouldSearchThroughTheCopyOfATimelineThatAViewShows() {
        int copy = row.copy(0);
        row.at(copy).take(0, 60, new int[] {2}, 1);
        gaps.add(copy);

        assertThat(earliest(2, 2, 0, 10)).isZero();
        assertThat(earliest(2, 2, 0, 10, copy, 1)).isEqualTo(60);
    }

    @Test
    void shouldForgetCopiesWhenTheTimelinesStartAnew() {
        int copy = row.copy(0);
        gaps.add(copy);
        assertThat(gaps.places()).isEqualTo(3);

        gaps.clear();

        assertThat(gaps.places()).isEqualTo(2);
        assertThat(earliest(2, 2, 0, 10)).isZero();
    }

    @Test
    void shouldFindStartsFarInTheFuture() {
        int late = 1 << 23;
        take(0, 0, late, 2);
        take(1, 0, late + 5, 2);

        assertThat(earliest(2, 1, 0, 10)).isEqualTo(late);
        assertThat(earliest(2, 2, 0, 10)).isEqualTo(late + 5);
    }

    @Test
    void shouldKeepItsGapsWhenTheLastPageIsCrowded() {
        int far = 1 << 20;
        for (int i = 0; i < 600; i++) {
            take(0, far + 20 * i, far + 20 * i + 10, 2);
        }
        take(1, 0, 1 << 22, 2);
        assertThat(earliest(2, 1, far, 10)).isEqualTo(far + 10);

        assertThat(earliest(2, 1, far + 20 * 300 + 1, 10)).isEqualTo(far + 20 * 300 + 10);
        assertThat(earliest(2, 1, far, 11)).isEqualTo(far + 20 * 599 + 10);
    }
}
