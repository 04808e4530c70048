package io.weir.monitoring.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.resource.v1.Resource;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages made to stop the reader, or to take its memory. */
class HostileMessagesTest {

    private static final int MANY = 5_000;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "telegraf|{\"name\":\"a\",\"fields\":{\"value\":1},\"tags\":{\"host\":\"n1\"},\"timestamp\":1e400}",
                "ldms|{\"timestamp\":-1e400,\"producer\":\"n1\",\"temp\":1}",
                "collectd|[{\"plugin\":\"a\",\"values\":[1],\"host\":\"n1\",\"time\":1e999}]",
                "prometheus-adapter|{\"name\":\"a\",\"labels\":{\"host\":\"n1\"},\"value\":\"1\",\"timestamp\":1e999}"
            })
    void shouldTakeATimeBeyondAllNumbersForNone(String format, String message) {
        Reading reading = read(format, message);

        assertThat(reading.observations())
                .singleElement()
                .satisfies(each -> assertThat(each.time()).isEmpty());
    }

    @Test
    void shouldNotKeepWhatIsSaidOnceOverAndOver() {
        String texts = members("t", "\"x\"");
        String numbers = members("m", "1");
        assertLittleIsKept("ldms", "{\"timestamp\":1,\"producer\":\"n1\"," + texts + "," + numbers + "}");
        assertLittleIsKept(
                "telegraf", "{\"name\":\"a\",\"tags\":{" + texts + "},\"fields\":{" + numbers + "},\"timestamp\":1}");
        assertLittleIsKept(
                "collectd",
                "[{\"plugin\":\"a\"," + texts + ",\"values\":[1" + ",1".repeat(MANY) + "],\"host\":\"n1\"}]");
        String attributes = IntStream.range(0, MANY)
                .mapToObj(i -> "{\"key\":\"k" + i + "\",\"value\":{\"stringValue\":\"x\"}}")
                .collect(Collectors.joining(","));
        String points = "{\"asInt\":1,\"attributes\":[{\"key\":\"cpu\",\"value\":{\"stringValue\":\"0\"}}]}";
        assertLittleIsKept(
                "otlp_json",
                "{\"resourceMetrics\":[{\"resource\":{\"attributes\":[" + attributes
                        + ",{\"key\":\"host.name\",\"value\":{\"stringValue\":\"n1\"}}]},\"scopeMetrics\":[{\"metrics\":"
                        + "[{\"name\":\"a\",\"gauge\":{\"dataPoints\":[" + points + ("," + points).repeat(MANY)
                        + "]}}]}]}]}");
        String tags = IntStream.range(0, 900).mapToObj(i -> ",t" + i + "=x").collect(Collectors.joining());
        String fields = IntStream.range(0, 900).mapToObj(i -> "f" + i + "=1").collect(Collectors.joining(","));
        assertLittleIsKept("influx", ("a,host=n1" + tags + " " + fields + "\n").repeat(5));
    }

    @Test
    void shouldCountATextWithoutAnEnd() {
        assertThat(read("influx", "temp,host=n1 note=\"a \\\" b\",value=1\n").unreadable())
                .isZero();

        Reading reading = read("influx", "temp,host=n1 value=\"no end\nfan,host=n1 value=2\n");

        assertThat(reading.observations()).hasSize(1);
        assertThat(reading.unreadable()).isEqualTo(1);
    }

    @Test
    void shouldFindTheHostAmongManyAttributes() {
        String attributes = IntStream.range(0, 500)
                .mapToObj(i -> "{\"key\":\"k" + i + "\",\"value\":{\"stringValue\":\"x\"}},")
                .collect(Collectors.joining());
        Reading reading = read(
                "otlp_json",
                "{\"resourceMetrics\":[{\"resource\":{\"attributes\":[" + attributes
                        + "{\"key\":\"host.name\",\"value\":{\"stringValue\":\"n1\"}}]},\"scopeMetrics\":[{\"metrics\":"
                        + "[{\"name\":\"a\",\"sum\":{\"dataPoints\":[{\"asInt\":\"7\"}]}}]}]}]}");

        assertThat(reading.observations())
                .singleElement()
                .satisfies(each -> assertThat(each.labels()).containsEntry("host", "n1"));
    }

    @Test
    void shouldKeepLittleOfManyAttributesInProtocolBuffers() {
        Resource.Builder resource = Resource.newBuilder();
        IntStream.range(0, 900).forEach(i -> resource.addAttributes(attribute("k" + i)));
        resource.addAttributes(attribute("host.name"));
        Gauge.Builder gauge = Gauge.newBuilder();
        IntStream.range(0, MANY)
                .forEach(i -> gauge.addDataPoints(
                        NumberDataPoint.newBuilder().setAsInt(1).addAttributes(attribute("cpu"))));

        assertLittleIsKept(
                "otlp_proto", request(resource.build(), gauge.build()).toByteArray());
    }

    @Test
    void shouldSayWhatIsNotProtocolBuffers() {
        AnyValue value = AnyValue.getDefaultInstance();
        for (int i = 0; i < 1_000; i++) {
            value = AnyValue.newBuilder()
                    .setArrayValue(ArrayValue.newBuilder().addValues(value))
                    .build();
        }
        Resource deep = Resource.newBuilder()
                .addAttributes(KeyValue.newBuilder().setKey("deep").setValue(value))
                .build();
        byte[] nested = request(deep, Gauge.getDefaultInstance()).toByteArray();
        byte[] cut = Arrays.copyOf(nested, nested.length - 1);

        for (byte[] message : List.of(nested, cut, new byte[] {1, 2, 3})) {
            Reading reading = read("otlp_proto", message);
            assertThat(reading.observations()).isEmpty();
            assertThat(reading.firstReason()).startsWith("no OpenTelemetry metrics");
        }
    }

    private static ExportMetricsServiceRequest request(Resource resource, Gauge gauge) {
        Metric metric = Metric.newBuilder().setName("a").setGauge(gauge).build();
        return ExportMetricsServiceRequest.newBuilder()
                .addResourceMetrics(ResourceMetrics.newBuilder()
                        .setResource(resource)
                        .addScopeMetrics(ScopeMetrics.newBuilder().addMetrics(metric)))
                .build();
    }

    private static KeyValue attribute(String key) {
        return KeyValue.newBuilder()
                .setKey(key)
                .setValue(AnyValue.newBuilder().setStringValue("x"))
                .build();
    }

    private static void assertLittleIsKept(String format, String message) {
        assertLittleIsKept(format, message.getBytes(StandardCharsets.UTF_8));
    }

    private static void assertLittleIsKept(String format, byte[] message) {
        Reading reading = read(format, message);

        assertThat(reading.observations()).as(format).hasSizeGreaterThanOrEqualTo(4_500);
        Set<Map<String, String>> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
        reading.observations().forEach(each -> distinct.add(each.labels()));
        assertThat(distinct.stream().mapToLong(Map::size).sum())
                .as("labels kept of one message in " + format)
                .isLessThanOrEqualTo(100L * MANY);
    }

    private static String members(String name, String value) {
        return IntStream.range(0, MANY)
                .mapToObj(i -> "\"" + name + i + "\":" + value)
                .collect(Collectors.joining(","));
    }

    private static Reading read(String format, String message) {
        return read(format, message.getBytes(StandardCharsets.UTF_8));
    }

    private static Reading read(String format, byte[] message) {
        return Formats.named(format).orElseThrow().read(message);
    }
}
