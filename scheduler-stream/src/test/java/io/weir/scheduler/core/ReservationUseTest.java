package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.Explanation;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.ReservationStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Who has to use reservations, how often they may be used, and when they may be moved. T0 is 13:46:40 on a Monday. */
class ReservationUseTest {
    private static final long HOUR = 3600;
    private static final String RESERVED_ONLY =
            "QOSCFG[in] QFLAGS=USERESERVED\nQOSCFG[lab] QFLAGS=USERESERVED:lab\nUSERCFG[ann] QLIST=in,lab\n";

    private final SchedulerFixture weir = new SchedulerFixture();
    private int requests;

    // --- USERESERVED ------------------------------------------------------------------------------------------------

    @Test
    @Feature("CFG-1")
    void shouldConfineJobsOfAQualityOfServiceToReservations() {
        weir.policy(RESERVED_ONLY).nodes(3, 1);
        weir.submit("j1", 1, HOUR, job -> job.setQos("in")).iterate(0);
        assertThat(weir.started()).as("there is no reservation yet").isEmpty();

        create(10, "h", "n1", "a", "USER==joe");
        assertThat(weir.started()).as("it may not use that one").isEmpty();

        create(20, "h", "n2", "a", "USER==ann");
        assertThat(nodesOf("j1")).containsExactly("n2");

        weir.submit("j2", 1, HOUR, job -> job.setQos("in"))
                .submit("free", 1, HOUR)
                .iterate(30);
        assertThat(weir.started()).as("the rest of the machine is not for j2").containsExactly("free");
    }

    @Test
    void shouldLetStrictOrderPassJobsWhoseReservationThereIsNot() {
        weir.policy("BACKFILLPOLICY NONE").nodes(1, 1);
        weir.submit("gone", 1, HOUR, job -> job.setReservation("gone"))
                .submit("behind", 1, HOUR)
                .iterate(0);
        assertThat(weir.started()).containsExactly("behind");

        create(10, "h", "n1", "a", "USER==ann", "n", "gone", "s", "+2:00:00");
        weir.submit("last", 1, HOUR).end("behind", 20).iterate(20);
        assertThat(weir.started())
                .as("its reservation is there and begins later")
                .isEmpty();
    }

    @Test
    @Feature("CFG-1")
    void shouldConfineJobsOfAQualityOfServiceToOneReservation() {
        weir.policy(RESERVED_ONLY).nodes(3, 1);
        create(0, "h", "n1", "a", "USER==ann");
        create(10, "h", "n3", "a", "USER==ann", "n", "lab");
        weir.submit("j1", 1, HOUR, job -> job.setQos("lab"))
                .submit("j2", 1, HOUR, job -> job.setQos("lab"))
                .submit("other", 1, HOUR, job -> job.setQos("lab").setReservation("ann.1"))
                .iterate(20);

        assertThat(weir.started()).containsExactly("j1");
        assertThat(nodesOf("j1")).containsExactly("n3");
        Explanation why = Objects.requireNonNull(weir.publishedExplanations.get("other"));
        assertThat(why.getConstraint()).isEqualTo("Reserved");
        assertThat(why.getMessage()).contains("has to stay inside reservation ann.1 and lab");
    }

    @Test
    @Feature("RSV-19")
    void shouldAdmitByTheQualityOfServiceInForce() {
        weir.policy("QOSCFG[high] PRIORITY=1\nUSERCFG[ann] QDEF=high\n").nodes(1, 1);
        create(0, "h", "n1", "a", "QOS==high");
        weir.submit("default", 1, HOUR).submit("none", 1, HOUR, job -> job.setUser("joe"));
        weir.iterate(10);

        assertThat(weir.started()).containsExactly("default");
    }

    /** QFLAGS=DEDICATED holds for the jobs of that QoS only, whoever asked for the same first. */
    @Test
    @Feature("CFG-1")
    void shouldTellDedicatedJobsFromOthersThatAskForTheSame() {
        weir.policy("QOSCFG[own] QFLAGS=DEDICATED\nUSERCFG[ann] QLIST=own").node("n1", 4, NodeState.IDLE);
        weir.submit("plain", 1, HOUR)
                .submit("dedicated", 1, HOUR, job -> job.setQos("own"))
                .submit("after", 1, HOUR)
                .iterate(0);
        assertThat(weir.started()).containsExactly("plain", "after");
    }

    // --- SINGLEUSE --------------------------------------------------------------------------------------------------

    @Test
    @Feature("RSV-19")
    void shouldEndASingleUseReservationWithItsFirstJob() {
        weir.rebuildingAlways().nodes(2, 1);
        weir.submit("before", 1, HOUR, job -> job.setHosts(List.of("n1"))).iterate(0);
        create(10, "h", "n1,n2", "a", "USER==ann", "F", "SINGLEUSE", "d", "10:00:00");
        weir.end("before", 20).iterate(20);
        assertThat(weir.publishedReservations).as("that one ran before").containsKey("ann.1");

        weir.submit("first", 1, HOUR).iterate(30);
        weir.submit("eve", 1, HOUR, job -> job.setUser("eve")).iterate(40);
        assertThat(weir.started()).isEmpty();
        weir.end("first", 50).iterate(50);

        assertThat(weir.publishedReservations).doesNotContainKey("ann.1");
        assertThat(weir.lastNotifications())
                .extracting(Notification::getText)
                .anyMatch(text -> text.contains("ended with the first job that used it"));
        assertThat(weir.started()).containsExactly("eve");
    }

    @Test
    @Feature("RSV-19")
    void shouldNotMakeAStandingInstanceAgainAfterItsSingleUse() {
        weir.policy("SRCFG[s] HOSTLIST=n1 USERLIST=ann FLAGS=SINGLEUSE DEPTH=2").nodes(1, 1);
        weir.submit("j", 1, HOUR).iterate(0);
        assertThat(weir.started()).containsExactly("j");
        assertThat(starts("s")).hasSize(2);

        weir.end("j", 10).iterate(10);
        weir.iterate(20);

        assertThat(starts("s"))
                .as("tomorrow's is left")
                .singleElement()
                .satisfies(start -> assertThat(start).isGreaterThan(20));
    }

    // --- TIMEFLEX ---------------------------------------------------------------------------------------------------

    @Test
    @Feature("RSV-19")
    void shouldBeginAFlexibleReservationWhenNothingIsInItsWay() {
        weir.rebuildingAlways().nodes(3, 1).adopt("R1", 1, HOUR, 0, "n1").adopt("R2", 1, 2 * HOUR, 0, "n2");
        weir.iterate(0);
        create(10, "t", "2", "a", "USER==joe", "F", "TIMEFLEX", "d", "3:00:00");
        assertThat(start("joe.1")).isEqualTo(HOUR);
        assertThat(end("joe.1")).isEqualTo(4 * HOUR);
        assertThat(nodes("joe.1")).containsExactly("n1", "n3");

        weir.end("R1", 100).iterate(100);
        assertThat(start("joe.1")).as("earlier, as R1 has ended").isEqualTo(100);
        assertThat(end("joe.1")).isEqualTo(100 + 3 * HOUR);
    }

    @Test
    @Feature("RSV-19")
    void shouldNotMoveAFlexibleReservationBeforeTheTimeAskedFor() {
        weir.nodes(1, 1).adopt("R1", 1, 4 * HOUR, 0, "n1");
        weir.iterate(0);
        create(10, "h", "n1", "a", "USER==joe", "F", "TIMEFLEX", "s", "+1:00:00", "d", "1:00:00");
        assertThat(start("joe.1")).isEqualTo(4 * HOUR);

        weir.end("R1", 100).iterate(100);
        assertThat(start("joe.1")).isEqualTo(10 + HOUR);
    }

    @Test
    @Feature("RSV-19")
    void shouldMoveAFlexibleReservationWhoseNodeFails() {
        weir.nodes(2, 1).adopt("R", 1, 2 * HOUR, 0, "n1");
        weir.iterate(0);
        create(10, "t", "1", "a", "USER==joe", "F", "TIMEFLEX", "s", "+1:00:00", "d", "1:00:00");
        assertThat(nodes("joe.1")).containsExactly("n2");
        assertThat(start("joe.1")).isEqualTo(10 + HOUR);

        weir.node("n2", 1, NodeState.DOWN).iterate(20);
        assertThat(nodes("joe.1")).containsExactly("n1");
        assertThat(start("joe.1")).isEqualTo(2 * HOUR);
    }

    @Test
    @Feature("RSV-19")
    void shouldPutFlexibleReservationsOneAfterTheOther() {
        weir.nodes(1, 1);
        create(0, "h", "n1", "F", "TIMEFLEX", "d", "1:00:00");
        create(10, "h", "n1", "F", "TIMEFLEX", "d", "1:00:00");
        create(20, "h", "n1", "F", "TIMEFLEX", "d", "1:00:00", "E", "");

        assertThat(start("system.2")).isEqualTo(HOUR);
        assertThat(start("system.3")).isEqualTo(2 * HOUR);

        weir.request("release", RequestKind.RELEASE_RESERVATION, "system.2").iterate(30);
        assertThat(start("system.3")).isEqualTo(HOUR);
    }

    @Test
    @Feature("RSV-19")
    void shouldLieOverOthersAsUsualWhenThereIsNeverRoom() {
        weir.nodes(1, 1);
        create(0, "h", "n1");
        create(10, "h", "n1", "F", "TIMEFLEX", "d", "1:00:00");

        assertThat(start("system.2")).isEqualTo(10);
    }

    /** An instance from 14:00 to 18:00 on a node that a job holds until 15:46:40. */
    @Test
    @Feature("RSV-19")
    void shouldMoveAnInstanceOfAStandingReservation() {
        weir.policy("SRCFG[s] HOSTLIST=n1 USERLIST=joe STARTTIME=14:00:00 ENDTIME=18:00:00 DEPTH=1 FLAGS=TIMEFLEX")
                .nodes(1, 1)
                .adopt("R", 1, 2 * HOUR, 0, "n1");
        weir.iterate(0);

        assertThat(starts("s")).containsExactly(2 * HOUR);
        weir.iterate(HOUR);
        assertThat(starts("s")).as("it is not made again for its own time").containsExactly(2 * HOUR);
        assertThat(end(weir.publishedReservations.keySet().stream()
                        .filter(id -> id.startsWith("s."))
                        .findFirst()
                        .orElseThrow()))
                .isEqualTo(6 * HOUR);
    }

    @Test
    @Feature("CMD-1")
    void shouldTakeFlagsFromAProfile() {
        weir.policy("RSVPROFILE[flex] FLAGS=TIMEFLEX:SINGLEUSE HOSTLIST=n1")
                .nodes(1, 1)
                .adopt("R", 1, HOUR, 0, "n1");
        weir.iterate(0);
        create(10, "P", "flex", "a", "USER==joe", "d", "1:00:00");

        assertThat(weir.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        assertThat(start("joe.1")).isEqualTo(HOUR);
    }

    private void create(long time, String... arguments) {
        List<NameValue> pairs = new ArrayList<>();
        for (int i = 0; i < arguments.length; i += 2) {
            pairs.add(new NameValue(arguments[i], arguments[i + 1]));
        }
        weir.request("r" + requests++, RequestKind.CREATE_RESERVATION, "new", pairs)
                .iterate(time);
    }

    private List<String> nodesOf(String job) {
        return weir.job(job).getAllocation().stream()
                .map(NodeAllocation::getNodeId)
                .toList();
    }

    private ReservationStatus reservation(String id) {
        assertThat(weir.publishedReservations).containsKey(id);
        return Objects.requireNonNull(weir.publishedReservations.get(id));
    }

    private long start(String id) {
        return reservation(id).getStart().getEpochSecond() - SchedulerFixture.T0;
    }

    private long end(String id) {
        return reservation(id).getEnd().getEpochSecond() - SchedulerFixture.T0;
    }

    private List<String> nodes(String id) {
        return reservation(id).getAllocation().stream()
                .map(NodeAllocation::getNodeId)
                .toList();
    }

    /** Returns when the instances of a standing reservation begin. */
    private List<Long> starts(String standing) {
        return weir.publishedReservations.values().stream()
                .filter(status -> standing.equals(status.getStanding()))
                .map(status -> status.getStart().getEpochSecond() - SchedulerFixture.T0)
                .toList();
    }
}
