package io.weir.monitoring.source;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.schemas.GenericEvent;
import io.weir.schemas.NodeMetric;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Debian's own Alertmanager and collectd send what they send. */
class MonitoringToolsIT {

    private static final String ALERTMANAGER = "/usr/bin/prometheus-alertmanager";
    private static final String COLLECTD = "/usr/sbin/collectd";

    @TempDir
    private Path directory;

    private SourceFixture source;
    private Process tool;

    @BeforeEach
    void start() throws IOException {
        source = new SourceFixture(directory);
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (tool != null) {
            tool.destroyForcibly().waitFor();
        }
        source.close();
    }

    @Test
    void shouldTakeWhatAlertmanagerSends() throws Exception {
        requireInstalled(ALERTMANAGER);
        int port = freePort();
        Path config = Files.writeString(directory.resolve("alertmanager.yml"), """
            route: { receiver: weir, group_wait: 100ms, group_interval: 1s, repeat_interval: 1h }
            receivers:
              - name: weir
                webhook_configs:
                  - url: http://127.0.0.1:%d/v1/alerts
                    send_resolved: true
                    http_config: { authorization: { credentials_file: %s/token } }
            """.formatted(source.port(), directory));
        Files.writeString(directory.resolve("token"), SourceFixture.TOKEN);
        run(
                ALERTMANAGER,
                "--config.file=" + config,
                "--web.listen-address=127.0.0.1:" + port,
                "--storage.path=" + directory.resolve("data"),
                "--cluster.listen-address=");
        Instant began = Instant.parse("2026-03-01T10:00:00Z");

        await().atMost(60, SECONDS).ignoreExceptions().until(() -> alert(port, began, "") == 200);
        await().atMost(60, SECONDS)
                .untilAsserted(() -> assertThat(source.events())
                        .extracting(
                                GenericEvent::getName,
                                GenericEvent::getObjectId,
                                GenericEvent::getActive,
                                GenericEvent::getTime)
                        .containsExactly(org.assertj.core.api.Assertions.tuple("NodeOverheating", "n1", true, began)));
        alert(port, began, ",\"endsAt\":\"" + Instant.now().minusSeconds(1) + "\"");

        await().atMost(60, SECONDS)
                .untilAsserted(() -> assertThat(source.events())
                        .extracting(GenericEvent::getActive)
                        .containsExactly(true, false));
    }

    @Test
    void shouldTakeWhatCollectdSends() throws Exception {
        requireInstalled(COLLECTD);
        Path config = Files.writeString(
                directory.resolve("collectd.conf"), """
                    Hostname "n7.example.org"
                    FQDNLookup false
                    Interval 1
                    BaseDir "%2$s"
                    PIDFile "%2$s/pid"
                    LoadPlugin load
                    LoadPlugin write_http
                    <Plugin write_http>
                      <Node "weir">
                        URL "http://127.0.0.1:%1$d/v1/metrics?format=collectd"
                        Format "JSON"
                        Header "Authorization: Bearer %3$s"
                        BufferSize 1024
                      </Node>
                    </Plugin>
                    """.formatted(source.port(), directory, SourceFixture.TOKEN));
        run(COLLECTD, "-f", "-C", config.toString());

        await().atMost(60, SECONDS)
                .untilAsserted(() -> assertThat(source.metrics())
                        .extracting(NodeMetric::getNodeId, NodeMetric::getMetric)
                        .contains(
                                org.assertj.core.api.Assertions.tuple("n7", "load_shortterm"),
                                org.assertj.core.api.Assertions.tuple("n7", "load_longterm")));
        assertThat(source.metrics().get(0).getTime()).isBetween(Instant.now().minusSeconds(120), Instant.now());
    }

    private void run(String... command) throws IOException {
        tool = new ProcessBuilder(List.of(command))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    private static int alert(int port, Instant began, String more) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v2/alerts"))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        "[{\"labels\":{\"alertname\":\"NodeOverheating\",\"instance\":\"n1.example.org:9100\"},\"annotations\":{\"summary\":\"n1"
                                                + " is hot\"},\"startsAt\":\"" + began
                                                + "\"" + more
                                                + "}]"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void requireInstalled(String program) {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of(program)),
                program + " is not installed; run .ci/install-receivers to test with it");
    }
}
