package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reservations with their access and use.
 *
 * @param id only this one; null for all
 * @param type only those of this type, such as STANDING; empty for any
 * @param partition only those of this partition, or of none; null for any
 */
record ReservationDiagnosis(
        @Nullable String id, String type, @Nullable String partition) implements Diagnosis {
    @Override
    public String what() {
        return "reservation";
    }

    @Override
    public JsonNode read(Views views) {
        return views.some("reservations", reservation -> {
            String kind = reservation.path("type").asText();
            String category = reservation.path("category").asText().toUpperCase(Locale.ROOT);
            boolean typed = type.isEmpty() || kind.startsWith(type) || category.equals(type);
            boolean placed = partition == null
                    || Shown.text(reservation, "partition").equals(partition)
                    || !Shown.has(reservation, "partition");
            return typed
                    && placed
                    && (id == null
                            || id.equals(reservation.path("reservationId").asText()));
        });
    }

    @Override
    public void print(JsonNode reservations, PrintWriter out) {
        out.printf("Diagnosing Reservations%n");
        ReservationText.print(reservations, out);
        for (JsonNode reservation : reservations) {
            if (ReservationText.isWithoutNodes(reservation)) {
                out.printf(
                        "WARNING:  reservation '%s' has no nodes%s%n",
                        Shown.text(reservation, "reservationId"),
                        Shown.has(reservation, "hostExpression")
                                ? "; HostExp: " + Shown.text(reservation, "hostExpression")
                                : "");
            }
        }
        int active = 0;
        for (JsonNode reservation : reservations) {
            active += reservation.path("active").asBoolean() ? 1 : 0;
        }
        out.printf("%nTotal Reservations: %d  Active: %d%n", reservations.size(), active);
    }
}
