package io.weir.scheduler.core.request;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.RuntimeSettings;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.DomainState;
import io.weir.schemas.Severity;
import io.weir.schemas.bound.Limit;
import java.util.List;

/**
 * Requests to change the configuration at run time: {@code setting} is a line of it. A line that is not wholly in force is
 * refused. The change is gone with the next policy version, unless {@code flags} is {@code persistent}.
 */
final class ConfigRequests {
    private final ClusterState state;
    private final DomainState domain;
    private final IterationOutputs outputs;

    ConfigRequests(ClusterState state, IterationOutputs outputs) {
        this.state = state;
        this.domain = state.domain;
        this.outputs = outputs;
    }

    private static boolean isLine(String setting) {
        return !setting.endsWith("\\")
                && setting.indexOf('\n') < 0
                && PolicyLine.parse(setting).size() == 1;
    }

    /** What is added to and taken from again and again is kept as few lines, where these say the same. */
    private void putInForce(RuntimeSettings changed, RuntimeSettings shorter, SitePolicy.Reading reading) {
        SitePolicy.Reading other =
                shorter.equals(changed) ? reading : SitePolicy.read(shorter.appendedTo(domain.versionText()));
        boolean same = other.settings().says(reading.settings());
        domain.changeSettings(same ? shorter : changed, same ? other : reading);
    }

    void carryOut(AuthorisedRequest request) {
        String setting = request.text("setting").strip();
        boolean persistent = request.text("flags").equals("persistent");
        if (!isLine(setting)) {
            outputs.refused(request, "argument setting has to be one line: PARAMETER value");
            return;
        }
        RuntimeSettings before = domain.runtimeSettings();
        RuntimeSettings changed = before.with(setting, persistent);
        if (changed.equals(before)) {
            outputs.accepted(request, "in force already, nothing is changed");
            return;
        }
        long characters =
                (long) domain.versionText().length() + changed.appendedTo("").length();
        if (characters > Limit.POLICY_LENGTH) {
            outputs.refused(
                    request,
                    "the configuration would have " + characters + " characters; at most " + Limit.POLICY_LENGTH
                            + " are allowed, so publish a new version of it");
            return;
        }
        SitePolicy.Reading reading = SitePolicy.read(changed.appendedTo(domain.versionText()));
        Origin origin = changed.origin(setting, persistent);
        List<PolicyProblem> own = reading.problems().stream()
                .filter(problem -> problem.origin().equals(origin))
                .toList();
        List<String> against = own.stream()
                .filter(PolicyProblem::leavesOut)
                .map(problem -> problem.parameter() + ": " + problem.message())
                .toList();
        if (!against.isEmpty()) {
            outputs.refused(request, String.join("; ", against));
            return;
        }
        putInForce(changed, changed.withoutRepetition(setting, persistent), reading);
        state.reconfigure();
        state.watch.measureAnew(state.nodes, state.clock);
        domain.notice(
                Severity.INFO,
                "configchange",
                "scheduler",
                state.cluster,
                setting + ", requested by " + request.principal() + (persistent ? ", persistent" : ""));
        List<String> notes = own.stream()
                .filter(problem -> problem.kind() == PolicyProblem.Kind.NO_EFFECT)
                .map(PolicyProblem::message)
                .toList();
        outputs.accepted(request, notes.isEmpty() ? "in force" : String.join("; ", notes));
    }
}
