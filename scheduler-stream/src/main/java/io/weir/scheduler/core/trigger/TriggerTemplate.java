package io.weir.scheduler.core.trigger;

import org.jspecify.annotations.Nullable;

/**
 * A trigger and who answers for it. Immutable.
 *
 * @param id id, unique among the triggers of an object
 * @param spec what it is
 * @param principal in whose name it acts; null for the configuration's, which acts for the administrators
 * @param level level of the principal; null for that which ADMINCFG gives him
 */
public record TriggerTemplate(
        String id,
        TriggerSpec spec,
        @Nullable String principal,
        @Nullable Integer level) {
    /** In whose name the triggers of the configuration act. */
    public static final String CONFIGURED = "trigger";

    /** Returns in whose name requests are made. */
    public String actor() {
        return principal == null ? CONFIGURED : principal;
    }

    /** Returns with which level; null for that which ADMINCFG gives. */
    public @Nullable Integer actorLevel() {
        return principal == null ? Integer.valueOf(1) : level;
    }
}
