package io.weir.scheduler.core.state;

import io.weir.scheduler.state.AnsweredRequest;
import io.weir.scheduler.state.Argument;
import io.weir.schemas.RequestOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How requests for changes were answered, so that one that comes again, by another API or after a restart, is answered
 * and not carried out again. Answers are forgotten after a day, and the oldest when there are too many. Refusals are counted
 * apart, so that a flood of requests that are refused displaces no answer to one that was carried out.
 */
public final class AnswerTable {
    /** Most answers kept, and most refusals. */
    public static final int MOST = 10_000;

    /** Most characters of all answers, and of all refusals. */
    public static final int MOST_CHARACTERS = 8 << 20;

    /** How long an answer is kept, in seconds. */
    public static final long KEPT_SECONDS = 86_400;

    private final SortedMap<String, AnsweredRequest> byId = new TreeMap<>();
    private final Sort carriedOut = new Sort();
    private final Sort refused = new Sort();

    /** Ids that changed since {@link #drain}. */
    private final SortedSet<String> changed = new TreeSet<>();

    /** The answers of one sort. */
    private static final class Sort {
        /** Ids in the order of the answers. */
        private final SortedMap<Long, String> inOrder = new TreeMap<>();

        private int characters;
    }

    /** Returns the answer to a request; null when it is not known. */
    @Nullable
    public AnsweredRequest get(String requestId) {
        return byId.get(requestId);
    }

    /** Takes over a stored answer. */
    public void restore(AnsweredRequest stored) {
        byId.put(stored.getRequestId(), stored);
        Sort sort = sort(stored);
        sort.inOrder.put(stored.getNumber(), stored.getRequestId());
        sort.characters += size(stored);
    }

    /** Keeps an answer to a request of which none is known; its number is higher than those of all before. */
    public void put(AnsweredRequest answer) {
        restore(answer);
        changed.add(answer.getRequestId());
    }

    /** Forgets what is over at {@code now}, in epoch seconds. */
    public void forget(long now) {
        forget(carriedOut, now);
        forget(refused, now);
    }

    private void forget(Sort sort, long now) {
        while (!sort.inOrder.isEmpty()) {
            long first = sort.inOrder.firstKey();
            String id = String.valueOf(sort.inOrder.get(first));
            AnsweredRequest oldest = byId.get(id);
            boolean room = sort.inOrder.size() <= MOST && sort.characters <= MOST_CHARACTERS;
            if (oldest != null && room && now - oldest.getTime() < KEPT_SECONDS) {
                return;
            }
            sort.inOrder.remove(first);
            sort.characters -= oldest == null ? 0 : size(oldest);
            byId.remove(id);
            changed.add(id);
        }
    }

    private Sort sort(AnsweredRequest answer) {
        return answer.getOutcome().equals(RequestOutcome.REFUSED.name()) ? refused : carriedOut;
    }

    private static int size(AnsweredRequest answer) {
        int size = answer.getRequestId().length()
                + String.valueOf(answer.getMessage()).length();
        for (Argument line : answer.getDetails()) {
            size += line.getName().length() + line.getValue().length();
        }
        return size;
    }

    /** Returns the ids of all answers kept, sorted. */
    public List<String> ids() {
        return List.copyOf(byId.keySet());
    }

    /** Returns the ids of answers that changed since the last call, sorted. */
    public List<String> drain() {
        if (changed.isEmpty()) {
            return List.of();
        }
        List<String> ids = new ArrayList<>(changed);
        changed.clear();
        return ids;
    }
}
