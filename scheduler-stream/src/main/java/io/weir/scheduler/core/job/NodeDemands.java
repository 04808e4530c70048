package io.weir.scheduler.core.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node must be like to run a task.
 *
 * @param features features it must have, sorted
 * @param arch architecture; null for any
 * @param os operating system; null for any
 * @param network network interface; null for any
 * @param conditions conditions on configured amounts, such as {@code memory>=2048}
 */
public record NodeDemands(
        List<String> features,
        @Nullable String arch,
        @Nullable String os,
        @Nullable String network,
        List<String> conditions) {
    /** Any node will do. */
    public static final NodeDemands NONE = new NodeDemands(List.of(), null, null, null, List.of());

    public NodeDemands {
        features = List.copyOf(features);
        conditions = List.copyOf(conditions);
    }
}
