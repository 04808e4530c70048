package io.weir.scheduler.core.trigger;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One part of Requires: {@code v}, {@code !v}, {@code v:eq:45}. Immutable.
 *
 * @param name variable
 * @param comparison how it is compared
 * @param operand with what; empty where that has no meaning
 */
public record VariableCondition(String name, Comparison comparison, String operand) {
    /** How a variable is compared; all but the first two need it to be set, the last four to be a whole number. */
    public enum Comparison {
        SET,
        NOTSET,
        EQ,
        NE,
        GT,
        LT,
        GE,
        LE
    }

    /** Reads conditions separated by dots; null when one is none. */
    static @Nullable List<VariableCondition> list(String text) {
        List<VariableCondition> conditions = new ArrayList<>();
        for (String part : text.split("\\.", -1)) {
            VariableCondition condition = of(part);
            if (condition == null) {
                return null;
            }
            conditions.add(condition);
        }
        return conditions;
    }

    private static @Nullable VariableCondition of(String text) {
        boolean not = text.startsWith("!");
        String[] parts = (not ? text.substring(1) : text).split(":", -1);
        if (!VariableChange.isName(parts[0]) || parts.length > 3 || (not && parts.length > 1)) {
            return null;
        }
        if (parts.length == 1) {
            return new VariableCondition(parts[0], not ? Comparison.NOTSET : Comparison.SET, "");
        }
        for (Comparison comparison : Comparison.values()) {
            if (comparison.name().equals(parts[1].toUpperCase(Locale.ROOT))) {
                boolean unary = comparison == Comparison.SET || comparison == Comparison.NOTSET;
                return unary == (parts.length == 2)
                        ? new VariableCondition(parts[0], comparison, unary ? "" : parts[2])
                        : null;
            }
        }
        return null;
    }

    /** Returns whether it holds with {@code values}, which has null for a variable that is not set. */
    boolean holds(Function<String, @Nullable String> values) {
        String value = values.apply(name);
        return switch (comparison) {
            case SET -> value != null;
            case NOTSET -> value == null;
            case EQ -> operand.equals(value);
            case NE -> value != null && !operand.equals(value);
            case GT, LT, GE, LE -> {
                Integer order = value == null ? null : order(value);
                yield order != null && ordered(order);
            }
        };
    }

    private boolean ordered(int order) {
        return switch (comparison) {
            case GT -> order > 0;
            case LT -> order < 0;
            case GE -> order >= 0;
            case LE -> order <= 0;
            case SET, NOTSET, EQ, NE -> false;
        };
    }

    private @Nullable Integer order(String value) {
        try {
            return Long.compare(Long.parseLong(value.strip()), Long.parseLong(operand.strip()));
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
