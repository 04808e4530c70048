package io.weir.notifier.syslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.notifier.server.DebianServer;
import io.weir.notifier.spi.Deliveries;
import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierContractTest;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.Severity;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SyslogNotifierTest extends NotifierContractTest {

    private static final Pattern ID = Pattern.compile(" id=\"((?:[^\"\\\\\\]]|\\\\.)*)\"");

    private final FakeSyslog server = new FakeSyslog(DebianServer.freePort());

    @AfterEach
    void closeServer() {
        server.stop();
    }

    @Override
    protected Notifier open() {
        Map<String, String> settings = new HashMap<>();
        settings.put(SyslogProvider.HOST, "127.0.0.1");
        settings.put(SyslogProvider.PORT, String.valueOf(server.port()));
        settings.put(SyslogProvider.HOSTNAME, "head node");
        settings.put(SyslogProvider.TIMEOUT_MS, "5000");
        SyslogProvider provider = new SyslogProvider();
        return provider.open("log", new AbstractConfig(provider.settings(), settings, false));
    }

    @Override
    protected List<String> received() {
        return server.messages().stream().map(SyslogNotifierTest::idOf).toList();
    }

    @Override
    protected String shown(String id) {
        return id.replace("\n", "%0A")
                .replace("\r", "%0D")
                .replace("\t", "%09")
                .replace("\0", "%00")
                .replace("\u2028", "%2028");
    }

    @Override
    protected void takeReceiverAway() {
        server.stop();
    }

    @Override
    protected void bringReceiverBack() {
        server.start();
    }

    @Test
    void shouldWriteOneMessageOfRfc5424() throws Exception {
        open().deliver(Deliveries.nodeDown("tiny/7/0"));

        assertThat(server.messages().get(0))
                .matches("<27>1 2026-03-01T10:00:00\\.250Z head_node weir \\d+ nodedown \\[weir@32473 id=\"tiny/7/0\""
                        + " cluster=\"tiny\" event=\"nodedown\" objectType=\"node\" objectId=\"n1\"] \uFEFFn1 is"
                        + " down: n1 stopped answering\\. Two jobs ran on it\\.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x\n<0>1 2026-01-01T00:00:00Z evil su - - - root logged in",
                "x\r\n<0>evil",
                "\"] evil [weir@32473 id=\"",
                "\\\"] evil",
                "x\u0000<0>evil",
                "x\u0085<0>evil\u2028<0>evil",
                "\u001b[2J\u001b]0;evil\u0007"
            })
    void shouldKeepEveryVariableInItsPlace(String hostile) {
        Delivery delivery = new Delivery(
                hostile,
                hostile,
                Deliveries.nodeDown("x").time(),
                Severity.ERROR,
                hostile,
                hostile,
                hostile,
                hostile,
                hostile,
                List.of(hostile),
                true);

        String line = new String(new SyslogMessage(3, hostile, 8_000).of(delivery), StandardCharsets.UTF_8);

        assertThat(line).doesNotContainPattern("[\\p{Cntrl}\\u0080-\\u009f\\u2028]");
        assertThat(line)
                .matches("<27>1 \\S+ \\S+ weir \\d+ \\S+ \\[weir@32473( \\w+=\"([^\"\\\\\\]]|\\\\.)*\"){6}] \uFEFF.*");
    }

    @Test
    void shouldCutAtTheEndOnly() {
        String line = new String(
                new SyslogMessage(3, "head", 4_096)
                        .of(Deliveries.of("]".repeat(9_000), "e", Severity.INFO, "s", "ä".repeat(9_000))),
                StandardCharsets.UTF_8);

        assertThat(line.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(4_090, 4_096);
        assertThat(line).contains("objectId=\"n1\"] ").endsWith("ä");
    }

    /** A socket's own timeout begins anew with each octet. */
    @ParameterizedTest
    @CsvSource({"tcp, true", "tls, false"})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldNotWaitForEverForAServerThatGoesOnAnOctetAtATime(String transport, boolean begun) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread peer = new Thread(() -> goOn(listening), "slow-syslog");
            peer.setDaemon(true);
            peer.start();
            SyslogProvider provider = new SyslogProvider();
            Map<String, String> settings = Map.of(
                    SyslogProvider.HOST,
                    "127.0.0.1",
                    SyslogProvider.PORT,
                    String.valueOf(listening.getLocalPort()),
                    SyslogProvider.TRANSPORT,
                    transport,
                    SyslogProvider.TIMEOUT_MS,
                    "1000");
            Notifier notifier = provider.open("log", new AbstractConfig(provider.settings(), settings, false));

            assertThatThrownBy(() -> notifier.deliver(Deliveries.nodeDown("tiny/7/0")))
                    .isInstanceOfSatisfying(
                            RetriableDeliveryException.class,
                            e -> assertThat(e.mayHaveArrived()).isEqualTo(begun))
                    .hasMessageContaining("not within 1000 ms");
        }
    }

    /** The beginning of a long record of TLS, which is as good as anything without. */
    private static void goOn(ServerSocket listening) {
        try (Socket socket = listening.accept()) {
            OutputStream out = socket.getOutputStream();
            out.write(new byte[] {22, 3, 3, 0x3F, 0});
            while (true) {
                out.write(1);
                Thread.sleep(50);
            }
        } catch (IOException e) {
            // The notifier has had enough.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String idOf(String message) {
        Matcher matcher = ID.matcher(message);
        assertThat(matcher.find()).as(message).isTrue();
        return matcher.group(1).replaceAll("\\\\(.)", "$1");
    }
}
