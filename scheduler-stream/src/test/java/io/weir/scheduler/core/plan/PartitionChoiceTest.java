package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.placement.TaskShare;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Partitions a, b and c of 4, 8 and 16 processors, of which 1, 6 and 8 are taken. */
class PartitionChoiceTest {
    private final TestCluster cluster = new TestCluster()
            .node("a1", 4, 0, "a")
            .node("b1", 8, 0, "b")
            .node("c1", 16, 0, "c")
            .running("ra", 1, "a1", 0, 1000)
            .running("rb", 6, "b1", 0, 1000)
            .running("rc", 8, "c1", 0, 1000);
    private final Job job = cluster.waiting("job", 1, 60);
    private final PartitionChoice choice = new PartitionChoice(cluster.nodes);

    private String chosen(String policy, long now, String... partitions) {
        choice.configure(TestCluster.policy("PARALLOCATIONPOLICY " + policy));
        SortedMap<String, List<TaskShare>> places = new TreeMap<>();
        List<String> all = List.of("a", "b", "c");
        for (String partition : partitions) {
            places.put(partition, List.of(new TaskShare(all.indexOf(partition), 0, 1)));
        }
        List<TaskShare> shares = choice.choose(job, now, places);
        assertThat(shares).hasSize(1);
        return all.get(shares.get(0).position());
    }

    @Test
    void shouldTakeTheFirstByNameUnlessTheSiteSaysOtherwise() {
        assertThat(chosen("FIRSTSTART", 0, "c", "b")).isEqualTo("b");
        assertThat(choice.takesFirst()).isTrue();
    }

    @Test
    void shouldTakeThePartitionWithTheFewestFreeProcessors() {
        assertThat(chosen("BESTFIT", 0, "a", "b", "c")).isEqualTo("b");
        assertThat(choice.takesFirst()).isFalse();
    }

    @Test
    void shouldTakeThePartitionOfWhichTheSmallestPartIsTaken() {
        assertThat(chosen("LOADBALANCE", 0, "a", "b", "c")).isEqualTo("a");
        assertThat(chosen("LOADBALANCE", 0, "b", "c")).isEqualTo("c");
    }

    @Test
    void shouldTakeTheFirstByNameOfEqualOnes() {
        cluster.running("more", 1, "a1", 0, 1000);

        assertThat(chosen("LOADBALANCE", 0, "a", "c")).isEqualTo("a");
    }

    @Test
    void shouldLookOnlyAtPartitionsInWhichTheJobFindsNodes() {
        assertThat(chosen("BESTFIT", 0, "a", "c")).isEqualTo("a");
    }

    @Test
    void shouldNotCountNodesThatTakeNoJobs() {
        cluster.nodes.put(cluster.nodes.get("b1").removed("gone", 0, 1));

        assertThat(chosen("LOADBALANCE", 0, "b", "c")).isEqualTo("b");
    }

    @Test
    void shouldGoRoundFromThePartitionOfTheLastStart() {
        assertThat(chosen("ROUNDROBIN", 0, "a", "b", "c")).isEqualTo("a");

        choice.lastStarted("a");
        assertThat(chosen("ROUNDROBIN", 0, "a", "b", "c")).isEqualTo("b");
        assertThat(chosen("ROUNDROBIN", 0, "a", "c")).isEqualTo("c");

        choice.lastStarted("c");
        assertThat(chosen("ROUNDROBIN", 0, "a", "b", "c")).isEqualTo("a");

        choice.lastStarted("bb");
        assertThat(chosen("ROUNDROBIN", 0, "a", "b", "c")).isEqualTo("c");
    }

    @Test
    void shouldDrawTheSamePartitionForTheSameInstant() {
        for (long now = 0; now < 20; now++) {
            assertThat(chosen("RANDOM", now, "a", "b", "c")).isEqualTo(chosen("RANDOM", now, "a", "b", "c"));
        }
    }

    @Test
    void shouldDrawEveryPartitionAtSomeInstant() {
        Set<String> drawn = new TreeSet<>();
        for (long now = 0; now < 100; now++) {
            drawn.add(chosen("RANDOM", now, "a", "b", "c"));
        }

        assertThat(drawn).containsExactly("a", "b", "c");
    }
}
