package io.weir.notifier.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.Headers;
import io.weir.notifier.spi.Deliveries;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.DeliveryJson;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierContractTest;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.Severity;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookNotifierTest extends NotifierContractTest {

    @TempDir
    private Path directory;

    private final FakeReceiver receiver = new FakeReceiver();

    @AfterEach
    void closeReceiver() {
        receiver.close();
    }

    @Override
    protected Notifier open() {
        return open(Map.of(WebhookProvider.URL, receiver.url().toString()));
    }

    @Override
    protected List<String> received() {
        return receiver.ids();
    }

    @Override
    protected void takeReceiverAway() {
        receiver.stop();
    }

    @Override
    protected void bringReceiverBack() {
        receiver.start();
    }

    @Test
    void shouldSendTheIdAsIdempotencyKey() throws Exception {
        open().deliver(Deliveries.nodeDown("tiny/7/0"));
        open().deliver(Deliveries.nodeDown("tïny/7 0"));

        assertThat(receiver.requests())
                .extracting(headers -> headers.getFirst("Idempotency-Key"))
                .containsExactly("tiny/7/0", "t%C3%AFny/7%200");
    }

    @Test
    void shouldSendJsonAndTheAuthorization() throws Exception {
        open(Map.of(WebhookProvider.URL, receiver.url().toString(), WebhookProvider.AUTHORIZATION, "Bearer letmein"))
                .deliver(Deliveries.nodeDown("tiny/7/0"));

        Headers headers = receiver.requests().get(0);
        assertThat(headers.getFirst("Content-Type")).isEqualTo("application/json");
        assertThat(headers.getFirst("Authorization")).isEqualTo("Bearer letmein");
    }

    @Test
    void shouldSendTheAttributesOfACloudEvent() throws Exception {
        open().deliver(Deliveries.of("tiny/7/0", "node\r\ndown: ä\"%", Severity.ERROR));

        Headers headers = receiver.requests().get(0);
        assertThat(headers.getFirst("ce-specversion")).isEqualTo("1.0");
        assertThat(headers.getFirst("ce-id")).isEqualTo("tiny/7/0");
        assertThat(headers.getFirst("ce-source")).isEqualTo("/weir/tiny");
        assertThat(headers.getFirst("ce-type")).isEqualTo("io.weir.notification.node%0D%0Adown:%20%C3%A4%22%25");
        assertThat(headers.getFirst("ce-subject")).isEqualTo("node/n1");
        assertThat(headers.getFirst("ce-time")).isEqualTo("2026-03-01T10:00:00.250Z");
    }

    @Test
    void shouldSignTheBodyWithItsTime() throws Exception {
        Path key = Files.writeString(directory.resolve("key"), "s3cret-key\n");
        long before = Instant.now().getEpochSecond();

        open(Map.of(WebhookProvider.URL, receiver.url().toString(), WebhookProvider.SIGNATURE_FILE, key.toString()))
                .deliver(Deliveries.nodeDown("tiny/7/0"));

        String signature = receiver.requests().get(0).getFirst("X-Weir-Signature");
        long seconds = Long.parseLong(signature.replaceFirst("t=(\\d+),.*", "$1"));
        assertThat(seconds).isBetween(before, before + 60);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("s3cret-key".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        byte[] expected = mac.doFinal(
                (seconds + "." + DeliveryJson.of(Deliveries.nodeDown("tiny/7/0"))).getBytes(StandardCharsets.UTF_8));
        assertThat(signature).isEqualTo("t=" + seconds + ",v1=" + HexFormat.of().formatHex(expected));
    }

    @Test
    void shouldReadTheAuthorizationFromItsFileEachTimeAndShowItNowhere() throws Exception {
        Path file = Files.writeString(directory.resolve("authorization"), "Bearer first-secret");
        Notifier notifier = open(Map.of(
                WebhookProvider.URL, receiver.url().toString(), WebhookProvider.AUTHORIZATION_FILE, file.toString()));
        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));
        Files.writeString(file, "Bearer second-secret");
        notifier.deliver(Deliveries.nodeDown("tiny/7/1"));
        Files.delete(file);

        assertThatThrownBy(() -> notifier.deliver(Deliveries.nodeDown("tiny/7/2")))
                .isInstanceOf(RetriableDeliveryException.class)
                .message()
                .contains("cannot be read")
                .doesNotContain("secret-");
        assertThat(receiver.requests())
                .extracting(headers -> headers.getFirst("Authorization"))
                .containsExactly("Bearer first-secret", "Bearer second-secret");
    }

    @Test
    void shouldMarkAPossibleDuplicate() {
        assertThat(DeliveryJson.of(Deliveries.nodeDown("1"))).doesNotContain("possibleDuplicate");
        assertThat(DeliveryJson.of(Deliveries.nodeDown("1").repeated())).contains("\"possibleDuplicate\":true");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 204, 299})
    void shouldTakeEvery2xxForDelivered(int status) throws Exception {
        receiver.next(FakeReceiver.status(status, ""));

        Receipt receipt = open().deliver(Deliveries.nodeDown("tiny/7/0"));

        assertThat(receipt.message()).startsWith("HTTP " + status + " from http://127.0.0.1:");
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 429, 500, 502, 503, 504, 599})
    void shouldCallABusyReceiverRetriable(int status) {
        receiver.next(FakeReceiver.status(status, "come\nback later"));

        RetriableDeliveryException e = catchThrowableOfType(
                RetriableDeliveryException.class, () -> open().deliver(Deliveries.nodeDown("tiny/7/0")));

        assertThat(e).hasMessageStartingWith("HTTP " + status).hasMessageEndingWith(": come back later");
        assertThat(e.retryAfter()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 304, 400, 401, 403, 404, 410, 422})
    void shouldCallARefusalPermanent(int status) {
        receiver.next(FakeReceiver.status(status, "", "Location", "/elsewhere"));

        assertThatThrownBy(() -> open().deliver(Deliveries.nodeDown("tiny/7/0")))
                .isExactlyInstanceOf(DeliveryException.class)
                .hasMessageContaining("HTTP " + status);
    }

    @Test
    void shouldHonourRetryAfter() {
        receiver.next(FakeReceiver.status(503, "", "Retry-After", "120"));

        RetriableDeliveryException e = catchThrowableOfType(
                RetriableDeliveryException.class, () -> open().deliver(Deliveries.nodeDown("tiny/7/0")));

        assertThat(e.retryAfter()).contains(Duration.ofSeconds(120));
    }

    @Test
    void shouldCallAHangUpRetriable() {
        receiver.next(FakeReceiver.hangUp());
        receiver.next(FakeReceiver.hangUp());

        assertThatThrownBy(() -> open().deliver(Deliveries.nodeDown("tiny/7/0")))
                .isInstanceOf(RetriableDeliveryException.class);
    }

    @Test
    void shouldGiveUpAnAttemptWithoutAnswerInTime() {
        receiver.next(FakeReceiver.silence());

        assertThatThrownBy(() -> openImpatient().deliver(Deliveries.nodeDown("tiny/7/0")))
                .isInstanceOf(RetriableDeliveryException.class)
                .hasMessageContaining("no answer");
    }

    @Test
    void shouldTakeTheStatusOfAnAnswerThatDoesNotEndInTime() throws Exception {
        receiver.next(FakeReceiver.stuckAfterHeaders(202));
        receiver.next(FakeReceiver.stuckAfterHeaders(503));

        Receipt receipt = openImpatient().deliver(Deliveries.nodeDown("tiny/7/0"));

        assertThat(receipt.message()).startsWith("HTTP 202 from");
        assertThatThrownBy(() -> openImpatient().deliver(Deliveries.nodeDown("tiny/7/0")))
                .isInstanceOf(RetriableDeliveryException.class)
                .hasMessageContaining("HTTP 503");
    }

    @Test
    void shouldTakeTheStatusOfAnAnswerThatBreaksOff() throws Exception {
        receiver.next(FakeReceiver.cutShort(200, "all is w"));

        Receipt receipt = open().deliver(Deliveries.nodeDown("tiny/7/0"));

        assertThat(receipt.message()).endsWith(": all is w");
    }

    @Test
    void shouldReadTheBeginningOfAnEndlessAnswer() throws Exception {
        receiver.next(FakeReceiver.endless(200));

        Receipt receipt = open().deliver(Deliveries.nodeDown("tiny/7/0"));

        assertThat(receipt.message()).contains("all is well").hasSizeLessThan(BeginningOfBody.LIMIT_BYTES + 100);
    }

    @Test
    void shouldAnswerAnInterruptAsSuch() {
        receiver.next(FakeReceiver.silence());
        Notifier notifier = open();

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> notifier.deliver(Deliveries.nodeDown("tiny/7/0")))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void shouldNotTellTheSecretsInItsUrl() throws Exception {
        Receipt receipt = open().deliver(Deliveries.nodeDown("tiny/7/0"));
        receiver.stop();

        assertThat(receipt.message()).doesNotContain("secret");
        assertThatThrownBy(() -> open().deliver(Deliveries.nodeDown("tiny/7/1")))
                .message()
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://example.org", "example.org/hook", "http:///hook", "http://a b", "/hook"})
    void shouldRefuseWhatIsNoUrl(String url) {
        assertThatThrownBy(() -> open(Map.of(WebhookProvider.URL, url + "?key=secret")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("for configuration url:")
                .hasMessageNotContaining("secret");
    }

    @Test
    void shouldRefuseAUserInTheUrlWhomNobodySends() {
        assertThatThrownBy(() -> open(Map.of(WebhookProvider.URL, "https://ann:secret@example.org/hook")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("names a user")
                .hasMessageNotContaining("secret");
    }

    @Test
    void shouldRefuseAnAuthorizationThatNoHeaderCanHold() {
        assertThatThrownBy(() -> open(Map.of(
                        WebhookProvider.URL,
                        receiver.url().toString(),
                        WebhookProvider.AUTHORIZATION,
                        "Bearer two\nlines")))
                .isInstanceOf(ConfigException.class)
                .hasMessageNotContaining("two");
    }

    private Notifier openImpatient() {
        return open(Map.of(WebhookProvider.URL, receiver.url().toString(), WebhookProvider.TIMEOUT_MS, "200"));
    }

    private static Notifier open(Map<String, String> settings) {
        WebhookProvider provider = new WebhookProvider();
        return provider.open("pager", new AbstractConfig(provider.settings(), settings, false));
    }
}
