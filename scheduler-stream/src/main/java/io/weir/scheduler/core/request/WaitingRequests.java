package io.weir.scheduler.core.request;

import io.weir.scheduler.core.state.PendingRequests;
import io.weir.scheduler.state.Argument;
import io.weir.scheduler.state.PendingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Requests that an iteration leaves to the next because their budget is spent. How many there may be is limited; those that
 * the scheduler makes itself are counted apart from those of others.
 */
public final class WaitingRequests {
    /** Most requests of one principal. */
    public static final int MOST_EACH = 100;

    /** Most requests that the scheduler makes itself, on events and for triggers. */
    public static final int MOST_OWN = 1_000;

    private static final int MOST = 1_000;

    /** Most characters of all of them, which lie in the stored state. */
    private static final int MOST_CHARACTERS = 128 * 1024;

    /** The same of those that the scheduler makes itself; they have an object each, and few words besides. */
    private static final int MOST_OWN_CHARACTERS = 512 * 1024;

    private final List<PendingRequest> waiting = new ArrayList<>();
    private final SortedMap<String, Integer> byPrincipal = new TreeMap<>();
    private int characters;
    private int own;
    private int ownCharacters;

    /** Lets a request wait; returns false when too many do already. */
    boolean add(PendingRequest request) {
        int size = size(request);
        if (request.getRequestId().startsWith(PendingRequests.OWN)) {
            return addOwn(request, size);
        }
        int theirs = byPrincipal.getOrDefault(request.getPrincipal(), 0);
        if (theirs >= MOST_EACH || waiting.size() - own >= MOST || characters + size > MOST_CHARACTERS) {
            return false;
        }
        byPrincipal.put(request.getPrincipal(), theirs + 1);
        characters += size;
        waiting.add(request);
        return true;
    }

    private boolean addOwn(PendingRequest request, int size) {
        if (own >= MOST_OWN || ownCharacters + size > MOST_OWN_CHARACTERS) {
            return false;
        }
        own++;
        ownCharacters += size;
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
