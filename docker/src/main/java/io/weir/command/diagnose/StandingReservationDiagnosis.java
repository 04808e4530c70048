package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.Views;
import io.weir.command.format.FieldText;
import io.weir.command.reservation.ReservationText;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * Standing reservations: how they are configured, what there is of them, and the slots that were released.
 *
 * @param name only this one; null for all
 */
record StandingReservationDiagnosis(@Nullable String name) implements DiagnosisReport {
    @Override
    public String what() {
        return "standing reservation";
    }

    @Override
    public JsonNode read(Views views) {
        ObjectNode read = JsonNodeFactory.instance.objectNode();
        ArrayNode configuration = read.putArray("configuration");
        views.configured("SRCFG").stream()
                .filter(line ->
                        name == null || line.regionMatches(true, 0, "SRCFG[" + name + "]", 0, name.length() + 7))
                .forEach(configuration::add);
        ArrayNode disabled = read.putArray("disabledSlots");
        for (JsonNode slot : views.all("scheduler").path("disabledSlots")) {
            if (name == null || slot.asText().startsWith(name + " ")) {
                disabled.add(slot);
            }
        }
        read.set(
                "reservations",
                views.some(
                        "reservations",
                        reservation -> FieldText.has(reservation, "standing")
                                && (name == null || name.equals(FieldText.text(reservation, "standing")))));
        read.set("warnings", NamedNodes.warnings(views, "SRCFG", name));
        boolean unknown = name != null
                && configuration.isEmpty()
                && read.path("reservations").isEmpty();
        return unknown ? JsonNodeFactory.instance.arrayNode() : read;
    }

    @Override
    public void print(JsonNode read, PrintWriter out) {
        out.printf("Diagnosing Standing Reservations%n");
        read.path("configuration").forEach(line -> out.println("  " + line.asText()));
        ReservationText.print(read.path("reservations"), out);
        read.path("disabledSlots").forEach(slot -> out.println("Disabled: " + slot.asText()));
        read.path("warnings").forEach(warning -> out.println("WARNING:  " + warning.asText()));
    }
}
