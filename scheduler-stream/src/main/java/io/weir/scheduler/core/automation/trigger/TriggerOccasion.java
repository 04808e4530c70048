package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.event.EventRule;
import io.weir.scheduler.core.trigger.ObjectKey;
import io.weir.scheduler.core.trigger.Substitution;
import io.weir.scheduler.core.trigger.Substitution.Place;
import io.weir.scheduler.core.trigger.TriggerFirings;
import io.weir.scheduler.core.trigger.TriggerSpec;
import io.weir.schemas.Severity;
import org.jspecify.annotations.Nullable;

/**
 * A trigger that fires.
 *
 * @param due the trigger, where it stands, and its object
 * @param substitution values of the variables that its texts may name
 * @param severity how grave what fired it is
 */
record TriggerOccasion(TriggerFirings.Due due, Substitution substitution, Severity severity) {
    /** Returns an occasion that is as grave as its event is configured to be. */
    static TriggerOccasion of(TriggerFirings.Due due, Substitution substitution, @Nullable EventRule rule) {
        return new TriggerOccasion(due, substitution, rule == null ? Severity.WARNING : rule.level());
    }

    TriggerSpec spec() {
        return due.template().spec();
    }

    String objectType() {
        return due.object().key().type();
    }

    String objectId() {
        return due.object().key().id();
    }

    /** Returns the action with variables put in for {@code place}. */
    String action(Place place) {
        return substitution.expand(spec().action(), place);
    }

    /** Returns id and object in one. */
    String triggerId() {
        return triggerId(due.template().id(), due.object().key());
    }

    /** Returns {@code trigger} and object in one. */
    static String triggerId(String trigger, ObjectKey object) {
        String id = trigger + "@" + object.type() + ":" + object.id();
        return id.length() <= 256 ? id : id.substring(0, 256);
    }
}
