package io.weir.scheduler.core.request.form;

import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request in its normal form, whose principal may make it by the policy in force.
 *
 * @param id id by which it is answered
 * @param principal name of who asks
 * @param level level of who asks
 * @param form what is asked
 */
public record AuthorisedRequest(String id, String principal, AccessLevel level, NormalRequest form) {
    public RequestKind kind() {
        return form.kind();
    }

    public String objectId() {
        return form.objectId();
    }

    /** Returns a number that stands for who asks and what. */
    public long fingerprint() {
        return form.fingerprint(principal);
    }

    /** Returns the arguments by name, the values of one in the order given. */
    public List<NameValue> arguments() {
        return form.arguments();
    }

    /** Returns the value of an argument; null when it was not given. */
    @Nullable
    public String value(String name) {
        return form.value(name);
    }

    /** Returns the value of an argument; nothing when it was not given. */
    public String text(String name) {
        return form.text(name);
    }
}
