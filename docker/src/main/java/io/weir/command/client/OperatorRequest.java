package io.weir.command.client;

import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to the scheduler, as given on the command line.
 *
 * @param kind what is asked
 * @param objectId job, node or reservation it is about; empty for none
 * @param arguments in the order given; a name may come more than once
 * @param comment text for the record
 */
public record OperatorRequest(
        RequestKind kind,
        String objectId,
        List<Argument> arguments,
        @Nullable String comment) {
    /** Copies the arguments. */
    public OperatorRequest {
        arguments = List.copyOf(arguments);
    }

    /** Returns a request without arguments. */
    public static OperatorRequest about(RequestKind kind, String objectId) {
        return new OperatorRequest(kind, objectId, List.of(), null);
    }

    /** Adds an argument. */
    public OperatorRequest with(String name, String value) {
        List<Argument> more = new ArrayList<>(arguments);
        more.add(new Argument(name, value));
        return new OperatorRequest(kind, objectId, more, comment);
    }

    /** Adds an argument when there is a value for it. */
    public OperatorRequest withOptional(String name, @Nullable String value) {
        return value == null ? this : with(name, value);
    }

    OperatorRequest commented(@Nullable String text) {
        return new OperatorRequest(kind, objectId, arguments, text);
    }

    /** One argument. */
    record Argument(String name, String value) {}
}
