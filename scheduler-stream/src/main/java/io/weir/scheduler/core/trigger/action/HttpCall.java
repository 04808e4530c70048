package io.weir.scheduler.core.trigger.action;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * AType http: {@code METHOD URL [body]}, or a URL alone, to which the event is posted. Immutable.
 *
 * @param method method; null where the URL stands alone
 * @param url address, variables as written
 * @param body body, variables as written; null for none
 */
public record HttpCall(
        @Nullable String method, String url, @Nullable String body) {
    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

    /** Reads {@code action}. */
    public static HttpCall read(String action) throws UnfitActionException {
        String[] parts = action.strip().split(" ", 3);
        boolean method = METHODS.contains(parts[0]) && parts.length > 1;
        String url = method ? parts[1] : parts[0];
        if (!url.startsWith("http://") && !url.startsWith("https://")) {
            throw new UnfitActionException("'" + url + "' is no http:// or https:// address; http takes one, or "
                    + String.join(", ", METHODS) + " before one and a body behind it");
        }
        return new HttpCall(method ? parts[0] : null, url, method && parts.length > 2 ? parts[2] : null);
    }
}
