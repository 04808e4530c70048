package io.weir.scheduler.core.policy.language.parameter;

import io.weir.scheduler.core.policy.language.value.ValueType;
import org.jspecify.annotations.Nullable;

/**
 * An attribute of an object parameter, {@code NAME=VALUE}.
 *
 * @param name official name, upper case
 * @param type what it holds
 * @param standard value when nothing is written; null for none
 * @param repeatable each line adds another instead of replacing it
 * @param effective something acts on it
 * @param elsewhere who reads it, when it is not the scheduler; null when it is
 * @param doc one sentence for the reference
 */
public record Attribute(
        String name,
        ValueType type,
        @Nullable String standard,
        boolean repeatable,
        boolean effective,
        @Nullable String elsewhere,
        String doc) {
    Attribute unimplemented() {
        return new Attribute(name, type, standard, repeatable, false, elsewhere, doc);
    }
}
