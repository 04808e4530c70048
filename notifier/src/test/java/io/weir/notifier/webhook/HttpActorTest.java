package io.weir.notifier.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actions;
import io.weir.notifier.spi.Actor;
import io.weir.schemas.Severity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpActorTest {

    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private final List<String> bodies = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;
    private Actor actor;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            bodies.add(exchange.getRequestHeaders().getFirst("Content-Type") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("X-Site"));
            int status = exchange.getRequestURI().getPath().equals("/no") ? 409 : 200;
            exchange.sendResponseHeaders(status, 2);
            exchange.getResponseBody().write("ok".getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        server.start();
        HttpActorProvider provider = new HttpActorProvider();
        actor = provider.open(new AbstractConfig(provider.settings(), Map.of(HttpActorProvider.HOSTS, host()), false));
    }

    @AfterEach
    void stop() {
        actor.close();
        server.stop(0);
    }

    @Test
    void shouldReportStatusAndAnswer() throws Exception {
        ActionResult done = actor.carryOut(action("http://" + host() + "/yes?x=1", Map.of("header.X-Site", "a")));
        ActionResult failed = actor.carryOut(action("http://" + host() + "/no", Map.of("method", "put")));

        assertThat(done.outcome()).isEqualTo(ActionResult.Outcome.DONE);
        assertThat(done.code()).contains(200);
        assertThat(done.output()).contains("ok");
        assertThat(failed.outcome()).isEqualTo(ActionResult.Outcome.FAILED);
        assertThat(failed.code()).contains(409);
        assertThat(requests).containsExactly("POST /yes?x=1 a", "PUT /no null");
    }

    @Test
    void shouldPostTheEventWhereTheActionIsAnAddressAlone() throws Exception {
        Action action = Actions.of("http", "http://" + host() + "/yes", Map.of("content", "event"), "a \"fan\"");

        assertThat(actor.carryOut(action).outcome()).isEqualTo(ActionResult.Outcome.DONE);
        assertThat(bodies)
                .containsExactly("application/json {\"id\":\"tiny/7/0\",\"cluster\":\"tiny\","
                        + "\"time\":\"2026-03-01T10:00:00.250Z\",\"severity\":\"error\","
                        + "\"trigger\":\"NODECFG.n1.1@node:n1\",\"event\":\"sick\",\"objectType\":\"node\","
                        + "\"objectId\":\"n1\",\"owner\":\"ann\",\"message\":\"a \\\"fan\\\"\"}");
    }

    @Test
    void shouldLetTheTriggerNameAnotherTypeOfContent() throws Exception {
        Map<String, String> settings = Map.of("content", "event", "header.Content-Type", "application/vnd.site+json");

        assertThat(actor.carryOut(Actions.of("http", "http://" + host() + "/yes", settings, null))
                        .outcome())
                .isEqualTo(ActionResult.Outcome.DONE);
        assertThat(bodies).singleElement().asString().startsWith("application/vnd.site+json {\"id\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost.example.org/",
                "http://HOST@evil.example.org/",
                "http://evil.example.org#HOST",
                "http://user:secret@HOST/",
                "file:///etc/passwd",
                "http://HOST/a b\r\nX: y",
                "//HOST/",
                ""
            })
    void shouldRefuseWhatIsNotListedOrNoUrl(String url) throws Exception {
        assertThat(actor.carryOut(action(url.replace("HOST", host()), Map.of())).outcome())
                .isEqualTo(ActionResult.Outcome.REFUSED);
        assertThat(requests).isEmpty();
    }

    @Test
    void shouldRefuseHeadersThatWouldBecomeOthers() throws Exception {
        for (Map<String, String> settings : List.of(
                Map.of("header.X-Site", "a\r\nX-Evil: b"),
                Map.of("header.X Site", "a"),
                Map.of("header.Host", "evil"),
                Map.of("method", "TRACE"),
                Map.of("method", "GET / HTTP/1.1\r\nX: y"))) {
            assertThat(actor.carryOut(action("http://" + host() + "/", settings))
                            .outcome())
                    .isEqualTo(ActionResult.Outcome.REFUSED);
        }
        assertThat(requests).isEmpty();
    }

    @Test
    void shouldNotTellTheSecretsOfARequestThatCannotBeSent() throws Exception {
        String url = "http://" + host() + "/hook/secret?key=secret";
        for (Action action : List.of(
                action(url + "|", Map.of()),
                action(url + " %", Map.of()),
                action(url, Map.of("header.Authorization", "Bearer secret\n")),
                action(url, Map.of("header.Authorization", "Bearer secret\u013f")))) {
            ActionResult result = actor.carryOut(action);

            assertThat(result.outcome()).isEqualTo(ActionResult.Outcome.REFUSED);
            assertThat(result.message())
                    .startsWith("no such request can be sent: ")
                    .doesNotContain("secret");
        }
        assertThat(requests).isEmpty();
    }

    private String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private static Action action(String target, Map<String, String> settings) {
        return new Action(
                "tiny/7/0",
                "tiny",
                "t1",
                Instant.EPOCH,
                target,
                List.of(),
                settings,
                Map.of(),
                Optional.of("{}"),
                List.of(),
                Optional.empty(),
                Duration.ZERO,
                List.of(),
                Severity.ERROR,
                "fail",
                "node",
                "n1",
                Optional.empty(),
                false);
    }
}
