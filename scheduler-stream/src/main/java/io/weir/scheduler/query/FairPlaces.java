package io.weir.scheduler.query;

import io.weir.service.http.HttpRefusal;
import java.util.HashMap;
import java.util.Map;

/**
 * A number of places that callers take up and leave. A caller gets a further place while it has fewer than are free, so one
 * alone has half of them; the last eighth is for those that have none. Thread-safe.
 */
final class FairPlaces {
    /** Share of the places that is kept for callers that have none. */
    private static final int KEPT = 8;

    private final int most;
    private final int mostOfOne;
    private final String what;

    /** Places by caller that has any. Guarded by itself. */
    private final Map<String, Integer> taken = new HashMap<>();

    /** Places taken by all. Guarded by {@link #taken}. */
    private int all;

    /**
     * Begins with all places free.
     *
     * @param most places
     * @param mostOfOne places that one caller has at most
     * @param what what takes up places, as in "has 3 {@code what}"
     */
    FairPlaces(int most, int mostOfOne, String what) {
        this.most = most;
        this.mostOfOne = mostOfOne;
        this.what = what;
    }

    /** Takes a place for {@code caller}; refuses it with 429 when it has its share, and with 503 when none is left. */
    void take(Caller caller) {
        synchronized (taken) {
            int own = taken.getOrDefault(caller.share(), 0);
            if (own > 0 && (own >= mostOfOne || own >= most - all || all >= most - most / KEPT)) {
                throw HttpRefusal.later(
                        HttpRefusal.TOO_MANY,
                        caller.label() + " has " + own + " " + what + ", which is the most it may have now",
                        1);
            } else if (all >= most) {
                throw HttpRefusal.later(HttpRefusal.UNAVAILABLE, "Too much is being asked at a time", 1);
            }
            taken.put(caller.share(), own + 1);
            all++;
        }
    }

    /** Leaves a place of {@code caller}, which has one. */
    void leave(Caller caller) {
        synchronized (taken) {
            taken.computeIfPresent(caller.share(), (share, own) -> own == 1 ? null : Integer.valueOf(own - 1));
            all--;
        }
    }

    /** Returns how many callers have a place. */
    int callers() {
        synchronized (taken) {
            return taken.size();
        }
    }
}
