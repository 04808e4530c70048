package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.timeline.StartBounds;

/** Lower bounds of start times, learned from searches for the jobs of one scheduling key and one plan key. */
final class StartTimeCache {
    private final StartBounds anywhere = new StartBounds();

    /** Bounds of starts inside one node set, which are never earlier. */
    private final StartBounds inSet = new StartBounds();

    private final KnownFits fits = new KnownFits();

    private long plan = -1;
    private int heard;

    /** Weakens the bounds by what was given back since the last call. */
    StartTimeCache after(ReleaseLog releases) {
        if (plan != releases.plan()) {
            plan = releases.plan();
            heard = releases.size();
            anywhere.clear();
            inSet.clear();
        }
        if (heard < releases.size()) {
            int first = Integer.MAX_VALUE;
            for (; heard < releases.size(); heard++) {
                first = Math.min(first, releases.from(heard));
            }
            anywhere.freeFrom(first);
            inSet.freeFrom(first);
        }
        return this;
    }

    /** Returns which jobs are known to fit now in that version of the plan. */
    KnownFits fits(long version) {
        return fits.in(version);
    }

    /** Returns before which instant a job of that many tasks and seconds cannot start as far as is known. */
    int earliest(boolean insideOneSet, int tasks, int seconds) {
        int start = anywhere.earliest(tasks, seconds);
        return insideOneSet ? Math.max(start, inSet.earliest(tasks, seconds)) : start;
    }

    /** Returns whether such a job is known to start later than at {@code instant}. */
    boolean later(boolean insideOneSet, int tasks, int seconds, int instant) {
        return anywhere.later(tasks, seconds, instant) || (insideOneSet && inSet.later(tasks, seconds, instant));
    }

    /** Learns that such a job cannot start before {@code start}. */
    void learn(boolean insideOneSet, int tasks, int seconds, int start) {
        (insideOneSet ? inSet : anywhere).learn(tasks, seconds, start);
    }
}
