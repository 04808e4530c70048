package io.weir.command.slurm;

import io.weir.rm.slurm.client.GraceTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which QOS of a cluster may preempt which (PreemptType=preempt/qos). Slurm takes a job whose QOS lists that of another ahead of it,
 * whatever their priorities are, and preempts running ones alike.
 */
final class QosPreemption {
    /** No QOS preempts any. */
    static final QosPreemption NONE = new QosPreemption(List.of());

    /** What a QOS says that leaves it to the cluster. */
    private static final String AS_THE_CLUSTER = "cluster";

    private static final String NO_TIME = "00:00:00";

    private final SortedMap<String, Rule> rules = new TreeMap<>();
    private final SortedMap<String, Integer> ranks = new TreeMap<>();

    private record Rule(List<String> victims, String mode, String grace, String exempt) {
        static final Rule NONE = new Rule(List.of(), AS_THE_CLUSTER, "", "");
    }

    /**
     * Reads what sacctmgr shows.
     *
     * @param rows name, list, mode, grace time and exempt time of each QOS
     */
    QosPreemption(List<String[]> rows) {
        for (String[] row : rows) {
            if (row.length == 5 && !row[0].isEmpty()) {
                List<String> victims = row[1].isEmpty() ? List.of() : List.of(row[1].split(","));
                rules.put(row[0], new Rule(victims, row[2], row[3], row[4]));
            }
        }
        names().forEach(name -> rank(name, new TreeSet<>()));
    }

    /** Returns the QOS that preempt or are preempted. */
    NavigableSet<String> names() {
        NavigableSet<String> names = victims();
        rules.forEach((name, rule) -> {
            if (!rule.victims().isEmpty()) {
                names.add(name);
            }
        });
        return names;
    }

    /** Returns those that are preempted. */
    NavigableSet<String> victims() {
        NavigableSet<String> names = new TreeSet<>();
        rules.values().stream().map(Rule::victims).forEach(names::addAll);
        return names;
    }

    /** Returns those that {@code name} preempts. */
    List<String> victims(String name) {
        return rule(name).victims();
    }

    /** Returns how jobs of {@code name} are preempted, in a cluster of that mode. */
    String mode(String name, String cluster) {
        String own = rule(name).mode();
        return own.isEmpty() || own.equals(AS_THE_CLUSTER) ? cluster : own;
    }

    /** Returns those of {@code names} that give their jobs more than so many seconds to end. */
    List<String> withGrace(Collection<String> names, long seconds) {
        return names.stream()
                .filter(name -> GraceTime.ofQos(rule(name).grace())
                        .filter(time -> time.toSeconds() > seconds)
                        .isPresent())
                .sorted()
                .toList();
    }

    /** Returns those of {@code names} with an exempt time of their own. */
    List<String> withExemptTime(Collection<String> names) {
        return names.stream()
                .filter(name -> isTime(rule(name).exempt()))
                .sorted()
                .toList();
    }

    /** Returns by QOS how far up it is: above each that it preempts, if those do not preempt it in turn. */
    Map<String, Integer> ranks() {
        return ranks;
    }

    private Rule rule(String name) {
        return rules.getOrDefault(name, Rule.NONE);
    }

    private static boolean isTime(String text) {
        return !text.isEmpty() && !text.equals(NO_TIME) && !text.startsWith("-");
    }

    private int rank(String name, NavigableSet<String> above) {
        @Nullable Integer known = ranks.get(name);
        if (known != null) {
            return known;
        }
        above.add(name);
        int rank = 0;
        for (String victim : victims(name)) {
            if (!above.contains(victim)) {
                rank = Math.max(rank, rank(victim, above) + 1);
            }
        }
        above.remove(name);
        ranks.put(name, rank);
        return rank;
    }
}
