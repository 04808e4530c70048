package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class IndexRunsTest {
    private static final int NODES = 13;

    @RepeatedTest(20)
    void shouldKnowTheRunThatHoldsMostWhateverChanges(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        TestCluster cluster = new TestCluster();
        int index = random.nextInt(3);
        for (int i = 0; i < NODES; i++) {
            // Now and then a gap, and now and then two nodes of one index.
            index += new int[] {0, 1, 1, 1, 1, 2}[random.nextInt(6)];
            int its = index;
            cluster.node("n" + i, 4, report -> report.setIndex(its));
        }
        IndexRuns runs = new IndexRuns(cluster.nodes);
        for (int search = 0; search < 5; search++) {
            int wanted = 1 + random.nextInt(20);
            int[] tasks = new int[NODES];
            runs.begin(wanted);
            for (int step = 0; step < 60; step++) {
                int position = random.nextInt(NODES);
                int after = random.nextBoolean() ? 0 : random.nextInt(5);
                runs.changed(position, tasks[position], after);
                tasks[position] = after;
                if (step > 10) {
                    assertThat(runs.any())
                            .as("search %d, step %d, %d tasks", search, step, wanted)
                            .isEqualTo(most(cluster, tasks) >= wanted);
                }
            }
        }
    }

    @Test
    void shouldFollowTheNodesThatComeAndGo() {
        TestCluster cluster = new TestCluster().node("a", 1, report -> report.setIndex(1));
        IndexRuns runs = new IndexRuns(cluster.nodes);
        runs.begin(2);
        runs.changed(0, 0, 1);
        assertThat(runs.any()).isFalse();

        cluster.node("b", 1, report -> report.setIndex(2));
        runs.begin(2);
        runs.changed(0, 0, 1);
        runs.changed(1, 0, 1);

        assertThat(runs.any()).isTrue();
    }

    /** Returns what the best run holds, tried from each index on. */
    private static int most(TestCluster cluster, int[] tasks) {
        int most = 0;
        for (int from = 0; from < 3 * NODES; from++) {
            int sum = 0;
            for (int index = from; ; index++) {
                int held = 0;
                for (int position = 0; position < NODES; position++) {
                    held += cluster.nodes.at(position).index() == index ? tasks[position] : 0;
                }
                if (held == 0) {
                    break;
                }
                sum += held;
            }
            most = Math.max(most, sum);
        }
        return most;
    }
}
