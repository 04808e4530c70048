package io.weir.rm.slurm.client;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The nodes of magnetic reservations that have begun. Slurm gives a job of several nodes either nodes of one of these or nodes of
 * none, so each is a node set. Immutable.
 *
 * @param byNode names of the reservations by node; empty while there is none
 */
public record MagneticNodes(Map<String, String> byNode) {
    /** There is no such reservation. */
    public static final MagneticNodes NONE = new MagneticNodes(Map.of());

    private static final Pattern UNUSUAL = Pattern.compile("[^A-Za-z0-9_.-]");
    private static final String OTHERS = named("none");

    public MagneticNodes {
        byNode = Map.copyOf(byNode);
    }

    /** Returns those of {@code reservations} at {@code now}. */
    public static MagneticNodes of(Collection<SlurmReservation> reservations, Instant now) {
        Map<String, String> found = new TreeMap<>();
        for (SlurmReservation reservation : reservations) {
            if (reservation.magnetic() && reservation.hasBegun(now) && reservation.overlaps(now, now.plusSeconds(1))) {
                reservation.nodes().forEach(node -> found.putIfAbsent(node, reservation.name()));
            }
        }
        return new MagneticNodes(found);
    }

    /** Returns what stands among the features of a node for the reservation that it is in, or for none; empty while there are none. */
    public Optional<String> feature(String node) {
        return byNode.isEmpty()
                ? Optional.empty()
                : Optional.of(byNode.containsKey(node) ? named(byNode.get(node)) : OTHERS);
    }

    /** Returns the sets of nodes, by their features, of one of which a job has its nodes that may use these reservations. */
    public static List<String> sets(Collection<SlurmReservation> usable, boolean andOthers) {
        return Stream.concat(
                        usable.stream().map(reservation -> named(reservation.name())),
                        andOthers ? Stream.of(OTHERS) : Stream.empty())
                .toList();
    }

    /** Its name may be anything, and stands in a list of features. */
    private static String named(String reservation) {
        return "reservation/" + UNUSUAL.matcher(reservation).replaceAll("_");
    }
}
