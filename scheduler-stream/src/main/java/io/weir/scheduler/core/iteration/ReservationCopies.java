package io.weir.scheduler.core.iteration;

import io.weir.scheduler.core.failure.TransientFailures;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.recovery.KeptNodes;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.scheduler.core.reservation.acl.AclEntry;
import io.weir.scheduler.core.reservation.acl.AclRule;
import io.weir.scheduler.core.reservation.acl.AclType;
import io.weir.scheduler.core.reservation.acl.Comparison;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.ReservationCopy;
import io.weir.schemas.CommandKind;
import io.weir.schemas.NameValue;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.bound.Bound;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Has every resource manager show the reservations on its nodes that are no job's, so that its own users see them. Orders
 * what differs from the last order, once an iteration; MODE MONITOR orders nothing, and what is missing then is ordered
 * when it ends.
 */
final class ReservationCopies {
    /** Characters of what is remembered word for word of an order. */
    private static final int LONGEST_TERMS = 160;

    /** Copies that are kept up; reservations beyond them are not shown by resource managers. */
    private static final int MOST_COPIES = 10_000;

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;

    ReservationCopies(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
    }

    void settle() {
        SortedMap<String, ReservationCopy> copies = state.domain.copies;
        if (state.administrativeReservations.isEmpty() && copies.isEmpty()) {
            return;
        }
        SortedMap<String, AdministrativeReservation> wanted = new TreeMap<>();
        for (AdministrativeReservation reservation : state.administrativeReservations.all()) {
            state.work.on(QuarantineKind.RESERVATION, reservation.id());
            if (reservation.end() > now && !KeptNodes.owns(reservation) && !TransientFailures.owns(reservation)) {
                byConnector(reservation).forEach((connector, nodes) -> {
                    wanted.put(ReservationCopy.key(connector, reservation.id()), reservation);
                    order(connector, reservation, arguments(reservation, nodes));
                });
            }
        }
        for (ReservationCopy copy : List.copyOf(copies.values())) {
            if (!wanted.containsKey(copy.key()) && !copy.gone()) {
                send(CommandKind.RELEASE_RESERVATION, copy.connector(), copy.reservation(), "", List.of());
            }
        }
    }

    private SortedMap<String, List<String>> byConnector(AdministrativeReservation reservation) {
        SortedMap<String, List<String>> nodes = new TreeMap<>();
        for (String id : reservation.nodeIds()) {
            Node node = state.nodes.get(id);
            if (node != null && node.connector() != null) {
                nodes.computeIfAbsent(node.connector(), connector -> new ArrayList<>())
                        .add(id);
            }
        }
        return nodes;
    }

    private void order(String connector, AdministrativeReservation reservation, List<NameValue> arguments) {
        StringBuilder text = new StringBuilder();
        arguments.forEach(argument -> text.append(argument.getName())
                .append('=')
                .append(argument.getValue())
                .append(' '));
        String terms = brief(text.toString());
        ReservationCopy last = state.domain.copies.get(ReservationCopy.key(connector, reservation.id()));
        if (last == null
                ? state.domain.copies.size() < MOST_COPIES
                : !last.terms().equals(terms)) {
            send(CommandKind.CREATE_RESERVATION, connector, reservation.id(), terms, arguments);
        }
    }

    /** Returns {@code terms} as they are remembered: long ones by their beginning, length and FNV-1a hash. */
    private static String brief(String terms) {
        if (terms.length() <= LONGEST_TERMS) {
            return terms;
        }
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < terms.length(); i++) {
            hash = (hash ^ terms.charAt(i)) * 0x100000001b3L;
        }
        return new Bound.Prose(64, false).cut(terms) + " " + terms.length() + " " + Long.toHexString(hash);
    }

    private void send(CommandKind kind, String connector, String reservation, String terms, List<NameValue> arguments) {
        long number = outputs.reservation(connector, kind, reservation, arguments, "reservation " + reservation);
        if (number > 0) {
            ReservationCopy copy = new ReservationCopy(connector, reservation, terms, number);
            state.domain.copies.put(copy.key(), copy);
        }
    }

    private static List<NameValue> arguments(AdministrativeReservation reservation, List<String> nodes) {
        List<NameValue> arguments = new ArrayList<>();
        arguments.add(new NameValue("start", Long.toString(reservation.start())));
        if (reservation.end() < TimeArgument.FOREVER) {
            arguments.add(new NameValue("end", Long.toString(reservation.end())));
        }
        arguments.add(new NameValue("nodes", String.join(",", nodes)));
        Map.of("users", AclType.USER, "accounts", AclType.ACCT).entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(kind -> {
                    String names = names(reservation, kind.getValue());
                    if (!names.isEmpty()) {
                        arguments.add(new NameValue(kind.getKey(), names));
                    }
                });
        return arguments;
    }

    private static String names(AdministrativeReservation reservation, AclType type) {
        List<String> names = new ArrayList<>();
        for (AclEntry entry : reservation.terms().acl().entries()) {
            boolean lets = entry.rule() == AclRule.ALLOW || entry.rule() == AclRule.LOCK;
            if (entry.type() == type && lets && entry.comparison() == Comparison.EQUAL) {
                names.add(entry.value());
            }
        }
        return String.join(",", names);
    }
}
