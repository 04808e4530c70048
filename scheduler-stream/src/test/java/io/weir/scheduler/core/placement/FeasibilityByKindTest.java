package io.weir.scheduler.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.schemas.NameCount;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which nodes could ever run what, and how many of them are compared with a request to find out. */
class FeasibilityByKindTest {
    private final TestCluster cluster = new TestCluster();
    private final Feasibility feasibility = new Feasibility(cluster.nodes, new GlobalResources(cluster.nodes));

    @Test
    void shouldCompareARequestWithOneNodeOfAKind() {
        for (int i = 0; i < 2_000; i++) {
            cluster.node("n" + i, 16, 1_000 * (1 + i % 4), "p" + i % 3);
        }
        Job job = cluster.waiting("j", null, 100, memories(64));
        for (Requirement requirement : job.request().requirements()) {
            NodeMatch match = feasibility.match(job, requirement);
            assertThat(match.nodes().cardinality()).isEqualTo(1_000);
            assertThat(match.rejections().count(RejectionReason.MEMORY)).isEqualTo(1_000);
            assertThat(match.tasks()).isEqualTo(16_000);
        }

        assertThat(feasibility.looks()).isLessThanOrEqualTo(64 * 4 * 5);
    }

    private static Requirement[] memories(int count) {
        Requirement[] requirements = new Requirement[count];
        for (int i = 0; i < count; i++) {
            requirements[i] = TestCluster.tasksWithMemory(1, 2_001 + i);
        }
        return requirements;
    }

    @Test
    void shouldSayTheSameOfManyNodesAsOfEachByItself() {
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            int kind = random.nextInt(12);
            cluster.node(
                    "n" + i,
                    1 + kind % 4,
                    report -> report.setMemoryMb(100L * (kind % 3))
                            .setDiskMb(50L * (kind % 2))
                            .setFeatures(random.nextBoolean() ? List.of("fast") : List.of())
                            .setGres(kind < 6 ? List.of(new NameCount("gpu", (long) kind)) : List.of()));
        }
        for (int i = 0; i < 200; i++) {
            Requirement requirement = new Requirement(
                    1 + random.nextInt(3),
                    new TaskResources(
                            1 + random.nextInt(4),
                            random.nextInt(3) * 90L,
                            0,
                            random.nextInt(2) * 60L,
                            random.nextBoolean() ? new TreeMap<>() : new TreeMap<>(Map.of("gpu", 1L + i % 5))),
                    new NodeDemands(
                            random.nextBoolean() ? List.of("fast|slow") : List.of(),
                            null,
                            null,
                            null,
                            random.nextBoolean() ? List.of("memory>=100", "procs<" + (1 + i % 5)) : List.of()),
                    null,
                    null,
                    false);
            Job job = cluster.waiting("j" + i, null, 100, requirement);
            BitSet one = new BitSet();
            for (int position = 0; position < cluster.nodes.size(); position++) {
                one.set(position, feasibility.reason(job, requirement, position) == null);
            }

            assertThat(feasibility.match(job, requirement).nodes())
                    .as("%s", requirement)
                    .isEqualTo(one);
        }
    }
}
