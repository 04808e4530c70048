package io.weir.scheduler.core.placement;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.placement.priority.AmountOperator;
import java.util.Locale;

/**
 * A condition on a configured amount of a node, such as {@code memory>=2048}.
 *
 * @param resource what is compared
 * @param operator how it is compared
 * @param amount processors, or MB
 */
record NodeCondition(Resource resource, AmountOperator operator, long amount) {
    private static final Pattern FORM =
            Pattern.compile("(?i)\\s*(procs?|memory|mem|swap|disk)\\s*(>=|<=|==|=|>|<)\\s*(\\d{1,15})\\s*");

    private static final NodeCondition ANY_NODE = new NodeCondition(Resource.PROCS, AmountOperator.AT_LEAST, 0);

    /** What a node has an amount of. */
    enum Resource {
        PROCS,
        MEMORY,
        SWAP,
        DISK
    }

    /** Reads a condition; what is none holds for every node. */
    static NodeCondition read(String text) {
        Matcher form = FORM.matcher(text);
        return form.matches()
                ? new NodeCondition(
                        resource(form.group(1)), AmountOperator.of(form.group(2)), Long.parseLong(form.group(3)))
                : ANY_NODE;
    }

    private static Resource resource(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "mem", "memory" -> Resource.MEMORY;
            case "swap" -> Resource.SWAP;
            case "disk" -> Resource.DISK;
            // The form lets only processors through, and letters that merely fold to those of the words above.
            default -> Resource.PROCS;
        };
    }

    /** Returns whether a node with {@code configured} amounts meets it. */
    boolean holds(Capacity configured) {
        long has = switch (resource) {
            case PROCS -> configured.procs();
            case MEMORY -> configured.memoryMb();
            case SWAP -> configured.swapMb();
            case DISK -> configured.diskMb();
        };
        return operator.holds(has, amount);
    }

    /** Returns the reason a node that does not meet it is rejected for. */
    RejectionReason reason() {
        return switch (resource) {
            case PROCS -> RejectionReason.CPU;
            case MEMORY, SWAP -> RejectionReason.MEMORY;
            case DISK -> RejectionReason.DISK;
        };
    }
}
