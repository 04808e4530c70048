package io.weir.scheduler.core.automation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the action of a trigger led to. */
sealed interface TriggerOutcome {
    /** The notifier carries it out and answers by this id. */
    record Sent(String firingId) implements TriggerOutcome {}

    /** Requests carry it out; they are answered by these ids. */
    record Requested(List<String> requests) implements TriggerOutcome {}

    /** It is over. */
    record Done(boolean success, String text) implements TriggerOutcome {}

    /** Returns the outcome of an order that needs no request where there is nothing left to do. */
    static TriggerOutcome of(@Nullable String request, String otherwise) {
        return request == null ? new Done(true, otherwise) : new Requested(List.of(request));
    }

    /** Returns the outcome of requests, of which there may be none. */
    static TriggerOutcome of(List<String> requests) {
        return requests.isEmpty() ? new Done(true, "there is nothing to do it to") : new Requested(requests);
    }
}
