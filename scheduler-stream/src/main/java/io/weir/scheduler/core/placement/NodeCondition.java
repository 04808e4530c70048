package io.weir.scheduler.core.placement;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.weir.scheduler.core.node.Capacity;
import java.util.Locale;

/**
 * A condition on a configured amount of a node, such as {@code memory>=2048}.
 *
 * @param resource procs, memory, swap or disk
 * @param operator one of {@code >= > == < <=}
 * @param amount processors, or MB
 */
record NodeCondition(String resource, String operator, long amount) {
    private static final Pattern FORM =
            Pattern.compile("(?i)\\s*(procs?|memory|mem|swap|disk)\\s*(>=|<=|==|=|>|<)\\s*(\\d{1,15})\\s*");

    /** Reads a condition; what is none holds for every node. */
    static NodeCondition read(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return new NodeCondition("procs", ">=", 0);
        }
        return new NodeCondition(form.group(1).toLowerCase(Locale.ROOT), form.group(2), Long.parseLong(form.group(3)));
    }

    /** Returns whether a node with {@code configured} amounts meets it. */
    boolean holds(Capacity configured) {
        long has = switch (resource) {
            case "mem", "memory" -> configured.memoryMb();
            case "swap" -> configured.swapMb();
            case "disk" -> configured.diskMb();
            default -> configured.procs();
        };
        return switch (operator) {
            case ">=" -> has >= amount;
            case "<=" -> has <= amount;
            case ">" -> has > amount;
            case "<" -> has < amount;
            default -> has == amount;
        };
    }

    /** Returns the reason a node that does not meet it is rejected for. */
    RejectionReason reason() {
        return switch (resource) {
            case "mem", "memory", "swap" -> RejectionReason.MEMORY;
            case "disk" -> RejectionReason.DISK;
            default -> RejectionReason.CPU;
        };
    }
}
