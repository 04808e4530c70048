package io.weir.scheduler.core.placement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

@NullUnmarked
class MaxBalancePolicyTest {
    private final NodeAllocationPolicy policy = new MaxBalancePolicy();
    private final PolicyScene scene = new PolicyScene();

    @Test
    void shouldTakeNodesOfEqualSpeedWhereEnoughAreEqual() {
        clocked(500, 500, 500, 750, 750, 800, 800, 1000);
        assertThat(speeds(3)).containsExactly(500, 500, 500);
    }

    @Test
    void shouldTakeTheFastestOfEquallyBalancedNodes() {
        clocked(500, 500, 500, 750, 750, 800, 800, 1000);
        assertThat(speeds(1)).containsExactly(1000);
        assertThat(speeds(2)).containsExactly(800, 800);
    }

    @Test
    void shouldTakeTheSmallestSpanWhereTooFewAreEqual() {
        clocked(500, 500, 500, 750, 750, 800, 800, 1000);
        assertThat(speeds(4)).containsExactly(750, 750, 800, 800);
    }

    @Test
    void shouldFindNothingWhereAllTogetherAreTooFew() {
        clocked(500, 750);
        assertThat(speeds(3)).isEmpty();
    }

    @Test
    void shouldGoByNodeSpeedWhereNoProcessorSpeedIsKnown() {
        scene.node("slow", node -> node.setSpeed(0.5)).node("fast", node -> node.setSpeed(1.6));
        scene.node("unknown");
        assertThat(scene.choose(policy, 2)).containsExactlyInAnyOrder("slow", "unknown");
    }

    @Test
    void shouldTakeTheNodesOfAWindowBySlackAndHighestIndex() {
        clocked(800, 800, 800);
        scene.slack("n1", 60);
        assertThat(scene.choose(policy, 2)).containsExactly("n1", "n3");
    }

    @RepeatedTest(200)
    void shouldFindTheLeastSpanOfAll(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        int[] mhz = random.ints(1 + random.nextInt(9), 1, 12).toArray();
        int tasks = 1 + random.nextInt(mhz.length);
        int[] sorted = mhz.clone();
        Arrays.sort(sorted);
        int least = Integer.MAX_VALUE;
        int slowest = 0;
        for (int from = 0; from + tasks <= sorted.length; from++) {
            int span = sorted[from + tasks - 1] - sorted[from];
            if (span <= least) {
                least = span;
                slowest = sorted[from];
            }
        }
        clocked(mhz);
        List<Integer> chosen = speeds(tasks);
        assertThat(chosen).hasSize(tasks);
        assertThat(chosen.get(0)).isEqualTo(slowest);
        assertThat(chosen.get(tasks - 1)).isEqualTo(slowest + least);
    }

    @Test
    void shouldTellNodesApartByTheirSpeed() {
        assertThat(policy.indifferent()).isFalse();
        assertThat(policy.repeatable()).isTrue();
        assertThat(policy.takesAnyNodes()).isTrue();
    }

    private void clocked(int... mhz) {
        for (int speed : mhz) {
            scene.node("n" + (scene.nodes.size() + 1), node -> node.setProcSpeedMhz(speed));
        }
    }

    private List<Integer> speeds(int tasks) {
        return scene.choose(policy, tasks).stream()
                .map(id -> scene.nodes.at(scene.nodes.position(id)).procSpeedMhz())
                .sorted()
                .toList();
    }
}
