package io.weir.command.reservation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.Views;
import io.weir.command.format.FieldText;
import io.weir.command.format.TextTable;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@code mrsvctl -q} says of reservations: all that is known, what is in their way, what looks wrong. */
final class ReservationQuery {
    private static final List<String> AWAY = List.of("DOWN", "DRAINED", "REMOVED");

    private final Views views;
    private final boolean blocking;
    private final boolean diagnose;

    ReservationQuery(Views views, boolean blocking, boolean diagnose) {
        this.views = views;
        this.blocking = blocking;
        this.diagnose = diagnose;
    }

    /** Returns the reservations with what was asked for added as {@code blocking} and {@code warnings}. */
    ArrayNode read(List<JsonNode> chosen) {
        JsonNode everything = blocking ? views.all("reservations") : JsonNodeFactory.instance.arrayNode();
        Map<String, String> states = diagnose ? nodeStates() : Map.of();
        ArrayNode read = JsonNodeFactory.instance.arrayNode();
        for (JsonNode reservation : chosen) {
            ObjectNode detailed = reservation.deepCopy();
            if (blocking) {
                detailed.set("blocking", blockers(reservation, everything));
            }
            if (diagnose) {
                ArrayNode warnings = detailed.putArray("warnings");
                warnings(reservation, states).forEach(warnings::add);
            }
            read.add(detailed);
        }
        return read;
    }

    void print(ArrayNode read, PrintWriter out) {
        for (JsonNode reservation : read) {
            ReservationText.print(List.of(reservation), out);
            if (blocking) {
                out.printf("Blocking:%s%n", reservation.path("blocking").isEmpty() ? " nothing" : "");
                TextTable table = new TextTable("  RsvID", "Type", ">For", "Nodes");
                for (JsonNode blocker : reservation.path("blocking")) {
                    table.row(
                            "  " + FieldText.text(blocker, "reservationId"),
                            FieldText.text(blocker, "category"),
                            FieldText.span(blocker, "seconds"),
                            FieldText.list(blocker, "nodes"));
                }
                if (!reservation.path("blocking").isEmpty()) {
                    table.print(out);
                }
            }
            if (diagnose) {
                reservation.path("warnings").forEach(warning -> out.println("WARNING:  " + warning.asText()));
                if (reservation.path("warnings").isEmpty()) {
                    out.println("nothing looks wrong with it");
                }
            }
        }
    }

    private Map<String, String> nodeStates() {
        Map<String, String> states = new LinkedHashMap<>();
        for (JsonNode node : views.all("nodes")) {
            states.put(node.path("nodeId").asText(), node.path("state").asText());
        }
        return states;
    }

    /** Who else has something of the same nodes in the same time, and for how long, the longest first. */
    private static ArrayNode blockers(JsonNode reservation, JsonNode everything) {
        Instant start = FieldText.instant(reservation, "start").orElse(Instant.EPOCH);
        Instant end = FieldText.instant(reservation, "end").orElse(Instant.MAX);
        List<String> nodes = ReservationText.nodes(reservation);
        List<ObjectNode> found = new ArrayList<>();
        for (JsonNode other : everything) {
            Instant from = FieldText.instant(other, "start").orElse(Instant.EPOCH);
            Instant until = FieldText.instant(other, "end").orElse(Instant.MAX);
            List<String> shared = new ArrayList<>(ReservationText.nodes(other));
            shared.retainAll(nodes);
            boolean self = other.path("reservationId").equals(reservation.path("reservationId"));
            if (!self && !shared.isEmpty() && from.isBefore(end) && until.isAfter(start)) {
                Instant first = from.isAfter(start) ? from : start;
                Instant last = until.isBefore(end) ? until : end;
                ObjectNode blocker = JsonNodeFactory.instance
                        .objectNode()
                        .put("reservationId", FieldText.text(other, "reservationId"))
                        .put("category", FieldText.text(other, "category"))
                        .put("seconds", Duration.between(first, last).toSeconds());
                ArrayNode on = blocker.putArray("nodes");
                shared.forEach(on::add);
                found.add(blocker);
            }
        }
        found.sort(Comparator.comparingLong(
                        (ObjectNode blocker) -> -blocker.path("seconds").asLong())
                .thenComparing(blocker -> blocker.path("reservationId").asText()));
        return JsonNodeFactory.instance.arrayNode().addAll(found);
    }

    private static List<String> warnings(JsonNode reservation, Map<String, String> states) {
        List<String> warnings = new ArrayList<>();
        List<String> nodes = ReservationText.nodes(reservation);
        if (nodes.isEmpty()) {
            warnings.add("it has no nodes");
        }
        for (String node : nodes) {
            String state = states.getOrDefault(node, "unknown");
            if (AWAY.contains(state) || state.equals("unknown")) {
                warnings.add("node " + node + " is " + state.toLowerCase(Locale.ROOT));
            }
        }
        long wanted = reservation.path("taskCount").asLong()
                * Math.max(1, reservation.path("task").path("procsPerTask").asLong());
        long procs = reservation.path("procs").asLong();
        if (reservation.path("task").path("procsPerTask").asLong() > 0 && procs < wanted) {
            warnings.add("it has " + procs + " of " + wanted + " processors");
        }
        if (reservation.path("acl").isEmpty() && !FieldText.has(reservation, "jobId")) {
            warnings.add("nobody may use it: its access list is empty");
        }
        return warnings;
    }
}
