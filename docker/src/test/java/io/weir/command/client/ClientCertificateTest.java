package io.weir.command.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.weir.command.nonstop.SelfSigned;
import io.weir.nonstop.client.ClientTls;
import io.weir.nonstop.client.FailureServiceException;
import io.weir.nonstop.client.NonstopClient;
import io.weir.nonstop.client.ServiceAddress;
import io.weir.service.http.HttpListener;
import io.weir.service.http.HttpReply;
import io.weir.service.http.HttpSettings;
import io.weir.service.http.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An API that lets only those in whose certificate an authority signed. */
@NullUnmarked
class ClientCertificateTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    private SelfSigned server;
    private SelfSigned own;
    private HttpListener api;

    @BeforeEach
    void start() throws Exception {
        server = SelfSigned.in(Files.createDirectory(directory.resolve("server")));
        own = SelfSigned.in(Files.createDirectory(directory.resolve("own")));
        TlsFiles files = new TlsFiles(
                "api.tls",
                Optional.of(server.chain()),
                Optional.of(server.key()),
                Optional.empty(),
                "",
                Optional.of(own.chain()));
        api = HttpListener.start(
                HttpSettings.small("api", "127.0.0.1", 0).with(Optional.of(files)),
                call -> HttpReply.text(
                                HttpReply.OK,
                                HttpReply.JSON,
                                call.rawPath().equals("/v1/clusters")
                                        ? "[{\"cluster\":\"c1\"}]"
                                        : "{\"ControlAddr\":\"h\"}")
                        .now());
    }

    @AfterEach
    void stop() {
        api.close();
    }

    @Test
    void shouldLetCommandsInWithACertificate() throws Exception {
        assertThat(operator(known()).clusters()).containsExactly("c1");
        assertThat(failureService(known()).configuration()).containsKey("ControlAddr");
    }

    @Test
    void shouldSayThatACertificateIsWanted() throws Exception {
        ClientTls unknown = new ClientTls(Optional.of(server.chain()), Optional.empty(), Optional.empty());

        assertThatExceptionOfType(ClientException.class)
                .isThrownBy(() -> operator(unknown).clusters())
                .withMessageContaining("--cert-file");
        assertThatExceptionOfType(FailureServiceException.class)
                .isThrownBy(() -> failureService(unknown).configuration())
                .withMessageContaining("wants a client certificate; give --cert-file and --key-file");
    }

    @Test
    void shouldSaySoOfACertificateThatTheServerDoesNotTake() throws Exception {
        ClientTls stranger =
                new ClientTls(Optional.of(server.chain()), Optional.of(server.chain()), Optional.of(server.key()));

        assertThatExceptionOfType(FailureServiceException.class)
                .isThrownBy(() -> failureService(stranger).configuration())
                .withMessageContaining("wants a client certificate");
        assertThat(ClientTls.complaint(new SSLHandshakeException("Received fatal alert: certificate_unknown")))
                .isPresent();
        assertThat(ClientTls.complaint(new SSLHandshakeException("PKIX path building failed")))
                .isEmpty();
    }

    @Test
    void shouldTellACertificateThatIsNotValidNowFromOneThatNobodyKnows() {
        IOException expired = new SSLHandshakeException("PKIX path validation failed");
        expired.initCause(new CertPathValidatorException(
                "validity check failed", new CertificateExpiredException("NotAfter: Tue Nov 24 05:31:10 UTC 2026")));
        IOException early = new SSLHandshakeException("PKIX path validation failed");
        early.initCause(new CertificateNotYetValidException("NotBefore: Fri Dec 04 05:31:10 UTC 2026"));

        assertThat(ClientTls.outOfDate(expired))
                .hasValueSatisfying(
                        said -> assertThat(said).contains("has expired (NotAfter: Tue Nov 24 05:31:10 UTC 2026)"));
        assertThat(ClientTls.outOfDate(early))
                .hasValueSatisfying(said -> assertThat(said).contains("is not valid yet (NotBefore"));
        assertThat(ClientTls.outOfDate(new SSLHandshakeException("PKIX path building failed")))
                .isEmpty();
    }

    @Test
    void shouldSayWhatIsWrongWithTheFiles() {
        assertThatIOException()
                .isThrownBy(() -> new ClientTls(Optional.empty(), Optional.of(own.chain()), Optional.empty()).context())
                .withMessageContaining("go together");
        assertThatIOException()
                .isThrownBy(() ->
                        new ClientTls(Optional.empty(), Optional.of(own.chain()), Optional.of(own.chain())).context())
                .withMessageContaining("openssl pkcs8");
        assertThatIOException()
                .isThrownBy(() ->
                        new ClientTls(Optional.empty(), Optional.of(own.key()), Optional.of(own.key())).context());
    }

    private ClientTls known() {
        return new ClientTls(Optional.of(server.chain()), Optional.of(own.chain()), Optional.of(own.key()));
    }

    private ClusterClient operator(ClientTls tls) throws Exception {
        return new HttpClusterClient(api.url(), Optional.empty(), tls.context().getSocketFactory(), PATIENCE);
    }

    private NonstopClient failureService(ClientTls tls) throws Exception {
        ServiceAddress address =
                new ServiceAddress(List.of(api.url().replaceFirst("https", "http")), PATIENCE, PATIENCE);
        return new NonstopClient(address, Optional.empty(), tls);
    }
}
