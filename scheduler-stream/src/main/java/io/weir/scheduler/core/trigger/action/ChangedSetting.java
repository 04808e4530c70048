package io.weir.scheduler.core.trigger.action;

import static java.util.stream.Collectors.joining;

import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry;
import java.util.List;

/**
 * AType changeparam: a line of the configuration. Immutable.
 *
 * @param line the line, variables as written
 */
public record ChangedSetting(String line) {
    /** Reads {@code action}; of a line with variables the name of its parameter is checked alone, if it has none. */
    public static ChangedSetting read(String action) throws UnfitActionException {
        List<PolicyLine> lines = PolicyLine.parse(action);
        if (lines.size() != 1 || action.strip().indexOf('\n') >= 0) {
            throw new UnfitActionException("changeparam is '" + action + "'; one line PARAMETER value is needed");
        }
        String name = lines.get(0).name();
        if (VariableNames.in(action).isEmpty()) {
            check(action);
        } else if (VariableNames.in(name).isEmpty()
                && ParameterRegistry.get().find(name) == null
                && ParameterRegistry.get().alias(name) == null) {
            throw new UnfitActionException("changeparam is '" + action + "'; there is no parameter " + name);
        }
        return new ChangedSetting(action);
    }

    private static void check(String line) throws UnfitActionException {
        String against = PolicySettings.read(line).problems().stream()
                .filter(PolicyProblem::leavesOut)
                .map(problem -> problem.parameter() + ": " + problem.message())
                .collect(joining("; "));
        if (!against.isEmpty()) {
            throw new UnfitActionException("changeparam is '" + line + "'; " + against);
        }
    }
}
