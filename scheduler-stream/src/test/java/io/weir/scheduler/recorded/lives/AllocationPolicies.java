package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.RequestKind;
import java.util.List;

/** One NODEALLOCATIONPOLICY after the other on nodes that differ in everything, and another in each partition. */
public final class AllocationPolicies implements Life {
    private static final List<String> POLICIES = List.of(
            "MINRESOURCE",
            "CONTIGUOUS",
            "FASTEST",
            "MAXBALANCE",
            "CPULOAD",
            "FIRSTAVAILABLE",
            "LASTAVAILABLE",
            "PRIORITY");

    @Override
    public void live(Site site) {
        for (int i = 0; i < POLICIES.size(); i++) {
            String policy = "NODEALLOCATIONPOLICY " + POLICIES.get(i) + "\nPARCFG[big] NODEALLOCATIONPOLICY="
                    + POLICIES.get((i + 3) % POLICIES.size()) + "\nRESERVATIONDEPTH 2\nEXPLAINDEPTH 3\n";
            int minute = 150 * i;
            site.at(minute, () -> site.policy(policy));
            site.at(
                    minute + 60,
                    () -> site.request(
                            RequestKind.CREATE_RESERVATION,
                            "new",
                            "t",
                            "3",
                            "R",
                            "PROCS:2",
                            "d",
                            "2:00:00",
                            "a",
                            "USER==ann"));
        }
        for (int n = 1; n <= 28; n++) {
            int number = n;
            site.manager()
                    .nodes(
                            n,
                            n,
                            2 + 2 * (n % 4),
                            node -> node.setMemoryMb(2_000L * (1 + number % 5))
                                    .setSpeed(0.5 + number % 3)
                                    .setProcSpeedMhz(1_000 + 200 * (number % 4))
                                    .setLoad(number * 7 % 10 / 5.0)
                                    .setDiskMb(1_000L * (number % 7))
                                    .setPartition(number > 20 ? "big" : null)
                                    .setFeatures(number % 2 == 0 ? List.of("even", "ib") : List.of("odd")));
        }
        site.jobs(190, 370, 0, 151, (number, random, job) -> {
            job.setPartitions(random.nextInt(3) == 0 ? List.of("big") : List.of());
            Site.require(
                    job,
                    1 + random.nextInt(number % 6 == 0 ? 20 : 7),
                    task -> task.setMemoryMb(300L * random.nextInt(5))
                            .setFeatures(random.nextInt(5) == 0 ? List.of("even") : List.of())
                            .setDiskMb(random.nextInt(4) == 0 ? 500 : 0));
        });
        site.runUntil(20 * 60, 15);

        assertThat(site.decisions(DecisionKind.START)).hasSizeGreaterThan(120);
        assertThat(site.decisions(DecisionKind.CREATE_RESERVATION)).hasSizeGreaterThan(5);
    }
}
