package io.weir.scheduler.core.state;

import io.weir.scheduler.state.RequestSpending;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How much work requests may cause in one second of the domain's clock, in looks at nodes: all of them together, and those
 * of one principal. Questions and changes have purses of their own. A request is let through as long as something is left,
 * so each principal gets at least one answered in a second in which the others have not spent everything.
 *
 * <p>The numbers are such that on 10,000 nodes with 100,000 waiting jobs, where a look takes 0.2 to 0.7 µs, neither the
 * questions nor the changes of a second hold the scheduler for more than about 0.2 s; {@code weir bench questions} measures
 * that.
 */
public final class RequestBudget {
    /** What all questions may cost. */
    public static final long QUESTIONS = 250_000;

    /** What one principal's questions may cost. */
    public static final long QUESTIONS_EACH = 100_000;

    /** What one question may cost where it can be answered in part. */
    public static final long QUESTION = 200_000;

    /** What all changes may cost. */
    static final long CHANGES = 250_000;

    /** What one principal's changes may cost. */
    public static final long CHANGES_EACH = 150_000;

    private final Purse questions = new Purse(QUESTIONS, QUESTIONS_EACH);
    private final Purse changes = new Purse(CHANGES, CHANGES_EACH);

    /** The second it is about, epoch seconds. */
    private long second = Long.MIN_VALUE;

    /** Begins anew unless {@code now}, in epoch seconds, is the second of the last call. */
    public void at(long now) {
        if (now != second) {
            second = now;
            questions.clear();
            changes.clear();
        }
    }

    /** Returns whether {@code principal} may have another request carried out in this second. */
    public boolean open(String principal, boolean question) {
        return (question ? questions : changes).open(principal);
    }

    /** Notes what a request cost. */
    public void charge(String principal, boolean question, long looks) {
        (question ? questions : changes).charge(principal, looks);
    }

    /** Takes over what was spent in a second. */
    void restore(long of, List<RequestSpending> stored) {
        second = of;
        questions.clear();
        changes.clear();
        for (RequestSpending spending : stored) {
            questions.charge(spending.getPrincipal(), spending.getQuestions());
            changes.charge(spending.getPrincipal(), spending.getChanges());
        }
    }

    /** Returns the second it is about; null before the first. */
    @Nullable
    Long second() {
        return second == Long.MIN_VALUE ? null : Long.valueOf(second);
    }

    /** Returns what was spent in this second, by principal. */
    List<RequestSpending> toRecords() {
        SortedMap<String, Long> all = new TreeMap<>(questions.byPrincipal);
        all.putAll(changes.byPrincipal);
        List<RequestSpending> records = new ArrayList<>(all.size());
        for (String principal : all.keySet()) {
            records.add(new RequestSpending(principal, questions.of(principal), changes.of(principal)));
        }
        return records;
    }

    /** What was spent on requests of one sort. */
    private static final class Purse {
        private final long total;
        private final long each;
        private final SortedMap<String, Long> byPrincipal = new TreeMap<>();
        private long spent;

        Purse(long total, long each) {
            this.total = total;
            this.each = each;
        }

        void clear() {
            if (spent > 0) {
                byPrincipal.clear();
                spent = 0;
            }
        }

        boolean open(String principal) {
            return spent < total && of(principal) < each;
        }

        void charge(String principal, long looks) {
            if (looks > 0) {
                byPrincipal.merge(principal, looks, Long::sum);
                spent += looks;
            }
        }

        long of(String principal) {
            return byPrincipal.getOrDefault(principal, 0L);
        }
    }
}
