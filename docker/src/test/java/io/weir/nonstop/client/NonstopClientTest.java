package io.weir.nonstop.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.weir.Feature;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library of applications, against servers of every kind. */
@NullUnmarked
class NonstopClientTest {
    private static final String TOKEN = "0123456789abcdef";

    @TempDir
    Path directory;

    private final List<HttpServer> servers = new ArrayList<>();
    private final List<JsonNode> bodies = Collections.synchronizedList(new ArrayList<>());
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        servers.forEach(server -> server.stop(0));
    }

    /** Serves one answer for everything, the first {@code slow} times only after the client's patience. */
    private String serve(int status, String answer, int slow) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            synchronized (calls) {
                calls.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                        + exchange.getRequestHeaders().getFirst("Last-Event-ID"));
                if (body.length > 0) {
                    bodies.add(new ObjectMapper().readTree(body));
                }
            }
            if (calls.size() <= slow) {
                try {
                    Thread.sleep(1_500);
                } catch (InterruptedException e) {
                    return;
                }
            }
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        servers.add(server);
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static String nobody() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return "http://127.0.0.1:" + socket.getLocalPort();
        }
    }

    private static NonstopClient client(String... urls) {
        return new NonstopClient(
                new ServiceAddress(List.of(urls), Duration.ofMillis(500), Duration.ofMillis(700)), Optional.of(TOKEN));
    }

    @Test
    @Feature("SMD-6")
    void shouldNeedOnlyTheJdkAndJackson() {
        assertThat(new ClassFileImporter()
                        .importPackages("io.weir.nonstop.client").stream()
                                .filter(type -> !type.getName().contains("Test"))
                                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                                .map(Dependency::getTargetClass)
                                .map(JavaClass::getBaseComponentType)
                                .filter(type -> !type.isPrimitive())
                                .map(JavaClass::getPackageName)
                                .collect(Collectors.toSet()))
                .isNotEmpty()
                .allMatch(name -> name.startsWith("java.")
                        || name.startsWith("javax.net.ssl")
                        || name.startsWith("com.fasterxml.jackson.")
                        || name.equals("org.jspecify.annotations")
                        || name.equals("io.weir.nonstop.client"));
    }

    @Test
    @Feature("SMD-8")
    void shouldAskInTheNameOfItsTokenAndUnderstandTheAnswer() throws Exception {
        NonstopClient client = client(serve(
                200, "{\"replacement\":\"prometeo\",\"nodes\":[\"dario\",\"prometeo\"],\"cpusPerNode\":\"1(x2)\"}", 0));
        assertThat(client.replace("17/x", "ercole"))
                .isEqualTo(new ChangedAllocation("prometeo", List.of("dario", "prometeo"), "1(x2)", ""));
        assertThat(calls).containsExactly("POST /nonstop/v1/jobs/17%2Fx/replace null");
        assertThat(bodies.get(0).path("node").asText()).isEqualTo("ercole");
        assertThat(bodies.get(0).path("requestId").asText()).hasSize(36);
    }

    @Test
    @Feature("SMD-31")
    void shouldFailOverToTheBackupAndStayThere() throws Exception {
        Path conf = directory.resolve("nonstop.conf");
        Files.writeString(conf, "controlAddr=head1 # primary\nBACKUPADDR=head2\nPort=9114\nReadTimeout=700\n");
        ServiceAddress address = ServiceAddress.read(conf);
        assertThat(address.urls()).containsExactly("http://head1:9114", "http://head2:9114");
        assertThat(address.readTimeout()).isEqualTo(Duration.ofMillis(700));
        assertThat(address.secured().urls()).containsExactly("https://head1:9114", "https://head2:9114");

        NonstopClient client = client(nobody(), serve(200, "{\"message\":\"settings\",\"Port\":\"9114\"}", 0));
        assertThat(client.configuration()).containsOnly(Map.entry("Port", "9114"));
        long began = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            client.configuration();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));
        assertThat(calls).hasSize(6);
    }

    @Test
    void shouldFailOverFromAServiceThatIsNotReady() throws Exception {
        NonstopClient client = client(
                serve(503, "{\"error\":\"ESERVICE\",\"message\":\"off\"}", 0), serve(200, "{\"Port\":\"1\"}", 0));
        assertThat(client.configuration()).containsEntry("Port", "1");
    }

    @Test
    void shouldSendARequestAgainUnderItsIdWhenNoAnswerComes() throws Exception {
        NonstopClient client = client(serve(200, "{\"minutes\":5}", 1), nobody());
        assertThat(client.extend("17", 5)).isEqualTo(5);
        assertThat(bodies).hasSize(2);
        assertThat(bodies.get(0)).isEqualTo(bodies.get(1));
    }

    @Test
    void shouldSayWhatIsWrongByItsCode() throws Exception {
        FailureServiceException gone = catchThrowableOfType(
                FailureServiceException.class, () -> client(nobody(), nobody()).failures("17"));
        assertThat(gone.code()).isEqualTo(FailureServiceException.UNREACHABLE);
        String slow = serve(200, "{}", 3);
        FailureServiceException late = catchThrowableOfType(
                FailureServiceException.class, () -> client(slow).drop("17", "n1"));
        assertThat(late.code()).isEqualTo(FailureServiceException.TIMED_OUT);
        String strange = serve(200, "<html>", 0);
        assertThat(catchThrowableOfType(
                                FailureServiceException.class,
                                () -> client(strange).configuration())
                        .code())
                .isEqualTo(FailureServiceException.UNREACHABLE);
        String busy = serve(409, "{\"error\":\"EREPLACELATER\",\"message\":\"later\",\"value\":\"1003600\"}", 0);
        FailureServiceException refused = catchThrowableOfType(
                FailureServiceException.class, () -> client(busy).replace("17", "n1"));
        assertThat(refused.code()).isEqualTo("EREPLACELATER");
        assertThat(refused.value()).isEqualTo("1003600");
        String unknown = serve(401, "{\"error\":\"The token is not known\"}", 0);
        assertThat(catchThrowableOfType(
                                FailureServiceException.class,
                                () -> client(unknown).failures("17"))
                        .code())
                .isEqualTo("EPERM");
    }

    @Test
    void shouldNotWaitForTheRestOfAnAnswerBeyondItsPatience() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        servers.add(server);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
        });
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();

        FailureServiceException late = assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> catchThrowableOfType(
                        FailureServiceException.class, () -> client(url).failures("17")));
        assertThat(late.code()).isEqualTo(FailureServiceException.TIMED_OUT);
    }

    @Test
    @Feature("SMD-25")
    void shouldReadTheEventsAfterTheLastOneKnown() throws Exception {
        String url = serve(200, """
                retry: 1000

                id: c/1/0
                event: NODE_FAILED
                data: {"nodeId":"ercole","replacement":null}

                id: c/2/0
                event: NODE_REPLACE
                data: {"nodeId":"ercole","replacement":"prometeo"}

                """, 0);
        assertThat(client(url).events("17", "c/0/0"))
                .containsExactly(
                        new JobEvent("c/1/0", "NODE_FAILED", "ercole", ""),
                        new JobEvent("c/2/0", "NODE_REPLACE", "ercole", "prometeo"));
        assertThat(calls).containsExactly("GET /nonstop/v1/jobs/17/events c/0/0");
    }

    /** What cannot be a header must not show up in a message either. */
    @Test
    void shouldNotPrintATokenThatCannotBeUsed() {
        assertThatThrownBy(() -> new NonstopClient(
                        new ServiceAddress(List.of(), Duration.ofSeconds(1), Duration.ofSeconds(1)),
                        Optional.of("secret\nsecret")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret");
    }
}
