package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.scheduler.core.policy.language.RuntimeSettings;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.scheduler.query.image.ImageFixture;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.JobState;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.NonstopEvent;
import io.weir.schemas.NonstopEventKind;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TaskRequirement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures of nodes under running jobs, and the requests by which applications survive them. */
@NullUnmarked
class NonstopTest {
    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
    private long clock;
    private int requests;

    private void nonstop(String... lines) {
        site.policy("NODEALLOCRESFAILUREPOLICY IGNORE\nFAILURESERVICE nonstop\n" + PolicyLine.marker("nonstop.conf", 1)
                + "\nControlAddr=control\n" + String.join("\n", lines) + "\n");
        site.iterate(clock);
    }

    /** Job 17 of ann runs on n1 and n2, with two processors on each. */
    private void jobOnTwoNodes(long walltime) {
        site.node("n1", 2, NodeState.IDLE).node("n2", 2, NodeState.IDLE);
        site.heartbeat(1, true, SchedulerFixture.EPOCH, clock);
        site.submit("17", 4, walltime).iterate(clock);
        assertThat(site.job("17").getAllocation())
                .containsExactly(new NodeAllocation("n1", 2), new NodeAllocation("n2", 2));
    }

    private void down(String node) {
        site.node(node, 2, NodeState.DOWN).iterate(++clock);
    }

    private void ask(RequestKind kind, NameValue... arguments) {
        site.requestBy("ann", "r" + ++requests, kind, "17", arguments).iterate(++clock);
    }

    private RequestResult answer() {
        assertThat(site.lastAnswers()).hasSize(1);
        return site.lastAnswers().get(0);
    }

    private Optional<RequestResult> answered() {
        return site.lastAnswers().stream().findFirst();
    }

    private static String detail(RequestResult answer, String name) {
        return answer.getDetails().stream()
                .filter(detail -> detail.getName().equals(name))
                .map(NameValue::getValue)
                .findFirst()
                .orElse(null);
    }

    private String error() {
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        return detail(answer(), "error");
    }

    private static NameValue node(String id) {
        return new NameValue("node", id);
    }

    private static NameValue minutes(long minutes) {
        return new NameValue("minutes", Long.toString(minutes));
    }

    /** The resource manager carries out the last command about the job. */
    private void carriedOut() {
        site.answer("17", CommandOutcome.DONE, clock).iterate(++clock);
    }

    private RmCommand command() {
        assertThat(site.lastCommands()).hasSize(1);
        return site.lastCommands().get(0);
    }

    private long balance() {
        ask(RequestKind.SHOW_JOB_FAILURES);
        return Long.parseLong(detail(answer(), "balance"));
    }

    private String lost() {
        ask(RequestKind.SHOW_JOB_FAILURES);
        return answer().getDetails().stream()
                .filter(detail -> detail.getName().equals("lost"))
                .map(NameValue::getValue)
                .toList()
                .toString();
    }

    private void replaced(String node) {
        ask(RequestKind.REPLACE_JOB_NODE, node(node));
        carriedOut();
        if (answered().isEmpty()) {
            carriedOut();
        }
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
    }

    private void dropped(String node) {
        ask(RequestKind.DROP_JOB_NODE, node(node));
        carriedOut();
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
    }

    private void extended(long minutes) {
        ask(RequestKind.EXTEND_JOB, minutes(minutes));
        assertThat(command().getKind()).isEqualTo(CommandKind.MODIFY_JOB);
        carriedOut();
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
    }

    @Test
    @Feature({"SMD-3", "SMD-22", "SMD-38"})
    void TB1() {
        nonstop("TimeLimitExtend=2");
        jobOnTwoNodes(3600);
        site.node("n3", 2, NodeState.IDLE);
        down("n2");
        assertThat(balance()).isEqualTo(2);
        replaced("n2");
        assertThat(balance()).isEqualTo(2);
        extended(2);
        ask(RequestKind.EXTEND_JOB, minutes(1));
        assertThat(error()).isEqualTo("ETIMEOVERLIMIT");
    }

    @Test
    @Feature({"SMD-3", "SMD-23", "SMD-39", "SMD-59"})
    void TB2() {
        nonstop("TimeLimitExtend=2", "TimeLimitDrop=30");
        jobOnTwoNodes(3600);
        down("n2");
        assertThat(balance()).isEqualTo(2);
        dropped("n2");
        assertThat(balance()).isEqualTo(30);
        ask(RequestKind.EXTEND_JOB, minutes(31));
        assertThat(error()).isEqualTo("ETIMEOVERLIMIT");
        extended(30);
        assertThat(balance()).isZero();
    }

    @Test
    @Feature({"SMD-3", "SMD-37"})
    void TB3() {
        waitForNode(90 * 60);
        assertThat(balance()).isEqualTo(2 + 90);
    }

    @Test
    @Feature({"SMD-3", "SMD-37"})
    void TB4() {
        waitForNode(900 * 60);
        assertThat(balance()).isEqualTo(2 + 600);
    }

    /** The only other node is taken for {@code seconds} more when a replacement is asked for. */
    private void waitForNode(long seconds) {
        nonstop("TimeLimitDelay=600", "TimeLimitExtend=2");
        jobOnTwoNodes(200_000);
        site.node("n3", 2, NodeState.IDLE);
        site.submit("18", 2, seconds + 2).iterate(clock);
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(error()).isEqualTo("EREPLACELATER");
        assertThat(detail(answer(), "value")).isEqualTo(Long.toString(SchedulerFixture.T0 + clock + seconds));
    }

    @Test
    @Feature({"SMD-2", "SMD-35"})
    void SM7() {
        jobOnTwoNodes(3600);
        nonstop("HotSpareCount=DEFAULT:5", "MaxSpareNodeCount=4");
        for (int i = 3; i <= 7; i++) {
            site.node("n" + i, 2, NodeState.IDLE);
        }
        site.iterate(++clock);
        List<String> lost = List.of("n2", "n3", "n4", "n5");
        for (String node : lost) {
            down(node);
            replaced(node);
        }
        down("n6");
        ask(RequestKind.REPLACE_JOB_NODE, node("n6"));
        assertThat(error()).isEqualTo("EMAXSPARECOUNT");
        assertThat(detail(answer(), "value")).isEqualTo("4");
        dropped("n6");
        assertThat(detail(answer(), "nodes")).isEqualTo("n1");
    }

    @Test
    @Feature({"SMD-1", "SMD-5", "SMD-13", "SMD-18", "SMD-40"})
    void SM8() {
        nonstop("UserDrainAllow=alan,brenda");
        jobOnTwoNodes(3600);
        ask(RequestKind.SUBSCRIBE_JOB, new NameValue("endpoint", "http://n1:7000/events"));
        NameValue nodes = new NameValue("nodes", "n2");
        NameValue reason = new NameValue("reason", "disk errors");
        site.requestBy("carol", "drain-1", RequestKind.DRAIN_NODES, "nodes", nodes, reason)
                .iterate(++clock);
        assertThat(error()).isEqualTo("EPERM");
        assertThat(lost()).isEqualTo("[]");

        site.requestBy("alan", "drain-2", RequestKind.DRAIN_NODES, "nodes", nodes, reason)
                .iterate(++clock);
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        assertThat(site.lastNonstopEvents()).hasSize(1);
        NonstopEvent event = site.lastNonstopEvents().get(0);
        assertThat(event.getKind()).isEqualTo(NonstopEventKind.NODE_FAILING);
        assertThat(event.getUser()).isEqualTo("ann");
        assertThat(event.getReason()).isEqualTo("alan: disk errors");
        assertThat(event.getEndpoints()).containsExactly("http://n1:7000/events");
        assertThat(lost()).isEqualTo("[n2 2 FAILING]");
    }

    @Test
    void shouldGiveALongAnswerAgainAsItWas() {
        nonstop("TimeLimitExtend=2");
        for (int i = 1; i <= 401; i++) {
            site.node(longName(i), 2, NodeState.IDLE);
        }
        site.heartbeat(1, true, SchedulerFixture.EPOCH, clock);
        site.submit("17", 800, 600).iterate(clock);
        down(longName(2));
        ask(RequestKind.REPLACE_JOB_NODE, node(longName(2)));
        carriedOut();
        carriedOut();
        RequestResult first = answer();
        assertThat(detail(first, "nodes").split(",", -1)).hasSize(400);

        site.requestBy("ann", "r" + requests, RequestKind.REPLACE_JOB_NODE, "17", node(longName(2)))
                .iterate(++clock);
        assertThat(answer()).isEqualTo(first);
    }

    private static String longName(int number) {
        return "compute-node-" + number;
    }

    @Test
    void shouldRefuseANodeWithAnEndlessNameTheSameWayEachTime() {
        nonstop("TimeLimitExtend=2");
        jobOnTwoNodes(600);
        NameValue endless = node("x".repeat(4_000));
        ask(RequestKind.REPLACE_JOB_NODE, endless);
        RequestResult first = answer();
        assertThat(error()).isEqualTo("ENOHOST");
        assertThat(detail(first, "value")).hasSize(256);

        site.requestBy("ann", "r" + requests, RequestKind.REPLACE_JOB_NODE, "17", endless)
                .iterate(++clock);
        assertThat(answer()).isEqualTo(first);
    }

    @Test
    @Feature({"SMD-13", "SMD-18"})
    void shouldTellTheJobOfANodeThatAMetricExpectsToFail() {
        site.policy("NODEALLOCRESFAILUREPOLICY IGNORE\nFAILURESERVICE nonstop\nGEVENTCFG[ecc>100] ACTION=FAILING\n"
                + PolicyLine.marker("nonstop.conf", 1) + "\nControlAddr=control\n");
        jobOnTwoNodes(36_000);

        site.fact(new GenericEvent(
                SchedulerFixture.CLUSTER,
                "ecc>100",
                "node",
                "n2",
                "ecc is 120",
                SchedulerFixture.at(clock),
                null,
                true,
                null));
        site.iterate(++clock);
        assertThat(site.lastNonstopEvents())
                .extracting(NonstopEvent::getKind)
                .containsExactly(NonstopEventKind.NODE_FAILING);
        assertThat(site.lastNonstopEvents().get(0).getReason())
                .isEqualTo("node n2: ecc is 120 (event ecc>100, number 1)");
        assertThat(lost()).isEqualTo("[n2 2 FAILING]");
        site.end("17", ++clock)
                .submit("19", 2, 60, job -> job.setHosts(List.of("n2")))
                .iterate(++clock);
        assertThat(site.started()).isEmpty();

        site.request("resume", RequestKind.MODIFY_NODE, "n2", List.of(new NameValue("failing", "")))
                .iterate(++clock)
                .iterate(++clock);
        assertThat(site.job("19").getState()).isEqualTo(JobState.RUNNING);
    }

    @Test
    @Feature({"SMD-16", "SMD-17"})
    void shouldTakeABackNodeForASpareUnlessItWasAwayForAMomentOnly() {
        nonstop("HotSpareCount=DEFAULT:1");
        site.node("n1", 2, NodeState.DOWN).node("n2", 2, NodeState.DOWN).iterate(++clock);
        clock += 10;
        site.iterate(clock).node("n1", 2, NodeState.IDLE).iterate(++clock);
        assertThat(site.publishedReservations).containsOnlyKeys("failure.n1.1");

        clock += 60;
        site.iterate(clock).node("n2", 2, NodeState.IDLE).iterate(++clock);
        assertThat(site.publishedReservations.get("HOT_SPARE_DEFAULT").getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n2");
    }

    @Test
    @Feature("SMD-28")
    void SM9() {
        nonstop("TimeLimitDrop=60", "TimeLimitDelay=600");
        jobOnTwoNodes(36_000);
        site.node("n3", 2, NodeState.IDLE);
        site.submit("18", 2, 3602).iterate(clock);
        down("n2");
        assertThat(lost()).isEqualTo("[n2 2 FAILED]");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(error()).isEqualTo("EREPLACELATER");
        assertThat(site.publishedReservations).containsKey("NONSTOP_17");
        assertThat(balance()).isEqualTo(60);
        dropped("n2");
        assertThat(site.publishedReservations).doesNotContainKey("NONSTOP_17");
        assertThat(balance()).isEqualTo(60);
        extended(60);
        ask(RequestKind.EXTEND_JOB, minutes(1));
        assertThat(error()).isEqualTo("ETIMEOVERLIMIT");
    }

    @Test
    @Feature({"SMD-12", "SMD-20", "SMD-27"})
    void shouldPutAnIdleNodeInPlaceOfAFailedOne() {
        jobOnTwoNodes(3600);
        nonstop("HotSpareCount=DEFAULT:1");
        site.node("n3", 2, NodeState.IDLE).iterate(++clock);
        site.node("n4", 2, NodeState.IDLE).iterate(++clock);
        down("n2");
        assertThat(site.lastNonstopEvents()).extracting(NonstopEvent::getKind).contains(NonstopEventKind.NODE_FAILED);
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(answered()).isEmpty();
        assertThat(command().getKind()).isEqualTo(CommandKind.ADD_NODES);
        assertThat(command().getAllocation()).containsExactly(new NodeAllocation("n4", 2));
        carriedOut();
        assertThat(answered()).isEmpty();
        assertThat(command().getKind()).isEqualTo(CommandKind.REMOVE_NODES);
        assertThat(command().getAllocation()).containsExactly(new NodeAllocation("n2", 2));
        carriedOut();
        assertThat(detail(answer(), "replacement")).isEqualTo("n4");
        assertThat(detail(answer(), "nodes")).isEqualTo("n1,n4");
        assertThat(detail(answer(), "cpusPerNode")).isEqualTo("2(x2)");
        assertThat(lost()).isEqualTo("[]");
    }

    @Test
    @Feature("SMD-27")
    void shouldOrderOneReplacementHoweverOftenItIsAskedFor() {
        nonstop();
        jobOnTwoNodes(3600);
        site.node("n3", 2, NodeState.IDLE).node("n4", 2, NodeState.IDLE);
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(command().getKind()).isEqualTo(CommandKind.ADD_NODES);
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(site.lastCommands()).isEmpty();
        carriedOut();
        assertThat(command().getKind()).isEqualTo(CommandKind.REMOVE_NODES);
        carriedOut();
        assertThat(site.lastAnswers())
                .hasSize(2)
                .allSatisfy(answer -> assertThat(detail(answer, "replacement")).isEqualTo("n3"));
        assertThat(site.outputs)
                .filteredOn(
                        output -> output.value() instanceof RmCommand sent && sent.getKind() == CommandKind.ADD_NODES)
                .hasSize(1);
    }

    @Test
    void shouldOnlyAddANodeWhereTheFailedOneLeftTheAllocationByItself() {
        nonstop();
        jobOnTwoNodes(3600);
        site.node("n3", 2, NodeState.IDLE);
        site.runsOn("17", Long.MAX_VALUE, new NodeAllocation("n1", 2));
        down("n2");
        assertThat(lost()).isEqualTo("[n2 2 FAILED]");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(command().getKind()).isEqualTo(CommandKind.ADD_NODES);
        carriedOut();
        assertThat(detail(answer(), "nodes")).isEqualTo("n1,n3");
        assertThat(site.lastCommands()).isEmpty();
    }

    @Test
    void shouldSayThatThereIsNoReplacementWhenTheResourceManagerRefusesIt() {
        nonstop();
        jobOnTwoNodes(3600);
        site.node("n3", 2, NodeState.IDLE);
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        site.answer("17", CommandOutcome.REFUSED, clock).iterate(++clock);
        assertThat(error()).isEqualTo("ENODEREPLACEFAIL");
        assertThat(lost()).isEqualTo("[n2 2 FAILED]");
    }

    private void refused() {
        site.answer("17", CommandOutcome.REFUSED, clock).iterate(++clock);
    }

    private void tries(String node) {
        assertThat(answered()).isEmpty();
        assertThat(site.lastCommands())
                .filteredOn(command -> command.getKind() == CommandKind.ADD_NODES)
                .singleElement()
                .satisfies(command -> assertThat(command.getAllocation()).containsExactly(new NodeAllocation(node, 2)));
    }

    @Test
    @Feature("SMD-20")
    void shouldTryTheNextNodeWhenTheResourceManagerRefusesOne() {
        nonstop();
        jobOnTwoNodes(3600);
        site.node("n3", 2, NodeState.IDLE).node("n4", 2, NodeState.IDLE);
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        tries("n3");
        refused();
        tries("n4");
        assertThat(site.job("17").getAllocation())
                .containsExactly(new NodeAllocation("n1", 2), new NodeAllocation("n2", 2), new NodeAllocation("n4", 2));
        carriedOut();
        carriedOut();
        assertThat(detail(answer(), "nodes")).isEqualTo("n1,n4");
        down("n4");
        ask(RequestKind.REPLACE_JOB_NODE, node("n4"));
        tries("n3");
    }

    @Test
    @Feature("SMD-20")
    void shouldTryNoMoreThanThreeNodesForARequestAndOthersForTheNext() {
        jobOnTwoNodes(3600);
        nonstop("TimeLimitDelay=30", "HotSpareCount=DEFAULT:1");
        for (String id : List.of("n3", "n4", "n5", "n6", "n7")) {
            site.node(id, 2, NodeState.IDLE);
        }
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        for (String id : List.of("n3", "n4", "n5")) {
            tries(id);
            refused();
        }
        assertThat(error()).isEqualTo("ENODEREPLACEFAIL");
        assertThat(answer().getMessage()).endsWith("n2: says the rm");
        assertThat(balance()).as("as where there is no node").isEqualTo(30);
        assertThat(lost()).isEqualTo("[n2 2 FAILED]");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        for (String id : List.of("n6", "n7", "n3")) {
            tries(id);
            refused();
        }
        assertThat(error()).isEqualTo("ENODEREPLACEFAIL");
    }

    @Test
    void shouldTryNoOtherNodeForACommandThatExpired() {
        nonstop();
        jobOnTwoNodes(3600);
        site.node("n3", 2, NodeState.IDLE).node("n4", 2, NodeState.IDLE);
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        site.answer("17", CommandOutcome.EXPIRED, clock).iterate(++clock);
        assertThat(error()).isEqualTo("ENODEREPLACEFAIL");
        assertThat(site.lastCommands()).noneMatch(command -> command.getKind() == CommandKind.ADD_NODES);
    }

    /** Job 17 of ann runs on n3 and n4; its script runs on n3, and cannot leave it. */
    private void jobWithItsScriptOnTheThirdNode(String... free) {
        jobOnTwoNodes(3600);
        for (String id : List.of("n3", "n4")) {
            site.node(id, 2, NodeState.IDLE);
        }
        List.of(free).forEach(id -> site.node(id, 2, NodeState.IDLE));
        site.runs(
                "17",
                report -> report.setScriptNode("n3")
                        .setAllocation(List.of(new NodeAllocation("n3", 2), new NodeAllocation("n4", 2))));
        site.iterate(++clock);
    }

    @Test
    @Feature("SMD-20")
    void shouldReplaceANodeOnlyByOneBehindThatOfTheScript() {
        nonstop();
        jobWithItsScriptOnTheThirdNode("n5");
        down("n4");
        ask(RequestKind.REPLACE_JOB_NODE, node("n4"));

        assertThat(command().getAllocation()).containsExactly(new NodeAllocation("n5", 2));
        carriedOut();
        carriedOut();
        down("n5");
        ask(RequestKind.REPLACE_JOB_NODE, node("n5"));
        assertThat(error()).as("n1 and n2 are idle").isEqualTo("ENODEREPLACEFAIL");
    }

    @Test
    @Feature("SMD-20")
    void shouldTakeNoHotSpareBeforeTheNodeOfTheScriptAndExpectNone() {
        jobWithItsScriptOnTheThirdNode("n5");
        site.submit("18", 2, 300, report -> report.setHosts(List.of("n5"))).iterate(++clock);
        nonstop("HotSpareCount=DEFAULT:2", "TimeLimitDelay=60");
        site.iterate(++clock);
        down("n4");
        ask(RequestKind.REPLACE_JOB_NODE, node("n4"));

        assertThat(site.lastCommands()).isEmpty();
        assertThat(error()).isEqualTo("EREPLACELATER");
        ask(RequestKind.SHOW_JOB_FAILURES);
        assertThat(detail(answer(), "pendingNode")).isEqualTo("n5");
    }

    @Test
    @Feature("SMD-20")
    void shouldReplaceNoNodeByOneThatTheJobExcludes() {
        nonstop();
        jobOnTwoNodes(3600);
        site.node("n3", 2, NodeState.IDLE).node("n4", 2, NodeState.IDLE);
        site.runs("17", report -> report.setExcludedHosts(List.of("n3"))).iterate(++clock);
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));

        assertThat(command().getAllocation()).containsExactly(new NodeAllocation("n4", 2));
    }

    @Test
    void shouldNeitherReplaceNorDropTheNodeOfTheScript() {
        nonstop("UserDrainAllow=ann");
        jobWithItsScriptOnTheThirdNode("n5");
        site.requestBy(
                        "ann",
                        "drain",
                        RequestKind.DRAIN_NODES,
                        "nodes",
                        new NameValue("nodes", "n3"),
                        new NameValue("reason", "disk"))
                .iterate(++clock);

        ask(RequestKind.REPLACE_JOB_NODE, node("n3"));
        assertThat(error()).isEqualTo("ENODEREPLACEFAIL");
        assertThat(answer().getMessage()).contains("script of job 17 runs on node n3");
        ask(RequestKind.DROP_JOB_NODE, node("n3"));
        assertThat(error()).isEqualTo("EJOBUPDATE");
        assertThat(site.lastCommands()).isEmpty();
    }

    @Test
    void shouldRememberWhereTheScriptRunsAfterARestart() {
        nonstop();
        jobOnTwoNodes(3600);
        site.iterate(++clock);
        site.runs("17", report -> report.setScriptNode("n1")).iterate(++clock);
        site.iterate(++clock);
        assertThat(site.job("17").getScriptNode()).isEqualTo("n1");
    }

    @Test
    void shouldRemoveANodeOnceMoreThatTheResourceManagerWouldNotRemove() {
        nonstop();
        jobOnTwoNodes(3600);
        site.node("n3", 2, NodeState.IDLE);
        site.node("n4", 2, NodeState.IDLE);
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        String replacement = command().getAllocation().get(0).getNodeId();
        site.answer("17", CommandOutcome.DONE, clock).iterate(++clock);
        assertThat(command().getKind()).isEqualTo(CommandKind.REMOVE_NODES);
        site.answer("17", CommandOutcome.REFUSED, clock).iterate(++clock);
        assertThat(detail(answer(), "replacement")).isEqualTo(replacement);
        assertThat(detail(answer(), "kept")).isNotEmpty();
        assertThat(answer().getMessage()).contains("but is the job's still");
        assertThat(lost()).isEqualTo("[]");

        site.runsOn(
                "17",
                Long.MAX_VALUE,
                new NodeAllocation("n1", 2),
                new NodeAllocation("n2", 2),
                new NodeAllocation(replacement, 2));
        site.iterate(++clock);
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));

        assertThat(site.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.REMOVE_NODES);
        assertThat(command().getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n2");
        site.answer("17", CommandOutcome.DONE, clock).iterate(++clock);
        assertThat(detail(answer(), "replacement")).isEqualTo(replacement);
        assertThat(detail(answer(), "nodes")).isEqualTo("n1," + replacement);
        assertThat(detail(answer(), "kept")).isNull();
    }

    @Test
    void shouldKeepANodeThatTheResourceManagerWouldNotRemoveAndTakeFurtherRequests() {
        nonstop("TimeLimitExtend=5");
        jobOnTwoNodes(3600);
        down("n2");
        ask(RequestKind.DROP_JOB_NODE, node("n2"));
        assertThat(command().getKind()).isEqualTo(CommandKind.REMOVE_NODES);
        ask(RequestKind.EXTEND_JOB, minutes(5));
        assertThat(answered()).isEmpty();

        site.answer("17", CommandOutcome.REFUSED, clock).iterate(++clock);

        assertThat(error()).isEqualTo("EJOBUPDATE");
        assertThat(site.job("17").getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n1", "n2");
        assertThat(command().getKind()).isEqualTo(CommandKind.MODIFY_JOB);
        carriedOut();
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        dropped("n2");
    }

    @Test
    void shouldGiveMinutesBackWhenTheTimeLimitCannotBeChanged() {
        nonstop("TimeLimitExtend=5");
        jobOnTwoNodes(3600);
        down("n2");
        ask(RequestKind.EXTEND_JOB, minutes(5));
        assertThat(command().getWalltimeSeconds()).isEqualTo(3600 + 5 * 60);
        site.answer("17", CommandOutcome.REFUSED, clock).iterate(++clock);
        assertThat(error()).isEqualTo("EJOBUPDATE");
        assertThat(balance()).isEqualTo(5);
    }

    @Test
    @Feature("SMD-21")
    void shouldWithdrawWhatIsLeftOfTheMinutesForWaitingWhenANodeIsDropped() {
        nonstop("TimeLimitDelay=600", "TimeLimitExtend=2", "TimeLimitDrop=10");
        jobOnTwoNodes(3600);
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(error()).isEqualTo("ENODEREPLACEFAIL");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(balance()).isEqualTo(602);
        extended(1);
        dropped("n2");
        assertThat(balance()).isEqualTo(10);
    }

    @Test
    @Feature({"SMD-14", "SMD-34"})
    void shouldKeepSparesFromOrdinaryJobs() {
        nonstop("HotSpareCount=DEFAULT:2,nowhere:1,DEFAULT:7");
        site.nodes(3, 1).heartbeat(1, true, SchedulerFixture.EPOCH, 0).iterate(++clock);
        assertThat(site.publishedReservations).containsOnlyKeys("HOT_SPARE_DEFAULT");
        ReservationStatus pool = site.publishedReservations.get("HOT_SPARE_DEFAULT");
        assertThat(pool.getAllocation()).extracting(NodeAllocation::getNodeId).containsExactly("n2", "n3");
        site.submit("1", 1, 60).submit("2", 1, 60).iterate(++clock);
        assertThat(site.started()).containsExactly("1");
        assertThat(site.job("1").getAllocation()).containsExactly(new NodeAllocation("n1", 1));
    }

    /** A node that takes jobs of {@code classes}; {@link SchedulerFixture} puts it into partition DEFAULT. */
    private void nodeOf(String id, String... classes) {
        List<NameCount> taken =
                Arrays.stream(classes).map(name -> new NameCount(name, 2L)).toList();
        site.node(id, 2, NodeState.IDLE, node -> node.setClasses(taken));
    }

    private List<String> pool(String name) {
        ReservationStatus pool = site.publishedReservations.get("HOT_SPARE_" + name);
        return pool == null
                ? List.of()
                : pool.getAllocation().stream().map(NodeAllocation::getNodeId).toList();
    }

    @Test
    @Feature("SMD-34")
    void shouldKeepSparesOfAClassWhereNoPartitionHasThatName() {
        nonstop("HotSpareCount=batch:2,debug:1,nowhere:1");
        nodeOf("n1", "batch");
        nodeOf("n2", "batch", "debug");
        nodeOf("n3", "batch");
        nodeOf("n4", "debug");
        site.iterate(++clock);
        assertThat(pool("batch")).containsExactly("n2", "n3");
        assertThat(pool("debug")).as("a node is a spare once").containsExactly("n4");
        assertThat(pool("nowhere")).isEmpty();

        site.node("n5", 2, NodeState.IDLE, node -> node.setPartition("batch")).iterate(++clock);
        assertThat(pool("batch")).as("a partition comes before a class").containsExactly("n5");
    }

    @Test
    @Feature("SMD-34")
    void shouldKeepSparesOfAClassOnItsHostsAlone() {
        site.policy("FAILURESERVICE nonstop\nCLASSCFG[batch] HOSTLIST=n1,n2\n" + PolicyLine.marker("nonstop.conf", 1)
                + "\nControlAddr=control\nHotSpareCount=batch:1\n");
        site.nodes(3, 2).iterate(++clock);
        assertThat(pool("batch")).containsExactly("n2");
    }

    @Test
    @Feature({"SMD-20", "SMD-34"})
    void shouldReplaceALostNodeByASpareOfTheClassOfTheJob() {
        for (String id : List.of("n1", "n2", "n3", "n4", "n5")) {
            nodeOf(id, id.equals("n4") ? "debug" : "batch");
        }
        site.heartbeat(1, true, SchedulerFixture.EPOCH, clock);
        site.submit("17", 4, 3600, job -> job.setJobClass("batch").setHosts(List.of("n1", "n2")))
                .iterate(clock);
        nonstop("HotSpareCount=batch:1,debug:1");
        site.submit("18", 2, 3600, job -> job.setJobClass("batch")).iterate(++clock);
        assertThat(pool("batch")).containsExactly("n5");
        assertThat(pool("debug")).containsExactly("n4");
        site.node("n2", 2, NodeState.DOWN, node -> node.setClasses(List.of(new NameCount("batch", 2L))))
                .iterate(++clock);
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(command().getAllocation()).containsExactly(new NodeAllocation("n5", 2));
    }

    @Test
    @Feature({"SMD-20", "SMD-34"})
    void shouldKeepASpareThatCanServeAJobWhoseScriptCannotLeaveItsNode() {
        nonstop("HotSpareCount=DEFAULT:1");
        site.nodes(6, 2).heartbeat(1, true, SchedulerFixture.EPOCH, clock);
        site.submit("18", 2, 3600, job -> job.setHosts(List.of("n1")))
                .submit("17", 6, 3600, job -> job.setHosts(List.of("n2", "n3", "n5")))
                .submit("19", 2, 3600, job -> job.setHosts(List.of("n4")))
                .iterate(++clock);
        site.runs("17", report -> report.setScriptNode("n2")).iterate(++clock);
        assertThat(pool("DEFAULT")).containsExactly("n6");

        down("n3");
        ask(RequestKind.REPLACE_JOB_NODE, node("n3"));
        assertThat(command().getAllocation()).containsExactly(new NodeAllocation("n6", 2));
        carriedOut();
        carriedOut();
        assertThat(detail(answer(), "nodes")).isEqualTo("n2,n5,n6");
    }

    @Test
    void shouldGiveSparesBackWhenTheTargetIsLowered() {
        nonstop("HotSpareCount=DEFAULT:2");
        site.nodes(3, 1).iterate(++clock);
        nonstop("HotSpareCount=DEFAULT:1");
        assertThat(site.publishedReservations.get("HOT_SPARE_DEFAULT").getAllocation())
                .containsExactly(new NodeAllocation("n3", 1));
        site.policy("").iterate(++clock);
        assertThat(site.publishedReservations).isEmpty();
    }

    @Test
    @Feature({"SMD-16", "SMD-17"})
    void shouldPutANodeThatComesBackIntoThePool() {
        nonstop("HotSpareCount=DEFAULT:2");
        site.nodes(2, 1).iterate(++clock);
        site.node("n2", 1, NodeState.DOWN).iterate(++clock);
        assertThat(site.publishedReservations.get("HOT_SPARE_DEFAULT").getAllocation())
                .containsExactly(new NodeAllocation("n1", 1));
        clock += 60;
        site.iterate(clock).node("n2", 1, NodeState.IDLE).iterate(++clock);
        assertThat(site.publishedReservations.get("HOT_SPARE_DEFAULT").getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n1", "n2");
    }

    @Test
    @Feature("SMD-15")
    void shouldDropANodeThatItsUserDrained() {
        nonstop("UserDrainAllow=ALL", "TimeLimitDrop=7");
        jobOnTwoNodes(3600);
        site.requestBy(
                        "ann",
                        "drain",
                        RequestKind.DRAIN_NODES,
                        "nodes",
                        new NameValue("nodes", "n2"),
                        new NameValue("reason", "slow"))
                .iterate(++clock);
        dropped("n2");
        assertThat(balance()).isEqualTo(7);
        site.runsOn("17", Long.MAX_VALUE, new NodeAllocation("n1", 2)).end("17", ++clock);
        site.submit("19", 4, 60).iterate(++clock);
        assertThat(site.started()).isEmpty();
        site.request("resume", RequestKind.MODIFY_NODE, "n2", List.of(new NameValue("state", "idle")))
                .iterate(++clock);
        site.iterate(++clock);
        assertThat(site.job("19").getState()).isEqualTo(JobState.RUNNING);
    }

    @Test
    @Feature("SMD-4")
    void shouldTellWhenAReplacementThatWasAwaitedIsThere() {
        nonstop();
        jobOnTwoNodes(36_000);
        site.node("n3", 2, NodeState.IDLE);
        site.submit("18", 2, 3600).iterate(clock);
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(error()).isEqualTo("EREPLACELATER");
        site.end("18", ++clock).iterate(++clock);
        assertThat(site.lastNonstopEvents())
                .extracting(NonstopEvent::getKind, NonstopEvent::getReplacement)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(NonstopEventKind.NODE_REPLACE, "n3"));
        replaced("n2");
        assertThat(detail(answer(), "replacement")).isEqualTo("n3");
    }

    @Test
    @Feature({"SMD-5", "SMD-19"})
    void shouldAnswerBadRequestsWithTheirErrorsAndChangeNothing() {
        nonstop();
        jobOnTwoNodes(3600);
        site.requestBy("ann", "a", RequestKind.REPLACE_JOB_NODE, "99", node("n2"))
                .iterate(++clock);
        assertThat(error()).isEqualTo("EJOBID");
        site.requestBy("bob", "b", RequestKind.REPLACE_JOB_NODE, "17", node("n2"))
                .iterate(++clock);
        assertThat(error()).isEqualTo("EPERM");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(error()).isEqualTo("ENODENOTFAIL");
        ask(RequestKind.REPLACE_JOB_NODE, node("nowhere"));
        assertThat(error()).isEqualTo("ENOHOST");
        ask(RequestKind.EXTEND_JOB, minutes(1));
        assertThat(error()).isEqualTo("ENOINCREASETIMELIMIT");
        ask(RequestKind.EXTEND_JOB, new NameValue("minutes", "-1"));
        assertThat(error()).isEqualTo("ECMD");
        ask(RequestKind.SUBSCRIBE_JOB, new NameValue("endpoint", "ftp://n1"));
        assertThat(error()).isEqualTo("EPORT");
        assertThat(site.lastCommands()).isEmpty();
        assertThat(site.snapshot())
                .noneMatch(change -> change.kind() == io.weir.scheduler.core.state.EntityKind.NONSTOP);
    }

    @Test
    @Feature("SMD-29")
    void shouldBeOffUnlessTheConfigurationAsksForIt() {
        site.policy("NODEALLOCRESFAILUREPOLICY IGNORE\n" + PolicyLine.marker("nonstop.conf", 1)
                + "\nControlAddr=control\nHotSpareCount=DEFAULT:2\n");
        jobOnTwoNodes(3600);
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(error()).isEqualTo("ESERVICE");
        assertThat(site.publishedReservations).isEmpty();
    }

    @Test
    @Feature({"SMD-30", "SMD-32"})
    void shouldKeepTheSettingsItHadWhenNewOnesAreRefused() {
        nonstop("Port=9114");
        site.policy("NODEALLOCRESFAILUREPOLICY IGNORE\nFAILURESERVICE nonstop\n" + PolicyLine.marker("nonstop.conf", 1)
                        + "\nPort=9115\n")
                .iterate(++clock);
        ask(RequestKind.SHOW_NONSTOP);
        assertThat(detail(answer(), "ControlAddr")).isEqualTo("control");
        assertThat(detail(answer(), "Port")).isEqualTo("9114");
    }

    /** Those who serve the failure service read what it keeps in the record of every iteration, however late they begin. */
    @ParameterizedTest
    @ValueSource(strings = {"Frobnicate=3", "UserDrainAllow=ann\nUserDrainDeny=bob"})
    @Feature("SMD-30")
    void shouldTellWhatItKeepsForAsLongAsItDoes(String mistake) {
        nonstop("Port=9114");
        assertThat(site.lastResult.standing()).isEmpty();
        for (int i = 0; i < 2; i++) {
            ++clock;
            nonstop("Port=9115", mistake);
        }
        ImageFixture image = new ImageFixture();
        image.policy("FAILURESERVICE nonstop\n" + PolicyLine.marker("nonstop.conf", 1) + "\nControlAddr=control\n"
                + mistake + "\n");
        image.iteration(8, "v1", RuntimeSettings.NONE, site.lastResult.standing());
        assertThat(SitePolicy.read(image.image.failureServiceText("kth"))
                        .policy()
                        .nonstop()
                        .port())
                .isEqualTo(9114);
        assertThat(SitePolicy.read(image.image.policyText("kth")).policy().nonstop())
                .isNull();

        ++clock;
        nonstop("Port=9116");
        assertThat(site.lastResult.standing()).isEmpty();
    }

    /** The job has its nodes, one of which dies before the job is seen to run. */
    @Test
    @Feature({"SMD-9", "SMD-12"})
    void shouldNoticeANodeThatFailedBeforeItsJobWasSeenToRun() {
        nonstop("TimeLimitExtend=2");
        site.node("n1", 2, NodeState.IDLE).node("n2", 2, NodeState.IDLE);
        site.heartbeat(1, true, SchedulerFixture.EPOCH, clock);
        site.submit("17", 4, 3600).iterateSilently(++clock);
        site.node("n2", 2, NodeState.DOWN).iterateSilently(++clock);
        site.runsOn("17", 1, new NodeAllocation("n1", 2), new NodeAllocation("n2", 2))
                .iterateSilently(++clock);
        assertThat(site.job("17").getState()).isEqualTo(JobState.RUNNING);
        site.iterateSilently(++clock);
        assertThat(lost()).isEqualTo("[n2 2 FAILED]");
        assertThat(balance()).isEqualTo(2);
    }

    /** Its processors are others' just then, and are its own again when it is resumed. */
    @Test
    @Feature("SMD-12")
    void shouldKnowWhatASuspendedJobHadOfANodeThatFails() {
        nonstop("TimeLimitExtend=2");
        jobOnTwoNodes(3600);
        site.runs("17", report -> report.setState(JobState.SUSPENDED).setProcsReleased(true))
                .iterateSilently(++clock);
        down("n2");
        assertThat(lost()).isEqualTo("[n2 2 FAILED]");
    }

    /** The resource manager is silent, which says nothing about its nodes: no job is to give healthy ones up for that. */
    @Test
    @Feature("SMD-12")
    void shouldNotTakeTheNodesOfASilentResourceManagerForFailed() {
        nonstop("TimeLimitExtend=2");
        jobOnTwoNodes(36_000);
        clock = 400;
        site.iterateSilently(clock);
        assertThat(site.outputs)
                .anyMatch(output -> output.value() instanceof NodeStatus node && node.getState() == NodeState.DOWN);
        assertThat(lost()).isEqualTo("[]");
        assertThat(balance()).isZero();
    }

    /** The node is back in service while the resource manager takes it out of the job. */
    @Test
    @Feature("SMD-23")
    void shouldGiveANodeUpThatComesBackMeanwhile() {
        nonstop("TimeLimitExtend=2", "TimeLimitDrop=30");
        jobOnTwoNodes(3600);
        down("n2");
        ask(RequestKind.DROP_JOB_NODE, node("n2"));
        assertThat(command().getKind()).isEqualTo(CommandKind.REMOVE_NODES);
        site.node("n2", 2, NodeState.IDLE).iterate(++clock);
        carriedOut();
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        assertThat(site.job("17").getAllocation()).containsExactly(new NodeAllocation("n1", 2));
        assertThat(balance()).isEqualTo(30);
    }

    /** Another command about the job does not hide what became of the one that takes the node out of it. */
    @Test
    @Feature("SMD-23")
    void shouldGiveANodeUpThoughTheJobIsSuspendedMeanwhile() {
        nonstop("TimeLimitExtend=2", "TimeLimitDrop=30");
        jobOnTwoNodes(3600);
        down("n2");
        ask(RequestKind.DROP_JOB_NODE, node("n2"));
        RmCommand remove = command();
        site.request("suspend", RequestKind.SUSPEND_JOB, "17").iterate(++clock);
        assertThat(command().getKind()).isEqualTo(CommandKind.SUSPEND_JOB);
        site.answer(remove, CommandOutcome.DONE, clock)
                .answer("17", CommandOutcome.DONE, clock)
                .iterate(++clock);
        assertThat(answer().getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        assertThat(site.job("17").getAllocation()).containsExactly(new NodeAllocation("n1", 2));
    }

    /** The node is back while the resource manager refuses to take it out of the job: nothing is the matter any more. */
    @Test
    @Feature("SMD-19")
    void shouldForgetAFailureThatIsOverWhenItsNodeCannotBeRemoved() {
        nonstop("TimeLimitExtend=2", "TimeLimitDrop=30");
        jobOnTwoNodes(3600);
        down("n2");
        ask(RequestKind.DROP_JOB_NODE, node("n2"));
        site.node("n2", 2, NodeState.IDLE).iterate(++clock);
        site.answer("17", CommandOutcome.REFUSED, clock).iterate(++clock);
        assertThat(error()).isEqualTo("EJOBUPDATE");
        assertThat(lost()).isEqualTo("[]");
        assertThat(balance()).isZero();
    }

    /** A node of another class, or another kind of machine, is none that the job could go on with. */
    @Test
    @Feature("SMD-20")
    void shouldReplaceANodeOnlyByOneThatTakesTheJobsClassAndRunsItsPrograms() {
        nonstop();
        for (String id : List.of("n1", "n2")) {
            site.node(
                    id,
                    2,
                    NodeState.IDLE,
                    node -> node.setClasses(List.of(new NameCount("batch", 4L)))
                            .setArch("x86_64")
                            .setNetworks(List.of("ib")));
        }
        site.heartbeat(1, true, SchedulerFixture.EPOCH, clock);
        site.submit(
                        "17",
                        4,
                        3600,
                        job -> job.setJobClass("batch")
                                .setRequirements(List.of(TaskRequirement.newBuilder()
                                        .setTasks(4)
                                        .setProcsPerTask(1)
                                        .setArch("x86_64")
                                        .setNetwork("IB")
                                        .build())))
                .iterate(clock);
        assertThat(site.job("17").getAllocation()).hasSize(2);
        site.node(
                "n3",
                2,
                NodeState.IDLE,
                node -> node.setClasses(List.of(new NameCount("debug", 4L)))
                        .setArch("x86_64")
                        .setNetworks(List.of("ib")));
        site.node("n4", 2, NodeState.IDLE, node -> node.setArch("ppc64").setNetworks(List.of("ib")));
        site.node("n5", 2, NodeState.IDLE, node -> node.setArch("x86_64"));
        site.node(
                        "n2",
                        2,
                        NodeState.DOWN,
                        node -> node.setClasses(List.of(new NameCount("batch", 4L)))
                                .setArch("x86_64")
                                .setNetworks(List.of("ib")))
                .iterate(++clock);
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(error()).isEqualTo("ENODEREPLACEFAIL");
        site.node("n6", 2, NodeState.IDLE, node -> node.setArch("x86_64").setNetworks(List.of("ib")))
                .iterate(++clock);
        replaced("n2");
        assertThat(detail(answer(), "replacement")).isEqualTo("n6");
    }

    /** The node lost was one of the second requirement, and was used under its second class. */
    @Test
    @Feature({"SMD-20", "REQ-7"})
    void shouldReplaceANodeByOneThatTakesTheClassUnderWhichItWasUsed() {
        nonstop();
        accepting("n1", NodeState.IDLE, "batch");
        accepting("n2", NodeState.IDLE, "gpu");
        site.heartbeat(1, true, SchedulerFixture.EPOCH, clock);
        site.submit(
                        "17",
                        4,
                        3600,
                        job -> job.setJobClass("batch").setRequirements(List.of(apart(), apart("rare", "gpu"))))
                .iterate(clock);
        assertThat(site.job("17").getAllocation()).hasSize(2);
        accepting("n3", NodeState.IDLE, "batch", "rare");
        accepting("n2", NodeState.DOWN, "gpu");
        site.iterate(++clock);
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(error()).isEqualTo("ENODEREPLACEFAIL");
        accepting("n4", NodeState.IDLE, "gpu");
        site.iterate(++clock);
        replaced("n2");
        assertThat(detail(answer(), "replacement")).isEqualTo("n4");
    }

    private static TaskRequirement apart(String... classes) {
        return TaskRequirement.newBuilder()
                .setTasks(2)
                .setClasses(List.of(classes))
                .setApart(true)
                .build();
    }

    private void accepting(String id, NodeState state, String... classes) {
        List<NameCount> all =
                Arrays.stream(classes).map(name -> new NameCount(name, 4L)).toList();
        site.node(id, 2, state, node -> node.setClasses(all));
    }

    /** The site's policy exchanges the node by itself; what asks for a replacement, too, gets that one. */
    @Test
    @Feature({"SMD-20", "SMD-27", "FAIL-10"})
    void shouldReplaceANodeOnceThoughThePolicyExchangesItToo() {
        site.policy("NODEALLOCRESFAILUREPOLICY MIGRATE\nFAILURESERVICE nonstop\n" + PolicyLine.marker("nonstop.conf", 1)
                        + "\nControlAddr=control\n")
                .iterate(clock);
        jobOnTwoNodes(3600);
        site.node("n3", 2, NodeState.IDLE).node("n4", 2, NodeState.IDLE);
        down("n2");
        assertThat(command().getKind()).isEqualTo(CommandKind.ADD_NODES);
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(answered()).isEmpty();
        carriedOut();
        assertThat(command().getKind()).isEqualTo(CommandKind.REMOVE_NODES);
        carriedOut();
        if (answered().isEmpty()) {
            site.iterate(++clock);
        }
        assertThat(detail(answer(), "replacement")).isEqualTo("n3");
        assertThat(site.job("17").getAllocation())
                .containsExactly(new NodeAllocation("n1", 2), new NodeAllocation("n3", 2));
        assertThat(lost()).isEqualTo("[]");
        assertThat(detail(answer(), "replacedCount")).isEqualTo("1");
    }

    /** The policy waits a minute before it acts; by then the node is the job's no more. */
    @Test
    @Feature({"SMD-15", "SMD-23", "FAIL-3"})
    void shouldNotEndAJobForANodeThatItGaveUpInTime() {
        site.policy("JOBACTIONONNODEFAILUREDURATION 1:00\nFAILURESERVICE nonstop\n"
                        + PolicyLine.marker("nonstop.conf", 1) + "\nControlAddr=control\n")
                .iterate(clock);
        jobOnTwoNodes(3600);
        down("n2");
        dropped("n2");
        clock = 100;
        site.heartbeat(2, false, SchedulerFixture.EPOCH, clock).iterate(clock);
        assertThat(site.lastCommands()).isEmpty();
        assertThat(site.job("17").getState()).isEqualTo(JobState.RUNNING);
    }

    @Test
    @Feature({"SMD-20", "FAIL-3"})
    void shouldNotEndAJobForANodeThatItReplacedInTime() {
        site.policy("JOBACTIONONNODEFAILUREDURATION 1:00\nFAILURESERVICE nonstop\n"
                        + PolicyLine.marker("nonstop.conf", 1) + "\nControlAddr=control\n")
                .iterate(clock);
        jobOnTwoNodes(3600);
        site.node("n3", 2, NodeState.IDLE);
        down("n2");
        replaced("n2");
        clock = 100;
        site.heartbeat(2, false, SchedulerFixture.EPOCH, clock).iterate(clock);
        assertThat(site.lastCommands()).isEmpty();
        assertThat(site.job("17").getState()).isEqualTo(JobState.RUNNING);
    }

    /** The node comes back while its replacement is awaited: nothing is kept for the job any more. */
    @Test
    @Feature("SMD-28")
    void shouldKeepNoNodeForAJobWhoseOwnIsBack() {
        waitForNode(90 * 60);
        assertThat(site.publishedReservations).containsKey("NONSTOP_17");
        site.node("n2", 2, NodeState.IDLE).iterate(++clock);
        assertThat(balance()).isZero();
        assertThat(detail(answer(), "pendingNode")).isEmpty();
        assertThat(site.publishedReservations).doesNotContainKey("NONSTOP_17");
    }

    /** Of a job without a time limit nobody knows when its node is free. */
    @Test
    @Feature("SMD-20")
    void shouldExpectNoNodeOfAJobWithoutATimeLimit() {
        nonstop("TimeLimitDelay=600");
        jobOnTwoNodes(200_000);
        site.node("n3", 2, NodeState.IDLE);
        site.submit("18", 2, PolicyTime.LONGEST).iterate(clock);
        assertThat(site.job("18").getState()).isEqualTo(JobState.RUNNING);
        down("n2");
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(error()).isEqualTo("ENODEREPLACEFAIL");
        assertThat(site.publishedReservations).isEmpty();
    }

    /** Two tasks with an accelerator each lay on the lost node: one with a single accelerator cannot take them. */
    @Test
    @Feature("SMD-20")
    void shouldReplaceANodeOnlyByOneWithTheResourcesOfAllItsTasks() {
        nonstop();
        for (String id : List.of("n1", "n2")) {
            site.node(id, 2, NodeState.IDLE, node -> node.setGres(List.of(new NameCount("gpu", 2L))));
        }
        site.heartbeat(1, true, SchedulerFixture.EPOCH, clock);
        site.submit(
                        "17",
                        4,
                        3600,
                        job -> job.setRequirements(List.of(TaskRequirement.newBuilder()
                                .setTasks(4)
                                .setProcsPerTask(1)
                                .setGres(List.of(new NameCount("gpu", 1L)))
                                .build())))
                .iterate(clock);
        assertThat(site.job("17").getAllocation()).hasSize(2);
        site.node("n3", 2, NodeState.IDLE, node -> node.setGres(List.of(new NameCount("gpu", 1L))));
        site.node("n2", 2, NodeState.DOWN, node -> node.setGres(List.of(new NameCount("gpu", 2L))))
                .iterate(++clock);
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(error()).isEqualTo("ENODEREPLACEFAIL");
        site.node("n4", 2, NodeState.IDLE, node -> node.setGres(List.of(new NameCount("gpu", 2L))))
                .iterate(++clock);
        replaced("n2");
        assertThat(detail(answer(), "replacement")).isEqualTo("n4");
    }

    /** A node of the job's set is taken before one that comes earlier, and before a spare any other node. */
    @Test
    @Feature("SMD-20")
    void shouldKeepAJobWithinItsNodeSetWherePossible() {
        site.policy("NODEALLOCRESFAILUREPOLICY IGNORE\nNODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\n"
                        + "NODESETLIST east,west\nFAILURESERVICE nonstop\n" + PolicyLine.marker("nonstop.conf", 1)
                        + "\nControlAddr=control\n")
                .iterate(clock);
        rack("n1", "west", NodeState.IDLE);
        rack("n2", "west", NodeState.IDLE);
        site.heartbeat(1, true, SchedulerFixture.EPOCH, clock);
        site.submit("17", 4, 3600).iterate(clock);
        assertThat(site.job("17").getAllocation()).hasSize(2);
        rack("n3", "east", NodeState.IDLE);
        rack("n4", "west", NodeState.IDLE);
        rack("n2", "west", NodeState.DOWN);
        site.iterate(++clock);
        replaced("n2");
        assertThat(detail(answer(), "replacement")).isEqualTo("n4");
        rack("n4", "west", NodeState.DOWN);
        site.iterate(++clock);
        replaced("n4");
        assertThat(detail(answer(), "replacement")).as("no other is left").isEqualTo("n3");
    }

    private void rack(String id, String feature, NodeState state) {
        site.node(id, 2, state, node -> node.setFeatures(List.of(feature)));
    }

    /** What runs on the awaited node stays a little beyond its limit: the job goes on waiting for it. */
    @Test
    @Feature("SMD-28")
    void shouldGoOnWaitingForANodeWhoseJobStaysBeyondItsLimit() {
        waitForNode(90 * 60);
        clock = 90 * 60 + 10;
        site.heartbeat(2, false, SchedulerFixture.EPOCH, clock).iterate(clock);
        ask(RequestKind.REPLACE_JOB_NODE, node("n2"));
        assertThat(error()).isEqualTo("EREPLACELATER");
        assertThat(detail(answer(), "value")).isEqualTo(Long.toString(SchedulerFixture.T0 + clock + 60));
        assertThat(balance()).as("granted once").isEqualTo(2 + 90);
    }
}
