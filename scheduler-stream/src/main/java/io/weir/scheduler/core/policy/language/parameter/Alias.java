package io.weir.scheduler.core.policy.language.parameter;

import org.jspecify.annotations.Nullable;

/**
 * Another name of a parameter.
 *
 * @param name the other name, upper case
 * @param parameter the official name
 * @param index index it implies; null to keep the one written
 * @param attribute attribute its value belongs to; null for the parameter itself
 * @param deprecated to be reported as an old name
 */
public record Alias(
        String name,
        String parameter,
        @Nullable String index,
        @Nullable String attribute,
        boolean deprecated) {
    /** Returns what to write instead. */
    public String instead() {
        return parameter + (index == null ? "" : "[" + index + "]") + (attribute == null ? "" : " " + attribute + "=");
    }
}
