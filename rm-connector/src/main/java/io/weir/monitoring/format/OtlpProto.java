package io.weir.monitoring.format;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * OpenTelemetry's metrics in Protocol Buffers, the collector's default on Kafka: gauges and sums. The resource's
 * {@code host.name} is the host.
 */
final class OtlpProto implements Format {

    /** Attributes of a resource, or of a point, that are kept besides the host. */
    private static final int MOST_ATTRIBUTES = 32;

    @Override
    public String name() {
        return "otlp_proto";
    }

    @Override
    public Reading read(byte[] message) {
        Reading reading = new Reading();
        try {
            ExportMetricsServiceRequest request = ExportMetricsServiceRequest.parseFrom(message);
            for (ResourceMetrics resource : request.getResourceMetricsList()) {
                Map<String, String> labels =
                        labels(Map.of(), resource.getResource().getAttributesList());
                for (ScopeMetrics scope : resource.getScopeMetricsList()) {
                    scope.getMetricsList().forEach(metric -> metric(metric, labels, reading));
                }
            }
        } catch (InvalidProtocolBufferException e) {
            reading.unreadable("no OpenTelemetry metrics: " + e.getMessage());
            return reading;
        }
        if (message.length > 0 && reading.isEmpty()) {
            reading.unreadable("no metrics in it");
        }
        return reading;
    }

    private static void metric(Metric metric, Map<String, String> resource, Reading reading) {
        List<NumberDataPoint> points = metric.hasGauge()
                ? metric.getGauge().getDataPointsList()
                : metric.getSum().getDataPointsList();
        if (metric.getName().isEmpty() || !(metric.hasGauge() || metric.hasSum())) {
            reading.unreadable("a metric that is neither gauge nor sum");
            return;
        }
        for (NumberDataPoint point : points) {
            if (point.hasAsDouble() || point.hasAsInt()) {
                double value = point.hasAsDouble() ? point.getAsDouble() : point.getAsInt();
                Map<String, String> labels = labels(resource, point.getAttributesList());
                reading.add(new Observation(metric.getName(), labels, value, time(point)));
            } else {
                reading.unreadable("a data point without value");
            }
        }
    }

    /** Nanoseconds without sign; 0 is unknown. */
    private static Optional<Instant> time(NumberDataPoint point) {
        long nanoseconds = point.getTimeUnixNano();
        return nanoseconds == 0 ? Optional.empty() : Times.ofNumber(new BigDecimal(Long.toUnsignedString(nanoseconds)));
    }

    /** Returns what the resource and one of its points say; what the point says counts. */
    private static Map<String, String> labels(Map<String, String> resource, List<KeyValue> attributes) {
        if (attributes.isEmpty()) {
            return resource;
        }
        Map<String, String> own = new HashMap<>();
        for (KeyValue attribute : attributes) {
            text(attribute.getValue()).ifPresent(text -> {
                if (attribute.getKey().equals("host.name")) {
                    own.put("host", text);
                }
                if (own.size() <= MOST_ATTRIBUTES) {
                    own.put(attribute.getKey(), text);
                }
            });
        }
        Map<String, String> both = new HashMap<>(resource);
        both.putAll(own);
        return Map.copyOf(both);
    }

    /** Texts, truth values and numbers count. */
    private static Optional<String> text(AnyValue value) {
        return switch (value.getValueCase()) {
            case STRING_VALUE -> Optional.of(value.getStringValue());
            case BOOL_VALUE -> Optional.of(Boolean.toString(value.getBoolValue()));
            case INT_VALUE -> Optional.of(Long.toString(value.getIntValue()));
            case DOUBLE_VALUE -> Optional.of(Double.toString(value.getDoubleValue()));
            case ARRAY_VALUE, KVLIST_VALUE, BYTES_VALUE, STRING_VALUE_STRINDEX, VALUE_NOT_SET -> Optional.empty();
        };
    }
}
