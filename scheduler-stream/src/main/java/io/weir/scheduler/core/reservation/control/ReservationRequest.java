package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.request.form.NormalRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request about reservations that its principal may make.
 *
 * @param principal name of who asks
 * @param user whether that is a user and no operator
 * @param form what is asked; its object is the id, name or pattern of what is meant, a placeholder when something is made
 */
public record ReservationRequest(String principal, boolean user, NormalRequest form) {
    String objectId() {
        return form.objectId();
    }

    /** Returns the values given for an argument, in the order given. */
    List<String> all(String name) {
        return form.all(name);
    }

    /** Returns the last value given for an argument; null when it was not given. */
    @Nullable
    String last(String name) {
        return form.value(name);
    }

    boolean has(String name) {
        return form.has(name);
    }
}
