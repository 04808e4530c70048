package io.weir.rm.runtime.command;

import io.weir.schemas.RmCommand;
import java.time.Instant;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which commands were taken in, by number: the latest with their ids, those before by the instant at which they were issued. One
 * thread.
 */
final class CommandMemory {
    /** So many are known by their ids. */
    static final int MOST_REMEMBERED = 10_000;

    private final TreeMap<Long, Taken> taken = new TreeMap<>();

    /** Of every number from here on it is known whether it was taken in. */
    private long knownFrom;

    private long last;
    private Instant latestIssue;

    private record Taken(String id, Instant issuedAt) {
        static Taken of(RmCommand command) {
            return new Taken(command.getCommandId(), command.getIssuedAt());
        }
    }

    /** What a command is among those taken in before. */
    enum Place {
        /** It follows the last one. */
        NEXT,
        /** It follows the last one, but others between them did not come. */
        BEHIND_A_GAP,
        /** It was taken in before. */
        REPEATED,
        /** An earlier process has taken it in, or passed it over. */
        OLD,
        /** It was not taken in, but one with a greater number was. */
        LATE
    }

    /**
     * Takes over what an earlier process left.
     *
     * @param now every command of an earlier process was issued before
     */
    CommandMemory(Backlog backlog, Instant now) {
        last = backlog.lastSeen();
        knownFrom = last + 1;
        latestIssue = now;
        backlog.unanswered().forEach(this::remember);
    }

    /** Returns the greatest number of a command taken in; 0 before the first. */
    long last() {
        return last;
    }

    /** Says what {@code command} is, and takes it in if that is to be done. */
    Place take(RmCommand command) {
        long number = command.getNumber();
        if (number <= last) {
            return placeOfOlder(command);
        }
        Place place = number == last + 1 ? Place.NEXT : Place.BEHIND_A_GAP;
        last = number;
        remember(command);
        return place;
    }

    private Place placeOfOlder(RmCommand command) {
        @Nullable Taken known = taken.get(command.getNumber());
        if (known != null) {
            return known.equals(Taken.of(command)) ? Place.REPEATED : Place.LATE;
        }
        boolean skipped = command.getNumber() >= knownFrom;
        return skipped || command.getIssuedAt().isAfter(latestIssue) ? Place.LATE : Place.OLD;
    }

    private void remember(RmCommand command) {
        taken.put(command.getNumber(), Taken.of(command));
        if (command.getIssuedAt().isAfter(latestIssue)) {
            latestIssue = command.getIssuedAt();
        }
        if (taken.size() > MOST_REMEMBERED) {
            knownFrom = Math.max(knownFrom, taken.pollFirstEntry().getKey() + 1);
        }
    }
}
