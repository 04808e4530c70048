package io.weir.monitoring.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.NodeMetric;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpReceiverTest {

    @TempDir
    private Path directory;

    private SourceFixture source;

    @BeforeEach
    void start() throws IOException {
        source = new SourceFixture(directory);
    }

    @AfterEach
    void stop() {
        source.close();
    }

    @Test
    void shouldTakeMetricsAndSayWhatBecameOfThem() throws Exception {
        HttpResponse<String> answer = source.post(
                "/v1/metrics?format=influx", SourceFixture.TOKEN, "temp,host=n1 value=41\ntemp value=1\nrubbish");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"matched\":1", "\"no_node\":1", "\"unreadable\":1");
        assertThat(source.metrics()).extracting(NodeMetric::getValue).containsExactly(41.0);
        assertThat(source.meters
                        .get("weir.monitoring.source.parts")
                        .tag("matching", "no_node")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void shouldRefuseStrangersAndWhatItCannotUse() throws Exception {
        assertThat(source.post("/v1/metrics", "wrong", "temp,host=n1 value=1").statusCode())
                .isEqualTo(401);
        assertThat(source.post("/v1/metrics", "", "temp,host=n1 value=1").statusCode())
                .isEqualTo(401);
        assertThat(source.post("/v1/else", SourceFixture.TOKEN, "").statusCode())
                .isEqualTo(404);
        assertThat(source.post("/v1/metrics?format=morse", SourceFixture.TOKEN, "")
                        .statusCode())
                .isEqualTo(400);
        assertThat(source.post("/v1/alerts", SourceFixture.TOKEN, "rubbish").statusCode())
                .isEqualTo(400);
        assertThat(source.post("/v1/metrics", SourceFixture.TOKEN, "x".repeat(2 << 20))
                        .statusCode())
                .isEqualTo(413);
        assertThat(source.producer.history()).isEmpty();
    }

    @Test
    void shouldAskForTheSameAgainWhenTheBrokerIsAway() throws Exception {
        String alert = "{\"alerts\":[{\"status\":\"firing\",\"labels\":{\"alertname\":\"Hot\",\"host\":\"n1\"},"
                + "\"startsAt\":\"2026-03-01T10:00:00Z\",\"fingerprint\":\"f\"}]}";
        source.producer.sendException = new KafkaException("no broker");
        assertThat(source.post("/v1/alerts", SourceFixture.TOKEN, alert).statusCode())
                .isEqualTo(503);
        source.producer.sendException = null;

        assertThat(source.post("/v1/alerts", SourceFixture.TOKEN, alert).statusCode())
                .isEqualTo(200);
        assertThat(source.post("/v1/alerts", SourceFixture.TOKEN, alert).body()).contains("\"repeated\":1");
        assertThat(source.events()).hasSize(1);
    }

    @Test
    void shouldRefuseACompressedBodyWithTheReason() throws Exception {
        HttpResponse<String> answer =
                source.post("/v1/metrics", SourceFixture.TOKEN, "temp,host=n1 value=1", "Content-Encoding", "gzip");

        assertThat(answer.statusCode()).isEqualTo(415);
        assertThat(answer.body()).contains("Content-Encoding 'gzip'");
        assertThat(source.producer.history()).isEmpty();
    }

    @Test
    void shouldAnswerOthersWhileTheBrokerKeepsItWaiting() throws Exception {
        CountDownLatch back = new CountDownLatch(1);
        CountDownLatch waiting = new CountDownLatch(8);
        source.producer.before = () -> {
            waiting.countDown();
            try {
                back.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        ExecutorService clients = Executors.newCachedThreadPool();
        try {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                answers.add(clients.submit(() -> source.post("/v1/metrics", SourceFixture.TOKEN, "temp,host=n1 value=1")
                        .statusCode()));
            }
            waiting.await();

            assertThat(source.post("/v1/metrics", "wrong", "").statusCode()).isEqualTo(401);
            assertThat(source.post("/v1/metrics", SourceFixture.TOKEN, "temp,host=n1 value=1")
                            .statusCode())
                    .isEqualTo(503);

            back.countDown();
            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).isEqualTo(200);
            }
        } finally {
            back.countDown();
            clients.shutdownNow();
        }
    }

    @Test
    void shouldNotWaitForTheBrokerWithEachFactOfAMessage() throws Exception {
        source.producer.refusal = new TimeoutException("no metadata after 30 s");

        assertThat(source.post("/v1/metrics", SourceFixture.TOKEN, "temp,host=n1 value=1\n".repeat(1_000))
                        .statusCode())
                .isEqualTo(503);

        assertThat(source.producer.tried).hasValue(1);
    }

    @Test
    void shouldQuoteLittleOfWhatItCannotRead() throws Exception {
        String status = "\\u001b[31m" + "x".repeat(500_000);

        HttpResponse<String> answer = source.post(
                "/v1/alerts",
                SourceFixture.TOKEN,
                "{\"alerts\":[{\"status\":\"" + status + "\",\"labels\":{\"alertname\":\"Hot\"}}]}");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body())
                .contains("an alert without alertname, or of status")
                .hasSizeLessThan(400);
        assertThat(answer.body().chars()).noneMatch(Character::isISOControl);
    }
}
