package io.weir.command.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.format.FieldText;
import io.weir.command.format.TimeText;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;

/** Prints what everybody has to know: that scheduling is halted, that a reservation takes all nodes, messages. */
public final class SchedulerNotices {
    private SchedulerNotices() {}

    /** Prints what a view of the queue says of it; nothing when all is as ever. */
    public static void print(JsonNode queue, PrintWriter out) {
        JsonNode scheduler = queue.path("scheduler");
        Instant now = FieldText.instant(queue, "now").orElse(Instant.EPOCH);
        String state = state(scheduler);
        if (!state.isEmpty()) {
            out.printf("%nNOTE:  %s%n", state);
        }
        for (JsonNode reservation : queue.path("systemReservations")) {
            Instant start = FieldText.instant(reservation, "start").orElse(now);
            Instant end = FieldText.instant(reservation, "end").orElse(now);
            out.printf(
                    "%nNOTE:  reservation '%s' takes all nodes  (%s -> %s)%n",
                    FieldText.text(reservation, "reservationId"),
                    TimeText.relative(start, now),
                    TimeText.relative(end, now));
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
    public static String state(JsonNode scheduler) {
        if (FieldText.has(scheduler, "halted")) {
            return "nothing is decided any more, as iterations fail: " + FieldText.text(scheduler, "halted")
                    + "; mschedctl -r has them tried again";
        }
        String state = FieldText.text(scheduler, "state");
        StringBuilder text = new StringBuilder();
        if (!state.equals("RUNNING") && !state.equals(FieldText.NOTHING)) {
            text.append("scheduling is ").append(state.toLowerCase(Locale.ROOT));
            text.append(" since ").append(FieldText.time(scheduler, "since"));
            if (FieldText.has(scheduler, "by")) {
                text.append(" by ").append(FieldText.text(scheduler, "by"));
            }
            if (FieldText.has(scheduler, "resumeAt")) {
                text.append(", resumes ").append(FieldText.time(scheduler, "resumeAt"));
            }
        } else if (FieldText.has(scheduler, "stopAfter")) {
            text.append("scheduling stops after iteration ").append(FieldText.text(scheduler, "stopAfter"));
        }
        return text.toString();
    }
}
