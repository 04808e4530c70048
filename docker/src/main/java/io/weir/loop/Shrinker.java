package io.weir.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Makes a failing life smaller: leaves out deeds, in ever smaller pieces, and jobs, as long as something is still charged
 * with the same invariant.
 */
public final class Shrinker {
    private final Function<LifePlan, Outcome> live;
    private final int mostLives;
    private int lives;

    /** Creates a shrinker that tries at most {@code mostLives} lives with {@code live}. */
    public Shrinker(Function<LifePlan, Outcome> live, int mostLives) {
        this.live = live;
        this.mostLives = mostLives;
    }

    /** Returns the smallest life found that fails as {@code failed} does. */
    public Outcome shrink(Outcome failed) {
        String invariant = invariant(failed);
        Outcome smallest = failed;
        int piece = Math.max(1, failed.plan().deeds().size() / 2);
        while (lives < mostLives) {
            Outcome smaller = withoutPieces(smallest, piece, invariant);
            boolean found = !smaller.equals(smallest);
            smallest = smaller;
            if (!found && piece == 1) {
                break;
            }
            piece = found ? piece : Math.max(1, piece / 2);
        }
        for (int jobs = 1; jobs < smallest.plan().jobs() && lives < mostLives; jobs *= 2) {
            Outcome tried = tryOut(smallest.plan().withJobs(jobs));
            if (fails(tried, invariant)) {
                return tried;
            }
        }
        return smallest;
    }

    private Outcome withoutPieces(Outcome failed, int piece, String invariant) {
        Outcome smallest = failed;
        for (int from = 0; from < smallest.plan().deeds().size() && lives < mostLives; ) {
            List<Deed> deeds = new ArrayList<>(smallest.plan().deeds());
            deeds.subList(from, Math.min(deeds.size(), from + piece)).clear();
            Outcome tried = tryOut(smallest.plan().with(deeds));
            if (fails(tried, invariant)) {
                smallest = tried;
            } else {
                from += piece;
            }
        }
        return smallest;
    }

    private Outcome tryOut(LifePlan plan) {
        lives++;
        return live.apply(plan);
    }

    private static boolean fails(Outcome outcome, String invariant) {
        return outcome.charges().stream().anyMatch(charge -> charge.startsWith(invariant));
    }

    private static String invariant(Outcome failed) {
        String first = failed.charges().get(0);
        return first.substring(0, first.indexOf(':') + 1);
    }
}
