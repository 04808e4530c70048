package io.weir.command.site;

import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as the command line puts it.
 *
 * @param kind what is asked
 * @param objectId job, node or reservation it is about; empty for none
 * @param arguments in the order given; a name may come more than once
 * @param comment text for the record
 */
record Wish(
        RequestKind kind,
        String objectId,
        List<Argument> arguments,
        @Nullable String comment) {
    Wish {
        arguments = List.copyOf(arguments);
    }

    static Wish about(RequestKind kind, String objectId) {
        return new Wish(kind, objectId, List.of(), null);
    }

    Wish with(String name, String value) {
        List<Argument> more = new ArrayList<>(arguments);
        more.add(new Argument(name, value));
        return new Wish(kind, objectId, more, comment);
    }

    /** Adds an argument when there is a value for it. */
    Wish withOptional(String name, @Nullable String value) {
        return value == null ? this : with(name, value);
    }

    Wish commented(@Nullable String text) {
        return new Wish(kind, objectId, arguments, text);
    }

    /** One argument. */
    record Argument(String name, String value) {}
}
