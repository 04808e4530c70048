package io.weir.rm.runtime;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a trigger told: the jobs it named, how many arrived, and whether something happened that it did not name. Immutable.
 *
 * <pre>
 *   job 4711      that job has changed
 *   new           a job has arrived
 *   anything else something has changed
 * </pre>
 *
 * @param jobs numbers of jobs, in the order in which they were named
 * @param arrived how many jobs arrived
 * @param more whether only a look at everything shows all that happened
 */
record Poke(Set<String> jobs, int arrived, boolean more) {
    /** Nothing was told. */
    static final Poke NONE = new Poke(Set.of(), 0, false);

    /** Something happened. */
    static final Poke MORE = new Poke(Set.of(), 0, true);

    private static final String NEW = "new";

    private static final Pattern JOB = Pattern.compile("job ([1-9]\\d{0,9})");

    /** So many jobs are told apart; beyond that, everything is looked at. */
    static final int MOST_JOBS = 1_000;

    Poke {
        jobs = Collections.unmodifiableSet(new LinkedHashSet<>(jobs));
    }

    /** Reads lines. A last one without a line break may go on: it is more than what is named. */
    static Poke parse(String text) {
        if (text.isEmpty()) {
            return NONE;
        }
        Set<String> jobs = new LinkedHashSet<>();
        int whole = text.lastIndexOf('\n') + 1;
        boolean more = whole < text.length();
        int arrived = 0;
        for (String line : text.substring(0, whole).lines().toList()) {
            Matcher matcher = JOB.matcher(line);
            if (matcher.matches()) {
                jobs.add(matcher.group(1));
            } else if (line.equals(NEW)) {
                arrived++;
            } else {
                more = true;
            }
        }
        return jobs.size() > MOST_JOBS ? MORE : new Poke(jobs, arrived, more);
    }

    /** Returns both as one. */
    Poke and(Poke other) {
        if (isNothing() || other.isNothing()) {
            return isNothing() ? other : this;
        }
        Set<String> all = new LinkedHashSet<>(jobs);
        all.addAll(other.jobs);
        return all.size() > MOST_JOBS ? MORE : new Poke(all, arrived + other.arrived, more || other.more);
    }

    boolean isNothing() {
        return jobs.isEmpty() && arrived == 0 && !more;
    }
}
