package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.service.http.HttpListener;
import io.weir.service.http.HttpReply;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who gets a thread, over real connections; questions of some principals take until they are let go. */
@Timeout(60)
class ApiThreadsTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final ApiThreads threads = new ApiThreads();

    /** As many questions of the greedy as may be answered. */
    private final Semaphore let = new Semaphore(0);

    private final Semaphore begun = new Semaphore(0);
    private final Semaphore arrived = new Semaphore(0);
    private HttpListener listener;

    @BeforeEach
    void serve() throws Exception {
        listener = HttpListener.start(ApiServerTest.settings(Map.of()).http(), call -> {
            String name = call.path().get(0);
            Supplier<HttpReply> answer = () -> answer(name);
            Principal principal = new Principal(name, Optional.of(AccessLevel.USER));
            Caller caller = name.contains(".")
                    ? new Caller(principal, Optional.of(ClientNetwork.of(name.substring(name.indexOf('-') + 1))))
                    : Caller.holder(principal);
            CompletionStage<HttpReply> reply;
            try {
                reply = threads.read(caller, answer);
            } finally {
                arrived.release();
            }
            return reply;
        });
    }

    private HttpReply answer(String name) {
        begun.release();
        try {
            if (name.startsWith("greedy")) {
                let.acquire();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return HttpReply.json(HttpReply.OK, JsonNodeFactory.instance.textNode(name));
    }

    @AfterEach
    void stop() {
        let.release(10_000);
        threads.close();
        listener.close();
    }

    @Test
    void shouldLeaveReadersToOthersHoweverManyQuestionsOnePrincipalAsks() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> greedy = ask("greedy", 40);
        assertThat(begun.tryAcquire(4, 20, TimeUnit.SECONDS)).isTrue();

        assertThat(ask("modest", 1).get(0).get(20, TimeUnit.SECONDS).statusCode())
                .isEqualTo(200);
        begun.acquire();
        assertThat(begun.tryAcquire(200, TimeUnit.MILLISECONDS))
                .as("a fifth question of one principal at a time")
                .isFalse();

        let.release(10_000);
        for (CompletableFuture<HttpResponse<String>> each : greedy) {
            assertThat(each.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldRefuseAPrincipalsQuestionsBeyondItsShareOfTheQueue() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> greedy = ask("greedy", 300);
        List<HttpResponse<String>> refused = new ArrayList<>();
        for (int i = 0; i < 300 - 260; i++) {
            refused.add(CompletableFuture.anyOf(greedy.toArray(CompletableFuture[]::new))
                    .thenApply(any -> greedy.stream()
                            .filter(CompletableFuture::isDone)
                            .findFirst()
                            .orElseThrow())
                    .thenApply(first -> {
                        greedy.remove(first);
                        return first.join();
                    })
                    .get(20, TimeUnit.SECONDS));
        }

        assertThat(refused).allSatisfy(response -> {
            assertThat(response.statusCode()).isEqualTo(429);
            assertThat(response.headers().firstValue("Retry-After")).contains("1");
            assertThat(response.body()).contains("greedy has 260 questions under way");
        });
        assertThat(ask("modest", 1).get(0).get(20, TimeUnit.SECONDS).statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldGiveAThirdItsTurnWhenTwoAskWithoutEnd() throws Exception {
        ask("greedy1", 20);
        ask("greedy2", 20);
        assertThat(begun.tryAcquire(8, 20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<HttpResponse<String>> third = ask("modest", 1).get(0);
        arrived.acquire(41);
        let.release(8);

        assertThat(third.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }

    @Test
    void shouldLeaveRoomToOthersHoweverManyAddressesWithoutATokenAsk() throws Exception {
        for (int address = 1; address <= 20; address++) {
            ask("greedy-10.0.0." + address, 30);
        }
        arrived.acquire(600);

        assertThat(ask("modest", 1).get(0).get(20, TimeUnit.SECONDS).statusCode())
                .as("a holder of a token")
                .isEqualTo(200);
        CompletableFuture<HttpResponse<String>> anonymous =
                ask("modest-10.0.0.77", 1).get(0);
        let.release(10_000);
        assertThat(anonymous.get(20, TimeUnit.SECONDS).statusCode())
                .as("another address")
                .isEqualTo(200);
    }

    private List<CompletableFuture<HttpResponse<String>>> ask(String principal, int times) {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            answers.add(CLIENT.sendAsync(
                    HttpRequest.newBuilder(URI.create(listener.url() + "/" + principal))
                            .timeout(Duration.ofSeconds(30))
                            .build(),
                    HttpResponse.BodyHandlers.ofString()));
        }
        return answers;
    }
}
