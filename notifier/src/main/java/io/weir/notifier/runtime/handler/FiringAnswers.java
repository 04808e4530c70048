package io.weir.notifier.runtime.handler;

import io.weir.notifier.runtime.loop.Outgoing;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.OneLine;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.NameValue;
import io.weir.schemas.TriggerFiring;
import io.weir.topics.EntityKey;
import io.weir.topics.Topics;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes the answers of one reader of firings, within the bounds of their fields, and remembers the latest of them, so that
 * the same firing on the topic twice is answered once. Used by the reader's thread.
 */
final class FiringAnswers {

    private static final int REMEMBERED = 10_000;
    private static final int LONGEST_TEXT = 4_096;
    private static final int MOST_VARIABLES = 32;
    private static final int LONGEST_NAME = 256;

    private final String channel;
    private final Clock clock;
    private final Map<String, Boolean> given = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    };

    FiringAnswers(String channel, Clock clock) {
        this.channel = channel;
        this.clock = clock;
    }

    /** Says whether {@code firing} has been answered, as far back as is remembered. */
    boolean given(TriggerFiring firing) {
        return given.containsKey(id(firing));
    }

    /** Returns the answer to {@code firing}, which counts as given from now on. */
    Outgoing<DeliveryResult> of(
            TriggerFiring firing,
            DeliveryOutcome outcome,
            int attempts,
            ActionResult result,
            boolean possibleDuplicate) {
        given.put(id(firing), true);
        DeliveryResult answer = DeliveryResult.newBuilder()
                .setCluster(firing.getCluster())
                .setDeliveryId(firing.getFiringId())
                .setChannel(channel)
                .setKind("firing")
                .setTriggerId(firing.getTriggerId())
                .setOutcome(outcome)
                .setAttempts(attempts)
                .setMessage(bounded(result.message()))
                .setCode(result.code().orElse(null))
                .setOutput(text(result.output()))
                .setErrors(text(result.errors()))
                .setVariables(variables(result.variables()))
                .setPossibleDuplicate(possibleDuplicate)
                .setTime(clock.instant().truncatedTo(ChronoUnit.MILLIS))
                .build();
        return new Outgoing<>(
                Topics.DELIVERY_RESULTS, new EntityKey(firing.getCluster(), firing.getFiringId()), answer);
    }

    private static String id(TriggerFiring firing) {
        return firing.getCluster() + "\n" + firing.getFiringId();
    }

    private static @Nullable String text(Optional<String> text) {
        return text.filter(some -> !some.isEmpty()).map(FiringAnswers::bounded).orElse(null);
    }

    /** Several lines, without characters that would upset whoever prints them. */
    private static String bounded(String text) {
        String clean = OneLine.each(text);
        return clean.length() <= LONGEST_TEXT ? clean : OneLine.cut(clean, LONGEST_TEXT);
    }

    private static List<NameValue> variables(Map<String, String> values) {
        List<NameValue> variables = new ArrayList<>();
        new TreeMap<>(values).forEach((name, value) -> {
            if (variables.size() < MOST_VARIABLES && !name.isEmpty() && name.length() <= LONGEST_NAME) {
                variables.add(NameValue.newBuilder()
                        .setName(name)
                        .setValue(bounded(value))
                        .build());
            }
        });
        return variables;
    }
}
