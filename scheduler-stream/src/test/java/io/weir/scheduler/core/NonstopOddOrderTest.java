package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What the failure service does when things happen in an unusual order, and which nodes it gives at all. */
@NullUnmarked
class NonstopOddOrderTest {
    private static final Consumer<NodeReport.Builder> OFF = node -> node.setPoweredOn(false);
    private static final Consumer<NodeReport.Builder> LOADED = node -> node.setLoad(9.0);

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
    private long clock;
    private int requests;

    private void nonstop(String... lines) {
        nonstopUnder("", lines);
    }

    private void nonstopUnder(String policy, String... lines) {
        site.policy("NODEALLOCRESFAILUREPOLICY IGNORE\nFAILURESERVICE nonstop\n" + policy
                + PolicyLine.marker("nonstop.conf", 1) + "\nControlAddr=control\n" + String.join("\n", lines) + "\n");
        site.iterate(clock);
    }

    /** Job 17 of ann runs on n1 and n2, with two processors on each. */
    private void jobOnTwoNodes() {
        site.node("n1", 2, NodeState.IDLE).node("n2", 2, NodeState.IDLE);
        site.heartbeat(1, true, SchedulerFixture.EPOCH, clock);
        site.submit("17", 4, 36_000).iterate(clock);
        assertThat(site.job("17").getAllocation())
                .containsExactly(new NodeAllocation("n1", 2), new NodeAllocation("n2", 2));
    }

    private void down(String node) {
        site.node(node, 2, NodeState.DOWN).iterate(++clock);
    }

    private void ask(RequestKind kind, String name, String value) {
        site.requestBy("ann", "r" + ++requests, kind, "17", new NameValue(name, value))
                .iterate(++clock);
    }

    private RequestResult answer() {
        assertThat(site.lastAnswers()).hasSize(1);
        return site.lastAnswers().get(0);
    }

    private String error() {
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        return details(answer(), "error").get(0);
    }

    private static List<String> details(RequestResult answer, String name) {
        return answer.getDetails().stream()
                .filter(detail -> detail.getName().equals(name))
                .map(NameValue::getValue)
                .toList();
    }

    private List<String> known(String name) {
        site.requestBy("ann", "r" + ++requests, RequestKind.SHOW_JOB_FAILURES, "17")
                .iterate(++clock);
        return details(answer(), name);
    }

    private List<String> pool() {
        return site.publishedReservations.get("HOT_SPARE_DEFAULT").getAllocation().stream()
                .map(NodeAllocation::getNodeId)
                .toList();
    }

    private void answered(CommandOutcome outcome) {
        site.answer("17", outcome, clock).iterate(++clock);
    }

    @Test
    @Feature("SMD-14")
    void shouldKeepNoSpareThatIsSwitchedOffOrOverItsLoad() {
        nonstopUnder("NODEMAXLOAD 4\n", "HotSpareCount=DEFAULT:2");
        site.node("off", 2, NodeState.IDLE, OFF).node("busy", 2, NodeState.IDLE, LOADED);
        site.nodes(3, 2).iterate(++clock);
        assertThat(pool()).containsExactly("n2", "n3");
        site.node("n3", 2, NodeState.IDLE, OFF).iterate(++clock);
        assertThat(pool()).as("one that was switched off").containsExactly("n1", "n2");
    }

    @Test
    @Feature("SMD-20")
    void shouldReplaceANodeOnlyByOneThatIsOnAndWithinItsLoad() {
        nonstopUnder("NODEMAXLOAD 4\n");
        jobOnTwoNodes();
        site.node("off", 2, NodeState.IDLE, OFF).node("busy", 2, NodeState.IDLE, LOADED);
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, "node", "n2");
        assertThat(error()).isEqualTo("ENODEREPLACEFAIL");
        assertThat(site.lastCommands()).isEmpty();
        site.node("off", 2, NodeState.IDLE).iterate(++clock);
        ask(RequestKind.REPLACE_JOB_NODE, "node", "n2");
        assertThat(site.lastCommands().get(0).getAllocation()).containsExactly(new NodeAllocation("off", 2));
    }

    /** A resource manager that saves power switches a node on for a job, which takes longer than a failure can wait. */
    @Test
    @Feature("SMD-20")
    void shouldStartAJobOnANodeThatIsSwitchedOnForItAndReplaceNoneByIt() {
        nonstopUnder("");
        jobOnTwoNodes();
        site.node("asleep", 2, NodeState.IDLE, node -> node.setPoweredOn(false).setSwitchedOnForJobs(true));
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, "node", "n2");
        assertThat(error()).isEqualTo("ENODEREPLACEFAIL");

        site.submit("18", 2, 600).iterate(++clock);
        assertThat(site.job("18").getAllocation()).containsExactly(new NodeAllocation("asleep", 2));
    }

    @Test
    @Feature("SMD-14")
    void shouldFillThePoolAgainWhenASpareFailsBeforeItIsUsed() {
        nonstop();
        jobOnTwoNodes();
        nonstop("HotSpareCount=DEFAULT:1");
        site.node("n3", 2, NodeState.IDLE).node("n4", 2, NodeState.IDLE).iterate(++clock);
        assertThat(pool()).containsExactly("n4");
        site.node("n4", 2, NodeState.DOWN).node("n2", 2, NodeState.DOWN).iterate(++clock);
        assertThat(pool()).containsExactly("n3");
        ask(RequestKind.REPLACE_JOB_NODE, "node", "n2");
        assertThat(site.lastCommands().get(0).getAllocation()).containsExactly(new NodeAllocation("n3", 2));
    }

    /** The replacement dies while it joins; it was never the job's. */
    @Test
    @Feature("SMD-19")
    void shouldCallNoNodeAFailedOneOfTheJobThatNeverJoinedIt() {
        nonstop("TimeLimitExtend=2");
        jobOnTwoNodes();
        site.node("n3", 2, NodeState.IDLE);
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, "node", "n2");
        assertThat(site.lastCommands().get(0).getKind()).isEqualTo(CommandKind.ADD_NODES);
        down("n3");
        answered(CommandOutcome.REFUSED);
        assertThat(error()).isEqualTo("ENODEREPLACEFAIL");
        assertThat(known("lost")).containsExactly("n2 2 FAILED");
        assertThat(known("balance")).containsExactly("2");
        ask(RequestKind.REPLACE_JOB_NODE, "node", "n3");
        assertThat(error()).isEqualTo("ENODENOTINJOB");
    }

    /** It joined, though it is down: then it is one of the job's failed nodes. */
    @Test
    @Feature("SMD-19")
    void shouldCallTheReplacementFailedThatJoinedAndIsDown() {
        nonstop("TimeLimitExtend=2");
        jobOnTwoNodes();
        site.node("n3", 2, NodeState.IDLE);
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, "node", "n2");
        down("n3");
        answered(CommandOutcome.DONE);
        answered(CommandOutcome.DONE);
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        assertThat(known("lost")).containsExactly("n3 2 FAILED");
        assertThat(known("balance")).containsExactly("4");
    }

    @Test
    @Feature("SMD-28")
    void shouldKeepNothingForAJobThatEndsWhileItWaitsForANode() {
        nonstop("TimeLimitDelay=600");
        jobOnTwoNodes();
        site.node("n3", 2, NodeState.IDLE);
        site.submit("18", 2, 3_600).iterate(clock);
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, "node", "n2");
        assertThat(error()).isEqualTo("EREPLACELATER");
        assertThat(site.publishedReservations).containsKey("NONSTOP_17");
        site.end("17", ++clock);
        ask(RequestKind.REPLACE_JOB_NODE, "node", "n2");
        assertThat(error()).isEqualTo("EJOBID");
        assertThat(site.publishedReservations).doesNotContainKey("NONSTOP_17");
    }

    /** What is known of a job ends with its run: to say that an address will be called back would be a lie. */
    @Test
    @Feature("SMD-4")
    void shouldTakeNoSubscriptionForAJobThatDoesNotRun() {
        nonstop();
        site.nodes(1, 2).submit("17", 4, 3_600).iterate(++clock);
        ask(RequestKind.SUBSCRIBE_JOB, "endpoint", "http://n1:7000/");
        assertThat(error()).isEqualTo("EJOBNOTRUN");
        assertThat(site.snapshot())
                .noneMatch(change -> change.kind() == io.weir.scheduler.core.state.EntityKind.NONSTOP);
    }

    /** Both requests are put at once; the second finds a node of its own. */
    @Test
    @Feature("SMD-20")
    void shouldReplaceTwoNodesThatAreAskedForAtOnce() {
        nonstop();
        site.node("n3", 2, NodeState.IDLE);
        jobOnTwoNodes();
        site.node("n4", 2, NodeState.IDLE).iterate(++clock);
        site.node("n1", 2, NodeState.DOWN).node("n2", 2, NodeState.DOWN).iterate(++clock);
        site.requestBy("ann", "one", RequestKind.REPLACE_JOB_NODE, "17", new NameValue("node", "n1"))
                .requestBy("ann", "two", RequestKind.REPLACE_JOB_NODE, "17", new NameValue("node", "n2"))
                .iterate(++clock);
        for (int i = 0; i < 8; i++) {
            if (site.lastCommands().isEmpty()) {
                site.iterate(++clock);
            } else {
                answered(CommandOutcome.DONE);
            }
        }
        assertThat(site.job("17").getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactlyInAnyOrder("n3", "n4");
        assertThat(known("lost")).isEmpty();
        assertThat(known("replacedCount")).containsExactly("2");
    }
}
