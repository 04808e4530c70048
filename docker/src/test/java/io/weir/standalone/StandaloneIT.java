package io.weir.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.query.image.ClusterImage;
import io.weir.scheduler.query.image.ClusterImageFeed;
import io.weir.standalone.access.Account;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandaloneIT {
    private static final DemoCluster CLUSTER = new DemoCluster("lab", 8, 4, 500, 1.2, 600, 3);

    @TempDir
    Path root;

    @Test
    void shouldRunEverythingAndGoOnWhereItWas() throws Exception {
        DataDirectory directory = new DataDirectory(root);
        CLUSTER.writeScript(directory);
        StandaloneConfig config = new StandaloneConfig(directory, 0, 0, Map.of(), CLUSTER.settings(directory));

        long reached;
        try (Standalone standalone = Standalone.start(config, EnumSet.complementOf(EnumSet.of(Component.MONITORING)))) {
            reached = awaitIteration(standalone, 20);
            for (Component component : EnumSet.complementOf(EnumSet.of(Component.BROKER, Component.MONITORING))) {
                HostedService service = standalone.service(component).orElseThrow();
                Awaitility.await(component + " ready")
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> ready(service.healthUrl()));
            }
            assertThat(standalone.isHealthy()).isTrue();
        }
        try (Standalone standalone = Standalone.start(config, EnumSet.complementOf(EnumSet.of(Component.MONITORING)))) {
            assertThat(awaitIteration(standalone, reached + 10)).isGreaterThan(reached);
            assertReadToTheEnd(standalone);
        }
    }

    /** Markers of transactions follow the last record: a group that is behind them has nothing left to read. */
    private static void assertReadToTheEnd(Standalone standalone) throws Exception {
        Set<String> left = new TreeSet<>();
        try (Admin admin =
                Admin.create(Map.copyOf(standalone.connection(Account.ADMIN).kafka()))) {
            admin.listGroups().all().get().stream()
                    .map(GroupListing::groupId)
                    .filter(group -> group.startsWith("weir.notifier") || group.startsWith("weir.rm-connector"))
                    .forEach(left::add);
            assertThat(left).hasSizeGreaterThan(10);
            Awaitility.await("groups with nothing left to read")
                    .atMost(Duration.ofSeconds(90))
                    .untilAsserted(() -> {
                        for (String group : Set.copyOf(left)) {
                            if (lag(admin, group) == 0) {
                                left.remove(group);
                            }
                        }
                        assertThat(left).isEmpty();
                    });
        }
    }

    private static long lag(Admin admin, String group) throws Exception {
        Map<TopicPartition, OffsetAndMetadata> positions = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        positions.keySet().forEach(partition -> ends.put(partition, OffsetSpec.latest()));
        return admin.listOffsets(ends).all().get().entrySet().stream()
                .mapToLong(end ->
                        end.getValue().offset() - positions.get(end.getKey()).offset())
                .sum();
    }

    private static long awaitIteration(Standalone standalone, long number) {
        Connection connection = standalone.connection(Account.READER);
        TopicNames names = new TopicNames(TopicNames.DEFAULT_PREFIX);
        try (AvroCodec codec = new AvroCodec(names, connection.registry());
                ClusterImageFeed feed = new ClusterImageFeed(connection.kafka(), names, codec)) {
            return Awaitility.await("iteration " + number)
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> last(feed.catchUp()), reached -> reached >= number);
        }
    }

    private static long last(ClusterImage image) {
        return image.iterations().containsKey("lab")
                ? image.iterations().get("lab").getNumber()
                : 0;
    }

    private static boolean ready(String url) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + "/health/ready")).build();
        return HttpClient.newHttpClient()
                        .send(request, HttpResponse.BodyHandlers.ofString())
                        .statusCode()
                == 200;
    }
}
