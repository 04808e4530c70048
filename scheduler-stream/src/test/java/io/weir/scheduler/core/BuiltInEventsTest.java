package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
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
            "jobhold",
            "jobrequeue",
            "rsvstart",
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

    private void reserve(String request, String start, String duration) {
        site.request(
                request,
                RequestKind.CREATE_RESERVATION,
                "-",
                List.of(
                        new NameValue("hostexp", "^n2$"),
                        new NameValue("label", request),
                        new NameValue("starttime", start),
                        new NameValue("duration", duration)));
    }

    private String reservation(String label) {
        return site.publishedReservations.keySet().stream()
                .filter(id -> id.startsWith(label))
                .findFirst()
                .orElseThrow();
    }

    private List<String> toldBy(long time) {
        int before = told().size();
        site.iterate(time);
        return told().subList(before, told().size());
    }

    private void reservations() {
        site.policy("GEVENTCFG[rsvstart] ACTION=notify\nADMINCFG[1] USERS=ops").nodes(2, 8);
        site.iterate(0);
    }

    @Test
    @Feature("NOTE-3")
    void shouldSayOnceOfAReservationThatItBegins() {
        reservations();
        reserve("later", "+100", "1:00:00");
        assertThat(toldBy(0)).isEmpty();
        assertThat(site.lastResult.nextWake()).isEqualTo(SchedulerFixture.at(100));
        String id = reservation("later");
        assertThat(toldBy(99)).isEmpty();
        assertThat(toldBy(100)).containsExactly("rsvstart " + id);
        assertThat(toldBy(100)).isEmpty();
        assertThat(toldBy(101)).isEmpty();
        assertThat(toldBy(5_000)).as("it is over").isEmpty();
    }

    @Test
    @Feature("NOTE-3")
    void shouldSayOfAReservationThatBeginsAsItIsMade() {
        reservations();
        reserve("now", "+0", "1:00:00");
        assertThat(toldBy(10)).containsExactly("rsvstart " + reservation("now"));
        assertThat(toldBy(11)).isEmpty();
    }

    @Test
    @Feature("NOTE-3")
    void shouldSayOfAReservationThatItBeganThoughItIsOverByThen() {
        reservations();
        reserve("short", "+100", "50");
        assertThat(toldBy(0)).isEmpty();
        String id = reservation("short");
        assertThat(toldBy(500)).containsExactly("rsvstart " + id);
    }

    @Test
    @Feature("NOTE-3")
    void shouldSayWhenAReservationBeginsThatIsMoved() {
        reservations();
        reserve("moved", "+1000", "2:00:00");
        assertThat(toldBy(0)).isEmpty();
        String id = reservation("moved");
        site.request("m", RequestKind.MODIFY_RESERVATION, id, List.of(new NameValue("starttime", "+0")));
        assertThat(toldBy(10)).containsExactly("rsvstart " + id);
        assertThat(toldBy(1_000)).isEmpty();
    }

    @Test
    @Feature("NOTE-3")
    void shouldSayOfAReservationThatItBeganWhileTheClusterWasSuspended() {
        reservations();
        reserve("later", "+100", "1:00:00");
        site.iterate(0);
        String id = reservation("later");
        site.fact(Quarantine.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setKind(QuarantineKind.CLUSTER)
                .setId(SchedulerFixture.CLUSTER)
                .setCause("test")
                .setMessage("test")
                .setTime(SchedulerFixture.at(10))
                .setBuild("test")
                .build());
        assertThat(toldBy(100)).as("nothing is done").isEmpty();
        site.request("s", RequestKind.CONTROL_SCHEDULER, "-", List.of(new NameValue("action", "resume")));
        assertThat(toldBy(200)).containsExactly("rsvstart " + id);
    }

    @Test
    @Feature("NOTE-3")
    void shouldSayThatAJobIsHeldOrRequeuedByOthers() {
        site.policy(acting()).nodes(2, 8).iterate(0);
        site.adopt("runs", 1, 1_000, 0, "n1");
        site.submit("waits", 99, 1_000).iterate(10);
        site.request("h", RequestKind.HOLD_JOB, "waits");
        assertThat(toldBy(20)).containsExactly("jobhold waits");
        site.request("h2", RequestKind.HOLD_JOB, "waits");
        assertThat(toldBy(30)).as("it is held already").isEmpty();
        site.report("runs", JobState.HOLD, Long.MAX_VALUE).heartbeat(1, true, SchedulerFixture.EPOCH, 31);
        site.iterate(40);
        site.heartbeat(2, true, SchedulerFixture.EPOCH, 41);
        site.iterate(50);
        assertThat(told()).contains("jobhold runs", "jobrequeue runs").doesNotHaveDuplicates();
    }
}
