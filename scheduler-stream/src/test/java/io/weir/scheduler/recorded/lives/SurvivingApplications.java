package io.weir.scheduler.recorded.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.recorded.Life;
import io.weir.scheduler.recorded.Site;
import io.weir.schemas.CategoryInterval;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeState;
import io.weir.schemas.NonstopEvent;
import io.weir.schemas.NonstopEventKind;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.topics.Topics;
import java.util.List;
import java.util.Random;

/**
 * Applications replace and give up nodes that fail, or are said to be failing, and have their time limits extended, while
 * nodes go through one category after the other.
 */
public final class SurvivingApplications implements Life {
    private static final List<String> REASONS =
            List.of("ECC error", "link down", "lustre evicted", "slurmd gone", "sssd: service has failed", "no answer");

    private int seen;

    @Override
    public void live(Site site) {
        seen = 0;
        site.policy("""
                RESERVATIONDEPTH 2
                NODEDOWNSTATEDELAYTIME 30:00
                NODECFG[DEFAULT] ENABLEPROFILING=TRUE
                NODECATCREDLIST down=HardwareFailure,NetworkFailure,StorageFailure idle=Idle
                PROFILEINTERVAL 2:00:00
                FAILURESERVICE nonstop
                #line 1 "nonstop.conf"
                ControlAddr=control
                HotSpareCount=DEFAULT:1
                MaxSpareNodeCount=1
                TimeLimitDelay=60
                TimeLimitExtend=5
                TimeLimitDrop=20
                UserDrainAllow=ann
                """);
        site.manager().nodes(1, 8, 4, node -> {});
        site.jobs(
                26,
                900,
                0,
                321,
                (number, random, job) -> job.setTasks(4 + random.nextInt(9)).setExtension("nokill"));
        Random random = new Random(322);
        for (int minute = 60; minute < 9 * 60; minute += 30) {
            String node = "n%02d".formatted(1 + random.nextInt(8));
            String reason = REASONS.get(random.nextInt(REASONS.size()));
            site.at(
                    minute,
                    () -> site.manager()
                            .node(node, it -> it.setState(NodeState.DOWN).setReason(reason)));
            site.at(minute + 15 * (2 + random.nextInt(5)), () -> site.manager().repair(node));
            site.at(minute + 15, () -> answerEvents(site));
        }
        site.at(95, () -> site.requestOf("bob", RequestKind.DRAIN_NODES, "nodes", "nodes", "n02", "reason", "slow"));
        site.at(
                110,
                () -> site.requestOf(
                        "ann", RequestKind.DRAIN_NODES, "nodes", "nodes", "n04,n05,n06", "reason", "slow"));
        for (String drained : List.of("n04", "n05", "n06")) {
            site.at(200, () -> site.request(RequestKind.MODIFY_NODE, drained, "failing", ""));
        }
        site.at(
                120,
                () -> site.request(RequestKind.CREATE_RESERVATION, "new", "h", "n08", "d", "1:00:00", "b", "hwmain"));
        site.at(240, () -> site.request(RequestKind.MODIFY_NODE, "n07", "category", "=site1"));
        site.at(330, () -> site.request(RequestKind.MODIFY_NODE, "n07", "category", "="));
        site.runUntil(10 * 60, 15);

        assertThat(site.published(Topics.NONSTOP_EVENTS))
                .extracting(NonstopEvent::getKind)
                .contains(
                        NonstopEventKind.NODE_FAILED,
                        NonstopEventKind.NODE_FAILING,
                        NonstopEventKind.NODE_REPLACED,
                        NonstopEventKind.NODE_DROPPED,
                        NonstopEventKind.TIME_EXTENDED);
        assertThat(site.answers())
                .extracting(RequestResult::getOutcome)
                .contains(RequestOutcome.ACCEPTED, RequestOutcome.REFUSED);
        assertThat(site.published(Topics.NODE_CATEGORIES))
                .extracting(CategoryInterval::getCategory)
                .contains("Active", "Idle", "HardwareMaintenance", "Site1", "NetworkFailure", "Other");
        assertThat(site.jobVersions()).extracting(version -> version.getState()).contains(JobState.COMPLETED);
    }

    /** Asks for a replacement of each node that was lost of late, gives up those lost before, and takes the minutes. */
    private void answerEvents(Site site) {
        List<NonstopEvent> events = site.published(Topics.NONSTOP_EVENTS);
        int from = seen;
        seen = events.size();
        for (int i = 0; i < events.size(); i++) {
            NonstopEvent event = events.get(i);
            boolean lost =
                    event.getKind() == NonstopEventKind.NODE_FAILED || event.getKind() == NonstopEventKind.NODE_FAILING;
            if (lost && i >= from) {
                site.request(RequestKind.SHOW_JOB_FAILURES, event.getJobId());
                site.request(RequestKind.REPLACE_JOB_NODE, event.getJobId(), "node", event.getNodeId());
            } else if (lost && i >= from - 3) {
                site.request(RequestKind.DROP_JOB_NODE, event.getJobId(), "node", event.getNodeId());
                site.request(RequestKind.EXTEND_JOB, event.getJobId(), "minutes", "0");
            }
        }
    }
}
