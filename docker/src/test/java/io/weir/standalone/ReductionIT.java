package io.weir.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.GenericEvent;
import io.weir.schemas.Measurement;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeStatus;
import io.weir.standalone.access.Account;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics in, events out, through the broker, with the accounts of an installation. */
class ReductionIT {
    private static final DemoCluster CLUSTER = new DemoCluster("lab", 4, 4, 10, 1.0, 600, 3);
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path root;

    @Test
    void shouldTellTheSchedulerWhenAConditionHoldsAndWhenItIsOver() throws Exception {
        DataDirectory directory = new DataDirectory(root);
        CLUSTER.writeScript(directory);
        Map<String, String> settings = new HashMap<>(CLUSTER.settings(directory));
        settings.put("kafka.metadata.max.age.ms", "1000");
        StandaloneConfig config = new StandaloneConfig(directory, 0, 0, Map.of(), settings);
        try (Standalone site = Standalone.start(
                config, EnumSet.of(Component.BROKER, Component.SCHEDULER, Component.REDUCTION, Component.CONNECTOR))) {
            new PolicyPublisher(site.connection(Account.API), NAMES)
                    .publish("lab", "GEVENTCFG[temp>50] ACTION=notify HYSTERESIS=5", "test");
            String node = Awaitility.await("a node")
                    .atMost(PATIENCE)
                    .until(
                            () -> nodes(site).stream()
                                    .findFirst()
                                    .map(NodeStatus::getNodeId)
                                    .orElse(""),
                            id -> !id.isEmpty());

            Awaitility.await("the condition holds")
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        measure(site, node, 60);
                        return event(site, node).isActive();
                    });
            measure(site, node, 47);
            measure(site, node, 62);
            measure(site, node, 44);
            Awaitility.await("the condition is over")
                    .atMost(PATIENCE)
                    .until(() -> !event(site, node).isActive());

            assertThat(event(site, node).count()).isEqualTo(1);

            double before = unmatched(site);
            measure(site, "stranger", 44);
            measure(site, node, 44);
            measure(site, "stranger", 45);
            Awaitility.await("strangers are counted")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(unmatched(site)).isEqualTo(before + 2));

            addPartitionsToMetrics(site);
            Awaitility.await("a node whose metrics come on an added partition")
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        for (NodeStatus each : nodes(site)) {
                            measure(site, each.getNodeId(), each.getNodeId().equals(node) ? 44 : 60);
                        }
                        return nodes(site).stream()
                                .map(NodeStatus::getNodeId)
                                .allMatch(each ->
                                        each.equals(node) || event(site, each).isActive());
                    });
        }
        try (Standalone site = Standalone.start(config, EnumSet.of(Component.BROKER))) {
            assertThat(events(site))
                    .extracting(GenericEvent::getActive)
                    .startsWith(true, false)
                    .hasSize(2 + CLUSTER.nodes() - 1);
        }
    }

    private static void addPartitionsToMetrics(Standalone site) throws Exception {
        try (Admin admin = Admin.create(site.connection(Account.ADMIN).kafka())) {
            admin.createPartitions(Map.of(NAMES.full(Topics.MONITORING_METRICS), NewPartitions.increaseTo(4)))
                    .all()
                    .get();
            String changelog = "weir.reduction-conditions-changelog";
            Awaitility.await("as many partitions of the state")
                    .atMost(PATIENCE)
                    .until(() -> admin.describeTopics(List.of(changelog))
                                    .allTopicNames()
                                    .get()
                                    .get(changelog)
                                    .partitions()
                                    .size()
                            == 4);
        }
    }

    @Test
    void shouldPlaceJobsByWhatMonitoringMeasures() throws Exception {
        DataDirectory directory = new DataDirectory(root);
        Path trace = Files.createDirectories(root).resolve("trace.swf");
        // Small jobs, one after another: without a reason to do otherwise all of them run on the same node.
        Files.write(
                trace,
                IntStream.rangeClosed(1, 600)
                        .mapToObj(i -> i + " " + 60 * i + " -1 30 1 -1 -1 1 60 -1 1 1 1 -1 1 -1 -1 -1")
                        .toList());
        Map<String, String> settings = new HashMap<>(new DemoCluster("lab", 2, 64, 1, 1.0, 60, 3).settings(directory));
        settings.remove("rm.simulated.script");
        settings.put("rm.simulated.trace", trace.toString());
        StandaloneConfig config = new StandaloneConfig(directory, 0, 0, Map.of(), settings);
        try (Standalone site = Standalone.start(
                config, EnumSet.of(Component.BROKER, Component.SCHEDULER, Component.REDUCTION, Component.CONNECTOR))) {
            new PolicyPublisher(site.connection(Account.API), NAMES)
                    .publish(
                            "lab",
                            "NODEALLOCATIONPOLICY PRIORITY\nNODECFG[DEFAULT] PRIORITYF='-GMETRIC[temp]'\n"
                                    + "GMETRICCFG[temp] RESOLUTION=1 INTERVAL=10",
                            "test");
            String usual = Awaitility.await("a job")
                    .atMost(PATIENCE)
                    .until(() -> startedOn(site), nodes -> !nodes.isEmpty())
                    .iterator()
                    .next();
            String other = usual.equals("n0001") ? "n0002" : "n0001";

            Awaitility.await("the metric of the usual node")
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        measure(site, usual, 90);
                        return metrics(site, usual).equals(List.of(new Measurement("temp", 90.0)));
                    });
            Awaitility.await("a job on the cooler node")
                    .atMost(PATIENCE)
                    .until(() -> startedOn(site).contains(other));
        }
    }

    private static List<Measurement> metrics(Standalone site, String node) {
        return nodes(site).stream()
                .filter(each -> each.getNodeId().equals(node))
                .flatMap(each -> each.getMetrics().stream())
                .toList();
    }

    /** Returns the nodes of all jobs so far. */
    private static Set<String> startedOn(Standalone site) {
        return new TopicContents(site.connection(Account.READER), NAMES)
                .read(Topics.JOBS).stream()
                        .flatMap(job -> job.getAllocation().stream())
                        .map(NodeAllocation::getNodeId)
                        .collect(Collectors.toSet());
    }

    private static double unmatched(Standalone site) throws Exception {
        String url = site.service(Component.REDUCTION).orElseThrow().healthUrl();
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + "/metrics")).build();
        String page = HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
        return page.lines()
                .filter(line -> line.startsWith("weir_reduction_unmatched_total"))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .mapToDouble(Double::parseDouble)
                .sum();
    }

    private record Told(boolean isActive, long count) {}

    private static Told event(Standalone site, String node) {
        return nodes(site).stream()
                .filter(each -> each.getNodeId().equals(node))
                .flatMap(each -> each.getEvents().stream())
                .filter(each -> each.getName().equals("temp>50"))
                .reduce((earlier, later) -> later)
                .map(tally -> new Told(tally.getActive(), tally.getCount()))
                .orElse(new Told(false, 0));
    }

    private static List<NodeStatus> nodes(Standalone site) {
        return new TopicContents(site.connection(Account.READER), NAMES).read(Topics.NODES);
    }

    private static List<GenericEvent> events(Standalone site) {
        return new TopicContents(site.connection(Account.READER), NAMES)
                .read(Topics.MONITORING_EVENTS).stream()
                        .filter(event -> event.getName().equals("temp>50"))
                        .toList();
    }

    private static void measure(Standalone site, String node, double value) throws Exception {
        Monitoring.measured(site, "lab", node, "temp", value);
    }
}
