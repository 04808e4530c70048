package io.weir.scheduler.query;

import io.weir.scheduler.query.image.UnreadableRecords;
import io.weir.service.Readiness;
import io.weir.service.http.HttpReply;
import java.util.ArrayList;
import java.util.List;

/**
 * What whoever is answered should know besides: conditions of the service that are not met, and records that are left out
 * of what is shown. Every answer has it in the header {@value #HEADER}. Thread-safe.
 */
final class ApiWarnings {
    /** Names the header, which is there while there is something to warn of. */
    static final String HEADER = "Weir-Warning";

    /** Unmet for a moment in every start. */
    private static final String STARTED = "started";

    private static final int LONGEST = 500;

    private final Readiness readiness;
    private final UnreadableRecords unreadable;

    ApiWarnings(Readiness readiness, UnreadableRecords unreadable) {
        this.readiness = readiness;
        this.unreadable = unreadable;
    }

    /** Returns {@code reply} with what is to be said now. */
    HttpReply addTo(HttpReply reply) {
        List<String> warnings = new ArrayList<>();
        readiness.report().forEach((name, state) -> {
            if (!state.equals("ok") && !name.equals(STARTED)) {
                warnings.add("the scheduler service is not ready, " + name + ": " + state);
            }
        });
        unreadable.warning().ifPresent(warnings::add);
        return warnings.isEmpty() ? reply : reply.with(HEADER, headerText(String.join("; ", warnings)));
    }

    /** Returns {@code text} as a header can hold it. */
    private static String headerText(String text) {
        String plain = text.replaceAll("[^\\x20-\\x7e]+", " ");
        return plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST) + "...";
    }
}
