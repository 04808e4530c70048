package io.weir.scheduler.core;

import io.weir.scheduler.state.Argument;
import io.weir.scheduler.state.PendingRequest;
import org.jspecify.annotations.Nullable;

/** Finds arguments of a request by their names, in whatever case these are written; of several the first counts. */
final class RequestArguments {
    private RequestArguments() {}

    /** Returns the value of an argument; null when it is not given. */
    static @Nullable String argument(PendingRequest request, String name) {
        for (Argument argument : request.getArguments()) {
            if (argument.getName().equalsIgnoreCase(name)) {
                return argument.getValue();
            }
        }
        return null;
    }

    /** Returns the value of an argument; nothing when it is not given. */
    static String text(PendingRequest request, String name) {
        String value = argument(request, name);
        return value == null ? "" : value;
    }
}
