package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.NodeState;
import java.util.List;
import java.util.Random;

/** Nodes fail under running jobs, which their classes answer in seven ways; the resource manager lets the jobs run on. */
public final class FailureResponses implements Life {
    private static final List<String> POLICIES =
            List.of("CANCEL", "FAIL", "HOLD", "IGNORE", "NOTIFY", "REQUEUE", "MIGRATE", "REQUEUE*");

    @Override
    public void live(Site site) {
        StringBuilder policy = new StringBuilder("RESERVATIONDEPTH 2\nNODEDOWNSTATEDELAYTIME 30:00\n");
        for (int i = 0; i < POLICIES.size(); i++) {
            policy.append("CLASSCFG[c" + i + "] RESFAILPOLICY=" + POLICIES.get(i) + "\n");
        }
        site.policy(policy.toString());
        site.manager().nodes(1, 24, 4, node -> {});
        site.jobs(110, 400, 0, 221, (number, random, job) -> {
            int tasks = 1 + random.nextInt(20);
            job.setTasks(tasks).setJobClass("c" + number % POLICIES.size());
            if (number % 16 == 2) {
                job.setExtension("checkpointable=true");
            }
        });
        Random random = new Random(222);
        for (int minute = 60; minute < 12 * 60; minute += 20) {
            String node = "n%02d".formatted(1 + random.nextInt(24));
            site.at(
                    minute,
                    () -> site.manager()
                            .node(node, it -> it.setState(NodeState.DOWN).setReason("no answer")));
            site.at(minute + 15 * (1 + random.nextInt(5)), () -> site.manager().repair(node));
        }
        site.runUntil(14 * 60, 15);

        assertThat(site.decisions(DecisionKind.CANCEL)).isNotEmpty();
        assertThat(site.decisions(DecisionKind.REQUEUE)).isNotEmpty();
        assertThat(site.decisions(DecisionKind.MODIFY))
                .as("nodes were exchanged")
                .isNotEmpty();
    }
}
