package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.RequestKind;
import io.weir.topics.Topics;
import java.util.Random;

/** Nodes fail, flap, are drained, shrink, grow, and leave, under reservations that move and others that do not. */
public final class NodeFailures implements Life {
    @Override
    public void live(Site site) {
        site.policy("""
                RESERVATIONPOLICY HIGHEST
                RESERVATIONDEPTH 8
                RSVREALLOCPOLICY FAILURE
                NODEBUSYSTATEDELAYTIME 20:00
                NODEMAXLOAD 12
                EXPLAINDEPTH 5
                """);
        site.manager().nodes(1, 20, 8, node -> node.setMemoryMb(16_000));
        site.jobs(
                130, 430, 0, 121, (number, random, job) -> job.setTasks(1 + random.nextInt(number % 5 == 0 ? 90 : 14)));
        site.manager().nodes(21, 21, 8, node -> {});
        Random random = new Random(122);
        for (int minute = 60; minute < 16 * 60; minute += 30) {
            String node = "n%02d".formatted(1 + random.nextInt(20));
            int what = random.nextInt(6);
            int after = 15 * (1 + random.nextInt(6));
            site.at(minute, () -> strike(site, node, what));
            site.at(
                    minute + after,
                    () -> site.manager()
                            .node(
                                    node,
                                    it -> it.setState(NodeState.IDLE)
                                            .setReason(null)
                                            .setFailing(false)
                                            .setMemoryMb(16_000)
                                            .setLoad(0.5)));
        }
        site.at(
                200,
                () -> site.request(RequestKind.CREATE_RESERVATION, "new", "t", "4", "d", "8:00:00", "a", "USER==ann"));
        site.at(500, () -> site.manager().forgetNode("n21"));
        site.at(500, () -> site.manager().restart());
        site.runUntil(16 * 60 + 30, 15);

        assertThat(site.decisions(DecisionKind.START)).hasSizeGreaterThan(60);
        assertThat(site.decisions(DecisionKind.MOVE_RESERVATION)).isNotEmpty();
        assertThat(site.decisions(DecisionKind.MODIFY_RESERVATION))
                .as("the failed node was replaced")
                .isNotEmpty();
        assertThat(site.published(Topics.NODES))
                .extracting(NodeStatus::getState)
                .contains(NodeState.DOWN, NodeState.DRAINED);
        assertThat(site.jobVersions()).extracting(JobStatus::getState).contains(JobState.FAILED);
    }

    private static void strike(Site site, String node, int what) {
        switch (what) {
            case 0, 1 -> site.manager().fail(node, site.now());
            case 2 ->
                site.manager().node(node, it -> it.setState(NodeState.DRAINED).setReason("maintenance"));
            case 3 -> site.manager().node(node, it -> it.setState(NodeState.BUSY));
            case 4 -> site.manager().node(node, it -> it.setMemoryMb(8_000).setFailing(true));
            default -> site.manager().node(node, it -> it.setLoad(14.0));
        }
    }
}
