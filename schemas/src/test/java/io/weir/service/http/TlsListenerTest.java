package io.weir.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class TlsListenerTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    Path directory;

    @Test
    void shouldServePemAndTakeANewCertificateWithoutARestart() throws Exception {
        KeyStore first = pair("first");
        KeyStore second = pair("second");
        Path chain = directory.resolve("tls.crt");
        Path key = directory.resolve("tls.key");
        write(first, chain, key);
        SSLContext trust = context(Optional.empty(), first, second);
        try (HttpListener listener = listen(pem(chain, key, Optional.empty()))) {
            assertThat(listener.url()).startsWith("https://127.0.0.1:");
            assertThat(served(listener, trust)).isEqualTo("CN=first");

            // The one without the other: what was served goes on.
            Files.writeString(
                    chain, pemOf("CERTIFICATE", second.getCertificate("pair").getEncoded()));
            assertThat(served(listener, trust)).isEqualTo("CN=first");
            write(second, chain, key);

            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(served(listener, trust)).isEqualTo("CN=second"));
        }
    }

    @Test
    void shouldServeAPkcs12Store() throws Exception {
        KeyStore pair = pair("store");
        TlsFiles files = new TlsFiles(
                "api.tls",
                Optional.empty(),
                Optional.empty(),
                Optional.of(directory.resolve("store.p12")),
                PASSWORD,
                Optional.empty());
        try (HttpListener listener = listen(files)) {
            assertThat(served(listener, context(Optional.empty(), pair))).isEqualTo("CN=store");
            try (RawClient plain = new RawClient(listener.port())) {
                assertThat(plain.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                .all())
                        .doesNotContain("200 OK");
            }
        }
    }

    /** A service runs for longer than a certificate: who renews it has to be told in time, and again. */
    @Test
    void shouldWarnOnceADayOfACertificateThatEnds() throws Exception {
        Path chain = directory.resolve("tls.crt");
        Path key = directory.resolve("tls.key");
        write(pair("one"), chain, key);
        TlsFiles files = pem(chain, key, Optional.empty());
        Instant end = files.load().expires();
        AtomicReference<Instant> now = new AtomicReference<>(end.minus(Duration.ofDays(15)));
        Logger logger = (Logger) LoggerFactory.getLogger(TlsKeys.class);
        ListAppender<ILoggingEvent> said = new ListAppender<>();
        said.start();
        logger.addAppender(said);
        try {
            TlsKeys keys = new TlsKeys(files, now::get);
            for (long hours : List.of(15L * 24, 13L * 24, 13L * 24 - 1, 12L * 24, -1L)) {
                now.set(end.minus(Duration.ofHours(hours)));
                keys.refresh();
            }
        } finally {
            logger.detachAppender(said);
        }

        assertThat(said.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .satisfiesExactly(
                        first -> assertThat(first).contains("ends at " + end),
                        second -> assertThat(second).contains("ends at " + end),
                        third -> assertThat(third).contains("ended at " + end));
    }

    @Test
    void shouldAskClientsForACertificateWhereWanted() throws Exception {
        KeyStore server = pair("server");
        KeyStore client = pair("client");
        Path chain = directory.resolve("tls.crt");
        Path key = directory.resolve("tls.key");
        write(server, chain, key);
        Path authorities = Files.writeString(
                directory.resolve("ca.crt"),
                pemOf("CERTIFICATE", client.getCertificate("pair").getEncoded()));
        try (HttpListener listener = listen(pem(chain, key, Optional.of(authorities)))) {
            assertThat(served(listener, context(Optional.of(client), server))).isEqualTo("CN=server");
            assertThatThrownBy(() -> served(listener, context(Optional.empty(), server)))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldSayWhatIsWrongWithTheFiles() throws Exception {
        KeyStore one = pair("one");
        KeyStore other = pair("other");
        Path chain = directory.resolve("tls.crt");
        Path key = directory.resolve("tls.key");
        write(one, chain, directory.resolve("one.key"));
        write(other, directory.resolve("other.crt"), key);

        assertThatThrownBy(() -> pem(chain, key, Optional.empty()).load())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is not the key of the first certificate")
                .hasMessageContaining(key.toString());
        assertThatThrownBy(() -> pem(key, key, Optional.empty()).load())
                .hasMessageContaining("api.tls.certificate.file")
                .hasMessageContaining("BEGIN CERTIFICATE");
        assertThatThrownBy(() -> pem(chain, chain, Optional.empty()).load())
                .hasMessageContaining("api.tls.key.file")
                .hasMessageContaining("openssl pkcs8");
        assertThatThrownBy(() -> listen(pem(chain, directory.resolve("missing"), Optional.empty())))
                .isInstanceOf(ConfigException.class);
    }

    private static HttpListener listen(TlsFiles files) throws IOException {
        return HttpListener.start(
                HttpSettings.small("tls", "127.0.0.1", 0).with(Optional.of(files)),
                call -> HttpReply.text(200, HttpReply.JSON, "{}").now());
    }

    private static TlsFiles pem(Path chain, Path key, Optional<Path> clients) {
        return new TlsFiles("api.tls", Optional.of(chain), Optional.of(key), Optional.empty(), "", clients);
    }

    /** Returns the subject of the certificate that a new connection is served with. */
    private static String served(HttpListener listener, SSLContext trust)
            throws IOException, InterruptedException, SSLPeerUnverifiedException {
        HttpClient client = HttpClient.newBuilder().sslContext(trust).build();
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(listener.url() + "/")).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        Certificate own = answer.sslSession().orElseThrow().getPeerCertificates()[0];
        return ((X509Certificate) own).getSubjectX500Principal().getName();
    }

    /** Makes a key and a certificate that it signed itself. */
    private KeyStore pair(String name) throws Exception {
        Path file = directory.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "pair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private static void write(KeyStore pair, Path chain, Path key) throws Exception {
        Files.writeString(
                chain, pemOf("CERTIFICATE", pair.getCertificate("pair").getEncoded()));
        Files.writeString(
                key,
                pemOf("PRIVATE KEY", pair.getKey("pair", PASSWORD.toCharArray()).getEncoded()));
    }

    private static String pemOf(String type, byte[] bytes) {
        return "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + type
                + "-----\n";
    }

    private static SSLContext context(Optional<KeyStore> own, KeyStore... trusted) throws Exception {
        KeyStore all = KeyStore.getInstance("PKCS12");
        all.load(null, null);
        for (KeyStore each : List.of(trusted)) {
            all.setCertificateEntry("trusted-" + all.size(), each.getCertificate("pair"));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(all);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own.orElse(null), PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.isPresent() ? keys.getKeyManagers() : null, trust.getTrustManagers(), null);
        return context;
    }
}
