package io.weir.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.service.http.HttpSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HealthServerTest {

    private static final String LOOPBACK = "127.0.0.1";

    private final AtomicBoolean alive = new AtomicBoolean(true);
    private final Readiness readiness = new Readiness();
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final HttpClient client = HttpClient.newHttpClient();
    private HealthServer server;

    @BeforeEach
    void start() throws IOException {
        server = HealthServer.start(HttpSettings.small("health", LOOPBACK, 0), alive::get, readiness, meters);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldBeLiveUntilToldOtherwise() throws Exception {
        assertThat(get("/health/live").statusCode()).isEqualTo(200);

        alive.set(false);

        assertThat(get("/health/live").statusCode()).isEqualTo(503);
        assertThat(get("/health/live").body()).contains("\"status\":\"DOWN\"");
    }

    @Test
    void shouldSayWhyItIsNotReady() throws Exception {
        Readiness.Condition broker = readiness.declare("broker");
        broker.unmet("no \"route\"\n");

        assertThat(get("/health/ready").statusCode()).isEqualTo(503);
        assertThat(get("/health/ready").body())
                .isEqualTo("{\"conditions\":{\"broker\":\"no \\\"route\\\"\\n\"},\"status\":\"DOWN\"}");

        broker.met();

        assertThat(get("/health/ready").statusCode()).isEqualTo(200);
        assertThat(get("/health/ready").body()).isEqualTo("{\"conditions\":{\"broker\":\"ok\"},\"status\":\"UP\"}");
    }

    @Test
    void shouldServeMetricsInPrometheusFormat() throws Exception {
        meters.counter("weir.iterations", "cluster", "alpha").increment(3);

        HttpResponse<String> response = get("/metrics");

        assertThat(response.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
        assertThat(response.body()).contains("weir_iterations_total{cluster=\"alpha\"} 3.0");
    }

    @Test
    void shouldPointOutWhatThereIs() throws Exception {
        assertThat(get("/").statusCode()).isEqualTo(404);
        assertThat(get("/").body()).contains("/health/ready");
        HttpRequest post = HttpRequest.newBuilder(uri("/metrics"))
                .POST(HttpRequest.BodyPublishers.ofString("x"))
                .build();
        assertThat(client.send(post, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(405);
    }

    @Test
    void shouldNameThePortThatIsTaken() {
        assertThatIOException()
                .isThrownBy(() -> HealthServer.start(
                        HttpSettings.small("health", LOOPBACK, server.port()), alive::get, readiness, meters))
                .withMessageContaining(LOOPBACK + ":" + server.port())
                .withMessageContaining("health.port");
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://" + LOOPBACK + ":" + server.port() + path);
    }
}
