package io.weir.scheduler.core.reservation.acl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Access control lists by the credentials and jobs they name. A list that does not name a subject answers it as it answers a
 * stranger of its kind, so that of many lists few have to be asked about each subject. Immutable.
 */
public final class AclIndex {
    /** The types of which entries name one subject among many. */
    private static final List<AclType> NAMES =
            List.of(AclType.USER, AclType.GROUP, AclType.ACCT, AclType.CLASS, AclType.QOS, AclType.JOB);

    /** A name that no list has. */
    private static final String STRANGER = "\0";

    /** Places of the lists that have an entry about a name, ascending. */
    private final Map<AclType, Map<String, List<Integer>>> naming = new EnumMap<>(AclType.class);

    /** The amounts that entries compare with, ascending. */
    private final Map<AclType, long[]> amounts = new EnumMap<>(AclType.class);

    /**
     * Strangers whom every list answers alike.
     *
     * @param stranger what is known of them but for the amounts
     * @param duration where their wallclock limits lie among the amounts that lists compare these with
     * @param procs the same of their processors
     * @param procSeconds the same of their processor seconds
     */
    public record Kind(AclSubject stranger, int duration, int procs, int procSeconds) {}

    /**
     * The names of a subject that some list has, by {@link #NAMES}; null for others. Strangers of one kind with the same names
     * are answered alike by every list.
     */
    public record Named(List<@Nullable String> names) {}

    /** Reads {@code lists}; the first has place 0. */
    public AclIndex(List<AccessControlList> lists) {
        Map<AclType, SortedSet<Long>> compared = new EnumMap<>(AclType.class);
        for (int place = 0; place < lists.size(); place++) {
            for (AclEntry entry : lists.get(place).entries()) {
                AclType type = entry.type();
                if (type.numeric()) {
                    compared.computeIfAbsent(type, first -> new TreeSet<>()).add(entry.amount());
                } else if (NAMES.contains(type)) {
                    List<Integer> places = naming.computeIfAbsent(type, first -> new LinkedHashMap<>())
                            .computeIfAbsent(entry.value(), first -> new ArrayList<>());
                    if (places.isEmpty() || places.get(places.size() - 1) != place) {
                        places.add(place);
                    }
                }
            }
        }
        compared.forEach((type, all) ->
                amounts.put(type, all.stream().mapToLong(Long::longValue).toArray()));
    }

    /** Returns the places of the lists that name {@code subject}, ascending. */
    public List<Integer> naming(AclSubject subject) {
        List<Integer> found = List.of();
        for (AclType type : NAMES) {
            String name = subject.credential(type);
            Map<String, List<Integer>> byName = naming.get(type);
            List<Integer> more = name == null || byName == null ? null : byName.get(name);
            if (more != null) {
                found = found.isEmpty() ? more : merged(found, more);
            }
        }
        return found;
    }

    /** Returns the names of {@code subject} that some list has. */
    public Named named(AclSubject subject) {
        @Nullable String[] names = new String[NAMES.size()];
        for (int i = 0; i < names.length; i++) {
            String name = subject.credential(NAMES.get(i));
            Map<String, List<Integer>> byName = naming.get(NAMES.get(i));
            names[i] = name != null && byName != null && byName.containsKey(name) ? name : null;
        }
        return new Named(Arrays.asList(names));
    }

    private static List<Integer> merged(List<Integer> one, List<Integer> other) {
        SortedSet<Integer> both = new TreeSet<>(one);
        both.addAll(other);
        return List.copyOf(both);
    }

    /** Returns somebody like {@code subject} whom no list names. */
    public static AclSubject stranger(AclSubject subject) {
        return stranger(subject, subject.durationSeconds(), subject.procs());
    }

    /** Returns the kind of stranger that {@code subject} is to lists that do not name it. */
    public Kind kind(AclSubject subject) {
        return new Kind(
                stranger(subject, 0, 0),
                place(subject, AclType.DURATION),
                place(subject, AclType.PROC),
                place(subject, AclType.PS));
    }

    private static AclSubject stranger(AclSubject subject, long durationSeconds, long procs) {
        return new AclSubject(
                unknown(subject.user()),
                unknown(subject.group()),
                unknown(subject.account()),
                unknown(subject.jobClass()),
                unknown(subject.qos()),
                unknown(subject.jobId()),
                subject.reservations(),
                subject.attributes(),
                durationSeconds,
                procs);
    }

    private static @Nullable String unknown(@Nullable String name) {
        return name == null ? null : STRANGER;
    }

    /** Returns where an amount lies: odd at one that lists compare with, even between two of them. */
    private int place(AclSubject subject, AclType type) {
        long[] those = amounts.get(type);
        if (those == null) {
            return 0;
        }
        int found = Arrays.binarySearch(those, subject.amount(type));
        return found >= 0 ? 2 * found + 1 : -2 * (found + 1);
    }
}
