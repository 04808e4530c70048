package io.weir.scheduler.core.reservation.acl;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may use a reservation: entries in the order given, none twice. Access takes one entry that allows, every entry that
 * is required, and none that denies; an empty list lets nobody in. Immutable.
 */
public record AccessControlList(List<AclEntry> entries) {
    /** Lets nobody in. */
    public static final AccessControlList EMPTY = new AccessControlList(List.of());

    /** A list and what was wrong with the text it was read from; what is wrong is left out of the list. */
    public record Reading(AccessControlList list, List<String> problems) {
        public Reading {
            problems = List.copyOf(problems);
        }
    }

    public AccessControlList {
        entries = List.copyOf(new LinkedHashSet<>(entries));
    }

    /** Reads {@code text} as given when a reservation is made. */
    public static Reading read(String text) {
        return EMPTY.modified(text);
    }

    /** Restores a list from its canonical entries. */
    public static AccessControlList of(List<String> canonical) {
        List<AclEntry> entries = new ArrayList<>(canonical.size());
        for (String text : canonical) {
            AclParser parser = new AclParser(text);
            entries.addAll(
                    parser.parse().stream().flatMap(c -> c.entries().stream()).toList());
        }
        return new AccessControlList(entries);
    }

    /**
     * Returns this list changed as {@code text} says, item after item: {@code ==} replaces what the list held of that type
     * before, {@code +=} adds, {@code -=} takes out whatever its modifiers.
     */
    public Reading modified(String text) {
        AclParser parser = new AclParser(text);
        List<AclEntry> result = new ArrayList<>(entries);
        Set<AclType> replaced = new LinkedHashSet<>();
        for (AclParser.Change change : parser.parse()) {
            switch (change.kind()) {
                case REPLACE -> {
                    if (replaced.add(change.type())) {
                        result.removeIf(e -> e.type() == change.type() && entries.contains(e));
                    }
                    put(result, change.entries());
                }
                case ADD -> put(result, change.entries());
                case REMOVE -> {
                    for (AclEntry gone : change.entries()) {
                        result.removeIf(
                                e -> e.type() == gone.type() && e.value().equals(gone.value()));
                    }
                }
            }
        }
        return new Reading(new AccessControlList(result), parser.problems());
    }

    /** Returns what the list says about {@code subject} when every entry counts. */
    public AccessDecision decide(AclSubject subject) {
        return decide(subject, true);
    }

    /**
     * Returns what the list says about {@code subject}.
     *
     * @param lastPass false leaves out entries that count in the last pass only
     */
    public AccessDecision decide(AclSubject subject, boolean lastPass) {
        boolean optional = false;
        boolean allowed = false;
        boolean locked = false;
        Affinity affinity = Affinity.NEUTRAL;
        for (AclEntry entry : entries) {
            optional |= entry.rule() != AclRule.DENY && entry.rule() != AclRule.REQUIRE;
            if (entry.hardOnly() && !lastPass) {
                continue;
            }
            boolean matches = entry.rule() == AclRule.OTHERS ? isOther(entry.type(), subject) : entry.names(subject);
            boolean fatal = switch (entry.rule()) {
                case DENY -> matches;
                case REQUIRE -> !matches;
                case ALLOW, OTHERS, LOCK -> false;
            };
            if (fatal) {
                return AccessDecision.DENIED;
            }
            if (matches) {
                affinity = affinity.and(entry.affinity());
                locked |= entry.rule() == AclRule.LOCK;
                allowed |= entry.rule() != AclRule.REQUIRE;
            }
        }
        return entries.isEmpty() || (optional && !allowed)
                ? AccessDecision.DENIED
                : new AccessDecision(true, affinity, locked);
    }

    /** Returns the first name of a credential, or else of anything, in the list; null when there is none. */
    public @Nullable String firstName() {
        for (AclEntry entry : entries) {
            if (!entry.type().numeric()) {
                return entry.value();
            }
        }
        return null;
    }

    /** Returns whether there is no entry. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Returns the canonical text of each entry. */
    public List<String> canonical() {
        return entries.stream().map(AclEntry::toString).toList();
    }

    /** Returns the canonical text, entries separated by commas. */
    @Override
    public String toString() {
        return String.join(",", canonical());
    }

    private boolean isOther(AclType type, AclSubject subject) {
        boolean listed = entries.stream()
                .anyMatch(entry -> entry.type() == type && entry.rule() == AclRule.OTHERS && entry.names(subject));
        return !listed && subject.hasAny(type);
    }

    /** Adds entries; one about the same value, compared in the same way, is replaced. */
    private static void put(List<AclEntry> list, List<AclEntry> added) {
        for (AclEntry entry : added) {
            list.removeIf(e -> e.type() == entry.type()
                    && e.comparison() == entry.comparison()
                    && e.value().equals(entry.value()));
            list.add(entry);
        }
    }
}
