package io.weir.scheduler.core.automation.response;

import io.weir.scheduler.core.event.EventAction;
import io.weir.scheduler.core.event.EventRule;
import io.weir.scheduler.core.event.ObjectEvent;

/**
 * One thing to be done about an event on an object.
 *
 * @param event where the event stands
 * @param rule what the configuration says of it
 * @param action what is to be done
 */
record Occasion(ObjectEvent event, EventRule rule, EventAction action) {
    String objectType() {
        return event.key().objectType();
    }

    String objectId() {
        return event.key().objectId();
    }

    String name() {
        return event.key().event();
    }

    /** Returns object, event, message, count and time in one text. */
    String text() {
        String said = event.text().isEmpty() ? name() : event.text();
        return objectType() + " " + objectId() + ": " + said + " (event " + name() + ", number " + event.total() + ")";
    }
}
