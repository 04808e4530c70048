package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;

/** Prints what everybody has to know: that scheduling is halted, that a reservation takes all nodes, messages. */
final class StandingText {
    private StandingText() {}

    /** Prints what a view of the queue says of it; nothing when all is as ever. */
    static void print(JsonNode queue, PrintWriter out) {
        JsonNode scheduler = queue.path("scheduler");
        Instant now = Shown.instant(queue, "now").orElse(Instant.EPOCH);
        String state = state(scheduler);
        if (!state.isEmpty()) {
            out.printf("%nNOTE:  %s%n", state);
        }
        for (JsonNode reservation : queue.path("systemReservations")) {
            Instant start = Shown.instant(reservation, "start").orElse(now);
            Instant end = Shown.instant(reservation, "end").orElse(now);
            out.printf(
                    "%nNOTE:  reservation '%s' takes all nodes  (%s -> %s)%n",
                    Shown.text(reservation, "reservationId"), Shown.relative(start, now), Shown.relative(end, now));
        }
        int index = 0;
        for (JsonNode message : scheduler.path("messages")) {
            out.printf("%s%nMESSAGE[%d]:  %s", index == 0 ? System.lineSeparator() : "", ++index, message.asText());
        }
        if (index > 0) {
            out.println();
        }
    }

    /** Says that scheduling is halted or going to be; empty when it is not. */
    static String state(JsonNode scheduler) {
        String state = Shown.text(scheduler, "state");
        StringBuilder text = new StringBuilder();
        if (!state.equals("RUNNING") && !state.equals(Shown.NOTHING)) {
            text.append("scheduling is ").append(state.toLowerCase(Locale.ROOT));
            text.append(" since ").append(Shown.time(scheduler, "since"));
            if (Shown.has(scheduler, "by")) {
                text.append(" by ").append(Shown.text(scheduler, "by"));
            }
            if (Shown.has(scheduler, "resumeAt")) {
                text.append(", resumes ").append(Shown.time(scheduler, "resumeAt"));
            }
        } else if (Shown.has(scheduler, "stopAfter")) {
            text.append("scheduling stops after iteration ").append(Shown.text(scheduler, "stopAfter"));
        }
        return text.toString();
    }
}
