package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.ReservationType;
import io.weir.schemas.bound.Limit;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that failed and are not down, or not for long: reserved for a while, so that no job runs into the same failure. */
@NullUnmarked
class TransientFailureTest {
    private static final long HOUR = 3600;
    private static final long NOON = 12 * HOUR;

    private final SchedulerFixture weir = new SchedulerFixture();

    @Test
    @Feature({"TRANS-4", "TRANS-5"})
    void TR2() {
        refusedStartOnN3(NOON);

        assertThat(reservation().getType()).isEqualTo(ReservationType.SYSTEM);
        assertThat(reservation().getStart()).isEqualTo(SchedulerFixture.at(NOON));
        assertThat(reservation().getEnd()).isEqualTo(SchedulerFixture.at(NOON + 60));
        weir.submit("next", 3, HOUR).iterate(NOON + 59);
        assertThat(weir.started()).isEmpty();

        weir.iterate(NOON + 60);
        assertThat(weir.started()).containsExactly("next");
        assertThat(weir.publishedReservations).doesNotContainKey("failure.n3.1");
    }

    @Test
    @Feature("TRANS-4")
    void TR3() {
        refusedStartOnN3(NOON);

        error("n3", "ERROR fan slow").iterate(NOON + 40);

        assertThat(weir.publishedReservations).containsOnlyKeys("failure.n3.1");
        assertThat(reservation().getStart()).isEqualTo(SchedulerFixture.at(NOON));
        assertThat(reservation().getEnd()).isEqualTo(SchedulerFixture.at(NOON + 100));
    }

    @Test
    @Feature("TRANS-4")
    void keepsANodeAsLongAsItsIllHealthIsReported() {
        weir.policy("NODEFAILURERESERVETIME 60").nodes(1, 1).iterate(0);
        error("n1", "ERROR disk full").iterate(10);
        weir.submit("j", 1, HOUR).iterate(70);
        assertThat(weir.started()).isEmpty();

        weir.node("n1", 1, NodeState.IDLE).iterate(80);
        weir.iterate(130);
        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    @Feature("TRANS-4")
    void reservesANodeThatWasDownForAMomentOnly() {
        weir.policy("NODEFAILURERESERVETIME 60").nodes(2, 1).iterate(0);
        weir.node("n1", 1, NodeState.DOWN).node("n2", 1, NodeState.DOWN).iterate(29);
        weir.node("n1", 1, NodeState.IDLE).iterate(60);
        weir.node("n2", 1, NodeState.IDLE).iterate(90);

        assertThat(weir.publishedReservations).containsOnlyKeys("failure.n1.1");
        weir.iterate(120);
        assertThat(weir.publishedReservations).isEmpty();
    }

    /** Between the silence and the first report nothing happens by which the scheduler would know what time it is. */
    @Test
    @Feature("TRANS-4")
    void reservesNoNodesOfAResourceManagerThatWasSilent() {
        weir.nodes(2, 1).heartbeat(1, false, SchedulerFixture.EPOCH, 0).iterate(0);
        weir.iterate(301);
        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).contains("rmdown", "nodedown");

        weir.nodes(2, 1)
                .submit("j", 2, HOUR)
                .heartbeat(2, true, SchedulerFixture.EPOCH, 900)
                .iterate(900);

        assertThat(weir.publishedReservations).doesNotContainKeys("failure.n1.1", "failure.n2.1", "failure.n2.2");
        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    @Feature("TRANS-4")
    void reservesTheNodesThatTheResourceManagerNames() {
        weir.policy("NODEFAILURERESERVETIME 60")
                .nodes(3, 1)
                .submit("j", 3, HOUR)
                .iterateSilently(0);
        weir.answer("j", CommandOutcome.REFUSED, 0, "prolog failed on n2, n33").iterate(1);

        assertThat(weir.publishedReservations).containsOnlyKeys("failure.n2.1");
    }

    @Test
    @Feature("TRANS-4")
    void leavesRunningJobsAlone() {
        weir.policy("NODEFAILURERESERVETIME 60")
                .nodes(1, 2)
                .submit("j", 1, HOUR)
                .iterate(0);
        error("n1", "ERROR fan slow").submit("next", 1, HOUR).iterate(10);

        assertThat(weir.job("j").getAllocation()).hasSize(1);
        assertThat(weir.started()).isEmpty();
    }

    @Test
    @Feature("TRANS-4")
    void takesTheTermsOfAProfile() {
        weir.policy("""
                        NODEFAILURERESERVETIME 60
                        RMCFG[base] NODEFAILURERSVPROFILE=broken
                        RSVPROFILE[broken] USERLIST=admin SUBTYPE=hwfail
                        """).nodes(1, 1).iterate(0);
        error("n1", "ERROR fan slow").iterate(10);

        ReservationStatus made = weir.publishedReservations.get("failure.n1.1");
        assertThat(made.getSubtype()).isEqualToIgnoringCase("HardwareFailure");
        assertThat(made.getAcl()).containsExactly("USER==admin+");
        assertThat(made.getAllocation()).hasSize(1);
    }

    @Test
    @Feature("TRANS-4")
    void reservesNoFurtherNodesForAUserWhoseStartsAreRefused() {
        weir.policy("NODEFAILURERESERVETIME 60\nNODEALLOCATIONPOLICY FIRSTAVAILABLE")
                .nodes(4, 1);
        for (String id : List.of("a", "b", "c", "d")) {
            weir.submit(id, 1, HOUR, job -> job.setUser(id.equals("d") ? "bob" : "ann"));
        }
        weir.iterateSilently(NOON);
        for (String id : List.of("a", "b")) {
            weir.answer(id, CommandOutcome.REFUSED, NOON);
        }
        weir.iterateSilently(NOON + 1);
        assertThat(weir.publishedReservations).containsOnlyKeys("failure.n1.1");

        weir.answer("c", CommandOutcome.REFUSED, NOON + 1)
                .answer("d", CommandOutcome.REFUSED, NOON + 1)
                .iterateSilently(NOON + 2);
        assertThat(weir.publishedReservations.keySet().stream().filter(id -> id.startsWith("failure")))
                .containsExactly("failure.n1.1", "failure.n4.2");
    }

    /** The action has a time of its own; one reservation is prolonged, never shortened, and takes the terms of the profile. */
    @Test
    @Feature("TRANS-4")
    void reservesANodeOnWhichAnEventSaysSo() {
        weir.policy("""
                        NODEFAILURERESERVETIME 60
                        GEVENTCFG[hot] ACTION=RESERVE:600
                        RMCFG[base] NODEFAILURERSVPROFILE=broken
                        RSVPROFILE[broken] USERLIST=admin SUBTYPE=hwfail
                        """).nodes(1, 1).iterate(0);
        event("hot", 10).iterate(10);
        assertThat(weir.publishedReservations).containsOnlyKeys("failure.n1.1");
        ReservationStatus made = weir.publishedReservations.get("failure.n1.1");
        assertThat(made.getType()).isEqualTo(ReservationType.SYSTEM);
        assertThat(made.getEnd()).isEqualTo(SchedulerFixture.at(610));
        assertThat(made.getSubtype()).isEqualToIgnoringCase("HardwareFailure");

        error("n1", "ERROR fan slow").submit("j", 1, HOUR).iterate(20);
        assertThat(weir.publishedReservations.get("failure.n1.1").getEnd()).isEqualTo(SchedulerFixture.at(610));
        assertThat(weir.started()).isEmpty();

        event("hot", 100).iterate(100);
        assertThat(weir.publishedReservations).doesNotContainKey("failure.n1.2");
        assertThat(weir.publishedReservations.get("failure.n1.1").getEnd()).isEqualTo(SchedulerFixture.at(700));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NODEFAILURERESERVETIME 60\n", "NODEFAILURERESERVETIME 0\n"})
    @Feature({"TRANS-4", "NOTE-3"})
    void raisesAnEventForEachFailure(String policy) {
        weir.policy(policy + "GEVENTCFG[nodetransient] ACTION=notify")
                .nodes(2, 1)
                .iterate(0);
        error("n1", "ERROR disk full").iterate(10);
        assertThat(transientFailures()).singleElement().satisfies(notice -> {
            assertThat(notice.getObjectId()).isEqualTo("n1");
            assertThat(notice.getText()).contains("disk full");
        });
        weir.iterate(20);
        assertThat(transientFailures()).hasSize(1);
        weir.node("n1", 1, NodeState.IDLE).iterate(30);
        error("n1", "ERROR disk full").iterate(40);
        assertThat(transientFailures()).hasSize(2);
    }

    @Test
    @Feature({"TRANS-4", "NOTE-3"})
    void raisesTheEventForANodeThatWasDownForAMoment() {
        weir.policy("NODEFAILURERESERVETIME 60\nGEVENTCFG[nodetransient] ACTION=notify")
                .nodes(2, 1)
                .iterate(0);
        weir.node("n1", 1, NodeState.DOWN).node("n2", 1, NodeState.DOWN).iterate(29);
        assertThat(transientFailures()).isEmpty();
        weir.node("n1", 1, NodeState.IDLE).iterate(60);
        weir.node("n2", 1, NodeState.IDLE).iterate(90);
        assertThat(transientFailures()).extracting(Notification::getObjectId).containsExactly("n1");
    }

    @Test
    @Feature({"TRANS-4", "NOTE-3"})
    void doesNotTakeAReservationBecauseOfAFailureForAnother() {
        weir.policy("GEVENTCFG[nodetransient] ACTION=reserve:01:00:00,notify")
                .nodes(1, 1)
                .iterate(0);
        error("n1", "ERROR disk full").iterate(10);
        for (int time = 11; time < 20; time++) {
            weir.iterate(time);
        }
        assertThat(weir.publishedReservations).containsOnlyKeys("failure.n1.1");
        assertThat(transientFailures()).hasSize(1);
    }

    @Test
    @Feature("TRANS-4")
    void leavesOperatorsTheirReservationsWhenVeryManyNodesFail() {
        int many = Limit.SYSTEM_RESERVATIONS;
        weir.policy("NODEFAILURERESERVETIME 60").nodes(many + 3, 1).iterate(0);
        for (int i = 1; i <= many; i++) {
            error("n" + i, "ERROR fabric down");
        }
        weir.iterate(10);
        error("n" + (many + 1), "ERROR fabric down");
        error("n" + (many + 2), "ERROR fabric down").iterate(15);
        assertThat(weir.publishedReservations).hasSize(Limit.SYSTEM_RESERVATIONS);
        assertThat(notices("rsvcreate"))
                .extracting(Notification::getText)
                .filteredOn(text -> text.contains("too many"))
                .singleElement()
                .asString()
                .isEqualTo("node n5001 and 1 more failed and cannot be reserved, as there are too many reservations of"
                        + " failed nodes");

        weir.request("r", RequestKind.CREATE_RESERVATION, "new", List.of(new NameValue("t", "1")))
                .iterate(20);
        assertThat(weir.publishedReservations).hasSize(Limit.SYSTEM_RESERVATIONS + 1);
    }

    private List<Notification> transientFailures() {
        return notices("nodetransient");
    }

    private List<Notification> notices(String event) {
        return weir.outputs.stream()
                .map(Output::value)
                .filter(Notification.class::isInstance)
                .map(Notification.class::cast)
                .filter(notice -> notice.getEvent().equals(event))
                .toList();
    }

    private void refusedStartOnN3(long now) {
        weir.policy("NODEFAILURERESERVETIME 00:01:00\nNODECFG[n3] PRIORITY=5\nNODEALLOCATIONPOLICY PRIORITY")
                .nodes(3, 1)
                .submit("j", 1, HOUR)
                .iterateSilently(now);
        weir.answer("j", CommandOutcome.REFUSED, now)
                .report("j", JobState.CANCELLED, Long.MAX_VALUE)
                .iterate(now);
    }

    private SchedulerFixture error(String node, String text) {
        return weir.node(node, 1, NodeState.IDLE, report -> report.setMessages(List.of(text)));
    }

    private SchedulerFixture event(String name, long time) {
        weir.fact(new GenericEvent(
                SchedulerFixture.CLUSTER, name, "node", "n1", "measured", SchedulerFixture.at(time), null, true, null));
        return weir;
    }

    private ReservationStatus reservation() {
        return weir.publishedReservations.get("failure.n3.1");
    }
}
