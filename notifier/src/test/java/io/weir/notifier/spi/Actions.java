package io.weir.notifier.spi;

import io.weir.schemas.NameValue;
import io.weir.schemas.Severity;
import io.weir.schemas.TriggerFiring;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Actions to test with. */
public final class Actions {

    static {
        AvroTrust.install();
    }

    private Actions() {}

    /** Returns an action on a node of ann's that is sick. */
    public static Action of(String type, String target, Map<String, String> settings, @Nullable String body) {
        return Action.of(firing(type, target, settings, body).build(), false);
    }

    /** Returns the firing of {@link #of}. */
    public static TriggerFiring.Builder firing(
            String type, String target, Map<String, String> settings, @Nullable String body) {
        List<NameValue> pairs = settings.entrySet().stream()
                .map(entry -> new NameValue(entry.getKey(), entry.getValue()))
                .toList();
        return TriggerFiring.newBuilder()
                .setCluster("tiny")
                .setFiringId("tiny/7/0")
                .setTriggerId("NODECFG.n1.1@node:n1")
                .setIteration(7)
                .setTime(Instant.parse("2026-03-01T10:00:00.250Z"))
                .setActionType(type)
                .setAction(target)
                .setObjectType("node")
                .setObjectId("n1")
                .setTarget(target)
                .setSettings(pairs)
                .setBody(body)
                .setSeverity(Severity.ERROR)
                .setEvent("sick")
                .setOwner("ann");
    }
}
