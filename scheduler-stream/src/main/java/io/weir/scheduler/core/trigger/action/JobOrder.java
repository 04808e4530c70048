package io.weir.scheduler.core.trigger.action;

import io.weir.scheduler.core.policy.language.value.SignalName;
import io.weir.schemas.NameValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * AType jobaction and jobpreempt: {@code word[:argument]}, and behind semicolons to which jobs, as in
 * {@code ;class=long;user=ann}. Immutable.
 *
 * @param word what is done to each job, in lower case
 * @param argument what stands behind the word, variables as written; empty for nothing
 * @param filters credentials that the jobs have, in the order written: names in lower case, values with variables as written
 */
public record JobOrder(String word, String argument, List<NameValue> filters) {
    private static final List<String> FILTERS = List.of("class", "user", "group", "account", "qos");

    public JobOrder {
        filters = List.copyOf(filters);
    }

    /** Reads {@code action}. */
    public static JobOrder read(String action) throws UnfitActionException {
        String[] parts = action.split(";", -1);
        String[] order = parts[0].strip().split(":", 2);
        JobOrder read =
                new JobOrder(order[0].toLowerCase(Locale.ROOT), order.length < 2 ? "" : order[1], filters(parts));
        if (!read.known()) {
            throw new UnfitActionException("'" + parts[0].strip()
                    + "' is no action on jobs; cancel, requeue, hold, suspend, checkpoint, notify[:TEXT], signal:N and"
                    + " modify:ATTR=VALUE are");
        }
        return read;
    }

    private static List<NameValue> filters(String[] parts) throws UnfitActionException {
        List<NameValue> filters = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            String name = parts[i].substring(0, Math.max(0, equals)).strip().toLowerCase(Locale.ROOT);
            if (!FILTERS.contains(name)) {
                throw new UnfitActionException("'" + parts[i] + "' says nothing about jobs; behind a semicolon "
                        + String.join(", ", FILTERS) + " are possible, as in ;class=long");
            }
            filters.add(new NameValue(name, parts[i].substring(equals + 1)));
        }
        return filters;
    }

    private boolean known() {
        return switch (word) {
            case "cancel", "requeue", "checkpoint", "hold", "suspend" -> argument.isEmpty();
            case "signal" ->
                SignalName.of(argument) != null || !VariableNames.in(argument).isEmpty();
            case "modify" -> argument.indexOf('=') > 0;
            case "notify" -> true;
            default -> false;
        };
    }

    /** Returns the change of {@code modify}, variables in its value as written. */
    public NameValue change() {
        int equals = argument.indexOf('=');
        return new NameValue(argument.substring(0, equals), argument.substring(equals + 1));
    }
}
