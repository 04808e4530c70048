package io.weir.command.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamedManagersTest {
    private static final String TRIGGER = " TRIGGER=EType=fail,AType=mail,Action=x\n";

    private static List<String> problems(String policy, String... connectors) {
        ArrayNode view = JsonNodeFactory.instance.arrayNode();
        for (String connector : connectors) {
            view.addObject().put("connector", connector);
        }
        return new NamedManagers(view)
                .problems(SitePolicy.read(policy).settings()).stream()
                        .map(PolicyProblem::toString)
                        .toList();
    }

    @Test
    void shouldNameResourceManagersWhoseTriggersNeverFire() {
        String two = "RMCFG[slurm]" + TRIGGER + "RMCFG[toy]" + TRIGGER + "RMCFG[idle] TYPE=NATIVE\n";

        assertThat(problems(two, "Slurm"))
                .containsExactly("WARNING line 2: RMCFG[toy] TRIGGER: no connector is called toy, so that its triggers"
                        + " never fire; there are Slurm");
        assertThat(problems("RMCFG[toy]" + TRIGGER, "a", "b")).hasSize(1);
    }

    @Test
    void shouldSayNothingWhereThereIsNoDoubt() {
        assertThat(problems("RMCFG[toy]" + TRIGGER, "rm")).isEmpty();
        assertThat(problems("RMCFG[toy]" + TRIGGER)).isEmpty();
        assertThat(problems("RMCFG[a]" + TRIGGER + "RMCFG[b]" + TRIGGER, "a", "b"))
                .isEmpty();
    }
}
