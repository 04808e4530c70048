package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.client.Views;
import io.weir.command.format.FieldText;
import io.weir.command.reservation.ReservationText;
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
        @Nullable String id, String type, @Nullable String partition) implements DiagnosisReport {
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
                    || FieldText.text(reservation, "partition").equals(partition)
                    || !FieldText.has(reservation, "partition");
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
                        FieldText.text(reservation, "reservationId"),
                        FieldText.has(reservation, "hostExpression")
                                ? "; HostExp: " + FieldText.text(reservation, "hostExpression")
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
