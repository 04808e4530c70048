package io.weir.scheduler.core.trigger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A threshold: {@code gmetric[temp]>34}, {@code usage>75}. Immutable.
 *
 * @param metric what is measured: gmetric, cpuload, availmem, availproc, usage, backlog, freenodes, downnodes
 * @param name name of a generic metric; empty for the others
 * @param sign how it is compared
 * @param limit with what
 */
public record TriggerThreshold(String metric, String name, String sign, double limit) {
    private static final List<String> SIGNS = List.of(">=", "<=", "==", ">", "<");
    private static final String GENERIC = "gmetric[";

    /** No metric has a larger value. */
    private static final double LARGEST = 1e15;

    /** Reads a threshold; null when {@code text} is none. */
    static @Nullable TriggerThreshold of(String text) {
        for (int i = 1; i < text.length(); i++) {
            for (String sign : SIGNS) {
                if (text.startsWith(sign, i)) {
                    return of(text.substring(0, i), sign, text.substring(i + sign.length()));
                }
            }
        }
        return null;
    }

    private static @Nullable TriggerThreshold of(String measured, String sign, String number) {
        double limit;
        try {
            limit = Double.parseDouble(number);
        } catch (NumberFormatException e) {
            return null;
        }
        if (!(Math.abs(limit) <= LARGEST)) {
            return null;
        }
        boolean generic =
                measured.startsWith(GENERIC) && measured.endsWith("]") && measured.length() > GENERIC.length() + 1;
        return generic
                ? new TriggerThreshold(
                        "gmetric", measured.substring(GENERIC.length(), measured.length() - 1), sign, limit)
                : new TriggerThreshold(measured, "", sign, limit);
    }

    /** Returns whether {@code objectType} is measured so. */
    boolean fits(String objectType) {
        return switch (objectType) {
            case "node" ->
                List.of("gmetric", "cpuload", "availmem", "availproc").contains(metric);
            case "rsv" -> metric.equals("usage");
            case "scheduler" -> List.of("backlog", "freenodes", "downnodes").contains(metric);
            default -> false;
        };
    }

    /** Returns whether {@code value} passes it. */
    public boolean passed(double value) {
        return switch (sign) {
            case ">=" -> value >= limit;
            case "<=" -> value <= limit;
            case "==" -> value == limit;
            case ">" -> value > limit;
            default -> value < limit;
        };
    }

    /** Returns the name of the condition under which the reduction of metrics reports it, as in {@code temp>34.0}. */
    public String condition() {
        String number = limit == Math.rint(limit) && Math.abs(limit) < 1e15
                ? Long.toString((long) limit)
                : Double.toString(limit);
        return name + sign + number;
    }
}
