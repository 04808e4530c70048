package io.weir.scheduler.core.automation.response;

import io.weir.scheduler.core.automation.Recipients;
import io.weir.scheduler.core.output.IterationOutputs;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** NOTIFY: tells administrators, managers or owners; without any of these words the administrators. One message each. */
final class NotifyPeople implements EventResponse {
    private final IterationOutputs outputs;
    private final Recipients recipients;

    NotifyPeople(IterationOutputs outputs, Recipients recipients) {
        this.outputs = outputs;
        this.recipients = recipients;
    }

    @Override
    public void respond(Occasion occasion) {
        String whom = occasion.action().argument().toLowerCase(Locale.ROOT);
        for (String kind : List.of((whom.isEmpty() ? "admin" : whom).split("\\+", -1))) {
            switch (kind) {
                case "manager" ->
                    tellSome(
                            occasion, recipients.managers(occasion.name(), occasion.objectType(), occasion.objectId()));
                case "user" -> {
                    for (String user : recipients.owners(occasion.objectType(), occasion.objectId())) {
                        tell(occasion, List.of(recipients.address(user)), user);
                    }
                }
                default -> {
                    if (recipients.administratorsHear(occasion.name())) {
                        tell(occasion, recipients.administrators(), null);
                    }
                }
            }
        }
    }

    /** Nobody is told where there is nobody; only administrators are those whom a channel is for. */
    private void tellSome(Occasion occasion, List<String> people) {
        if (!people.isEmpty()) {
            tell(occasion, people, null);
        }
    }

    private void tell(Occasion occasion, List<String> people, @Nullable String owner) {
        outputs.notices()
                .tell(
                        occasion.rule().level(),
                        occasion.name(),
                        occasion.objectType(),
                        occasion.objectId(),
                        occasion.text(),
                        people,
                        owner,
                        Math.max(1, occasion.event().total()));
    }
}
