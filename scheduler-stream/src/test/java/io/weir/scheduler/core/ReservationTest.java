package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.ReservationType;
import io.weir.schemas.TaskPlacement;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reservations made by operators. T0 is 13:46:40 on a Monday, 1970-01-12. */
class ReservationTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();
    private int requests;

    /** ACL1: names give access, the required limit holds for everybody. */
    @Test
    void ACL1() {
        weir.nodes(4, 1);
        create(0, "hosts", "n", "acl", "USER==Joe:Bob,GROUP-=Bad,ACCT+=Good,DURATION<=*1:00:00");
        weir.submit("short", 1, HOUR / 2, job -> job.setUser("Joe"))
                .submit("long", 1, 2 * HOUR, job -> job.setUser("Joe"))
                .submit("good", 1, HOUR, job -> job.setAccount("Good"))
                .submit("other", 1, HOUR / 2, job -> job.setUser("eve"))
                .iterate(10);

        assertThat(weir.started()).containsExactlyInAnyOrder("short", "good");
    }

    /** Who reserves a node reserves all of it, whatever of it was known at the time. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReserveAWholeNodeThatTurnsOutToBeLarger(boolean rebuilding) {
        site(rebuilding).node("n1", 2, NodeState.DOWN).policy("NODEFAILURERESERVETIME 0");
        create(0, "hosts", "n1", "duration", "1:00:00");
        weir.node("n1", 8, NodeState.IDLE).submit("job", 4, HOUR).iterate(HOUR / 2);

        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("job")).isEqualTo(HOUR);
        assertThat(reservation("system.1").getProcs()).isEqualTo(8);
        assertThat(reservation("system.1").getReservedProcSeconds())
                .as("counted at its former size")
                .isEqualTo(HOUR / 2 * 2);
    }

    @Test
    void shouldReserveAWholeNodeThatTheSiteMakesLarger() {
        weir.node("n1", 2, NodeState.IDLE)
                .policy("SRCFG[s] HOSTLIST=n1 RESOURCES=PROCS:-1 PERIOD=INFINITY")
                .iterate(0);
        create(0, "hosts", "n1", "duration", "1:00:00");
        weir.policy("SRCFG[s] HOSTLIST=n1 RESOURCES=PROCS:-1 PERIOD=INFINITY\nNODECFG[n1] RCPROC=8")
                .submit("job", 4, HOUR)
                .iterate(60);

        assertThat(weir.started()).isEmpty();
        assertThat(reservation("s.0.1").getProcs()).isEqualTo(8);
        assertThat(reservation("system.2").getProcs()).isEqualTo(8);
    }

    /** Tasks stay as large as they are. */
    @Test
    void shouldReserveNoMoreThanTheTasksAskedForOnANodeThatGrows() {
        weir.node("n1", 2, NodeState.IDLE);
        create(0, "hosts", "n1", "tasks", "1", "resources", "PROCS:1", "duration", "1:00:00");
        weir.node("n1", 8, NodeState.IDLE).submit("job", 7, HOUR).iterate(60);

        assertThat(weir.started()).containsExactly("job");
    }

    /** One on which the scheduler failed is withdrawn from the topic even when the scheduler restarts in between. */
    @Test
    void shouldWithdrawAReservationThatWasSetAsideBeforeARestart() {
        weir.nodes(2, 1);
        create(0, "hosts", "n1", "acl", "USER==Joe");
        assertThat(weir.publishedReservations).containsKey("Joe.1");

        weir.fact(new Quarantine(
                SchedulerFixture.CLUSTER,
                QuarantineKind.RESERVATION,
                "Joe.1",
                "ArithmeticException",
                "overflow",
                SchedulerFixture.at(5),
                "test",
                false));
        weir.rebuildingAlways().iterate(10);

        assertThat(weir.publishedReservations).isEmpty();
        assertThat(weir.snapshot()).noneMatch(change -> change.value() instanceof Quarantine);
    }

    /** The one made by an operator keeps its id; that of the job has it with more behind it for as long as it lasts. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepTheReservationOfAJobNamedLikeAnotherReservation(boolean rebuilding) {
        site(rebuilding).nodes(1, 1);
        create(0, "hosts", "n1", "name", "job", "starttime", "+20:00:00", "duration", "1:00:00");
        weir.adopt("r", 1, HOUR, 0, "n1").submit("job.1", 1, HOUR).iterate(10);

        assertThat(reservation("job.1").getType()).isEqualTo(ReservationType.ADMINISTRATIVE);
        assertThat(reservation("job.1.rsv").getJobId()).isEqualTo("job.1");
        assertThat(reservation("job.1.rsv").getType()).isEqualTo(ReservationType.PRIORITY);
        assertThat(weir.snapshot())
                .filteredOn(change -> change.value() instanceof ReservationStatus)
                .hasSize(2);

        weir.iterate(20);
        assertThat(weir.lastDecisions()).isEmpty();
        weir.request("gone", RequestKind.RELEASE_RESERVATION, "job.1")
                .iterate(30)
                .end("r", 40)
                .iterate(40);
        assertThat(weir.started()).contains("job.1");
        assertThat(weir.publishedReservations).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveAJobsReservationAnotherIdWhenAStandingOneGetsIts(boolean rebuilding) {
        site(rebuilding).nodes(2, 1).adopt("r", 1, HOUR, 0, "n1").adopt("s", 1, HOUR, 0, "n2");
        weir.submit("a.0.1", 1, HOUR).submit("a.0.1.rsv", 1, HOUR).iterate(10);
        weir.policy("SRCFG[a] HOSTLIST=n1 DEPTH=1 STARTTIME=20:00:00\nRESERVATIONDEPTH 2")
                .iterate(20);
        weir.iterate(30);

        assertThat(reservation("a.0.1").getType()).isEqualTo(ReservationType.STANDING);
        assertThat(weir.publishedReservations.values())
                .extracting(ReservationStatus::getJobId)
                .containsExactlyInAnyOrder(null, "a.0.1", "a.0.1.rsv");
        weir.end("r", 40).end("s", 40).iterate(40);
        assertThat(weir.publishedReservations.keySet()).containsExactly("a.0.1");
    }

    private SchedulerFixture site(boolean rebuilding) {
        return rebuilding ? weir.rebuildingAlways() : weir;
    }

    /** ACL2: john likes the reserved nodes, a batch job gets in as a last resort. */
    @Test
    void ACL2() {
        weir.nodes(4, 1);
        create(0, "hosts", "n[34]", "acl", "USER==john+,CLASS==batch-");
        weir.submit("b1", 2, HOUR, job -> job.setJobClass("batch")).iterate(10);
        assertThat(nodesOf("b1")).containsExactly("n1", "n2");

        weir.submit("b2", 1, HOUR, job -> job.setJobClass("batch")).iterate(20);
        assertThat(nodesOf("b2")).containsAnyOf("n3", "n4");

        weir.end("b1", 30).end("b2", 30);
        weir.submit("j", 1, HOUR, job -> job.setUser("john")).iterate(30);
        assertThat(nodesOf("j")).containsAnyOf("n3", "n4");
    }

    /** RS1: how many tasks nodes hold is the sum of what each holds. */
    @Test
    void RS1() {
        weir.node("X", 2, NodeState.IDLE, node -> node.setMemoryMb(3072))
                .node("Y", 2, NodeState.IDLE, node -> node.setMemoryMb(1024))
                .node("Z", 2, NodeState.IDLE, node -> node.setMemoryMb(2048));
        create(0, "tasks", "4", "resources", "PROCS:1;MEM:1024");
        assertThat(reservation("system.1").getPlacements().stream()
                        .mapToInt(TaskPlacement::getTasks)
                        .sum())
                .isEqualTo(4);

        weir.request(
                        "all",
                        RequestKind.CREATE_RESERVATION,
                        "new",
                        pairs("tasks", "ALL", "resources", "PROCS:1;MEM:1024"))
                .iterate(10);
        assertThat(reservation("system.2").getPlacements())
                .extracting(TaskPlacement::getNodeId, TaskPlacement::getTasks)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("X", 2),
                        org.assertj.core.groups.Tuple.tuple("Y", 1),
                        org.assertj.core.groups.Tuple.tuple("Z", 2));

        weir.request("six", RequestKind.CREATE_RESERVATION, "new", pairs("tasks", "6", "resources", "PROCS:1;MEM:1024"))
                .iterate(20);
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        assertThat(answer().getMessage()).isEqualTo("no resources: 5 of 6 tasks have a place");
    }

    /** MC1: a reservation on one node for two users, with an account that answers for unused time. */
    @Test
    @Feature({"RSV-19", "CMD-1"})
    void MC1() {
        weir.node("node002", 1, NodeState.IDLE).node("node003", 1, NodeState.IDLE);
        create(0, "h", "node003", "a", "user=john,user=steve", "S", "aaccount=jupiter");

        assertThat(answer().getMessage()).isEqualTo("NOTE: reservation john.1 created");
        assertThat(answer().getObjectId()).isEqualTo("john.1");
        ReservationStatus made = reservation("john.1");
        assertThat(made.getType()).isEqualTo(ReservationType.ADMINISTRATIVE);
        assertThat(made.getAllocation()).containsExactly(new NodeAllocation("node003", 1));
        assertThat(made.getAcl()).containsExactly("USER==john+", "USER==steve+");
        assertThat(made.getAccountable()).containsExactly(new NameValue("aaccount", "jupiter"));
        assertThat(made.getStart()).isEqualTo(SchedulerFixture.at(0));

        weir.submit("e1", 1, HOUR, job -> job.setUser("eve"))
                .submit("e2", 1, HOUR, job -> job.setUser("eve"))
                .submit("s", 1, HOUR, job -> job.setUser("steve"))
                .iterate(10);
        assertThat(nodesOf("e1")).containsExactly("node002");
        assertThat(nodesOf("s")).containsExactly("node003");
        assertThat(weir.job("e2").getAllocation()).isEmpty();
    }

    /** MC2: moving the start keeps the duration. */
    @Test
    @Feature("CMD-1")
    void MC2() {
        weir.nodes(1, 1);
        create(0, "h", "n1", "d", "2:00:00");
        modify(10, "system.1", "starttime", "+=5:00:00");

        assertThat(reservation("system.1").getStart()).isEqualTo(SchedulerFixture.at(5 * HOUR));
        assertThat(reservation("system.1").getEnd()).isEqualTo(SchedulerFixture.at(7 * HOUR));
    }

    /** MC3: a longer duration keeps the start. */
    @Test
    @Feature("CMD-1")
    void MC3() {
        weir.nodes(1, 1);
        create(0, "h", "n1", "d", "2:00:00");
        modify(10, "system.1", "duration", "+=5:00:00");

        assertThat(reservation("system.1").getStart()).isEqualTo(SchedulerFixture.at(0));
        assertThat(reservation("system.1").getEnd()).isEqualTo(SchedulerFixture.at(7 * HOUR));
    }

    /** MC4: a time without date that has passed is the next day's; it is 13:46:40, so 14:00 is today. */
    @Test
    @Feature("CMD-1")
    void MC4() {
        weir.nodes(1, 1);
        create(0, "h", "n1", "s", "08:00", "d", "1:00:00");
        create(10, "h", "n1", "s", "14:00", "d", "1:00:00");

        assertThat(reservation("system.1").getStart()).hasToString("1970-01-13T08:00:00Z");
        assertThat(reservation("system.2").getStart()).hasToString("1970-01-12T14:00:00Z");
    }

    /** MC5: a node expression is a regular expression, found anywhere unless anchored. */
    @Test
    @Feature("CMD-1")
    void MC5() {
        for (int i = 1; i <= 12; i++) {
            weir.node("node" + i, 1, NodeState.IDLE);
        }
        create(0, "h", "node[1-3]");
        assertThat(reservation("system.1").getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("node1", "node2", "node3", "node10", "node11", "node12");

        create(10, "h", "^node[1-3]$");
        assertThat(reservation("system.2").getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("node1", "node2", "node3");
    }

    @Test
    void shouldNameNodesByListRangeAndClass() {
        weir.nodes(5, 1)
                .node(
                        "c1",
                        1,
                        NodeState.IDLE,
                        node -> node.setClasses(List.of(new io.weir.schemas.NameCount("gpu", 1L))));
        create(0, "h", "n2,n4");
        create(1, "h", "r:1-2");
        create(2, "h", "r:n2-n3");
        create(3, "h", "n1,n9");
        assertThat(answer().getMessage()).isEqualTo("no node n9");
        create(4, "h", "n[");
        assertThat(answer().getMessage()).startsWith("'n[' is no regular expression");

        assertThat(nodes("system.1")).containsExactly("n2", "n4");
        assertThat(nodes("system.2")).containsExactly("n2", "n3");
        assertThat(nodes("system.3")).containsExactly("n2", "n3");
    }

    @Test
    @Feature("RSV-18")
    void shouldTakeTheSmallestNodesWhateverTheAllocationPolicy() {
        weir.policy("NODEALLOCATIONPOLICY FIRSTAVAILABLE")
                .node("big", 2, NodeState.IDLE, node -> node.setMemoryMb(4096))
                .node("small", 2, NodeState.IDLE, node -> node.setMemoryMb(512))
                .node("middle", 2, NodeState.IDLE, node -> node.setMemoryMb(1024));
        create(0, "t", "2");

        assertThat(nodes("system.1")).containsExactly("small", "middle");
    }

    @Test
    void shouldSeekNodesOutsideAListThatIsTooSmall() {
        weir.nodes(4, 1);
        create(0, "h", "n1,n2", "t", "3");

        assertThat(nodes("system.1")).contains("n1", "n2").hasSize(3);
    }

    @Test
    void shouldKeepJobsOffUntilTheReservationEnds() {
        weir.nodes(1, 1);
        create(0, "h", "n1", "d", "1:00:00");
        assertThat(Objects.requireNonNull(weir.lastResult).nextWake()).isEqualTo(SchedulerFixture.at(HOUR));
        weir.submit("j", 1, HOUR).iterate(10);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("j")).isEqualTo(HOUR);

        weir.iterate(HOUR);
        assertThat(weir.started()).containsExactly("j");
        assertThat(weir.publishedReservations).isEmpty();
        assertThat(weir.lastNotifications())
                .filteredOn(notice -> notice.getEvent().equals("rsvend"))
                .extracting(Notification::getText)
                .containsExactly("reservation system.1 ended: 3600 processor seconds reserved, 3600 unused");
    }

    @Test
    @Feature("RSV-1")
    void shouldLetJobsRunThatEndBeforeTheReservationBegins() {
        weir.nodes(1, 1);
        create(0, "h", "n1", "s", "+2:00:00", "d", "1:00:00");
        weir.submit("long", 1, 3 * HOUR).submit("short", 1, 2 * HOUR - 10).iterate(10);

        assertThat(weir.started()).containsExactly("short");
        assertThat(weir.reservedStart("long")).isEqualTo(3 * HOUR);
    }

    @Test
    void shouldRefuseAnExclusiveReservationWithItsConflicts() {
        weir.nodes(2, 1).adopt("17", 1, HOUR, 0, "n1");
        create(0, "h", "n1", "E", "");
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        assertThat(answer().getMessage())
                .isEqualTo("exclusive reservation conflicts with node n1: job 17 until 1970-01-12T14:46:40Z");

        create(10, "h", "n1", "E", "", "s", "+1:00:00");
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        create(20, "h", "n", "E", "", "s", "+2:00:00");
        assertThat(answer().getMessage())
                .isEqualTo("exclusive reservation conflicts with node n1: reservation system.1 for ever");
    }

    @Test
    void shouldConfineJobsThatNameAReservation() {
        weir.nodes(3, 1);
        create(0, "h", "n2", "a", "USER==ann", "n", "demo");
        weir.submit("in", 1, HOUR, job -> job.setReservation("demo.1"))
                .submit("second", 1, HOUR, job -> job.setReservation("demo"))
                .submit("lost", 1, HOUR, job -> job.setReservation("nowhere"))
                .iterate(10);

        assertThat(weir.started()).containsExactly("in");
        assertThat(nodesOf("in")).containsExactly("n2");
        assertThat(weir.reservedStart("lost")).isEqualTo(-1);

        weir.end("in", 20).iterate(20);
        assertThat(nodesOf("second")).containsExactly("n2");
    }

    @Test
    void shouldLockMatchingJobsIn() {
        weir.nodes(3, 1);
        create(0, "h", "n2", "a", "USER==&joe,USER==ann");
        weir.submit("j1", 1, HOUR, job -> job.setUser("joe"))
                .submit("j2", 1, HOUR, job -> job.setUser("joe"))
                .iterate(10);

        assertThat(weir.started()).containsExactly("j1");
        assertThat(nodesOf("j1")).containsExactly("n2");
    }

    @Test
    void shouldAdmitByNameOnly() {
        weir.nodes(1, 1);
        create(0, "h", "n1", "a", "USER==ann", "F", "BYNAME");
        weir.submit("plain", 1, HOUR).iterate(10);
        assertThat(weir.started()).isEmpty();

        weir.submit("named", 1, HOUR, job -> job.setReservation("ann.1")).iterate(20);
        assertThat(weir.started()).containsExactly("named");
    }

    @Test
    void shouldCountWhatJobsUseOfIt() {
        weir.node("n1", 4, NodeState.IDLE);
        create(0, "h", "n1", "a", "USER==ann", "d", "2:00:00");
        weir.submit("j", 2, HOUR).iterate(0);
        weir.end("j", HOUR).iterate(HOUR + 7).iterate(2 * HOUR);

        assertThat(weir.lastNotifications())
                .extracting(Notification::getText)
                .containsExactly("reservation ann.1 ended: 28800 processor seconds reserved, 21600 unused");
    }

    @Test
    void shouldCorrectTheCountWhenAnEndIsReportedLate() {
        weir.node("n1", 4, NodeState.IDLE);
        create(0, "h", "n1", "a", "USER==ann", "d", "2:00:00");
        weir.submit("j", 2, 2 * HOUR).iterate(0).iterate(HOUR + 300);
        weir.end("j", HOUR).iterate(2 * HOUR);

        assertThat(weir.lastNotifications())
                .extracting(Notification::getText)
                .containsExactly("reservation ann.1 ended: 28800 processor seconds reserved, 21600 unused");
    }

    @Test
    void shouldReleaseByIdPatternAndGroup() {
        weir.nodes(3, 1);
        create(0, "h", "n1", "g", "maint");
        create(1, "h", "n2", "g", "maint");
        create(2, "h", "n3");
        weir.request("group", RequestKind.RELEASE_RESERVATION, "maint", pairs("group", "maint"))
                .iterate(3);
        assertThat(weir.publishedReservations.keySet()).containsExactly("system.3");

        weir.request("pattern", RequestKind.RELEASE_RESERVATION, "system\\..*", List.of())
                .iterate(4);
        assertThat(weir.publishedReservations).isEmpty();
        weir.request("all", RequestKind.RELEASE_RESERVATION, "ALL", List.of()).iterate(5);
        assertThat(answer().getMessage()).isEqualTo("no reservation ALL");
    }

    @Test
    void shouldRefuseWhatMakesNoSense() {
        weir.nodes(1, 1);
        assertThat(refused("d", "1:00:00")).isEqualTo("a reservation needs nodes (-h) or a number of tasks (-t)");
        assertThat(refused("h", "n1", "s", "soon")).startsWith("'soon' is no time");
        assertThat(refused("h", "n1", "e", "-1:00:00"))
                .startsWith("the end, ")
                .contains("would not lie behind the start, 1970-01-12T13:46:40Z");
        assertThat(refused("h", "n1", "b", "what")).startsWith("unknown subtype 'what'; one of emain, hwmain");
        assertThat(refused("h", "n1", "F", "WHAT")).startsWith("unknown flag 'WHAT'");
        assertThat(refused("h", "n1", "F", "OWNERPREEMPT"))
                .isEqualTo("flag OWNERPREEMPT needs an owner (-o), whose jobs may preempt others");
        assertThat(refused("h", "n1", "F", "PREEMPTEE"))
                .startsWith("flag PREEMPTEE is not available: no reservation gives way to others");
        assertThat(refused("h", "n1", "a", "USER")).startsWith("'USER' is not TYPE==VALUE");
        assertThat(refused("h", "n1", "R", "PROCS:many")).startsWith("'PROCS:many' is no amount");
        assertThat(refused("h", "n1", "R", "FOO:2")).contains("'FOO:2'", "PROCS, MEM, SWAP and DISK");
        assertThat(refused("h", "n1", "z", "1"))
                .startsWith("unknown argument 'z' of CREATE_RESERVATION; there are acl,");
        assertThat(refused("h", "x")).isEqualTo("no node matches 'x'");
        assertThat(refused("t", "2")).isEqualTo("no resources: 1 of 2 tasks have a place");
    }

    @Test
    void shouldRefuseWhatIsGivenAndSaysNothing() {
        weir.nodes(2, 1);
        assertThat(refused("h", ""))
                .isEqualTo("argument hostexp is empty; give a value, ALL for every node, or leave it out");
        assertThat(refused("h", "=")).startsWith("argument hostexp is empty");
        assertThat(refused("h", "n1", "a", " ")).startsWith("argument acl is empty");
        assertThat(refused("h", "n1", "f", "")).startsWith("argument features is empty");
        assertThat(refused("h", "n1,,n2")).isEqualTo("a name is missing in the list 'n1,,n2'");
        create(0, "h", "n1");
        modify(1, "system.1", "h", "=");
        assertThat(answer().getMessage()).startsWith("no nodes are named");
        assertThat(nodes("system.1")).containsExactly("n1");
    }

    @Test
    void shouldRefuseTimesThatAreOver() {
        weir.nodes(1, 1).iterate(HOUR);
        long now = SchedulerFixture.T0 + HOUR;
        assertThat(refusedAt(HOUR, "h", "n1", "s", Long.toString(now - 3600), "d", "9:00:00"))
                .startsWith("the start, 1970-01-12T13:46:40Z, lies in the past; it is 1970-01-12T14:46:40Z");
        assertThat(refusedAt(HOUR, "h", "n1", "s", "-0:30:00"))
                .startsWith("the start, 1970-01-12T14:16:40Z, lies in the");
        create(HOUR, "h", "n1", "s", Long.toString(now - 5), "d", "9:00:00");
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        modify(HOUR + 1, "system.1", "s", "-=2:00:00");
        assertThat(answer().getMessage()).contains("lies in the past");
        modify(HOUR + 2, "system.1", "d", "+=1:00:00");
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
    }

    @Test
    void shouldRefuseNamesThatNobodyHas() {
        weir.policy("CLASSCFG[batch] PRIORITY=1\nQOSCFG[high] PRIORITY=1")
                .node(
                        "n1",
                        1,
                        NodeState.IDLE,
                        node -> node.setFeatures(List.of("fast")).setPartition("left"));
        assertThat(refused("h", "n1", "a", "CLASS==bach"))
                .isEqualTo("no class 'bach'; there are batch, and CLASSCFG[bach] would make it known");
        assertThat(refused("h", "class:bach", "a", "CLASS==batch"))
                .isEqualTo("no class 'bach'; there are batch, and CLASSCFG[bach] would make it known");
        assertThat(refused("h", "n1", "a", "QOS==hihg")).startsWith("no QOS 'hihg'; there are high");
        assertThat(refused("h", "n1", "p", "right")).isEqualTo("no partition 'right'; there are left");
        assertThat(refused("h", "n1", "f", "slow")).isEqualTo("no feature 'slow'; there are fast");
        assertThat(refused("h", "n1", "a", "USER==jo hn"))
                .isEqualTo("USER: 'jo hn' has ' ' in it, which no name has;" + " separate names by commas or colons");
        assertThat(refused("h", "n1", "a", "USER==john;eve")).contains("';' in it");
        assertThat(refused("h", "n1", "n", "two words")).startsWith("label: 'two words' has ' ' in it");
        assertThat(refused("h", "n1", "o", "USER:a b")).startsWith("owner: 'a b' has ' ' in it");
    }

    @Test
    void shouldNameTheNodesItTookAndWhoIsNotKnown() {
        weir.nodes(12, 1).submit("j", 1, HOUR, job -> job.setUser("ann")).iterate(0);
        create(1, "h", "n1", "a", "USER==ann:bob");

        assertThat(answer().getMessage()).isEqualTo("NOTE: reservation ann.1 created");
        assertThat(answer().getDetails())
                .extracting(NameValue::getValue)
                .containsExactly(
                        "on 4 nodes: n1,n[10-12]",
                        "no job and no configuration names USER 'bob' so far; check the spelling");
        modify(2, "ann.1", "h", "-=n1.");
        assertThat(answer().getDetails()).extracting(NameValue::getValue).containsExactly("on 1 node: n1");
    }

    @Test
    void shouldDecideTheSameAfterARebuild() {
        List<String> plain = story(new SchedulerFixture());
        List<String> rebuilt = story(new SchedulerFixture().rebuildingAlways());

        assertThat(rebuilt).isEqualTo(plain);
    }

    private static List<String> story(SchedulerFixture fixture) {
        fixture.nodes(4, 2);
        fixture.request(
                        "a",
                        RequestKind.CREATE_RESERVATION,
                        "new",
                        pairs("h", "n[12]", "a", "USER==ann,CLASS==batch-", "d", "2:00:00", "R", "PROCS:1", "V", "x=y"))
                .request("b", RequestKind.CREATE_RESERVATION, "new", pairs("t", "2", "s", "+1:00:00", "d", "1:00:00"))
                .submit("j1", 3, HOUR)
                .submit("j2", 5, HOUR, job -> job.setUser("eve"))
                .iterate(0)
                .submit("j3", 2, 3 * HOUR)
                .iterate(100)
                .end("j1", 600)
                .iterate(600)
                .request("c", RequestKind.MODIFY_RESERVATION, "ann.1", pairs("duration", "+=1:00:00"))
                .iterate(HOUR)
                .iterate(2 * HOUR)
                .iterate(3 * HOUR);
        return fixture.outputs.stream().map(Output::toString).toList();
    }

    @Test
    @Feature({"CMD-1", "CAT-23"})
    void shouldRequireASubtypeWhereTheSiteDoes() {
        weir.policy("FORCERSVSUBTYPE TRUE\nRSVPROFILE[sw] SUBTYPE=swmain\nSRCFG[s] HOSTLIST=n1 DEPTH=1")
                .nodes(1, 1);
        assertThat(refused("h", "n1")).startsWith("subtype required (-b)").contains("emain", "site8");
        assertThat(refused("h", "n1", "b", "nonsense")).startsWith("unknown subtype 'nonsense'");

        create(10, "h", "n1", "b", "HWMAIN");
        assertThat(reservation("system.2").getSubtype()).isEqualTo("HardwareMaintenance");
        create(20, "h", "n1", "P", "sw");
        assertThat(reservation("system.3").getSubtype()).isEqualTo("SoftwareMaintenance");
        assertThat(weir.publishedReservations.keySet())
                .as("standing ones need none")
                .anyMatch(id -> id.startsWith("s."));
    }

    /** What a sign goes before is a number: neither ALL nor an end that never comes is one. */
    @Test
    @Feature("CMD-1")
    void shouldTakeTasksAndTimeFromNumbersOnly() {
        weir.nodes(4, 8);
        create(0, "tasks", "3", "resources", "PROCS:1", "starttime", "+1:00:00");
        for (String fewer : List.of("-=3", "-=4", "-=10")) {
            modify(10, "system.1", "tasks", fewer);
            assertThat(answer().getMessage()).isEqualTo("no task would be left");
        }
        for (String all : List.of("+=ALL", "-=ALL", "-=all", "+=-1", "-=-1", "+=0")) {
            modify(20, "system.1", "tasks", all);
            assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.REFUSED);
            assertThat(answer().getMessage()).isEqualTo("'" + all.substring(2) + "' is no task count");
        }
        modify(30, "system.1", "tasks", "+=" + Limit.PROCS);
        assertThat(answer().getMessage()).startsWith(Limit.PROCS + 3 + " tasks are too many");
        modify(40, "system.1", "duration", "-=1:00:00");
        assertThat(answer().getMessage()).startsWith("it never ends");
        modify(50, "system.1", "endtime", "-=1:00:00");
        assertThat(answer().getMessage()).startsWith("it never ends");
        modify(55, "system.1", "starttime", "12:00_01/01/2500");
        assertThat(answer().getMessage()).startsWith("the start lies beyond 2100-01-01T00:00:00Z");
        modify(56, "system.1", "endtime", "+2:00:00", "duration", "-=INFINITY");
        assertThat(answer().getMessage()).startsWith("an INFINITY of time cannot be taken away");
        assertThat(reservation("system.1").getProcs()).isEqualTo(3);

        modify(60, "system.1", "tasks", "-=2");
        assertThat(reservation("system.1").getProcs()).isEqualTo(1);
        modify(70, "system.1", "tasks", "=ALL");
        assertThat(reservation("system.1").getProcs()).isEqualTo(32);
        modify(80, "system.1", "tasks", "-=30");
        assertThat(reservation("system.1").getProcs()).isEqualTo(2);
    }

    @Test
    void shouldTakeTheTermsOfAProfileWhenThatIsAskedForLater() {
        weir.policy("RSVPROFILE[course] SUBTYPE=swmain\nRSVPROFILE[there] HOSTLIST=^n2$")
                .nodes(2, 1);
        create(0, "h", "^n1$");
        String id = answer().getObjectId();

        modify(10, id, "profile", "=course");
        assertThat(reservation(id).getSubtype()).isEqualTo("SoftwareMaintenance");
        assertThat(reservation(id).getProfile()).isEqualTo("course");
        assertThat(reservation(id).getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n1");

        modify(20, id, "profile", "=there", "comment", "=moved");
        assertThat(reservation(id).getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n2");
        assertThat(reservation(id).getComment()).isEqualTo("moved");

        modify(30, id, "profile", "=nosuch");
        assertThat(answer().getMessage()).isEqualTo("no reservation profile nosuch");
    }

    @Test
    @Feature("CMD-1")
    void shouldKeepWhatIsSaidOfAReservation() {
        weir.nodes(2, 1);
        create(0, "h", "^n1$", "message", "ordered by ann");
        String id = answer().getObjectId();
        modify(10, id, "message", "cooling is checked", "msg", "ask bob");
        assertThat(reservation(id).getMessages()).containsExactly("ordered by ann", "cooling is checked", "ask bob");

        modify(20, id, "message", "cooling is checked", "message", "-=ask bob");
        assertThat(reservation(id).getMessages())
                .as("said again, it is the last")
                .containsExactly("ordered by ann", "cooling is checked");

        for (int i = 0; i < 20; i++) {
            modify(30 + i, id, "message", "m" + i);
        }
        assertThat(reservation(id).getMessages()).hasSize(16).startsWith("m4").endsWith("m19");
        modify(60, id, "message", "");
        assertThat(reservation(id).getMessages()).isEmpty();
        assertThat(reservation(id).getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n1");

        modify(70, id, "message", "x".repeat(5_000));
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        assertThat(answer().getMessage()).contains("message", "5000");
    }

    @Test
    @Feature("NOTE-3")
    void shouldSayOfAReservationWhatAnEventHasSaid() {
        weir.policy("GEVENTCFG[rsvstart] ACTION=objectmessage").nodes(2, 1);
        create(0, "h", "^n1$", "s", "+100");
        String id = answer().getObjectId();
        weir.iterate(100).iterate(101).iterate(102);

        assertThat(reservation(id).getMessages()).singleElement().asString().contains(id);
    }

    private void create(long time, String... arguments) {
        weir.request("r" + requests++, RequestKind.CREATE_RESERVATION, "new", pairs(arguments))
                .iterate(time);
    }

    private void modify(long time, String id, String... arguments) {
        weir.request("r" + requests++, RequestKind.MODIFY_RESERVATION, id, pairs(arguments))
                .iterate(time);
    }

    private String refused(String... arguments) {
        return refusedAt(0, arguments);
    }

    private String refusedAt(long time, String... arguments) {
        create(time, arguments);
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        return String.valueOf(answer().getMessage());
    }

    private RequestResult answer() {
        return weir.lastAnswers().get(0);
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

    private List<String> nodesOf(String job) {
        return weir.job(job).getAllocation().stream()
                .map(NodeAllocation::getNodeId)
                .toList();
    }

    private static List<NameValue> pairs(String... arguments) {
        List<NameValue> pairs = new ArrayList<>();
        for (int i = 0; i < arguments.length; i += 2) {
            pairs.add(new NameValue(arguments[i], arguments[i + 1]));
        }
        return pairs;
    }
}
