package io.weir.notifier.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.notifier.server.DebianServer;
import io.weir.notifier.server.TestCertificate;
import io.weir.notifier.spi.Deliveries;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mail to Debian's Exim, which takes it only over TLS and from a user with a password. */
class EximIT {

    private static final String EXIM = "/usr/sbin/exim4";

    @TempDir
    private Path directory;

    private final int port = DebianServer.freePort();
    private TestCertificate certificate;
    private DebianServer exim;

    @BeforeEach
    void start() throws IOException {
        DebianServer.requireInstalled(EXIM);
        certificate = TestCertificate.make(directory);
        for (Path each : List.of(directory, certificate.certificate(), certificate.key())) {
            Files.setPosixFilePermissions(
                    each, PosixFilePermissions.fromString(each.equals(directory) ? "rwxrwxrwx" : "rw-r--r--"));
        }
        Path mails = Files.createDirectory(directory.resolve("mails"));
        Files.setPosixFilePermissions(mails, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path spool = Files.createDirectory(directory.resolve("spool"));
        Files.setPosixFilePermissions(spool, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path config = Files.writeString(directory.resolve("exim.conf"), """
            daemon_smtp_ports = %1$d
            local_interfaces = 127.0.0.1
            primary_hostname = localhost
            spool_directory = %2$s/spool
            log_file_path = %2$s/spool/%%slog
            pid_file_path = %2$s/spool/pid
            tls_advertise_hosts = *
            tls_certificate = %2$s/cert.pem
            tls_privatekey = %2$s/key.pem
            auth_advertise_hosts = ${if eq{$tls_in_cipher}{}{}{*}}
            acl_smtp_rcpt = check_rcpt
            begin acl
            check_rcpt:
              deny    ! authenticated = *
              defer   local_parts = later
                      message = try again
              deny    local_parts = nobody
              accept  domains = *
              accept
            begin routers
            all:
              driver = accept
              transport = file
            begin transports
            file:
              driver = appendfile
              file = %2$s/mails/inbox
              create_file = anywhere
              user = Debian-exim
              group = Debian-exim
              mode = 0644
              use_lockfile = false
            begin authenticators
            plain:
              driver = plaintext
              public_name = PLAIN
              server_prompts = :
              server_condition = ${if and{{eq{$auth2}{weir}}{eq{$auth3}{s3cret}}}}
              server_set_id = $auth2
            """.formatted(port, directory));
        Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r--r--"));
        exim = DebianServer.start(
                directory.resolve("exim.log"), List.of(EXIM, "-bdf", "-q1m", "-C", config.toString()));
        exim.awaitThat(this::isUp);
    }

    @AfterEach
    void stop() {
        if (exim != null) {
            exim.close();
        }
    }

    @Test
    void shouldDeliverWithStarttlsAndAuthentication() throws Exception {
        Notifier notifier = open("s3cret", certificate.certificate().toString());

        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));

        exim.awaitThat(() -> inbox().contains("Two jobs ran on it."));
        assertThat(inbox()).contains("X-Weir-Delivery: tiny/7/0", "Subject: n1 is down", "esmtpsa");
    }

    @Test
    void shouldRefuseAWrongPasswordAndAForeignCertificate() throws Exception {
        assertThatThrownBy(() ->
                        open("wrong", certificate.certificate().toString()).deliver(Deliveries.nodeDown("tiny/7/0")))
                .isInstanceOf(RetriableDeliveryException.class)
                .message()
                .contains("refused the user or the password")
                .doesNotContain("wrong");
        assertThatThrownBy(() -> open("s3cret", "").deliver(Deliveries.nodeDown("tiny/7/0")))
                .isInstanceOf(RetriableDeliveryException.class);
        assertThat(inbox()).isEmpty();
    }

    @Test
    void shouldSendAgainOnlyToThoseWhoWerePutOff() throws Exception {
        Notifier notifier = open("s3cret", certificate.certificate().toString());
        var delivery = MailDeliveries.to("tiny/7/0", "ann@example.org", "later@example.org", "nobody@example.org");

        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> notifier.deliver(delivery))
                    .isInstanceOfSatisfying(
                            RetriableDeliveryException.class,
                            e -> assertThat(e.othersGoOn()).isTrue())
                    .message()
                    .contains("try again");
            notifier.deliver(MailDeliveries.to("tiny/8/" + attempt, "ben@example.org"));
        }

        exim.awaitThat(() -> inbox().split("X-Weir-Delivery: tiny/8/", -1).length == 3);
        assertThat(inbox().split("X-Weir-Delivery: tiny/7/0", -1))
                .as("one letter")
                .hasSize(2);
    }

    private Notifier open(String password, String ca) throws IOException {
        Map<String, String> settings = new HashMap<>();
        settings.put(MailProvider.HOST, "127.0.0.1");
        settings.put(MailProvider.PORT, String.valueOf(port));
        settings.put(MailProvider.CA_FILE, ca);
        settings.put(MailProvider.FROM, "weir@example.org");
        settings.put(MailProvider.USER, "weir");
        settings.put(
                MailProvider.PASSWORD_FILE,
                Files.writeString(directory.resolve("password"), password).toString());
        MailProvider provider = new MailProvider();
        return provider.open("ops", new AbstractConfig(provider.settings(), settings, false));
    }

    private String inbox() {
        try (Stream<Path> files = Files.list(directory.resolve("mails"))) {
            StringBuilder text = new StringBuilder();
            for (Path file : files.toList()) {
                text.append(Files.readString(file));
            }
            return text.toString();
        } catch (IOException e) {
            return "";
        }
    }

    private boolean isUp() {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
