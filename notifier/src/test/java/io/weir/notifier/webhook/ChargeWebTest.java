package io.weir.notifier.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.weir.notifier.spi.ChargePeer;
import io.weir.notifier.spi.Charges;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChargeWebTest {

    private record Request(String key, String type, String authorization, JsonNode body) {}

    @TempDir
    private Path directory;

    private final List<Request> requests = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;
    private volatile int status = 200;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/events", exchange -> {
            try (exchange) {
                requests.add(new Request(
                        exchange.getRequestHeaders().getFirst("Idempotency-Key"),
                        exchange.getRequestHeaders().getFirst("Content-Type"),
                        exchange.getRequestHeaders().getFirst("Authorization"),
                        new ObjectMapper().readTree(exchange.getRequestBody())));
                exchange.sendResponseHeaders(status, -1);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void shouldSendCloudEventsAsOpenMeterTakesThem() throws Exception {
        peer(Map.of()).book(Charges.hour("job.42.0").build());

        Request request = requests.get(0);
        assertThat(request.key()).isEqualTo("tiny/job.42.0");
        assertThat(request.type()).isEqualTo("application/cloudevents+json");
        assertThat(request.authorization()).isEqualTo("Bearer abc");
        JsonNode body = request.body();
        assertThat(body.path("specversion").asText()).isEqualTo("1.0");
        assertThat(body.path("id").asText()).isEqualTo("job.42.0");
        assertThat(body.path("source").asText()).isEqualTo("/weir/tiny");
        assertThat(body.path("type").asText()).isEqualTo("io.weir.charge");
        assertThat(body.path("subject").asText()).isEqualTo("jupiter");
        assertThat(body.path("data").path("amount").asText()).isEqualTo("7200.000");
        assertThat(body.path("data").path("processorSeconds").asLong()).isEqualTo(7_200);
    }

    @Test
    void shouldSendEventsAsLagoTakesThem() throws Exception {
        peer(Map.of("format", "lago", "lago.code", "cpu"))
                .book(Charges.hour("r").setKind("refund").build());

        JsonNode event = requests.get(0).body().path("event");
        assertThat(event.path("transaction_id").asText()).isEqualTo("tiny/r");
        assertThat(event.path("external_subscription_id").asText()).isEqualTo("jupiter");
        assertThat(event.path("code").asText()).isEqualTo("cpu");
        assertThat(event.path("timestamp").asLong()).isEqualTo(1_772_362_805);
        assertThat(event.path("properties").path("amount").asText()).isEqualTo("-7200.000");
        assertThat(event.path("properties").path("processorSeconds").asLong()).isEqualTo(-7_200);
    }

    @Test
    void shouldTellLaterFromNever() throws Exception {
        ChargePeer peer = peer(Map.of());
        for (int later : List.of(408, 429, 500, 503)) {
            status = later;
            assertThatThrownBy(() -> peer.book(Charges.hour("a").build()))
                    .isInstanceOf(RetriableDeliveryException.class);
        }
        for (int never : List.of(301, 400, 401, 422)) {
            status = never;
            assertThatThrownBy(() -> peer.book(Charges.hour("a").build()))
                    .isInstanceOf(DeliveryException.class)
                    .isNotInstanceOf(RetriableDeliveryException.class);
        }
        server.stop(0);
        assertThatThrownBy(() -> peer.book(Charges.hour("a").build())).isInstanceOf(RetriableDeliveryException.class);
    }

    private ChargePeer peer(Map<String, String> more) throws Exception {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("url", "http://127.0.0.1:" + server.getAddress().getPort() + "/api/v1/events");
        settings.put(
                "authorization.file",
                Files.writeString(directory.resolve("key"), "Bearer abc\n").toString());
        ChargeWebProvider provider = new ChargeWebProvider();
        return provider.open("accounts", new AbstractConfig(provider.settings(), settings, false));
    }
}
