package io.weir.rm.runtime.command;

import io.weir.schemas.CommandKind;
import io.weir.schemas.RmCommand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The commands that are not answered, by number. Of those about one subject only the first may be carried out. One thread.
 */
final class UnfinishedCommands {
    private final TreeMap<Long, PendingCommand> commands = new TreeMap<>();

    /** By subject, the numbers of its commands; of none without any. */
    private final Map<String, TreeSet<Long>> subjects = new HashMap<>();

    private final TreeSet<Long> starts = new TreeSet<>();

    /** Those that are about no job, such as a reservation that a start may need. */
    private final TreeSet<Long> aboutNoJob = new TreeSet<>();

    void add(PendingCommand command) {
        long number = command.number();
        commands.put(number, command);
        subjects.computeIfAbsent(command.subject(), subject -> new TreeSet<>()).add(number);
        if (command.command().getJobId() == null) {
            aboutNoJob.add(number);
        } else if (command.command().getKind() == CommandKind.START_JOB) {
            starts.add(number);
        }
    }

    void remove(PendingCommand command) {
        long number = command.number();
        commands.remove(number);
        subjects.computeIfPresent(command.subject(), (subject, numbers) -> {
            numbers.remove(number);
            return numbers.isEmpty() ? null : numbers;
        });
        starts.remove(number);
        aboutNoJob.remove(number);
    }

    boolean isEmpty() {
        return commands.isEmpty();
    }

    /** Returns the first command; there has to be one. */
    PendingCommand first() {
        return commands.firstEntry().getValue();
    }

    /** Returns all, in the order of their numbers. */
    Collection<PendingCommand> all() {
        return Collections.unmodifiableCollection(commands.values());
    }

    /** Returns how many subjects there are commands about. */
    int subjects() {
        return subjects.size();
    }

    /** Says whether no earlier command about the same subject is unfinished. */
    boolean isFirstOfSubject(PendingCommand command) {
        @Nullable TreeSet<Long> numbers = subjects.get(command.subject());
        return numbers != null && numbers.first() == command.number();
    }

    /** Returns which of the next so many starts behind that command can be begun for the first time. */
    List<RmCommand> startsBehind(PendingCommand command, int most) {
        List<RmCommand> behind = new ArrayList<>(most);
        @Nullable Long number = starts.higher(command.number());
        for (int i = 0; i < most && number != null; i++) {
            @Nullable PendingCommand start = commands.get(number);
            if (start != null && start.ongoing() == null && !start.isDoubtful() && isFirstOfSubject(start)) {
                behind.add(start.command());
            }
            number = starts.higher(number);
        }
        return behind;
    }

    /** Returns all in the order of their numbers; also those that come in meanwhile. */
    Turns inOrder() {
        return new Turns(false);
    }

    /**
     * Returns all in the order of their numbers, with a start ahead of each: nodes are idle while starts wait behind thousands of
     * cancellations. A start passes commands about other jobs only. One that comes twice is one to look at twice.
     */
    Turns withStartsAhead() {
        return new Turns(true);
    }

    /** One walk through the commands, which may change meanwhile. */
    final class Turns {
        private final boolean startsAhead;
        private boolean startIsNext;
        private long lastStart = Long.MIN_VALUE;
        private long last = Long.MIN_VALUE;

        private Turns(boolean startsAhead) {
            this.startsAhead = startsAhead;
            startIsNext = startsAhead;
        }

        /** Returns the next command; null behind the last. */
        @Nullable
        PendingCommand next() {
            @Nullable PendingCommand start = startIsNext ? nextStart() : null;
            startIsNext = startsAhead && start == null;
            return start == null ? nextInOrder() : start;
        }

        private @Nullable PendingCommand nextStart() {
            @Nullable Long number = starts.higher(Math.max(lastStart, last));
            if (number == null || (!aboutNoJob.isEmpty() && aboutNoJob.first() < number)) {
                return null;
            }
            lastStart = number;
            return commands.get(number);
        }

        private @Nullable PendingCommand nextInOrder() {
            Map.@Nullable Entry<Long, PendingCommand> next = commands.higherEntry(last);
            if (next == null) {
                return null;
            }
            last = next.getKey();
            return next.getValue();
        }
    }
}
