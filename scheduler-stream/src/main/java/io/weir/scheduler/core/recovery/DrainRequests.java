package io.weir.scheduler.core.recovery;

import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.policy.nonstop.NonstopSettings;
import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.NameValue;
import io.weir.schemas.Severity;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Requests that nodes which are expected to fail take no new jobs. */
final class DrainRequests {
    private static final int LONGEST_REASON = 1_024;
    private static final int MOST_NODES = 1_000;

    private final ClusterState state;
    private final RecoveryAnswers answers;
    private final long now;

    DrainRequests(ClusterState state, RecoveryAnswers answers, long now) {
        this.state = state;
        this.answers = answers;
        this.now = now;
    }

    /** Marks the nodes as failing, all of them or, when the request is refused, none. */
    boolean drain(AuthorisedRequest request, NonstopSettings settings) {
        String reason = request.form().text("reason").strip();
        boolean mayDrain = request.level().acting().reaches(AccessLevel.OPERATOR)
                || settings.drainers().allows(request.principal());
        SortedSet<String> named = new TreeSet<>();
        for (String name : request.form().text("nodes").split(",", -1)) {
            if (!name.isBlank()) {
                named.add(name.strip());
            }
        }
        if (!mayDrain) {
            return answers.refuse(
                    request,
                    RecoveryError.EPERM,
                    request.principal() + " may not drain nodes (UserDrainAllow, UserDrainDeny)",
                    null);
        } else if (named.isEmpty()
                || named.size() > MOST_NODES
                || reason.isEmpty()
                || reason.length() > LONGEST_REASON) {
            return answers.refuse(
                    request,
                    RecoveryError.ECMD,
                    "up to " + MOST_NODES + " nodes and a reason of up to " + LONGEST_REASON + " characters are needed",
                    null);
        }
        for (String name : named) {
            if (state.nodes.get(name) == null) {
                return answers.refuse(request, RecoveryError.EUPDNODE, "there is no node '" + name + "'", name);
            }
        }
        for (String name : named) {
            Node node = state.nodes.get(name);
            if (node != null) {
                state.emit(node.marked(node.annotations().failing(request.principal() + ": " + reason), now));
                state.domain.notice(
                        Severity.WARNING,
                        "nodefailing",
                        "node",
                        name,
                        "node " + name + " is expected to fail: " + reason + ", says " + request.principal());
            }
        }
        return answers.grant(
                request,
                "draining " + String.join(",", named),
                List.of(new NameValue("nodes", String.join(",", named))));
    }
}
