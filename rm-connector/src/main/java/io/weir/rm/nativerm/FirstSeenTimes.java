package io.weir.rm.nativerm;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** When each job was first seen, and first seen ended, by this process. One thread. */
final class FirstSeenTimes {
    private final Map<String, Instant> first = new HashMap<>();
    private final Map<String, Instant> ended = new HashMap<>();

    /** Returns when the job was first seen; that is {@code now} if it never was. */
    Instant first(String job, Instant now) {
        return first.computeIfAbsent(job, id -> now);
    }

    /** Returns when the job was first seen ended; that is {@code now} if it never was. */
    Instant end(String job, Instant now) {
        return ended.computeIfAbsent(job, id -> now);
    }

    /** Forgets all jobs but {@code present}. */
    void keep(Set<String> present) {
        first.keySet().retainAll(present);
        ended.keySet().retainAll(present);
    }
}
