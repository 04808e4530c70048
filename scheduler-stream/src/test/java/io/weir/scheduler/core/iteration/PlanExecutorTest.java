package io.weir.scheduler.core.iteration;

import static io.weir.scheduler.core.SchedulerFixture.EPOCH;
import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.SchedulerFixture;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.Decision;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TaskPlacement;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What the decisions of a planning pass change and say. Node n1 has four processors. */
@NullUnmarked
class PlanExecutorTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture().nodes(1, 4);

    private List<String> decisions() {
        return weir.lastDecisions().stream()
                .map(taken -> taken.getKind() + " " + taken.getJobId() + ": " + taken.getReason())
                .toList();
    }

    private Decision decision(DecisionKind kind) {
        return weir.lastDecisions().stream()
                .filter(taken -> taken.getKind() == kind)
                .findFirst()
                .orElseThrow();
    }

    private List<String> notices() {
        return weir.lastNotifications().stream().map(Notification::getText).toList();
    }

    @Test
    void shouldSayThatAJobStartsBecauseItFits() {
        weir.submit("j", 2, HOUR).iterate(0);

        assertThat(decisions()).containsExactly("START j: fits now");
        assertThat(weir.job("j").getBackfilled()).isFalse();
    }

    @Test
    void shouldSayThatAJobStartsInItsReservation() {
        weir.submit("first", 4, 100).submit("next", 4, 100).iterate(0);
        assertThat(decisions()).containsExactly("START first: fits now", "RESERVE next: cannot start now");
        assertThat(decision(DecisionKind.RESERVE).getStart()).isEqualTo(at(100));
        assertThat(decision(DecisionKind.RESERVE).getEnd()).isEqualTo(at(200));

        weir.end("first", 100).iterate(100);

        assertThat(decisions()).containsExactly("START next: reserved start");
        assertThat(weir.publishedReservations).isEmpty();
    }

    @Test
    void shouldSayThatAReservationMoves() {
        weir.submit("first", 4, 100).submit("next", 4, 100).iterate(0);

        weir.limit("first", 300).iterate(10);

        assertThat(decisions()).containsExactly("MOVE_RESERVATION next: earliest start moved");
        assertThat(weir.reservedStart("next")).isEqualTo(300);
    }

    @Test
    void shouldSayThatAReservationIsInTimeForADeadline() {
        weir.submit("first", 4, 100)
                .submit("due", 4, 100, job -> job.setExtension("deadline=+0:10:00"))
                .iterate(0);

        assertThat(decisions())
                .containsExactly("START first: fits now", "RESERVE due: cannot start now, in time for its deadline");
    }

    @Test
    void shouldNameTheNodeSetOfAReservation() {
        SchedulerFixture sets = new SchedulerFixture()
                .policy("NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETLIST a,b\nNODESETISOPTIONAL FALSE")
                .node("n1", 1, NodeState.IDLE, node -> node.setFeatures(List.of("a")))
                .node("n2", 1, NodeState.IDLE, node -> node.setFeatures(List.of("b")));
        sets.submit("long", 1, 200)
                .submit("short", 1, 100)
                .submit("next", 1, 100)
                .iterate(0);

        String set = sets.job("short").getAllocation().get(0).getNodeId().equals("n1") ? "a" : "b";
        assertThat(sets.lastDecisions())
                .filteredOn(taken -> taken.getKind() == DecisionKind.RESERVE)
                .extracting(Decision::getReason)
                .containsExactly("cannot start now; in node set " + set);
    }

    @Test
    void shouldSayThatAReservationIsGivenUp() {
        weir.policy("QUEUETIMEWEIGHT 0\nUSERWEIGHT 1\nUSERCFG[vip] PRIORITY=100")
                .submit("running", 4, HOUR)
                .submit("first", 4, HOUR)
                .iterate(0);

        weir.submit("vip", 4, HOUR, job -> job.setUser("vip")).iterate(10);

        assertThat(decisions())
                .containsExactly("RESERVE vip: cannot start now", "RELEASE_RESERVATION first: no longer on top");
        assertThat(weir.publishedReservations.keySet()).containsExactly("vip");
    }

    @Test
    void shouldSayOnceThatADeadlineCannotBeMet() {
        weir.submit("running", 4, HOUR)
                .submit("due", 4, HOUR, job -> job.setExtension("deadline=+1:30:00"))
                .iterate(0);
        String message = "deadline cannot be met: it has to be over by " + at(5400) + ", can start at " + at(HOUR)
                + " at the earliest and would end at " + at(2 * HOUR);
        assertThat(weir.job("due").getMessages()).containsExactly(message);

        weir.limit("running", 2 * HOUR).iterate(10);

        assertThat(weir.job("due").getMessages()).containsExactly(message);
    }

    @Test
    void shouldSayThatAJobStartsTooLateForItsDeadline() {
        weir.submit("due", 4, HOUR, job -> job.setExtension("deadline=+0:30:00"))
                .iterate(0);

        assertThat(weir.started()).containsExactly("due");
        assertThat(weir.job("due").getMessages()).singleElement().asString().startsWith("deadline cannot be met");
    }

    @Test
    void shouldTakeBackThatADeadlineCannotBeMetWhenTheJobStartsInTime() {
        weir.submit("running", 4, HOUR)
                .submit("due", 4, HOUR, job -> job.setExtension("deadline=+1:30:00"))
                .iterate(0);
        assertThat(weir.job("due").getMessages()).hasSize(1);

        weir.end("running", 60).iterate(60);

        assertThat(weir.started()).containsExactly("due");
        assertThat(weir.job("due").getMessages()).isEmpty();
    }

    @Test
    void shouldTakeBackThatADeadlineCannotBeMetWhenARoomInTimeIsReserved() {
        weir.submit("running", 4, HOUR)
                .submit("due", 4, HOUR, job -> job.setExtension("deadline=+1:30:00"))
                .iterate(0);
        assertThat(weir.job("due").getMessages()).hasSize(1);

        weir.limit("running", 1200).iterate(10);

        assertThat(weir.reservedStart("due")).isEqualTo(1200);
        assertThat(weir.job("due").getMessages()).isEmpty();
    }

    @Test
    void shouldSayThatADeadlineCannotBeMetBesideWhatElseIsSaidOfTheJob() {
        weir.policy("CLASSCFG[c] MAX.PROC=1")
                .submit("due", 2, HOUR, job -> {
                    job.setJobClass("c");
                    job.setExtension("deadline=+0:30:00");
                })
                .iterate(0);
        assertThat(weir.job("due").getMessages()).singleElement().asString().doesNotStartWith("deadline");

        weir.request("r", RequestKind.RELEASE_JOB, "due", List.of(new NameValue("type", "batch")))
                .iterate(10);

        assertThat(weir.started()).containsExactly("due");
        assertThat(weir.job("due").getMessages()).anyMatch(text -> text.startsWith("deadline cannot be met"));
    }

    @Test
    void shouldSayOnceThatNoNodesCouldEverHoldAJobWhereJobsAreNotDeferred() {
        weir.policy("DEFERTIME 0")
                .heartbeat(1, true, EPOCH, 0)
                .submit("large", 5, HOUR)
                .iterate(0);
        assertThat(decisions()).containsExactly("DEFER large: the request is larger than the nodes could ever hold");
        assertThat(weir.job("large").getMessages())
                .containsExactly("the request is larger than the nodes could ever hold");

        weir.submit("other", 5, HOUR).iterate(10);

        assertThat(weir.lastDecisions()).extracting(Decision::getJobId).containsExactly("other");
    }

    @Test
    void shouldSayUntilWhenAJobIsDeferredAndThatItIsHeldInTheEnd() {
        weir.policy("DEFERTIME 1:00:00\nDEFERCOUNT 1")
                .heartbeat(1, true, EPOCH, 0)
                .submit("large", 5, HOUR)
                .iterate(0);
        assertThat(decision(DecisionKind.DEFER).getStart()).isEqualTo(at(HOUR));
        assertThat(notices()).contains("job large deferred: the request is larger than the nodes could ever hold");

        weir.iterate(HOUR);

        assertThat(decisions())
                .containsExactly(
                        "HOLD large: the request is larger than the nodes could ever hold; deferred too often");
        assertThat(notices()).contains("job large held: the request is larger than the nodes could ever hold");
    }

    @Test
    void shouldJudgeNoJobImpossibleBeforeItsResourceManagerListedItsNodes() {
        weir.submit("large", 5, HOUR).iterate(0);

        assertThat(decisions()).isEmpty();
    }

    @Test
    void shouldSayThatTheNodesOfARefusedStartAreGivenUp() {
        weir.policy("RESERVATIONRETRYTIME 0:50").submit("j", 4, HOUR).iterateSilently(0);
        weir.answer("j", CommandOutcome.REFUSED, 0).iterateSilently(10);
        assertThat(weir.publishedReservations).containsKey("j");

        weir.submit("other", 4, HOUR).iterateSilently(50);

        assertThat(notices()).contains("the nodes kept for job j, whose start was refused, are given up");
        weir.iterateSilently(51);
        assertThat(notices()).as("once").isEmpty();
    }

    @Test
    void shouldCountTheJobsThatOvertakeAnother() {
        weir.submit("running", 2, HOUR).iterate(0);

        weir.submit("wide", 4, HOUR).submit("a", 1, 600).submit("b", 1, 600).iterate(10);

        assertThat(weir.started()).containsExactly("a", "b");
        assertThat(weir.job("wide").getBypassCount()).isEqualTo(2);
        assertThat(weir.job("a").getBackfilled()).isTrue();
    }

    @Test
    void shouldTakeNodesForTheRestOfThePassAloneInModeMonitor() {
        weir.policy("SCHEDCFG[x] MODE=MONITOR")
                .submit("a", 3, HOUR)
                .submit("b", 2, 600)
                .iterate(0);
        assertThat(decisions())
                .containsExactly("START a: MODE MONITOR: not carried out", "RESERVE b: cannot start now");
        assertThat(weir.job("a").getMonitoredStart()).isEqualTo(at(0));

        weir.request("c", RequestKind.CANCEL_JOB, "a").iterate(10);
        weir.policy("SCHEDCFG[x] MODE=NORMAL").iterate(20);

        assertThat(weir.started()).contains("a");
    }

    /** Whoever comes later finds the node taken, though its other processors are idle. */
    @Test
    void shouldCountJobsOnNodesInModeMonitorForThoseThatComeLater() {
        weir.policy("SCHEDCFG[x] MODE=MONITOR\nNODEACCESSPOLICY SINGLEJOB")
                .submit("a", 1, HOUR)
                .submit("b", 1, 600)
                .iterate(0);
        assertThat(decisions())
                .containsExactly("START a: MODE MONITOR: not carried out", "RESERVE b: cannot start now");

        weir.iterate(10);

        assertThat(decisions()).as("a, which would start now, is named once").allMatch(text -> text.contains(" b: "));
    }

    /** It has no nodes to start on then, and is told of once. */
    @Test
    void shouldForgetTheRefusedStartOfAJobWhoseNodesAreGivenUp() {
        weir.policy(
                        "RESERVATIONRETRYTIME 0:50\nJOBRETRYTIME 5\nQUEUETIMEWEIGHT 0\nUSERWEIGHT 1\nUSERCFG[vip] PRIORITY=100")
                .submit("j", 4, HOUR)
                .iterateSilently(0);
        weir.answer("j", CommandOutcome.REFUSED, 0).iterateSilently(10);

        weir.submit("vip", 4, HOUR, job -> job.setUser("vip")).iterate(50);
        assertThat(weir.started()).containsExactly("vip");
        assertThat(notices()).contains("the nodes kept for job j, whose start was refused, are given up");

        weir.iterate(60);

        assertThat(notices()).isEmpty();
        assertThat(weir.reservedStart("j")).isEqualTo(50 + HOUR);
    }

    @Test
    void shouldNameTheNodesOfAReservation() {
        weir.followingNodes().submit("first", 4, 100).submit("next", 3, 100).iterate(0);

        assertThat(weir.publishedReservations.get("next").getPlacements())
                .extracting(TaskPlacement::getNodeId, TaskPlacement::getTasks)
                .containsExactly(Tuple.tuple("n1", 3));
    }

    @Test
    void shouldSayOnceThatADeadlineCannotBeMetOfAJobThatStartsAllTheSame() {
        weir.submit("running", 4, HOUR)
                .submit("due", 4, HOUR, job -> job.setExtension("deadline=+1:30:00"))
                .iterate(0);
        List<String> said = weir.job("due").getMessages();

        weir.end("running", HOUR - 10).iterate(HOUR - 10);

        assertThat(weir.started()).containsExactly("due");
        assertThat(weir.job("due").getMessages()).hasSize(1).isEqualTo(said);
    }

    /** Half of the load that is free is measured; the first job is going to use it. */
    @Test
    void shouldCountTheLoadOfAJobThatStartsForTheRestOfThePass() {
        SchedulerFixture loaded = new SchedulerFixture().node("n1", 8, NodeState.IDLE, node -> node.setLoad(3.4));

        loaded.submit("a", 3, HOUR).submit("b", 4, HOUR).iterate(0);

        assertThat(loaded.started()).containsExactly("a");
    }

    @Test
    void shouldCountTheLoadOfAJobThatWouldStartInModeMonitor() {
        SchedulerFixture loaded = new SchedulerFixture()
                .policy("SCHEDCFG[x] MODE=MONITOR")
                .node("n1", 8, NodeState.IDLE, node -> node.setLoad(3.4));

        loaded.submit("a", 3, HOUR).submit("b", 4, HOUR).iterate(0);

        assertThat(loaded.lastDecisions())
                .extracting(Decision::getKind, Decision::getJobId)
                .startsWith(Tuple.tuple(DecisionKind.START, "a"))
                .doesNotContain(Tuple.tuple(DecisionKind.START, "b"));
    }

    @Test
    void shouldNameOtherNodesForEachJobInModeMonitor() {
        SchedulerFixture pair =
                new SchedulerFixture().policy("SCHEDCFG[x] MODE=MONITOR").nodes(2, 2);

        pair.submit("a", 2, HOUR).submit("b", 2, HOUR).iterate(0);

        assertThat(pair.lastDecisions())
                .extracting(taken -> taken.getAllocation().get(0).getNodeId())
                .containsExactlyInAnyOrder("n1", "n2");
    }

    @Test
    void shouldLetPartitionsTakeTurnsWithinOnePass() {
        SchedulerFixture partitions = new SchedulerFixture().policy("PARALLOCATIONPOLICY ROUNDROBIN");
        for (String name : List.of("a", "b", "c")) {
            partitions.node(name + "1", 8, NodeState.IDLE, node -> node.setPartition(name));
        }

        partitions
                .submit("j1", 1, HOUR)
                .submit("j2", 1, HOUR)
                .submit("j3", 1, HOUR)
                .iterate(0);

        assertThat(partitions.lastDecisions())
                .extracting(taken -> taken.getAllocation().get(0).getNodeId())
                .containsExactly("a1", "b1", "c1");
    }
}
