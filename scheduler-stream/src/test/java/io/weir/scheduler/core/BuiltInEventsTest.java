package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Events that the scheduler raises by itself are there where the configuration acts on them, and nobody is told else. */
@NullUnmarked
class BuiltInEventsTest {
    private static final List<String> NAMES = List.of(
            "jobstart",
            "jobend",
            "jobfail",
            "jobcancel",
            "jobwcviolation",
            "rsvcancel",
            "noderesume",
            "rmdown",
            "rmup",
            "schedstart");

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private static String acting() {
        return NAMES.stream()
                        .map(name -> "GEVENTCFG[" + name + "] ACTION=notify\n")
                        .collect(Collectors.joining()) + "ADMINCFG[1] USERS=ops";
    }

    private List<String> told() {
        return site.outputs.stream()
                .map(Output::value)
                .filter(Notification.class::isInstance)
                .map(Notification.class::cast)
                .filter(notice -> NAMES.contains(notice.getEvent()))
                .map(notice -> notice.getEvent() + " " + notice.getObjectId())
                .toList();
    }

    private void ends(String id, JobState state, String reason) {
        JobReport.Builder report = JobReport.newBuilder(site.job(
                id, state, 1, 1, 1_000, 0, SchedulerFixture.at(0), SchedulerFixture.at(30), List.of(), Long.MAX_VALUE));
        site.fact(report.setReason(reason).build());
    }

    private void live(String policy) {
        site.policy(policy).nodes(2, 8).heartbeat(1, true, SchedulerFixture.EPOCH, 0);
        site.iterate(0);
        Stream.of("done", "failed", "cancelled", "late").forEach(id -> site.adopt(id, 1, 1_000, 0, "n1"));
        site.iterate(10);
        ends("done", JobState.COMPLETED, null);
        ends("failed", JobState.FAILED, "NonZeroExitCode");
        ends("cancelled", JobState.CANCELLED, "CANCELLED");
        ends("late", JobState.CANCELLED, "WALLCLOCK");
        site.iterate(40);
        site.request("c", RequestKind.CREATE_RESERVATION, "-", List.of(new NameValue("hostexp", "^n2$")))
                .iterate(50);
        site.request(
                        "x",
                        RequestKind.RELEASE_RESERVATION,
                        site.publishedReservations.keySet().iterator().next())
                .iterate(60);
        site.request("g", RequestKind.MODIFY_NODE, "n2", List.of(new NameValue("state", "Idle")))
                .iterate(80);
        site.iterate(5_000);
        site.node("n1", 8, NodeState.IDLE).heartbeat(2, true, SchedulerFixture.EPOCH, 5_001);
        site.iterate(5_001);
        site.iterate(5_002);
    }

    @Test
    @Feature("NOTE-3")
    void shouldBeActedOnWhereTheConfigurationSaysSo() {
        live(acting());
        assertThat(told())
                .contains(
                        "jobstart done",
                        "jobend done",
                        "jobfail failed",
                        "jobend failed",
                        "jobcancel cancelled",
                        "jobwcviolation late",
                        "noderesume n2",
                        "rmdown rm",
                        "rmup rm")
                .doesNotContain("jobfail done", "jobcancel done", "jobwcviolation cancelled")
                .anyMatch(event -> event.startsWith("rsvcancel "))
                .doesNotHaveDuplicates();
    }

    @Test
    @Feature("NOTE-3")
    void shouldBeToldToNobodyElse() {
        live("ADMINCFG[1] USERS=ops");
        assertThat(told()).containsExactly("rmdown rm");
    }
}
