package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.trigger.Substitution.Place;
import io.weir.schemas.NameValue;
import io.weir.schemas.TriggerFiring;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Fills in what all firings that the notifier carries out have in common. */
final class FiringBuilder {
    private static final String MESSAGE = "MESSAGE";

    private FiringBuilder() {}

    static TriggerFiring.Builder of(TriggerOccasion occasion) {
        TriggerFiring.Builder firing = TriggerFiring.newBuilder()
                .setTriggerId(occasion.triggerId())
                .setActionType(occasion.spec().kind().word())
                .setAction(occasion.action(Place.LINE))
                .setObjectType(occasion.objectType())
                .setObjectId(occasion.objectId())
                .setTimeoutMillis(occasion.spec().timeoutSeconds() * 1000)
                .setAttempt(occasion.due().instance().attempt())
                .setWanted(occasion.spec().wanted())
                .setEnvironment(environment(occasion))
                .setSeverity(occasion.severity())
                .setEvent(occasion.due().instance().event())
                .setOwner(occasion.due().object().owner());
        if (occasion.spec().expires() != Long.MAX_VALUE) {
            firing.setExpires(Instant.ofEpochSecond(occasion.spec().expires()));
        }
        return firing;
    }

    /** Returns what was said with the event, in one or several lines; empty for nothing. */
    static String said(TriggerOccasion occasion) {
        return occasion.substitution().values().containsKey(MESSAGE)
                ? occasion.substitution().expand("$" + MESSAGE, Place.TEXT)
                : "";
    }

    private static List<NameValue> environment(TriggerOccasion occasion) {
        List<NameValue> environment = new ArrayList<>();
        for (NameValue entry : occasion.spec().environment()) {
            environment.add(
                    new NameValue(entry.getName(), occasion.substitution().expand(entry.getValue(), Place.LINE)));
        }
        return environment;
    }
}
