package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.scheduler.core.policy.language.ObjectSettings;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.PolicySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The resource managers whose triggers a configuration has, held against the connectors there are: those of a name that is no
 * connector's id only fire where there is no doubt about whose they are. While no connector is known, nothing is wrong.
 */
final class NamedManagers {
    private final Set<String> connectors = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    NamedManagers(JsonNode view) {
        view.forEach(connector -> connectors.add(connector.path("connector").asText()));
    }

    /** Returns the resource managers whose triggers never fire, in the order written. */
    List<PolicyProblem> problems(PolicySettings settings) {
        List<ObjectSettings> managers = settings.objects("RMCFG").stream()
                .filter(manager -> manager.isOwn("TRIGGER"))
                .toList();
        List<PolicyProblem> problems = new ArrayList<>();
        if (connectors.isEmpty() || (connectors.size() == 1 && managers.size() == 1)) {
            return problems;
        }
        for (ObjectSettings manager : managers) {
            Origin origin = manager.origin("TRIGGER");
            if (origin != null && !connectors.contains(manager.id())) {
                problems.add(new PolicyProblem(
                        PolicyProblem.Kind.DOUBTFUL,
                        origin,
                        "RMCFG[" + manager.id() + "] TRIGGER",
                        "no connector is called " + manager.id() + ", so that its triggers never fire; there are "
                                + String.join(", ", connectors)));
            }
        }
        return problems;
    }
}
