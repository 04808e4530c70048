package io.weir.scheduler.journal;

import io.weir.scheduler.core.fact.Fact;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topics;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/**
 * How an input becomes a fact of the core: the decoded record, and from the headers the connector and epoch it belongs
 * to. Both the stream and the audit make facts here and nowhere else.
 */
public final class Facts {
    private static final Set<String> CONNECTOR_TOPICS =
            Set.of(Topics.RM_NODES.name(), Topics.RM_JOBS.name(), Topics.RM_HEARTBEATS.name(), Topics.RESULTS.name());

    private Facts() {}

    /** Says whether records of {@code topic} (without prefix) belong to a connector and its epochs. */
    public static boolean isConnectorTopic(String topic) {
        return CONNECTOR_TOPICS.contains(topic);
    }

    /** Returns the fact that {@code input}, decoded to {@code value}, is. */
    public static Fact of(Input input, SpecificRecord value) {
        Optional<String> connector = FactHeaders.CONNECTOR.get(input.headers());
        if (connector.isEmpty() || !isConnectorTopic(input.topic())) {
            return Fact.foreign(value);
        }
        return new Fact(value, connector.get(), epoch(input, value));
    }

    private static long epoch(Input input, SpecificRecord value) {
        return value instanceof Heartbeat heartbeat && heartbeat.getKind() == HeartbeatKind.HELLO
                ? input.offset()
                : FactHeaders.EPOCH.get(input.headers()).orElse(Fact.NO_EPOCH);
    }
}
