package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.Decision;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.ReservationType;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Standing reservations, and nodes that change under RSVREALLOCPOLICY. T0 is Monday, 1970-01-12, 13:46:40. */
class StandingReservationTest {
    private static final long HOUR = 3600;

    /** Friday, 1970-01-16, 08:00. */
    private static final long FRIDAY_8 = 324_800;

    private static final String OFFICE = """
            SRCFG[interactive] PERIOD=DAY DAYS=Mon,Tue,Wed,Thu,Fri STARTTIME=9:00:00 ENDTIME=17:00:00
            SRCFG[interactive] TASKCOUNT=6 RESOURCES=PROCS:1;MEM:512 CLASSLIST=interactive DEPTH=2
            """;

    private final SchedulerFixture weir = new SchedulerFixture();

    /** SR1: on Friday morning the instances are Friday's and Monday's. */
    @Test
    @Feature("RSV-19")
    void SR1() {
        weir.policy(OFFICE + "SRCFG[interactive] COMMENT='desk people'\n");
        nodesWithMemory(3, 2, 1024);
        weir.iterate(FRIDAY_8);

        assertThat(weir.publishedReservations.keySet()).containsExactly("interactive.0.1", "interactive.1.2");
        ReservationStatus friday = reservation("interactive.0.1");
        assertThat(friday.getType()).isEqualTo(ReservationType.STANDING);
        assertThat(friday.getStart()).hasToString("1970-01-16T09:00:00Z");
        assertThat(friday.getEnd()).hasToString("1970-01-16T17:00:00Z");
        assertThat(friday.getProcs()).isEqualTo(6);
        assertThat(friday.getComment()).isEqualTo("desk people");
        assertThat(friday.getAcl()).containsExactly("CLASS==interactive+");
        assertThat(reservation("interactive.1.2").getStart()).hasToString("1970-01-19T09:00:00Z");

        weir.submit("i", 6, HOUR, job -> job.setJobClass("interactive"))
                .submit("other", 1, 2 * HOUR)
                .submit("quick", 1, HOUR)
                .iterate(FRIDAY_8 + HOUR);
        assertThat(weir.started()).containsExactly("i");
        assertThat(weir.publishedReservations).hasSize(3).containsKey("other");

        weir.iterate(FRIDAY_8 + 9 * HOUR);
        assertThat(weir.publishedReservations.keySet()).contains("interactive.1.2", "interactive.1.3");
        assertThat(reservation("interactive.1.3").getStart()).hasToString("1970-01-20T09:00:00Z");
    }

    @Test
    void shouldSayThatInstancesKeepTheTermsTheyWereMadeWith() {
        weir.policy("SRCFG[x] PERIOD=INFINITY HOSTLIST=ALL USERLIST=mallory")
                .nodes(1, 1)
                .iterate(0);

        weir.policy("SRCFG[x] PERIOD=INFINITY HOSTLIST=ALL USERLIST=bob").iterate(10);

        assertThat(reservation("x.0.1").getAcl()).containsExactly("USER==mallory+");
        assertThat(weir.lastNotifications())
                .extracting(Notification::getText)
                .contains("SRCFG[x] was changed: 1 instance keeps the former terms and times; mrsvctl -B x makes them"
                        + " anew");

        weir.request("b", RequestKind.REBUILD_RESERVATION, "x").iterate(20);
        assertThat(weir.publishedReservations.values())
                .extracting(ReservationStatus::getAcl)
                .containsExactly(List.of("USER==bob+"));
    }

    /** From 14:00 to 16:00 two of the four processors are joe's: nobody else gets the whole node then. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CLASSCFG[c] NODEACCESSPOLICY=SINGLEJOB",
                "CLASSCFG[c] NODEACCESSPOLICY=SINGLETASK",
                "NODEACCESSPOLICY SINGLEJOB",
                "NODECFG[n1] ACCESS=SINGLEJOB",
                "PARCFG[DEFAULT] NODEACCESSPOLICY=SINGLEJOB",
                "QOSCFG[q] QFLAGS=DEDICATED"
            })
    @Feature("RSV-19")
    void shouldNotGiveAWholeNodeToOthersThanAnInstanceLetsIn(String alone) {
        weir.policy(alone + "\nUSERCFG[DEFAULT] QLIST=q\n"
                        + "SRCFG[s] PERIOD=DAY STARTTIME=14:00:00 ENDTIME=16:00:00 TASKCOUNT=2 RESOURCES=PROCS:1\n"
                        + "SRCFG[s] HOSTLIST=n1 USERLIST=joe\n")
                .node("n1", 4, NodeState.IDLE);
        weir.submit("into", 1, HOUR, job -> alone(job, "eve"))
                .submit("before", 1, 800, job -> alone(job, "eve"))
                .iterate(0);
        assertThat(weir.started()).containsExactly("before");
        assertThat(weir.reservedStart("into")).isEqualTo(800 + 2 * HOUR);

        weir.end("before", 800).submit("own", 1, HOUR, job -> alone(job, "joe")).iterate(810);
        assertThat(weir.started()).containsExactly("own");
        weir.end("own", 900).iterate(900);
        assertThat(weir.started()).isEmpty();
        weir.iterate(800 + 2 * HOUR);
        assertThat(weir.started()).containsExactly("into");
    }

    private static void alone(JobReport.Builder job, String user) {
        job.setUser(user).setJobClass("c").setQos("q");
    }

    @Test
    void shouldLookForNodesUntilThereAreEnough() {
        weir.policy(OFFICE);
        nodesWithMemory(2, 2, 1024);
        weir.iterate(FRIDAY_8);
        assertThat(reservation("interactive.0.1").getAllocation()).isEmpty();

        nodesWithMemory(3, 2, 1024);
        weir.iterate(FRIDAY_8 + 60);
        assertThat(reservation("interactive.0.1").getProcs()).isEqualTo(6);
    }

    @Test
    void shouldNotMakeAReleasedInstanceAgainUnlessEnabled() {
        weir.policy(OFFICE);
        nodesWithMemory(3, 2, 1024);
        weir.iterate(FRIDAY_8);
        weir.request("r", RequestKind.RELEASE_RESERVATION, "interactive.0.1", List.of())
                .iterate(FRIDAY_8 + 60)
                .iterate(FRIDAY_8 + 120);
        assertThat(weir.publishedReservations.keySet()).containsExactly("interactive.1.2");

        weir.request("e", RequestKind.ENABLE_RESERVATION, "interactive", List.of())
                .iterate(FRIDAY_8 + 180);
        assertThat(weir.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        assertThat(weir.publishedReservations.keySet()).containsExactly("interactive.0.3", "interactive.1.2");

        weir.request("b", RequestKind.REBUILD_RESERVATION, "interactive", List.of())
                .iterate(FRIDAY_8 + 240);
        assertThat(weir.publishedReservations.keySet()).containsExactly("interactive.0.4", "interactive.1.5");
    }

    @Test
    void shouldStayForEverAndEndWithItsConfiguration() {
        weir.policy("SRCFG[gpu] PERIOD=INFINITY HOSTLIST=n1 USERLIST=ann").nodes(2, 2);
        weir.iterate(0).iterate(100);
        assertThat(weir.publishedReservations.keySet()).containsExactly("gpu.0.1");
        assertThat(reservation("gpu.0.1").getAllocation()).containsExactly(new NodeAllocation("n1", 2));

        weir.policy("").iterate(200);
        assertThat(weir.publishedReservations).isEmpty();
    }

    /** RA1: the failed node is replaced, and does not come back when it is up again. */
    @Test
    @Feature("RRA-2")
    void RA1() {
        weir.policy("RSVREALLOCPOLICY FAILURE").nodes(3, 1);
        create("t", "3");
        assertThat(nodes("system.1")).containsExactly("n1", "n2", "n3");

        weir.node("n7", 1, NodeState.IDLE).node("n2", 1, NodeState.DOWN).iterate(10);
        assertThat(nodes("system.1")).containsExactly("n1", "n3", "n7");
        assertThat(weir.lastNotifications())
                .filteredOn(notice -> notice.getEvent().equals("rsvmodify"))
                .extracting(Notification::getText)
                .containsExactly("reservation system.1: failed nodes replaced, nodes n1,n2,n3 to n1,n3,n7");

        weir.node("n2", 1, NodeState.IDLE).iterate(20);
        assertThat(nodes("system.1")).containsExactly("n1", "n3", "n7");
    }

    /** RA2: the idle node is given up for the one on which the user's job already runs. */
    @Test
    @Feature("RRA-5")
    void RA2() {
        weir.policy("RSVREALLOCPOLICY REMAP").nodes(2, 1);
        create("t", "2", "a", "USER==ann");
        weir.node("n5", 1, NodeState.IDLE).adopt("17", 1, HOUR, 0, "n5").iterate(10);

        assertThat(nodes("ann.1")).containsExactly("n2", "n5");
    }

    @Test
    @Feature({"RRA-1", "RRA-3"})
    void shouldKeepItsNodesUnderNever() {
        weir.nodes(3, 1);
        create("t", "3");
        weir.node("n7", 1, NodeState.IDLE).node("n2", 1, NodeState.DOWN).iterate(10);

        assertThat(nodes("system.1")).containsExactly("n1", "n2", "n3");
    }

    @Test
    @Feature("RRA-4")
    void shouldMoveToCheaperNodesUnderOptimal() {
        weir.policy("RSVREALLOCPOLICY OPTIMAL\nNODECFG[n7] CHARGERATE=0.5\nNODECFG[n8] CHARGERATE=1.0")
                .nodes(2, 1);
        create("t", "2");
        weir.node("n7", 1, NodeState.IDLE).node("n8", 1, NodeState.IDLE).iterate(10);

        assertThat(nodes("system.1")).hasSize(2).contains("n7").doesNotContain("n8");
    }

    @Test
    @Feature("RSV-1")
    void shouldHaveReservationsOfEveryKindAtOnce() {
        weir.policy("SRCFG[daily] PERIOD=DAY DEPTH=1 HOSTLIST=n1 CLASSLIST=night STARTTIME=20:00:00")
                .nodes(3, 1);
        create("h", "n2", "s", "+1:00:00", "d", "1:00:00");
        weir.adopt("r1", 1, HOUR, 0, "n3").submit("wide", 2, HOUR / 2).submit("next", 3, HOUR / 2);
        weir.iterate(0);
        weir.submit("waits", 3, HOUR / 2).iterate(10);
        assertThat(weir.publishedReservations.values())
                .extracting(ReservationStatus::getType)
                .contains(ReservationType.STANDING, ReservationType.ADMINISTRATIVE, ReservationType.PRIORITY);
    }

    /** What counts is what the nodes cost as a whole, not what a processor costs. */
    @Test
    @Feature("RRA-4")
    void shouldCountWhatWholeNodesCostUnderOptimal() {
        weir.policy("RSVREALLOCPOLICY OPTIMAL\nNODECFG[n2] CHARGERATE=0.9\nNODECFG[n3] CHARGERATE=1.5")
                .nodes(1, 4);
        create("t", "1");
        create("h", "n1", "F", "SPACEFLEX", "s", "+1:00:00");
        weir.node("n2", 8, NodeState.IDLE).node("n3", 2, NodeState.IDLE).iterate(10);

        assertThat(nodes("system.1")).containsExactly("n3");
        assertThat(nodes("system.2"))
                .as("that of a list, too, where nothing is in the way")
                .containsExactly("n1");
    }

    /** The whole list is chosen anew: tasks of one node may go to several, and nodes in use stay. */
    @Test
    @Feature("RRA-4")
    void shouldChooseTheWholeListAnewUnderOptimal() {
        weir.policy("RSVREALLOCPOLICY OPTIMAL\nNODECFG[n1] CHARGERATE=2\nNODECFG[n4] CHARGERATE=3")
                .node("n1", 2, NodeState.IDLE);
        create("t", "2", "R", "PROCS:1", "a", "USER==ann");
        assertThat(nodes("ann.1")).containsExactly("n1");

        weir.nodes(0, 0)
                .node("n2", 1, NodeState.IDLE)
                .node("n3", 1, NodeState.IDLE)
                .iterate(10);
        assertThat(nodes("ann.1")).containsExactly("n2", "n3");
        weir.submit("j", 1, HOUR, job -> job.setHosts(List.of("n2"))).iterate(20);
        weir.node("n4", 2, NodeState.IDLE)
                .policy("RSVREALLOCPOLICY OPTIMAL\nNODECFG[n2] CHARGERATE=9\nNODECFG[n3] CHARGERATE=9")
                .iterate(30);
        assertThat(nodes("ann.1"))
                .as("a job of ann runs on n2")
                .hasSize(2)
                .contains("n2")
                .doesNotContain("n3");
    }

    @Test
    @Feature("RRA-2")
    void shouldReplaceANodeThatIsGone() {
        weir.policy("RSVREALLOCPOLICY FAILURE").nodes(2, 1);
        create("t", "1");
        String first = nodes("system.1").get(0);
        weir.node(first, 1, NodeState.REMOVED).iterate(10);

        assertThat(nodes("system.1")).hasSize(1).doesNotContain(first);
    }

    /** FAILURE is about nodes that fail: neither a node drained by hand nor one with a job of its users is given up. */
    @Test
    @Feature("RRA-2")
    void shouldReplaceFailedNodesOnly() {
        weir.policy("RSVREALLOCPOLICY FAILURE").nodes(3, 1);
        create("t", "2", "a", "USER==ann");
        assertThat(nodes("ann.1")).containsExactly("n2", "n3");
        weir.submit("j", 1, HOUR, job -> job.setHosts(List.of("n3"))).iterate(5);

        weir.node("n2", 1, NodeState.DRAINED).node("n3", 1, NodeState.DOWN).iterate(10);
        assertThat(nodes("ann.1")).containsExactly("n2", "n3");

        weir.node("n2", 1, NodeState.DOWN).iterate(20);
        assertThat(nodes("ann.1")).containsExactly("n1", "n3");
    }

    @Test
    @Feature({"RSV-19", "CFG-1"})
    void shouldReportTimesThatMakeNoPeriod() {
        weir.policy("SRCFG[late] HOSTLIST=n1 STARTTIME=30:00:00\nSRCFG[long] HOSTLIST=n1 ENDTIME=2:00:00:00\n"
                        + "SRCFG[days] HOSTLIST=n1 PERIOD=WEEK DAYS=Mon\nSRCFG[many] HOSTLIST=n1 DEPTH=2000000000\n"
                        + "SRCFG[ever] HOSTLIST=n1 PERIOD=INFINITY ENDTIME=8:00:00")
                .nodes(1, 1)
                .iterate(0);

        assertThat(weir.lastNotifications())
                .filteredOn(notice -> notice.getEvent().equals("configproblem"))
                .extracting(Notification::getText)
                .containsExactlyInAnyOrder(
                        "ERROR line 1: SRCFG[late] STARTTIME: lies behind the end of the DAY; ignored",
                        "ERROR line 2: SRCFG[long] ENDTIME: lies more than a DAY after the start; ignored",
                        "WARNING line 3: SRCFG[days] DAYS: counts for PERIOD=DAY only",
                        "ERROR line 4: SRCFG[many] DEPTH: '2000000000' is not a number from 0 to 1000",
                        "WARNING line 5: SRCFG[ever] ENDTIME: counts for PERIOD=DAY and WEEK only");
        assertThat(weir.publishedReservations.values())
                .allSatisfy(status -> assertThat(status.getEnd()).isAfter(status.getStart()))
                .hasSize(9);
    }

    /** At the same price the nodes that were asked for are better than others. */
    @Test
    @Feature("RRA-4")
    void shouldMoveToTheNodesAskedForUnderOptimal() {
        weir.policy("RSVREALLOCPOLICY OPTIMAL\nNODECFG[n1] CHARGERATE=0.5")
                .nodes(1, 1)
                .node("n5", 1, NodeState.DOWN);
        create("t", "1", "h", "n5,n1", "F", "SPACEFLEX,IGNSTATE");
        String first = nodes("system.1").get(0);
        weir.policy("RSVREALLOCPOLICY OPTIMAL\nNODECFG[n9] CHARGERATE=0.5\nNODECFG[" + first + "] CHARGERATE=0.7")
                .node("n9", 1, NodeState.IDLE)
                .iterate(10);
        assertThat(nodes("system.1")).as("cheaper").containsExactly("n9");

        weir.policy("RSVREALLOCPOLICY OPTIMAL").node("n5", 1, NodeState.IDLE).iterate(20);
        assertThat(nodes("system.1")).as("as cheap, and asked for").containsAnyOf("n1", "n5");
        weir.iterate(30);
        assertThat(nodes("system.1")).as("nothing strictly better").containsAnyOf("n1", "n5");
        assertThat(weir.lastNotifications()).isEmpty();
    }

    @Test
    @Feature("RSV-19")
    void shouldPublishWhatIsDecidedAboutReservations() {
        weir.policy("RSVREALLOCPOLICY FAILURE").nodes(2, 1);
        create("t", "1");
        assertThat(weir.lastDecisions()).singleElement().satisfies(decision -> {
            assertThat(decision.getKind()).isEqualTo(DecisionKind.CREATE_RESERVATION);
            assertThat(decision.getJobId()).isEqualTo("system.1");
            assertThat(decision.getAllocation()).hasSize(1);
            assertThat(decision.getReason()).contains("made by");
        });
        String node = nodes("system.1").get(0);
        weir.node(node, 1, NodeState.DOWN).iterate(10);
        assertThat(weir.lastDecisions()).extracting(Decision::getKind).containsExactly(DecisionKind.MODIFY_RESERVATION);
        weir.request("gone", RequestKind.RELEASE_RESERVATION, "system.1").iterate(20);
        assertThat(weir.lastDecisions())
                .extracting(Decision::getKind)
                .containsExactly(DecisionKind.RELEASE_RESERVATION);
        weir.iterate(30);
        assertThat(weir.lastDecisions()).isEmpty();
    }

    @Test
    void shouldMoveAListedReservationOnlyWhenItMayFlow() {
        weir.policy("RSVREALLOCPOLICY OPTIMAL\nNODECFG[n7] CHARGERATE=0.5").nodes(2, 1);
        create("h", "n1");
        create("h", "n2", "F", "SPACEFLEX");
        weir.node("n7", 1, NodeState.IDLE).iterate(10);

        assertThat(nodes("system.1")).containsExactly("n1");
        assertThat(nodes("system.2")).containsExactly("n7");
    }

    @Test
    void shouldLetUsersReserveForThemselvesWhereAnyoneMay() {
        weir.policy("RSVCTLPOLICY ANY\nADMINCFG[1] USERS=root").nodes(2, 1);
        weir.requestBy("ann", "1", RequestKind.CREATE_RESERVATION, "-", new NameValue("h", "n1"))
                .iterate(0);

        ReservationStatus mine = reservation("ann.1");
        assertThat(mine.getOwner()).isEqualTo("USER:ann");
        assertThat(mine.getAcl()).containsExactly("USER==ann+");
        weir.requestBy("ann", "2", RequestKind.RELEASE_RESERVATION, "ann.1").iterate(10);
        assertThat(weir.publishedReservations).isEmpty();
    }

    /** What one iteration does has a bound; the next ones go on, and as many as there may be reservations are made. */
    @Test
    void shouldMakeManyInstancesLittleByLittle() {
        StringBuilder policy = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            policy.append("SRCFG[").append(i).append("] DEPTH=100 HOSTLIST=n1\n");
        }
        weir.policy(policy.toString()).nodes(1, 1).iterate(0);
        assertThat(weir.publishedReservations).hasSize(500);
        assertThat(weir.lastNotifications())
                .filteredOn(notice -> notice.getEvent().equals("configproblem"))
                .extracting(Notification::getText)
                .containsExactly(
                        "WARNING line 55: SRCFG[54] DEPTH: all standing reservations together have 6000 instances;"
                                + " at most 5000 reservations are kept, so 1000 are not made: those farthest ahead of the"
                                + " reservations with most instances");
        assertThat(made("0.")).isEqualTo(9);
        assertThat(made("59.")).isEqualTo(8);

        for (int i = 1; i <= 10; i++) {
            weir.iterate(i);
        }
        assertThat(weir.publishedReservations).hasSize(5_000);
        assertThat(made("0.")).isEqualTo(84);
        assertThat(made("59.")).isEqualTo(83);
        assertThat(weir.lastDecisions()).isEmpty();

        weir.policy("SRCFG[5] DEPTH=100 HOSTLIST=n1").iterate(20);
        assertThat(weir.publishedReservations).hasSize(100);
    }

    private long made(String prefix) {
        return weir.publishedReservations.keySet().stream()
                .filter(id -> id.startsWith(prefix))
                .count();
    }

    /** Where there are as many reservations as there may be, a standing one that is made anew is told that it has none. */
    @Test
    void shouldRefuseToMakeInstancesAnewWhereNoneIsMade() {
        StringBuilder policy = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            policy.append("SRCFG[").append(i).append("] DEPTH=1000 HOSTLIST=n1\n");
        }
        weir.policy(policy.toString()).nodes(1, 1);
        for (int i = 0; i <= 10; i++) {
            weir.iterate(i);
        }
        assertThat(weir.publishedReservations).hasSize(5_000);

        weir.policy(policy + "SRCFG[new] DEPTH=10 HOSTLIST=n1\n").iterate(20);
        weir.request("b", RequestKind.REBUILD_RESERVATION, "new", List.of()).iterate(21);

        assertThat(weir.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        assertThat(weir.lastAnswers().get(0).getMessage())
                .isEqualTo("no instance of new made: there may be no more than 5000 reservations; release some first");

        String last = weir.publishedReservations.keySet().stream()
                .filter(id -> id.startsWith("0.999."))
                .findFirst()
                .orElseThrow();
        weir.request("r", RequestKind.RELEASE_RESERVATION, last, List.of())
                .iterate(22)
                .iterate(23);
        assertThat(made("new.")).isEqualTo(1);
    }

    /** Those that begin first come first, the others in turn; a restart makes no difference. */
    @Test
    void shouldLookForNodesOfManyInstancesInTurn() {
        List<Output> live = turns(weir);
        List<Output> restarted = turns(new SchedulerFixture().rebuildingAlways());

        assertThat(restarted).isEqualTo(live);
    }

    private static List<Output> turns(SchedulerFixture site) {
        site.policy("SRCFG[a] DEPTH=100 HOSTLIST=n7 ENDTIME=1:00:00\nSRCFG[b] DEPTH=200 HOSTLIST=n9 STARTTIME=1:00:00")
                .nodes(1, 1)
                .iterate(0);
        assertThat(site.publishedReservations).hasSize(300);
        site.node("n9", 1, NodeState.IDLE).iterate(1);
        assertThat(filled(site)).contains("b.0.101").hasSizeLessThan(100);
        for (int i = 2; i < 12; i++) {
            List<String> before = filled(site);
            site.iterate(i);
            assertThat(filled(site)).containsAll(before).hasSizeLessThanOrEqualTo(before.size() + 100);
        }
        assertThat(filled(site)).hasSize(200);
        return site.outputs;
    }

    private static List<String> filled(SchedulerFixture site) {
        return site.publishedReservations.values().stream()
                .filter(reservation -> !reservation.getAllocation().isEmpty())
                .map(ReservationStatus::getReservationId)
                .toList();
    }

    /** A change of the period leaves instances that reach into several slots; nodes are looked for once for each. */
    @Test
    void shouldFillAnInstanceOfSeveralSlotsOnce() {
        weir.policy("SRCFG[w] PERIOD=WEEK DEPTH=1 HOSTLIST=n2").nodes(1, 1).iterate(0);
        weir.policy("SRCFG[w] PERIOD=DAY DEPTH=3 HOSTLIST=n2")
                .node("n2", 1, NodeState.IDLE)
                .iterate(10);

        assertThat(nodes("w.0.1")).containsExactly("n2");
        assertThat(weir.publishedReservations).hasSize(1);
        assertThat(weir.lastDecisions()).extracting(Decision::getKind).containsExactly(DecisionKind.MODIFY_RESERVATION);
    }

    /** Many failed nodes that nothing can take the place of cost little, in each iteration and the first time. */
    @Test
    @Timeout(60)
    @Feature("RRA-2")
    void shouldLookForManyReplacementsQuickly() {
        weir.policy("RSVREALLOCPOLICY FAILURE").nodes(2_000, 1);
        create("h", "ALL", "R", "PROCS:1", "s", "+1:00:00");
        for (int i = 1; i <= 400; i++) {
            weir.node("n" + i, 1, NodeState.DOWN);
        }
        for (int i = 1; i <= 100; i++) {
            weir.node("m" + i, 1, NodeState.IDLE);
        }
        for (int i = 1; i <= 40; i++) {
            weir.iterate(i);
        }
        assertThat(nodes("system.1")).hasSize(2_000).contains("n400", "m1").doesNotContain("n1");
    }

    @Test
    @Timeout(60)
    @Feature("RRA-4")
    void shouldLookForBetterNodesQuickly() {
        weir.policy("RSVREALLOCPOLICY OPTIMAL").nodes(2_000, 1);
        create("h", "ALL", "R", "PROCS:1", "F", "SPACEFLEX", "s", "+1:00:00");
        weir.iterate(1);
        weir.policy("RSVREALLOCPOLICY OPTIMAL\nNODECFG[m] CHARGERATE=0.5")
                .node("m", 1, NodeState.IDLE)
                .iterate(2);
        for (int i = 3; i <= 10; i++) {
            weir.iterate(i);
        }
        assertThat(nodes("system.1")).hasSize(2_000).contains("m");
    }

    /** Instances that cannot be filled are not looked at again and again; once there are enough nodes, they have them. */
    @Test
    @Timeout(60)
    @Feature("RSV-19")
    void shouldNotLookForNodesOnAndOnWhileNothingChanges() {
        weir.policy("""
                        SRCFG[a] PERIOD=DAY DEPTH=30 TASKCOUNT=4001 RESOURCES=PROCS:1 ACCESS=SHARED
                        SRCFG[c] PERIOD=DAY DEPTH=30 TASKCOUNT=4001 RESOURCES=PROCS:1
                        SRCFG[b] PERIOD=DAY DEPTH=30 HOSTLIST=ALL RESOURCES=PROCS:1
                        """).nodes(4_000, 1);
        for (int i = 0; i <= 60; i++) {
            weir.iterate(i);
        }
        assertThat(filled(weir)).hasSize(30).allMatch(id -> id.startsWith("b."));

        weir.node("more", 1, NodeState.DRAINED).iterate(70);
        assertThat(filled(weir)).hasSize(30);
        weir.node("more", 1, NodeState.IDLE).iterate(80);
        assertThat(filled(weir)).hasSize(60);
    }

    /** An instance that may not overlap waits for reservations, jobs and their limits, and finds nodes when they are over. */
    @ParameterizedTest
    @ValueSource(strings = {"release", "end", "nothing"})
    @Feature("RSV-19")
    void shouldLookForNodesAgainOnceWhatWasInTheWayIsGone(String change) {
        weir.policy("SRCFG[x] PERIOD=INFINITY TASKCOUNT=2 RESOURCES=PROCS:1 FLAGS=EXCLUSIVE USERLIST=bob")
                .nodes(1, 2)
                .adopt("17", 1, HOUR, 0, "n1")
                .iterate(0)
                .iterate(10);
        create("h", "n1", "R", "PROCS:1");
        weir.iterate(20);
        assertThat(nodes("x.0.1")).isEmpty();

        switch (change) {
            case "release" -> weir.request("r", RequestKind.RELEASE_RESERVATION, "system.2");
            case "end" -> weir.end("17", 30).request("r", RequestKind.RELEASE_RESERVATION, "system.2");
            default -> weir.iterate(25);
        }
        weir.iterate(30);
        boolean ended = change.equals("end");
        assertThat(nodes("x.0.1")).hasSize(ended ? 1 : 0);
        weir.iterate(HOUR - 1).iterate(HOUR + 5);
        assertThat(nodes("x.0.1")).hasSize(change.equals("nothing") ? 0 : 1);
    }

    /** What was looked for in vain is not stored; so a restart shows whether anything depends on it. */
    @ParameterizedTest
    @ValueSource(strings = {"FAILURE", "OPTIMAL", "REMAP"})
    @Feature({"RRA-2", "RRA-4", "RRA-5"})
    void shouldChangeNodesTheSameAfterARestart(String reallocation) {
        for (int seed = 1; seed <= 8; seed++) {
            List<Output> live = life(weir(), reallocation, seed);
            List<Output> restarted = life(weir().rebuildingAlways(), reallocation, seed);
            assertThat(restarted).as("seed %d", seed).isEqualTo(live);
        }
    }

    private static SchedulerFixture weir() {
        return new SchedulerFixture();
    }

    private static List<Output> life(SchedulerFixture site, String reallocation, int seed) {
        Random random = new Random(seed);
        site.policy("RSVREALLOCPOLICY " + reallocation + "\n" + """
                        NODECFG[n2] CHARGERATE=0.5
                        NODECFG[n5] CHARGERATE=2
                        SRCFG[s] PERIOD=DAY DEPTH=2 STARTTIME=15:00:00 ENDTIME=18:00:00 TASKCOUNT=7 RESOURCES=PROCS:1
                        SRCFG[s] USERLIST=ann
                        SRCFG[x] PERIOD=DAY DEPTH=2 TASKCOUNT=3 RESOURCES=PROCS:1 FLAGS=EXCLUSIVE,SPACEFLEX USERLIST=bob
                        """).nodes(6, 2);
        long now = 0;
        for (int step = 0; step < 40; step++) {
            String node = "n" + (1 + random.nextInt(6));
            String user = random.nextBoolean() ? "ann" : "bob";
            switch (random.nextInt(6)) {
                case 0 -> site.node(node, 2, NodeState.DOWN);
                case 1 -> site.node(node, 2, NodeState.IDLE);
                case 2 ->
                    site.request(
                            "r" + step,
                            RequestKind.CREATE_RESERVATION,
                            "new",
                            List.of(
                                    new NameValue("t", "" + (1 + random.nextInt(4))),
                                    new NameValue("R", "PROCS:1"),
                                    new NameValue("h", "n[1-4]"),
                                    new NameValue("a", "USER==" + user),
                                    new NameValue("s", "+" + random.nextInt(2_000)),
                                    new NameValue("d", "1:30:00")));
                default ->
                    site.submit(
                            "j" + step, 1 + random.nextInt(3), 600 + random.nextInt(3_000), job -> job.setUser(user));
            }
            now += random.nextInt(4) == 0 ? random.nextInt(5_000) : random.nextInt(60);
            site.iterate(now);
        }
        return site.outputs;
    }

    private void nodesWithMemory(int count, int procs, long memory) {
        for (int i = 1; i <= count; i++) {
            weir.node("n" + i, procs, NodeState.IDLE, node -> node.setMemoryMb(memory));
        }
    }

    private void create(String... arguments) {
        List<NameValue> pairs = new java.util.ArrayList<>();
        for (int i = 0; i < arguments.length; i += 2) {
            pairs.add(new NameValue(arguments[i], arguments[i + 1]));
        }
        weir.request("r" + String.join("", arguments), RequestKind.CREATE_RESERVATION, "new", pairs)
                .iterate(0);
    }

    private ReservationStatus reservation(String id) {
        ReservationStatus status = weir.publishedReservations.get(id);
        assertThat(status)
                .as("reservation %s among %s", id, weir.publishedReservations.keySet())
                .isNotNull();
        return Objects.requireNonNull(status);
    }

    private List<String> nodes(String id) {
        return reservation(id).getAllocation().stream()
                .map(NodeAllocation::getNodeId)
                .toList();
    }
}
