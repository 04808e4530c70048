package io.weir.scheduler.core.trigger.action;

import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.schemas.NameValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * AType internal: {@code type:id:operation[:argument]}. Immutable.
 *
 * @param type what is acted on: node, job, rsv or sched
 * @param id which of them, variables as written; {@value #OWN} for the object of the trigger
 * @param operation what is done, in lower case
 * @param argument what stands behind the operation, variables as written; empty for nothing
 */
public record InternalOrder(String type, String id, String operation, String argument) {
    /** Stands for the object of the trigger. */
    public static final String OWN = "-";

    private static final String FORM = "node:ID:reserve[:time], release, drain, resume, disable, enable, evacuate or"
            + " modify:ATTR=VALUE; job:ID:cancel, requeue, hold, release or modify:ATTR=VALUE; rsv:ID:cancel,"
            + " extend:TIME or modify:ATTR=VALUE; sched:-:pause or resume";

    /** Reads {@code action}. */
    public static InternalOrder read(String action) throws UnfitActionException {
        String[] parts = action.split(":", 4);
        if (parts.length < 3) {
            throw unfit(action);
        }
        InternalOrder order = new InternalOrder(
                parts[0].toLowerCase(Locale.ROOT),
                parts[1],
                parts[2].toLowerCase(Locale.ROOT),
                parts.length < 4 ? "" : parts[3]);
        if (!order.known() || !order.hasItsArgument()) {
            throw unfit(action);
        }
        return order;
    }

    private static UnfitActionException unfit(String action) {
        return new UnfitActionException("internal is '" + action + "'; one of " + FORM);
    }

    private boolean known() {
        return switch (type) {
            case "node" ->
                List.of("reserve", "release", "drain", "resume", "disable", "enable", "evacuate", "modify")
                        .contains(operation);
            case "job" ->
                List.of("cancel", "requeue", "hold", "release", "modify").contains(operation);
            case "rsv" -> List.of("cancel", "extend", "modify").contains(operation);
            case "sched" -> List.of("pause", "resume").contains(operation);
            default -> false;
        };
    }

    private boolean hasItsArgument() {
        return switch (operation) {
            case "reserve" -> argument.isEmpty() || mayBeTime();
            case "extend" -> mayBeTime();
            case "modify" -> !modifications().isEmpty();
            default -> argument.isEmpty();
        };
    }

    private boolean mayBeTime() {
        return PolicyTime.seconds(argument) > 0 || !VariableNames.in(argument).isEmpty();
    }

    /**
     * Returns the changes that the argument of {@code modify} states, in the order written, variables as written; empty when
     * it states none, or something else besides.
     */
    public List<NameValue> modifications() {
        List<NameValue> changes = new ArrayList<>();
        for (String change : argument.split(";", -1)) {
            int equals = change.indexOf('=');
            if (equals < 1) {
                return List.of();
            }
            changes.add(new NameValue(change.substring(0, equals), change.substring(equals + 1)));
        }
        return changes;
    }

    /** Says why a trigger of an {@code objectType} cannot order it; null when it can. */
    public @Nullable String misfit(String objectType) {
        return !id.equals(OWN) || type.equals("sched") || type.equals(objectType)
                ? null
                : "internal is '" + type + ":" + OWN + ":" + operation + "'; " + OWN
                        + " is the object of the trigger, which is no " + type + " but a " + objectType
                        + ", so name the " + type + ", or act on the " + objectType;
    }
}
