package io.weir.notifier.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.weir.notifier.server.DebianServer;
import io.weir.notifier.spi.Deliveries;
import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierContractTest;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.Severity;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MailNotifierTest extends NotifierContractTest {
    /** Beginning of a long record of a handshake. */
    private static final byte[] TLS_RECORD = {22, 3, 3, 63, -1};

    @TempDir
    private Path directory;

    private final int port = DebianServer.freePort();
    private final GreenMail server = new GreenMail(new ServerSetup(port, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));

    MailNotifierTest() {
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    @Override
    protected Notifier open() {
        return open(Map.of());
    }

    @Override
    protected List<String> received() {
        return Arrays.stream(server.getReceivedMessages())
                .map(mail -> URLDecoder.decode(header(mail, "X-Weir-Delivery"), StandardCharsets.UTF_8))
                .toList();
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
    void shouldWriteALetter() throws Exception {
        Receipt receipt = open().deliver(Deliveries.nodeDown("tiny/7/0"));

        MimeMessage mail = server.getReceivedMessages()[0];
        assertThat(mail.getSubject()).isEqualTo("n1 is down");
        assertThat(header(mail, "To")).isEqualTo("ops@example.org");
        assertThat(header(mail, "From")).isEqualTo("weir@example.org");
        assertThat(header(mail, "Auto-Submitted")).isEqualTo("auto-generated");
        assertThat(header(mail, "X-Weir-Object")).isEqualTo("node:n1");
        assertThat(mail.getContent().toString()).contains("Two jobs ran on it.");
        assertThat(receipt.message()).contains("sent to 1 of 1");
    }

    @Test
    void shouldGiveARepetitionTheSameMessageIdAndMarkIt() throws Exception {
        open().deliver(Deliveries.nodeDown("tiny/7/0"));
        open().deliver(Deliveries.nodeDown("tiny/7/0").repeated());

        MimeMessage[] mails = server.getReceivedMessages();
        assertThat(mails[0].getMessageID()).isEqualTo(mails[1].getMessageID());
        assertThat(mails[0].getHeader("X-Weir-Possible-Duplicate")).isNull();
        assertThat(header(mails[1], "X-Weir-Possible-Duplicate")).isEqualTo("yes");
        assertThat(mails[1].getSubject()).isEqualTo("n1 is down (possibly sent before)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "down\r\nBcc: victim@example.org",
                "down\nBcc: victim@example.org\n\nbody",
                "down\r\n.\r\nMAIL FROM:<x@example.org>",
                "down\u2028Bcc: victim@example.org",
                "=?utf-8?q?=0d=0aBcc:_victim@example.org?="
            })
    void shouldKeepEverythingOutOfTheHeaders(String hostile) throws Exception {
        Delivery delivery = new Delivery(
                "tiny/" + hostile,
                hostile,
                Deliveries.nodeDown("x").time(),
                Severity.ERROR,
                hostile,
                hostile,
                hostile,
                hostile,
                hostile,
                List.of("ops@example.org"),
                false);

        open().deliver(delivery);

        assertThat(server.getReceivedMessages()).hasSize(1);
        MimeMessage mail = server.getReceivedMessages()[0];
        assertThat(Collections.list(mail.getAllHeaders()))
                .extracting(header -> header.getName())
                .doesNotContain("Bcc", "bcc");
        assertThat(mail.getAllRecipients()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ops@example.org>\r\nRCPT TO:<victim@example.org",
                "ops@example.org,victim@example.org",
                "\"a\r\nb\"@example.org",
                "Ops <ops@example.org>",
                "@example.org",
                "m\u00fcller@example.org",
                "ops@m\u00fcnchen.example",
                "x\u0140evil.example\u013e@example.org",
                "ops@example.org\u0085",
                "ops\uff20example.org",
                ""
            })
    void shouldTakeNothingForAnAddressThatIsMoreThanOne(String hostile) throws Exception {
        Delivery to = withRecipients(List.of(hostile));

        assertThatThrownBy(() -> open().deliver(to))
                .isInstanceOf(DeliveryException.class)
                .hasMessageContaining("no recipient")
                .message()
                .doesNotContain("\n");
        open().deliver(withRecipients(List.of(hostile, "ann@example.org")));

        assertThat(server.getReceivedMessages()).hasSize(1);
        assertThat(server.getReceivedMessages()[0].getAllRecipients()).hasSize(1);
    }

    /** A character beyond ASCII would go to the server as its lowest octet alone, here as @ and &gt;. */
    @Test
    void shouldSendToTheOthersWhereANameIsNotOfAscii() throws Exception {
        Notifier notifier = open(Map.of(MailProvider.DOMAIN, "example.org"));

        Receipt receipt = notifier.deliver(
                withRecipients(List.of("ann", "jan.pol\u00e1\u010dek", "x\u0140evil.example\u013e", "bob")));

        assertThat(receipt.message()).contains("sent to 2 of 2", "no addresses: [jan.pol\u00e1\u010dek, x\u0140evil");
        assertThat(server.getReceivedMessages())
                .hasSize(2)
                .allSatisfy(mail -> assertThat(header(mail, "To")).isEqualTo("ann@example.org, bob@example.org"));
    }

    @Test
    void shouldAppendTheDomainToBareNamesAndFallBackToItsOwnRecipients() throws Exception {
        Notifier notifier = open(Map.of(MailProvider.DOMAIN, "hpc.example.org", MailProvider.TO, "ops@example.org"));

        notifier.deliver(withRecipients(List.of("ann")));
        notifier.deliver(withRecipients(List.of()));
        notifier.deliver(withRecipients(List.of("not an address")));

        assertThat(Arrays.stream(server.getReceivedMessages()).map(mail -> header(mail, "To")))
                .containsExactly("ann@hpc.example.org", "ops@example.org", "ops@example.org");
    }

    /** A server has to take a hundred recipients of a mail, and many take no more. */
    @Test
    void shouldSendToAThousandRecipientsInMailsOfAHundred() throws Exception {
        List<String> recipients = IntStream.range(0, 1_000)
                .mapToObj(i -> "user" + i + "@example.org")
                .toList();

        Receipt receipt = open().deliver(withRecipients(recipients));

        assertThat(receipt.message()).contains("sent to 1000 of 1000");
        Map<String, Integer> copies = new HashMap<>();
        for (MimeMessage copy : server.getReceivedMessages()) {
            copies.merge(header(copy, "To"), 1, Integer::sum);
        }
        assertThat(copies)
                .hasSize(10)
                .allSatisfy((to, count) -> assertThat(count).isEqualTo(100).isEqualTo(to.split(",", -1).length));
        assertThat(String.join(",", copies.keySet()).split("[,\\s]+")).containsExactlyInAnyOrderElementsOf(recipients);
    }

    /** What the server says of the letter once it has all of it; nothing when it goes away instead. */
    @ParameterizedTest
    @CsvSource({"'', true", "451 later, false", "421 closing, false"})
    void shouldSayOfALetterThatWasNeverAnsweredThatItMayHaveArrived(String last, boolean inDoubt) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread peer = new Thread(() -> receive(listening, last));
            peer.start();
            Notifier notifier = open(Map.of("port", Integer.toString(listening.getLocalPort())));

            assertThatThrownBy(() -> notifier.deliver(Deliveries.nodeDown("tiny/7/0")))
                    .isInstanceOfSatisfying(
                            RetriableDeliveryException.class,
                            e -> assertThat(e.mayHaveArrived()).isEqualTo(inDoubt));
            peer.join();
        }
    }

    /** The timeout of a connection begins anew with each octet. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "starttls", "tls"})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldNotWaitForEverForAServerThatAnswersAnOctetAtATime(String security) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            byte[] beginning = security.equals("tls") ? TLS_RECORD : "220 ".getBytes(StandardCharsets.US_ASCII);
            Thread peer = new Thread(() -> goOn(listening, beginning), "slow-mail");
            peer.setDaemon(true);
            peer.start();
            Notifier notifier = open(Map.of(
                    MailProvider.PORT,
                    Integer.toString(listening.getLocalPort()),
                    MailProvider.SECURITY,
                    security,
                    MailProvider.TIMEOUT_MS,
                    "200"));

            assertThatThrownBy(() -> notifier.deliver(Deliveries.nodeDown("tiny/7/0")))
                    .isInstanceOfSatisfying(
                            RetriableDeliveryException.class,
                            e -> assertThat(e.mayHaveArrived()).isFalse());
        }
    }

    /** The mail library would keep all of it, until the notifier had no memory left for anything else. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldNotKeepAnAnswerThatHasNoEnd() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread peer = new Thread(() -> talk(listening), "talkative-mail");
            peer.setDaemon(true);
            peer.start();
            Notifier notifier = open(Map.of(MailProvider.PORT, Integer.toString(listening.getLocalPort())));

            assertThatThrownBy(() -> notifier.deliver(Deliveries.nodeDown("tiny/7/0")))
                    .isInstanceOf(RetriableDeliveryException.class)
                    .hasMessageContaining("the server sent more than " + LimitedSocket.MOST_BYTES + " bytes");
        }
    }

    /** What it has taken, it has taken: a letter that is sent again would come twice. */
    @Test
    void shouldCountALetterAsSentThatTheServerTookBeforeItWentAway() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread peer = new Thread(() -> takeAndReset(listening));
            peer.start();
            Notifier notifier = open(Map.of("port", Integer.toString(listening.getLocalPort())));

            assertThat(notifier.deliver(Deliveries.nodeDown("tiny/7/0")).message())
                    .contains("sent to 1 of 1");
            peer.join();
        }
    }

    private static void takeAndReset(ServerSocket listening) {
        try (Socket socket = listening.accept()) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = socket.getOutputStream();
            out.write("220 here\r\n".getBytes(StandardCharsets.US_ASCII));
            boolean letter = false;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (letter && line.equals(".")) {
                    // Closing with this setting is a reset.
                    socket.setSoLinger(true, 0);
                    out.write("250 taken\r\n".getBytes(StandardCharsets.US_ASCII));
                    return;
                }
                if (!letter) {
                    letter = line.equals("DATA");
                    out.write((letter ? "354 go on\r\n" : "250 fine\r\n").getBytes(StandardCharsets.US_ASCII));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldNameTheRecipientsThatTheServerRefused() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread peer = new Thread(() -> refuseBob(listening));
            peer.start();
            Notifier notifier = open(Map.of("port", Integer.toString(listening.getLocalPort())));

            assertThat(notifier.deliver(MailDeliveries.to("tiny/7/0", "ops@example.org", "bob@example.org"))
                            .message())
                    .contains("sent to 1 of 2", "refused: bob@example.org", "550 no such user");
            peer.join();
        }
    }

    private static void refuseBob(ServerSocket listening) {
        try (Socket socket = listening.accept();
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
            OutputStream out = socket.getOutputStream();
            out.write("220 here\r\n".getBytes(StandardCharsets.US_ASCII));
            boolean letter = false;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (letter && !line.equals(".")) {
                    continue;
                }
                String answer = line.startsWith("RCPT TO:<bob@") ? "550 no such user" : "250 fine";
                letter = line.equals("DATA");
                out.write(((letter ? "354 go on" : answer) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void goOn(ServerSocket listening, byte[] beginning) {
        try (Socket socket = listening.accept()) {
            OutputStream out = socket.getOutputStream();
            out.write(beginning);
            while (true) {
                out.write('x');
                Thread.sleep(20);
            }
        } catch (IOException e) {
            // The notifier has had enough.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void talk(ServerSocket listening) {
        byte[] line = ("220-" + "x".repeat(1_000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        try (Socket socket = listening.accept()) {
            for (long sent = 0; sent < 4L * LimitedSocket.MOST_BYTES; sent += line.length) {
                socket.getOutputStream().write(line);
            }
        } catch (IOException e) {
            // The notifier has had enough.
        }
    }

    private static void receive(ServerSocket listening, String last) {
        try (Socket socket = listening.accept();
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                PrintWriter out = new PrintWriter(
                        new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.US_ASCII), true)) {
            out.print("220 here\r\n");
            out.flush();
            boolean letter = false;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (letter && line.equals(".") && last.isEmpty()) {
                    return;
                }
                if (!letter || line.equals(".")) {
                    out.print((letter ? last : line.equals("DATA") ? "354 go on" : "250 fine") + "\r\n");
                    out.flush();
                    letter = line.equals("DATA");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldRefuseAServerThatDoesNotOfferStarttls() {
        Notifier notifier = open(Map.of(MailProvider.SECURITY, "starttls"));

        assertThatThrownBy(() -> notifier.deliver(Deliveries.nodeDown("tiny/7/0")))
                .isInstanceOf(RetriableDeliveryException.class)
                .hasMessageContaining("STARTTLS");
        assertThat(server.getReceivedMessages()).isEmpty();
    }

    @Test
    void shouldShowThePasswordNowhere() throws Exception {
        Path password = Files.writeString(directory.resolve("password"), "s3cret-word\n");
        Notifier notifier = open(Map.of(MailProvider.USER, "weir", MailProvider.PASSWORD_FILE, password.toString()));
        server.setUser("weir", "another");

        assertThatThrownBy(() -> notifier.deliver(Deliveries.nodeDown("tiny/7/0")))
                .isInstanceOf(RetriableDeliveryException.class)
                .message()
                .doesNotContain("s3cret-word");
    }

    @Test
    void shouldReadThePasswordAnewForEachMail() throws Exception {
        Path password = Files.writeString(directory.resolve("password"), "first");
        Notifier notifier = open(Map.of(MailProvider.USER, "weir", MailProvider.PASSWORD_FILE, password.toString()));
        server.setUser("weir", "first");
        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));
        server.setUser("weir", "second");
        Files.writeString(password, "second");

        notifier.deliver(Deliveries.nodeDown("tiny/7/1"));

        assertThat(received()).containsExactly("tiny/7/0", "tiny/7/1");
    }

    @Test
    void shouldRefuseSettingsThatCannotWork() {
        assertThatThrownBy(() -> open(Map.of(MailProvider.FROM, "a b"))).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> open(Map.of(MailProvider.TO, "nobody"))).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> open(Map.of(MailProvider.FROM, "w\u00e9ir@example.org")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("ASCII");
        assertThatThrownBy(() -> open(Map.of(MailProvider.TO, "ops@example.org,b\u00f6b@example.org")))
                .isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> open(Map.of(MailProvider.DOMAIN, "m\u00fcnchen.example")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("domain");
        assertThatThrownBy(() -> open(Map.of(MailProvider.DOMAIN, "@example.org")))
                .isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> open(Map.of(MailProvider.USER, "weir")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(MailProvider.PASSWORD_FILE);
        assertThatThrownBy(() -> open(Map.of(MailProvider.USER, "weir", MailProvider.PASSWORD_FILE, "/nowhere/at/all")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cannot be read");
    }

    private static Delivery withRecipients(List<String> recipients) {
        return MailDeliveries.to("tiny/7/0", recipients.toArray(String[]::new));
    }

    private Notifier open(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>();
        settings.put(MailProvider.HOST, "127.0.0.1");
        settings.put(MailProvider.PORT, String.valueOf(port));
        settings.put(MailProvider.SECURITY, "none");
        settings.put(MailProvider.FROM, "weir@example.org");
        settings.put(MailProvider.TIMEOUT_MS, "5000");
        settings.putAll(more);
        MailProvider provider = new MailProvider();
        return provider.open("ops", new AbstractConfig(provider.settings(), settings, false));
    }

    private static String header(MimeMessage mail, String name) {
        try {
            return String.join(", ", mail.getHeader(name));
        } catch (MessagingException e) {
            throw new IllegalStateException(e);
        }
    }
}
