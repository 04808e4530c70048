package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.OutputKind;
import io.weir.schemas.CommandKind;
import io.weir.schemas.EventTally;
import io.weir.schemas.Measurement;
import io.weir.schemas.MessageTally;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RmCommand;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests about nodes, from the request to the command and the answer. */
class NodeRequestsTest {
    private final SchedulerFixture weir = new SchedulerFixture()
            .node("n1", 8, NodeState.IDLE, report -> report.setFeatures(List.of("big", "old")))
            .iterate(0);

    @Test
    void shouldSendChangesOfStateToTheResourceManager() {
        ask("n1", new NameValue("state", "=Drained"));

        RmCommand command = weir.lastCommands().get(0);
        assertThat(command.getKind()).isEqualTo(CommandKind.DRAIN_NODE);
        assertThat(command.getObjectId()).isEqualTo("n1");
        assertThat(command.getReason()).isEqualTo("requested by ann");

        ask("n1", new NameValue("state", "Idle"));
        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.RESUME_NODE);
        assertThat(weir.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
    }

    @Test
    void shouldSendAllFeaturesTheNodeIsToHave() {
        ask("n1", new NameValue("features", "+=fast"));
        assertThat(weir.lastCommands().get(0).getArguments())
                .containsExactly(new NameValue("features", "big,fast,old"));

        ask("n1", new NameValue("features", "-=old"), new NameValue("power", "=off"));
        assertThat(weir.lastCommands().get(0).getKind()).isEqualTo(CommandKind.MODIFY_NODE);
        assertThat(weir.lastCommands().get(0).getArguments())
                .containsExactly(new NameValue("features", "big"), new NameValue("power", "OFF"));
    }

    @Test
    void shouldRefuseWhatCannotBeDone() {
        assertThat(refusal("n9", new NameValue("state", "Idle"))).isEqualTo("no node n9");
        assertThat(refusal("n1", new NameValue("state", "Broken"))).contains("'Broken'");
        assertThat(refusal("n1", new NameValue("power", "half"))).contains("'half'");
        assertThat(refusal("n1", new NameValue("state", "Idle"), new NameValue("colour", "red")))
                .contains("'colour'");
        assertThat(refusal("n1")).contains("nothing to change");
        weir.policy("SCHEDCFG[x] MODE=MONITOR");
        assertThat(refusal("n1", new NameValue("state", "Idle"))).contains("MODE MONITOR");
    }

    @Test
    @Feature("CAT-29")
    void shouldAttachWhatStaysWhateverTheResourceManagerReports() {
        ask(
                "n1",
                new NameValue("variable", "=owner=chemistry"),
                new NameValue("message", "=fan is loud"),
                new NameValue("gmetric[temp]", "=71.5"),
                new NameValue("category", "=swmain"));
        assertThat(weir.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        assertThat(weir.lastCommands()).isEmpty();

        weir.node(
                "n1",
                8,
                NodeState.IDLE,
                report ->
                        report.setVariables(List.of(new NameValue("rack", "7"))).setMessages(List.of("bios is old")));
        weir.iterate(2);

        NodeStatus node = published("n1");
        assertThat(node.getVariables())
                .containsExactly(new NameValue("owner", "chemistry"), new NameValue("rack", "7"));
        assertThat(node.getMessages()).containsExactly("bios is old", "fan is loud");
        assertThat(node.getMetrics()).containsExactly(new Measurement("temp", 71.5));
        assertThat(node.getCategory()).isEqualTo("SoftwareMaintenance");
    }

    /** Who says it counts as often as he says it; a resource manager says it until it stops. */
    @Test
    @Feature("CAT-29")
    void shouldKnowWhoSaidWhatHowOften() {
        weir.node("n1", 8, NodeState.IDLE, report -> report.setMessages(List.of("bios is old")))
                .iterate(10);
        weir.request("a", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("message", "=fan is loud")))
                .iterate(20);
        weir.request("b", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("message", "=fan is loud")))
                .iterate(30);
        weir.node("n1", 8, NodeState.IDLE, report -> report.setMessages(List.of("bios is old")))
                .iterate(40);

        assertThat(published("n1").getMessages()).containsExactly("bios is old", "fan is loud");
        assertThat(published("n1").getMessageTallies())
                .containsExactly(
                        new MessageTally("rm", 1L, SchedulerFixture.at(0), SchedulerFixture.at(0), 0, null),
                        new MessageTally("ann", 2L, SchedulerFixture.at(20), SchedulerFixture.at(30), 0, null));

        weir.node("n1", 8, NodeState.IDLE).iterate(50);
        ask("n1", new NameValue("delete", "message:1"));
        assertThat(published("n1").getMessageTallies()).isEmpty();
    }

    @Test
    void shouldLetTheResourceManagerMeasure() {
        ask("n1", new NameValue("gmetric[temp]", "=71.5"));
        weir.node("n1", 8, NodeState.IDLE, report -> report.setMetrics(List.of(new Measurement("temp", 40.0))));
        weir.iterate(2);

        assertThat(published("n1").getMetrics()).containsExactly(new Measurement("temp", 40.0));
    }

    @Test
    void shouldTakeAwayWhatWasAttachedAndAskWhatIsThereInstead() {
        ask("n1", new NameValue("variable", "=a=1"), new NameValue("variable", "=b"), new NameValue("message", "=m"));
        ask("n1", new NameValue("delete", "message:1"), new NameValue("variable", "-=a"));

        assertThat(published("n1").getVariables()).containsExactly(new NameValue("b", ""));
        assertThat(published("n1").getMessages()).isEmpty();
        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.FULL_POLL);
        ask("n1", new NameValue("clear", "variable"));
        assertThat(published("n1").getVariables()).isEmpty();
        assertThat(refusal("n1", new NameValue("delete", "variable:a"))).contains("nobody attached variable a");
    }

    @Test
    void shouldClearOneEventOrAllOfThem() {
        ask("n1", new NameValue("gevent", "=hitemp:'70 C'"), new NameValue("gevent", "=ecc:'3 errors'"));
        ask("n1", new NameValue("clear", "gevent:hitemp"));
        assertThat(weir.lastAnswers().get(0).getOutcome())
                .as(weir.lastAnswers().get(0).getMessage())
                .isEqualTo(RequestOutcome.ACCEPTED);
        assertThat(published("n1").getEvents()).extracting(EventTally::getName).containsExactly("ecc");
        ask("n1", new NameValue("clear", "gevent"));
        assertThat(published("n1").getEvents()).isEmpty();
        assertThat(refusal("n1", new NameValue("clear", "gevent:ecc"))).contains("no gevent ecc");
    }

    /** NODECATEGORY gives a category, so it takes the names of categories alone. */
    @Test
    @Feature("CAT-28")
    void shouldTakeNoVariableForACategoryThatThereIsNot() {
        assertThat(refusal("n1", new NameValue("variable", "=NODECATEGORY=nice")))
                .contains("'nice'", "hwfail");
        ask("n1", new NameValue("variable", "=NODECATEGORY=site3"));
        assertThat(category("n1")).isEqualTo("Site3");
        ask("n1", new NameValue("variable", "=NODECATEGORY=none"));
        assertThat(category("n1")).isEqualTo("Idle");
    }

    @Test
    void shouldRefuseMarksThatMakeNoSense() {
        assertThat(refusal("n1", new NameValue("gmetric[temp]", "=hot"))).contains("'hot'");
        assertThat(refusal("n1", new NameValue("gmetric[temp]", "=NaN"))).contains("'NaN'");
        assertThat(refusal("n1", new NameValue("category", "=nice"))).contains("'nice'", "hwfail");
        assertThat(refusal("n1", new NameValue("clear", "all"))).contains("'all'");
        assertThat(refusal("n1", new NameValue("delete", "message:4"))).contains("no message 4");
    }

    @Test
    void shouldWeighAMetricThatAnOperatorSet() {
        SchedulerFixture two = new SchedulerFixture()
                .policy("NODEALLOCATIONPOLICY PRIORITY\nNODECFG[DEFAULT] PRIORITYF='-GMETRIC[temp]'")
                .nodes(2, 1)
                .iterate(0)
                .request(
                        "r" + requests++, RequestKind.MODIFY_NODE, "n2", List.of(new NameValue("gmetric[temp]", "=90")))
                .iterate(1)
                .submit("a", 1, 60)
                .iterate(2);

        assertThat(two.job("a").getAllocation().get(0).getNodeId()).isEqualTo("n1");
    }

    private int requests;

    /** Returns the category in which the node is, whoever gave it. */
    private String category(String node) {
        weir.request("show" + requests++, RequestKind.SHOW_NODE, node).iterate(1);
        return weir.lastAnswers().get(0).getDetails().stream()
                .filter(detail -> detail.getName().equals("category"))
                .map(NameValue::getValue)
                .findFirst()
                .orElseThrow();
    }

    private NodeStatus published(String node) {
        return weir.outputs.stream()
                .filter(output ->
                        output.kind() == OutputKind.NODE && output.key().equals("c/" + node))
                .map(output -> (NodeStatus) output.value())
                .reduce((before, after) -> after)
                .orElseThrow();
    }

    private String refusal(String node, NameValue... arguments) {
        ask(node, arguments);
        assertThat(weir.lastCommands()).isEmpty();
        assertThat(weir.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        return String.valueOf(weir.lastAnswers().get(0).getMessage());
    }

    private void ask(String node, NameValue... arguments) {
        weir.request("r" + requests++, RequestKind.MODIFY_NODE, node, List.of(arguments))
                .iterate(1);
    }
}
