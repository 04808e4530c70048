package io.weir.rm.nativerm.call;

import java.util.List;
import java.util.Map;

/**
 * What goes along with a call. A program gets the arguments after its own and the context as environment variables; a
 * web server gets a POST with a form field named argument for each and the context as fields of the names in lower case,
 * or a GET when it is a query.
 *
 * @param query whether the call only asks
 * @param arguments arguments
 * @param context names and values that say what the call is about
 * @param id what makes a repeated call recognisable; empty for queries
 */
public record CallRequest(boolean query, List<String> arguments, Map<String, String> context, String id) {
    public CallRequest {
        arguments = List.copyOf(arguments);
        context = Map.copyOf(context);
    }

    /** Returns a call that only asks. */
    public static CallRequest query(Map<String, String> context) {
        return new CallRequest(true, List.of(), context, "");
    }
}
