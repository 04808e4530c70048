package io.weir.scheduler.core.policy.node;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Prefixes of features that say something about a node: {@code xps} makes 950 of {@code xps950}. With a {@code $} behind
 * it a number has to follow. Null means not given.
 *
 * @param procSpeed FEATUREPROCSPEEDHEADER
 * @param partition FEATUREPARTITIONHEADER
 * @param nodeType FEATURENODETYPEHEADER
 */
public record FeatureHeaders(
        @Nullable String procSpeed,
        @Nullable String partition,
        @Nullable String nodeType) {
    /** None. */
    public static final FeatureHeaders NONE = new FeatureHeaders(null, null, null);

    /** Returns the processor speed that {@code features} tell, MHz; null for none. */
    public @Nullable Integer procSpeedMhz(List<String> features) {
        String header = procSpeed();
        String digits = header == null ? null : behind(header.endsWith("$") ? header : header + "$", features);
        return digits == null || digits.length() > 9 ? null : Integer.valueOf(digits);
    }

    /** Returns the partition that {@code features} tell; null for none. */
    public @Nullable String partitionOf(List<String> features) {
        String header = partition();
        return header == null ? null : behind(header, features);
    }

    /** Returns the type of node that {@code features} tell; null for none. */
    public @Nullable String nodeTypeOf(List<String> features) {
        String header = nodeType();
        return header == null ? null : behind(header, features);
    }

    private static @Nullable String behind(String header, List<String> features) {
        boolean number = header.endsWith("$");
        String prefix = number ? header.substring(0, header.length() - 1) : header;
        for (String feature : features) {
            if (feature.length() > prefix.length() && feature.startsWith(prefix)) {
                String rest = feature.substring(prefix.length());
                if (!number || rest.chars().allMatch(c -> c >= '0' && c <= '9')) {
                    return rest;
                }
            }
        }
        return null;
    }
}
