package io.weir.topics;

import io.weir.schemas.NodeMetric;
import java.time.Instant;

/** Sample records. */
final class Records {

    private Records() {}

    static NodeMetric metric() {
        return NodeMetric.newBuilder()
                .setCluster("alpha")
                .setNodeId("n001")
                .setMetric("temp")
                .setValue(41.5)
                .setTime(Instant.parse("2026-01-01T00:00:00Z"))
                .build();
    }
}
