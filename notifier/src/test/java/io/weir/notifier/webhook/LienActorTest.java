package io.weir.notifier.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.Severity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LienActorTest {

    private record Request(String key, String type, String authorization, JsonNode body) {}

    @TempDir
    private Path directory;

    private final List<Request> requests = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;
    private Actor actor;
    private volatile int status = 200;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/liens", exchange -> {
            try (exchange) {
                requests.add(new Request(
                        exchange.getRequestHeaders().getFirst("Idempotency-Key"),
                        exchange.getRequestHeaders().getFirst("Content-Type"),
                        exchange.getRequestHeaders().getFirst("Authorization"),
                        new ObjectMapper().readTree(exchange.getRequestBody())));
                byte[] said = "balance 12".getBytes(StandardCharsets.US_ASCII);
                exchange.sendResponseHeaders(status, said.length);
                exchange.getResponseBody().write(said);
            }
        });
        server.start();
        LienActorProvider provider = new LienActorProvider();
        actor = provider.open(new AbstractConfig(
                provider.settings(),
                Map.of(
                        "url",
                        "http://127.0.0.1:" + server.getAddress().getPort() + "/liens?key=secret",
                        "authorization.file",
                        Files.writeString(directory.resolve("key"), "Bearer abc\n")
                                .toString()),
                false));
    }

    /** The file may be replaced while the notifier runs. */
    @ParameterizedTest
    @ValueSource(strings = {"Bearer s3cret\u013f", "Bearer s3cr\u00e9t"})
    void shouldNotTellASecretThatNoHeaderCanHold(String secret) throws Exception {
        Files.writeString(directory.resolve("key"), secret);

        assertThatThrownBy(() -> actor.carryOut(lien()))
                .isInstanceOf(RetriableDeliveryException.class)
                .hasMessageContaining("printable ASCII")
                .hasMessageNotContaining("s3cr");
        assertThat(requests).isEmpty();
    }

    @AfterEach
    void stop() {
        actor.close();
        server.stop(0);
    }

    @Test
    void shouldSayWhoIsToPayForWhat() throws Exception {
        ActionResult result = actor.carryOut(lien());

        assertThat(result.outcome()).isEqualTo(ActionResult.Outcome.DONE);
        assertThat(result.code()).contains(200);
        Request request = requests.get(0);
        assertThat(request.key()).isEqualTo("tiny/7/0");
        assertThat(request.type()).isEqualTo("application/cloudevents+json");
        assertThat(request.authorization()).isEqualTo("Bearer abc");
        assertThat(request.body())
                .isEqualTo(new ObjectMapper()
                        .readTree("{'specversion':'1.0','id':'tiny/7/0','source':'/weir/tiny',"
                                .concat("'type':'io.weir.lien','subject':'jup\\\"iter','time':'1970-01-01T00:00:00Z',")
                                .concat("'datacontenttype':'application/json','data':{'objectType':'job',")
                                .concat("'objectId':'42','account':'jup\\\"iter','amount':'7200.000',")
                                .concat("'processors':2,'seconds':3600,'user':'ann'}}")
                                .replace('\'', '"')));
    }

    @ParameterizedTest
    @CsvSource({"200,DONE", "204,DONE", "402,FAILED", "403,FAILED", "409,FAILED"})
    void shouldTellWhetherTheAccountCanPay(int answer, ActionResult.Outcome outcome) throws Exception {
        status = answer;
        ActionResult result = actor.carryOut(lien());
        assertThat(result.outcome()).isEqualTo(outcome);
        assertThat(result.message())
                .startsWith("HTTP " + answer + " from http://127.0.0.1:")
                .doesNotContain("secret");
    }

    /** A wrong address or key is the site's mistake, and no job's account is refused for it. */
    @ParameterizedTest
    @ValueSource(ints = {301, 400, 401, 404, 405, 422})
    void shouldNotTakeItsOwnMistakesForARefusal(int answer) throws Exception {
        status = answer;
        assertThat(actor.carryOut(lien()).outcome()).isEqualTo(ActionResult.Outcome.REFUSED);
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 429, 500, 503})
    void shouldAskAgainLater(int answer) {
        status = answer;
        assertThatThrownBy(() -> actor.carryOut(lien())).isInstanceOf(RetriableDeliveryException.class);
    }

    @Test
    void shouldAskAgainWhenNobodyAnswers() throws Exception {
        server.stop(0);
        assertThatThrownBy(() -> actor.carryOut(lien())).isInstanceOf(RetriableDeliveryException.class);
        assertThat(actor.repeatable()).isTrue();
    }

    private static Action lien() {
        return new Action(
                "tiny/7/0",
                "tiny",
                "t1",
                Instant.EPOCH,
                "",
                List.of(),
                Map.of(
                        "account",
                        "jup\"iter",
                        "user",
                        "ann",
                        "amount",
                        "7200.000",
                        "processors",
                        "2",
                        "seconds",
                        "3600"),
                Map.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Duration.ofSeconds(5),
                List.of(),
                Severity.INFO,
                "lien",
                "job",
                "42",
                Optional.empty(),
                false);
    }
}
