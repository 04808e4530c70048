package io.weir.scheduler.core.request;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.SitePolicy;
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

    void carryOut(AuthorisedRequest request) {
        String setting = request.text("setting").strip();
        boolean persistent = request.text("flags").equals("persistent");
        if (setting.isEmpty() || setting.indexOf('\n') >= 0 || setting.indexOf('\r') >= 0) {
            outputs.refused(request, "argument setting has to be one line: PARAMETER value");
            return;
        }
        RuntimeSettings changed = domain.runtimeSettings().with(setting, persistent);
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
        List<PolicyProblem> own = reading.problems().stream()
                .filter(problem -> problem.origin().equals(changed.last()))
                .toList();
        List<String> against = own.stream()
                .filter(problem ->
                        problem.kind() == PolicyProblem.Kind.BAD_VALUE || problem.kind() == PolicyProblem.Kind.UNKNOWN)
                .map(problem -> problem.parameter() + ": " + problem.message())
                .toList();
        if (!against.isEmpty()) {
            outputs.refused(request, String.join("; ", against));
            return;
        }
        domain.changeSettings(changed, reading);
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
