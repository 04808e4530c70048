package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RegistryPatienceTest {
    private final AtomicInteger failures = new AtomicInteger(2);

    @Test
    void shouldWaitForARegistryThatAnswersLater() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            boolean away = failures.getAndDecrement() > 0;
            byte[] body = (away ? "{\"error_code\":503,\"message\":\"not yet\"}" : "{\"id\":7}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/vnd.schemaregistry.v1+json");
            exchange.sendResponseHeaders(away ? 503 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        try (AvroCodec codec = new AvroCodec(
                new TopicNames(TopicNames.DEFAULT_PREFIX), Map.of("schema.registry.url", url, "max.retries", 0))) {
            new RegistryPatience(codec).prepare(List.of(Topics.MONITORING_METRICS));
        } finally {
            server.stop(0);
        }

        assertThat(failures).hasNegativeValue();
    }
}
