package io.weir.notifier.spi;

import io.weir.schemas.Notification;
import io.weir.schemas.Severity;
import java.time.Instant;
import java.util.List;

/**
 * One message for a channel to carry, whatever it was made from. Immutable.
 *
 * @param id idempotence key: the same id always means the same message
 * @param cluster the cluster it is about
 * @param time the scheduler's instant, not that of the delivery
 * @param severity how much attention it wants
 * @param event name of the event behind it, such as {@code nodedown}
 * @param objectType kind of the object it is about: node, job, rm, scheduler
 * @param objectId id of that object
 * @param subject one line
 * @param text the message, any number of lines
 * @param recipients whom it is for; empty for the channel's default
 * @param possibleDuplicate whether an earlier attempt may have delivered it already without the notifier knowing; always
 *     false for a channel that recognises repetitions
 */
public record Delivery(
        String id,
        String cluster,
        Instant time,
        Severity severity,
        String event,
        String objectType,
        String objectId,
        String subject,
        String text,
        List<String> recipients,
        boolean possibleDuplicate) {

    public Delivery {
        recipients = List.copyOf(recipients);
    }

    /** Returns the delivery that carries {@code notification}. */
    public static Delivery of(Notification notification) {
        return new Delivery(
                notification.getNotificationId(),
                notification.getCluster(),
                notification.getTime(),
                notification.getSeverity(),
                notification.getEvent(),
                notification.getObjectType(),
                notification.getObjectId(),
                notification.getSubject(),
                notification.getText(),
                notification.getRecipients(),
                false);
    }

    /** Returns the same delivery, marked as one that may have been delivered before. */
    public Delivery repeated() {
        return new Delivery(id, cluster, time, severity, event, objectType, objectId, subject, text, recipients, true);
    }
}
