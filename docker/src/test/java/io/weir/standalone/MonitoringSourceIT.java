package io.weir.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Feature;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.NodeMetric;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.standalone.access.Account;
import io.weir.standalone.broker.FreePorts;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a site's monitoring publishes, through the source and the broker, until a node is in another state for it. */
class MonitoringSourceIT {
    private static final DemoCluster CLUSTER = new DemoCluster("lab", 4, 4, 10, 1.0, 600, 3);
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Set<Component> SITE = EnumSet.of(
            Component.BROKER, Component.SCHEDULER, Component.REDUCTION, Component.CONNECTOR, Component.MONITORING);

    @TempDir
    Path root;

    @Test
    @Feature({"NOTE-2", "CAT-34"})
    void shouldTakeNodesOutOfServiceForWhatTheSitesMonitoringSays() throws Exception {
        int port = FreePorts.any(1)[0];
        StandaloneConfig config = config(port);
        try (Standalone site = Standalone.start(config, SITE)) {
            new PolicyPublisher(site.connection(Account.API), NAMES)
                    .publish(
                            "lab", "GEVENTCFG[temp>50] ACTION=disable\nGEVENTCFG[NodeBroken] ACTION=disable\n", "test");
            List<String> nodes = Awaitility.await("nodes")
                    .atMost(PATIENCE)
                    .until(
                            () -> nodes(site).stream()
                                    .map(NodeStatus::getNodeId)
                                    .sorted()
                                    .toList(),
                            ids -> ids.size() == 4);

            Awaitility.await("the policy is in force")
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        publish(site, "sensor,host=" + nodes.get(0) + ".example.org:9100 celsius=60");
                        return state(site, nodes.get(0)) == NodeState.DRAINED;
                    });
            assertThat(post(port, alert(nodes.get(1), "firing")).body()).isEqualTo("{\"matched\":1}");
            await(site, nodes.get(1), NodeState.DRAINED);
            assertThat(state(site, nodes.get(2))).isNotEqualTo(NodeState.DRAINED);

            publish(site, "sensor,host=" + nodes.get(0) + " celsius=20");
            post(port, alert(nodes.get(1), "resolved"));
            Awaitility.await("both are back")
                    .atMost(PATIENCE)
                    .until(() -> state(site, nodes.get(0)) != NodeState.DRAINED
                            && state(site, nodes.get(1)) != NodeState.DRAINED);

            publish(site, "sensor celsius=20\nother,host=x v=1\n,,,");
            Awaitility.await("what could not be matched is counted")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(metrics(site))
                            .contains(
                                    "matching=\"no_node\",origin=\"telegraf\",service=\"monitoring-source\"} 1.0",
                                    "matching=\"not_taken\",origin=\"telegraf\",service=\"monitoring-source\"} 1.0",
                                    "matching=\"unreadable\",origin=\"telegraf\",service=\"monitoring-source\"} 1.0"));
        }
        try (Standalone broker = Standalone.start(config, EnumSet.of(Component.BROKER))) {
            publish(broker, "sensor,host=late celsius=7");
        }
        try (Standalone site = Standalone.start(config, EnumSet.of(Component.BROKER, Component.MONITORING))) {
            Awaitility.await("what came while it was away")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(read(site).read(Topics.MONITORING_METRICS))
                            .filteredOn(metric -> metric.getNodeId().equals("late"))
                            .extracting(NodeMetric::getMetric, NodeMetric::getValue)
                            .containsExactly(org.assertj.core.api.Assertions.tuple("temp", 7.0)));
            assertThat(read(site).read(Topics.MONITORING_EVENTS))
                    .filteredOn(event -> event.getName().equals("NodeBroken"))
                    .extracting(GenericEvent::getActive)
                    .containsExactly(true, false);
        }
    }

    private StandaloneConfig config(int port) throws IOException {
        DataDirectory directory = new DataDirectory(root.resolve("site"));
        CLUSTER.writeScript(directory);
        Map<String, String> settings = new HashMap<>(CLUSTER.settings(directory));
        settings.put("source.topics", "telegraf:influx");
        settings.put("source.metrics", "sensor_celsius=temp");
        settings.put("source.http.port", Integer.toString(port));
        settings.put(
                "source.http.token.file",
                Files.writeString(root.resolve("token"), "secret").toString());
        return new StandaloneConfig(directory, 0, 0, Map.of(), settings);
    }

    private static void await(Standalone site, String node, NodeState wanted) {
        Awaitility.await(node + " " + wanted).atMost(PATIENCE).until(() -> state(site, node) == wanted);
    }

    private static NodeState state(Standalone site, String node) {
        return nodes(site).stream()
                .filter(each -> each.getNodeId().equals(node))
                .reduce((earlier, later) -> later)
                .map(NodeStatus::getState)
                .orElseThrow();
    }

    private static List<NodeStatus> nodes(Standalone site) {
        return read(site).read(Topics.NODES);
    }

    private static TopicContents read(Standalone site) {
        return new TopicContents(site.connection(Account.READER), NAMES);
    }

    private static void publish(Standalone site, String lines) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                site.connection(Account.MONITORING).kafka(), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>("telegraf", lines.getBytes(StandardCharsets.UTF_8)))
                    .get();
        }
    }

    private static String alert(String node, String status) {
        return """
                {"version": "4", "alerts": [{"status": "%2$s", "labels": {"alertname": "NodeBroken", "instance": "%1$s:9100"},
                  "annotations": {"summary": "fan"}, "startsAt": "%3$s", "endsAt": "%3$s", "fingerprint": "f-%1$s"}]}
                """.formatted(node, status, Instant.now());
    }

    private static HttpResponse<String> post(int port, String body) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/alerts"))
                                .header("Authorization", "Bearer secret")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private static String metrics(Standalone site) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(site.service(Component.MONITORING)
                                                .orElseThrow()
                                                .healthUrl() + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
