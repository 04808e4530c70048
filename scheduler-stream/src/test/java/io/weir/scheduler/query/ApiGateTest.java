package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThatCode;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.service.http.HttpListener;
import io.weir.service.http.HttpReply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is let in where no tokens are set up, over real connections from several addresses of this machine. */
@Timeout(60)
class ApiGateTest {
    private static final String BUSY = "127.0.0.1";
    private static final String OTHER = "127.0.0.2";

    private HttpListener listener;

    @BeforeEach
    void serve() throws IOException {
        ApiSettings settings = ApiServerTest.settings(Map.of("api.questions.per.second", "1"));
        ApiGate gate = new ApiGate(settings, () -> 0);
        listener = HttpListener.start(settings.http(), call -> {
            gate.admit(call);
            return HttpReply.json(HttpReply.OK, JsonNodeFactory.instance.textNode("in"))
                    .now();
        });
    }

    @AfterEach
    void stop() {
        listener.close();
    }

    @Test
    void shouldKeepOutNoOtherAddressWhenOneAsksTooOften() throws IOException {
        assumeThatCode(ApiGateTest::bindOther).doesNotThrowAnyException();
        for (int i = 0; i < 20; i++) {
            assertThat(ask(BUSY)).startsWith("HTTP/1.1 200 ");
        }
        String refused = ask(BUSY);

        assertThat(refused).startsWith("HTTP/1.1 429 ");
        assertThat(ask(OTHER)).startsWith("HTTP/1.1 200 ");
        assertThat(refused).contains("anyone at 127.0.0.1 asks too often");
    }

    /** Not every system has more than one address of its own without setting it up. */
    private static void bindOther() throws IOException {
        new ServerSocket(0, 1, InetAddress.getByName(OTHER)).close();
    }

    private String ask(String from) throws IOException {
        URI url = URI.create(listener.url());
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(from, 0));
            socket.connect(new InetSocketAddress(url.getHost(), url.getPort()));
            String request =
                    "GET /v1/clusters HTTP/1.1\r\nHost: " + url.getAuthority() + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
