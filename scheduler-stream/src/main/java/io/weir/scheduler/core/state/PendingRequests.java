package io.weir.scheduler.core.state;

import io.weir.scheduler.state.Argument;
import io.weir.scheduler.state.PendingRequest;
import io.weir.schemas.NameValue;
import io.weir.schemas.Request;
import io.weir.schemas.bound.Bound;
import io.weir.schemas.bound.Breach;
import io.weir.schemas.bound.FactBounds;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests that the next iteration carries out, in the order asked. Of one whose words are out of bounds, or come when
 * too many others wait, only who asked what is kept, and why it is refused. Owned by the core's thread.
 */
public final class PendingRequests {
    /** Requests that wait at most. */
    public static final int MOST = 10_000;

    /** Characters that all of them may have before one with arguments is refused; half of what they may have at all. */
    private static final int MOST_TEXT = 1_000_000;

    /** Begins the ids of requests that the scheduler makes itself, on events and for triggers. */
    public static final String OWN = "weir:auto:";

    private static final Bound.Prose NAME = new Bound.Prose(Limit.NAME_LENGTH, false);

    private final List<PendingRequest> requests = new ArrayList<>();
    private long characters;

    /** Takes over what is stored. */
    void restore(List<PendingRequest> stored) {
        requests.clear();
        characters = 0;
        stored.forEach(this::add);
    }

    public boolean isEmpty() {
        return requests.isEmpty();
    }

    /** Returns whether no other request can wait. */
    public boolean isFull() {
        return requests.size() >= MOST || characters >= 2 * MOST_TEXT;
    }

    /** Has a request wait for the next iteration. */
    public void add(Request request) {
        String refusal = refusal(request);
        add(new PendingRequest(
                request.getRequestId(),
                request.getKind().name(),
                NAME.cut(request.getObjectId()),
                NAME.cut(request.getPrincipal()),
                request.getLevel(),
                refusal != null
                        ? List.of()
                        : request.getArguments().stream()
                                .map(a -> new Argument(a.getName(), a.getValue()))
                                .toList(),
                refusal));
    }

    /** Returns their ids, in the order asked. */
    public List<String> ids() {
        return requests.stream().map(PendingRequest::getRequestId).toList();
    }

    /** Returns all of them, which no longer wait. */
    public List<PendingRequest> take() {
        if (requests.isEmpty()) {
            return List.of();
        }
        List<PendingRequest> taken = List.copyOf(requests);
        requests.clear();
        characters = 0;
        return taken;
    }

    List<PendingRequest> toRecords() {
        return List.copyOf(requests);
    }

    /** Has a request wait again. */
    public void add(PendingRequest request) {
        requests.add(request);
        characters += request.getRequestId().length()
                + request.getObjectId().length()
                + request.getPrincipal().length();
        for (Argument argument : request.getArguments()) {
            characters += argument.getName().length() + argument.getValue().length();
        }
    }

    private @Nullable String refusal(Request request) {
        if (request.getRequestId().startsWith(OWN)) {
            return "requestId begins with " + OWN + ", as only those of the scheduler itself do; choose another";
        }
        Breach breach = FactBounds.check(request);
        if (breach != null) {
            return breach.message();
        }
        long more = 0;
        for (NameValue argument : request.getArguments()) {
            more += argument.getName().length() + argument.getValue().length();
        }
        return more > 0 && characters + more > MOST_TEXT
                ? "the requests that wait have " + characters + " characters already; ask again later"
                : null;
    }
}
