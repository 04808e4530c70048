package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.automation.AutomaticRequests;
import io.weir.scheduler.core.job.Job;
import java.util.List;
import java.util.Optional;
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

    /** Returns the outcome of requests about {@code jobs}, of which there may be none; empty when there are too many. */
    static TriggerOutcome of(Optional<List<String>> requests, List<Job> jobs) {
        if (requests.isEmpty()) {
            return new Done(false, AutomaticRequests.tooMany(jobs));
        }
        return jobs.isEmpty() ? new Done(true, "there is nothing to do it to") : new Requested(requests.get());
    }
}
