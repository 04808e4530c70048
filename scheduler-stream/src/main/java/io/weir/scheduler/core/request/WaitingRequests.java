package io.weir.scheduler.core.request;

import io.weir.scheduler.state.Argument;
import io.weir.scheduler.state.PendingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Requests that an iteration leaves to the next because their budget is spent. How many there may be is limited. */
public final class WaitingRequests {
    /** Most requests of one principal. */
    public static final int MOST_EACH = 100;

    private static final int MOST = 1_000;

    /** Most characters of all of them, which lie in the stored state. */
    private static final int MOST_CHARACTERS = 128 * 1024;

    private final List<PendingRequest> waiting = new ArrayList<>();
    private final SortedMap<String, Integer> byPrincipal = new TreeMap<>();
    private int characters;

    /** Lets a request wait; returns false when too many do already. */
    boolean add(PendingRequest request) {
        int size = size(request);
        int own = byPrincipal.getOrDefault(request.getPrincipal(), 0);
        if (own >= MOST_EACH || waiting.size() >= MOST || characters + size > MOST_CHARACTERS) {
            return false;
        }
        byPrincipal.put(request.getPrincipal(), own + 1);
        characters += size;
        waiting.add(request);
        return true;
    }

    /** Returns those that wait, in the order in which they came. */
    List<PendingRequest> all() {
        return waiting;
    }

    private static int size(PendingRequest request) {
        int size = request.getRequestId().length()
                + request.getObjectId().length()
                + request.getPrincipal().length();
        for (Argument argument : request.getArguments()) {
            size += argument.getName().length() + argument.getValue().length();
        }
        return size;
    }
}
