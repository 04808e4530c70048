package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.Measurement;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import java.util.List;
import java.util.Random;

/** NODEALLOCATIONPOLICY PRIORITY with functions over what is configured, measured and preferred. */
public final class NodePriorities implements Life {
    private Random measured = new Random();

    @Override
    public void live(Site site) {
        measured = new Random(43);
        site.policy("""
                NODEALLOCATIONPOLICY PRIORITY
                NODECFG[DEFAULT] PRIORITYF='SPEED*20 + .01*AMEM - 10*JOBCOUNT + 50*PREF - 5*LOAD'
                NODECFG[n03] PRIORITY=500 PRIORITYF='PRIORITY + APROCS'
                NODECFG[n04] PRIORITYF='-GMETRIC[temp]'
                EXPLAINDEPTH 5
                """);
        site.at(600, () -> site.policy("""
                NODEALLOCATIONPOLICY PRIORITY
                NODECFG[DEFAULT] PRIORITYF='100*USAGE - 3*LOAD + APROCS - .5*CPROCS + RSVAFFINITY'
                NODECFG[n05] PRIORITYF='10*RANDOM' CHARGERATE=2.0
                EXPLAINDEPTH 5
                """));
        site.manager()
                .nodes(1, 8, 8, node -> node.setMemoryMb(16_000).setSpeed(1.0).setFeatures(List.of("old")));
        site.manager()
                .nodes(9, 16, 16, node -> node.setMemoryMb(64_000).setSpeed(2.5).setFeatures(List.of("new")));
        for (int minute = 60; minute < 18 * 60; minute += 60) {
            int hour = minute / 60;
            site.at(minute, () -> site.manager().node("n%02d".formatted(1 + hour * 5 % 16), this::measure));
        }
        site.jobs(150, 380, 0, 41, (number, random, job) -> {
            job.setPreference(random.nextInt(3) == 0 ? "new" : random.nextInt(3) == 0 ? "old" : null);
            Site.require(
                    job,
                    1 + random.nextInt(number % 6 == 0 ? 60 : 12),
                    task -> task.setMemoryMb(250L * random.nextInt(9)));
        });
        site.runUntil(18 * 60, 15);

        assertThat(site.decisions(DecisionKind.START)).hasSizeGreaterThan(100);
        assertThat(site.decisions(DecisionKind.START))
                .as("new nodes first, then what the other functions want")
                .extracting(decision -> decision.getAllocation().stream()
                        .map(NodeAllocation::getNodeId)
                        .toList())
                .anyMatch(nodes -> nodes.stream().allMatch(node -> node.compareTo("n09") >= 0))
                .anyMatch(nodes -> nodes.stream().allMatch(node -> node.compareTo("n09") < 0));
    }

    private void measure(NodeReport.Builder node) {
        node.setLoad(measured.nextInt(80) / 10.0)
                .setMetrics(List.of(new Measurement("temp", 20.0 + measured.nextInt(60))));
    }
}
