package io.weir.scheduler.core.output;

import io.weir.scheduler.state.PendingNotice;
import io.weir.schemas.Notification;
import io.weir.schemas.Severity;
import io.weir.schemas.bound.Bound;
import io.weir.schemas.bound.Limit;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Publishes messages for people. Serves one iteration. */
public final class Notices {
    private static final Bound.Prose NOTE = new Bound.Prose(Limit.NOTE_LENGTH, true);

    private final String cluster;
    private final long iteration;
    private final Instant now;
    private final List<Output> outputs;
    private int told;

    Notices(String cluster, long iteration, Instant now, List<Output> outputs) {
        this.cluster = cluster;
        this.iteration = iteration;
        this.now = now;
        this.outputs = outputs;
    }

    /** Publishes a message that was noted before the iteration began, or in it. */
    public void tell(PendingNotice notice) {
        tell(
                Severity.valueOf(notice.getSeverity()),
                notice.getEvent(),
                notice.getObjectType(),
                notice.getObjectId(),
                notice.getText(),
                List.of());
    }

    /** Publishes a message for people; no {@code recipients} are those whom its channel is for. */
    public void tell(
            Severity severity, String event, String objectType, String objectId, String text, List<String> recipients) {
        tell(severity, event, objectType, objectId, text, recipients, null, 1);
    }

    /** Publishes a message that stands for {@code count} occurrences, about an object of {@code owner}; null for none. */
    public void tell(
            Severity severity,
            String event,
            String objectType,
            String objectId,
            String text,
            List<String> recipients,
            @Nullable String owner,
            long count) {
        String id = cluster + "/" + iteration + "/" + told++;
        outputs.add(new Output(
                OutputKind.NOTIFICATION,
                id,
                new Notification(
                        cluster,
                        id,
                        iteration,
                        now,
                        severity,
                        event,
                        objectType,
                        objectId,
                        event + " " + objectId,
                        NOTE.cut(text),
                        recipients,
                        owner,
                        count)));
    }
}
