package io.weir.notifier.spi;

import io.weir.schemas.NameValue;
import io.weir.schemas.Severity;
import io.weir.schemas.TriggerFiring;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a trigger wants done. Its texts are data: nothing in them is parsed, joined or looked at for variables. Immutable.
 *
 * @param id idempotence key: the same id always means the same action
 * @param cluster the cluster whose trigger fired
 * @param trigger trigger that fired, with its object
 * @param time the scheduler's instant
 * @param target where it goes: a program, a URL, a host, a data source; empty for mail
 * @param arguments in order
 * @param settings what else the action says, by name
 * @param environment of a program
 * @param body its text; empty for none
 * @param recipients of a mail; empty for the default
 * @param runAs user as whom a program is to run; empty for the notifier's own
 * @param timeout after which it has failed; zero for the actor's own
 * @param wanted names of the variables whose values are wanted
 * @param severity how much attention it wants
 * @param event event that fired the trigger
 * @param objectType kind of the object the trigger is attached to
 * @param objectId id of that object
 * @param owner user to whom that object belongs; empty when it is the site's
 * @param possibleDuplicate whether it may have been carried out before
 */
public record Action(
        String id,
        String cluster,
        String trigger,
        Instant time,
        String target,
        List<String> arguments,
        Map<String, String> settings,
        Map<String, String> environment,
        Optional<String> body,
        List<String> recipients,
        Optional<String> runAs,
        Duration timeout,
        List<String> wanted,
        Severity severity,
        String event,
        String objectType,
        String objectId,
        Optional<String> owner,
        boolean possibleDuplicate) {

    public Action {
        arguments = List.copyOf(arguments);
        settings = Map.copyOf(settings);
        environment = Map.copyOf(environment);
        recipients = List.copyOf(recipients);
        wanted = List.copyOf(wanted);
    }

    /** Returns what {@code firing} wants done. */
    public static Action of(TriggerFiring firing, boolean possibleDuplicate) {
        return new Action(
                firing.getFiringId(),
                firing.getCluster(),
                firing.getTriggerId(),
                firing.getTime(),
                firing.getTarget(),
                firing.getArguments(),
                byName(firing.getSettings()),
                byName(firing.getEnvironment()),
                Optional.ofNullable(firing.getBody()),
                firing.getRecipients(),
                Optional.ofNullable(firing.getRunAs()),
                Duration.ofMillis(Math.max(0, firing.getTimeoutMillis())),
                firing.getWanted(),
                firing.getSeverity(),
                firing.getEvent(),
                firing.getObjectType(),
                firing.getObjectId(),
                Optional.ofNullable(firing.getOwner()),
                possibleDuplicate);
    }

    /** Returns by what receivers recognise a repetition. Actions and notifications are numbered apart from each other. */
    public String repetitionKey() {
        return "action/" + id;
    }

    /** Returns the action as a message for people, with {@code subject} unless it has one of its own. */
    public Delivery asDelivery(String subject) {
        return new Delivery(
                repetitionKey(),
                cluster,
                time,
                severity,
                settings.getOrDefault("event", event),
                objectType,
                objectId,
                settings.getOrDefault("subject", subject),
                body.orElse(""),
                recipients,
                possibleDuplicate);
    }

    /** Returns the time it may take: its own, {@code usual} when it has none, never more than {@code longest}. */
    public Duration timeout(Duration usual, Duration longest) {
        Duration asked = timeout.isZero() ? usual : timeout;
        return asked.compareTo(longest) < 0 ? asked : longest;
    }

    private static Map<String, String> byName(List<NameValue> pairs) {
        Map<String, String> map = new LinkedHashMap<>();
        pairs.forEach(pair -> map.put(pair.getName(), pair.getValue()));
        return map;
    }
}
