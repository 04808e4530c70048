package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.CommandKind;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
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

    private String refusal(String node, NameValue... arguments) {
        ask(node, arguments);
        assertThat(weir.lastCommands()).isEmpty();
        assertThat(weir.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        return String.valueOf(weir.lastAnswers().get(0).getMessage());
    }

    private void ask(String node, NameValue... arguments) {
        weir.request("r", RequestKind.MODIFY_NODE, node, List.of(arguments)).iterate(1);
    }
}
