package io.weir.notifier.syslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.notifier.server.DebianServer;
import io.weir.notifier.server.TestCertificate;
import io.weir.notifier.spi.Deliveries;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.Severity;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages to Debian's rsyslog, which parses them and writes out what it understood. */
class RsyslogIT {

    private static final String RSYSLOGD = "/usr/sbin/rsyslogd";

    @TempDir
    private Path directory;

    private final int udp = DebianServer.freePort();
    private final int tcp = DebianServer.freePort();
    private final int tls = DebianServer.freePort();
    private TestCertificate certificate;
    private DebianServer rsyslog;

    @BeforeEach
    void start() throws IOException {
        DebianServer.requireInstalled(RSYSLOGD);
        certificate = TestCertificate.make(directory);
        Path config = Files.writeString(directory.resolve("rsyslog.conf"), """
            global(workDirectory="%1$s" defaultNetstreamDriverCAFile="%1$s/cert.pem"
              defaultNetstreamDriverCertFile="%1$s/cert.pem" defaultNetstreamDriverKeyFile="%1$s/key.pem")
            module(load="imudp")
            module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon")
            module(load="imptcp")
            module(load="mmpstrucdata")
            template(name="parsed" type="string"
              string="%%syslogseverity-text%%|%%hostname%%|%%app-name%%|%%msgid%%|%%$!rfc5424-sd!weir@32473!id%%|%%msg%%\\n")
            ruleset(name="all") {
              action(type="mmpstrucdata" sd_name.lowercase="off")
              action(type="omfile" file="%1$s/messages" template="parsed" fileCreateMode="0644")
            }
            input(type="imudp" address="127.0.0.1" port="%2$d" ruleset="all")
            input(type="imptcp" address="127.0.0.1" port="%3$d" ruleset="all")
            input(type="imtcp" address="127.0.0.1" port="%4$d" ruleset="all")
            """.formatted(directory, udp, tcp, tls));
        rsyslog = DebianServer.start(
                directory.resolve("rsyslog.log"),
                List.of(
                        RSYSLOGD,
                        "-n",
                        "-f",
                        config.toString(),
                        "-i",
                        directory.resolve("pid").toString()));
        rsyslog.awaitThat(() -> isUp(tcp) && isUp(tls));
    }

    @AfterEach
    void stop() {
        if (rsyslog != null) {
            rsyslog.close();
        }
    }

    @Test
    void shouldBeUnderstoodOverUdpTcpAndTls() throws Exception {
        open("udp", udp).deliver(Deliveries.nodeDown("tiny/udp"));
        open("tcp", tcp).deliver(Deliveries.nodeDown("tiny/tcp"));
        open("tls", tls).deliver(Deliveries.nodeDown("tiny/tls"));

        rsyslog.awaitThat(() -> messages().size() == 3);
        assertThat(messages()).containsExactlyInAnyOrder(line("tiny/udp"), line("tiny/tcp"), line("tiny/tls"));
    }

    @Test
    void shouldForgeNoSecondMessage() throws Exception {
        String hostile = "x\n<0>1 2026-01-01T00:00:00Z evil su - - - root \"] [x";
        open("tcp", tcp).deliver(Deliveries.of("tiny/1", hostile, Severity.INFO, hostile, hostile));
        open("tcp", tcp).deliver(Deliveries.nodeDown("tiny/2"));

        rsyslog.awaitThat(() -> messages().contains(line("tiny/2")));
        assertThat(messages()).hasSize(2);
        assertThat(messages().get(0)).startsWith("info|head|weir|x_<0>1_2026");
    }

    @Test
    void shouldNotTrustAForeignCertificate() {
        assertThatThrownBy(() -> open("tls", tls, "").deliver(Deliveries.nodeDown("tiny/1")))
                .isInstanceOf(RetriableDeliveryException.class);
        assertThat(messages()).isEmpty();
    }

    private static String line(String id) {
        return "err|head|weir|nodedown|" + id + "|\uFEFFn1 is down: n1 stopped answering. Two jobs ran on it.";
    }

    private Notifier open(String transport, int port) {
        return open(transport, port, certificate.certificate().toString());
    }

    private Notifier open(String transport, int port, String ca) {
        Map<String, String> settings = new HashMap<>();
        settings.put(SyslogProvider.HOST, "127.0.0.1");
        settings.put(SyslogProvider.PORT, String.valueOf(port));
        settings.put(SyslogProvider.TRANSPORT, transport);
        settings.put(SyslogProvider.HOSTNAME, "head");
        settings.put(SyslogProvider.CA_FILE, ca);
        SyslogProvider provider = new SyslogProvider();
        return provider.open("log", new AbstractConfig(provider.settings(), settings, false));
    }

    private List<String> messages() {
        try {
            Path file = directory.resolve("messages");
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static boolean isUp(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
