package io.weir.scheduler.query.nonstop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.weir.scheduler.Feature;
import io.weir.schemas.NonstopEvent;
import io.weir.schemas.NonstopEventKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Those who wait for events, and those who are called: whatever they do, nobody waits for them. */
@NullUnmarked
class NonstopEventsTest {
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final AtomicInteger status = new AtomicInteger(200);
    private HttpServer server;
    private NonstopCallbacks callbacks;
    private int number;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            try (InputStream body = exchange.getRequestBody()) {
                String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
                int now = status.get();
                exchange.getResponseHeaders().set("Location", "/elsewhere");
                exchange.sendResponseHeaders(now, -1);
                told.add(exchange.getRequestURI() + " " + now + " " + text);
            }
            exchange.close();
        });
        server.start();
        callbacks = new NonstopCallbacks(CallbackRules.of(List.of("127.0.0.1")), (cluster, job) -> job.equals("over"));
    }

    @AfterEach
    void close() {
        callbacks.close();
        server.stop(0);
    }

    private String here(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private NonstopEvent event(String job, NonstopEventKind kind, String... endpoints) {
        number++;
        return NonstopEvent.newBuilder()
                .setCluster("c")
                .setEventId("c/" + number + "/0")
                .setJobId(job)
                .setIteration(number)
                .setTime(Instant.EPOCH)
                .setKind(kind)
                .setBalance(0)
                .setEndpoints(List.of(endpoints))
                .build();
    }

    @Test
    void shouldCallBackWithinTenSeconds() {
        callbacks.tell(event("17", NonstopEventKind.NODE_FAILED, here("/a")));
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(
                        () -> assertThat(told)
                                .containsExactly(
                                        "/a 200 {\"cluster\":\"c\",\"jobId\":\"17\",\"events\":[\"NODE_FAILED\"],\"lastEventId\":\"c/1/0\"}"));
        await().until(() -> callbacks.waiting() == 0);
    }

    @Test
    void shouldTryAgainAndJoinWhatHappensMeanwhile() {
        status.set(503);
        callbacks.tell(event("17", NonstopEventKind.NODE_FAILED, here("/a")));
        await().until(() -> !told.isEmpty());
        callbacks.tell(event("17", NonstopEventKind.NODE_FAILED, here("/a")));
        callbacks.tell(event("17", NonstopEventKind.NODE_REPLACE, here("/a")));
        callbacks.tell(event("17", NonstopEventKind.TIME_EXTENDED, here("/a")));
        assertThat(callbacks.waiting()).isEqualTo(1);
        status.set(200);
        await().atMost(Duration.ofSeconds(10)).until(() -> callbacks.waiting() == 0);
        assertThat(told.get(told.size() - 1))
                .isEqualTo("/a 200 {\"cluster\":\"c\",\"jobId\":\"17\",\"events\":[\"NODE_FAILED\",\"NODE_REPLACE\"],"
                        + "\"lastEventId\":\"c/3/0\"}");
    }

    /** The address looks for what the call told it; what happens after that it has to be told, too. */
    @Test
    @Feature({"SMD-4", "SMD-25"})
    void shouldTellOfWhatHappensDuringACall() throws InterruptedException {
        CountDownLatch answer = new CountDownLatch(1);
        List<String> bodies = new CopyOnWriteArrayList<>();
        server.createContext("/slow", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            try {
                assertThat(answer.await(4, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        callbacks.tell(event("17", NonstopEventKind.NODE_FAILED, here("/slow")));
        await().until(() -> bodies.size() == 1);
        callbacks.tell(event("17", NonstopEventKind.NODE_FAILED, here("/slow")));
        answer.countDown();
        await().until(() -> callbacks.waiting() == 0);
        assertThat(bodies).hasSize(2);
        assertThat(bodies.get(0)).contains("\"lastEventId\":\"c/1/0\"");
        assertThat(bodies.get(1)).contains("[\"NODE_FAILED\"]").contains("\"lastEventId\":\"c/2/0\"");
    }

    @Test
    void shouldNotCallForJobsThatHaveEnded() {
        callbacks.tell(event("over", NonstopEventKind.NODE_FAILED, here("/a")));
        callbacks.tell(event("17", NonstopEventKind.NODE_FAILED, here("/b")));
        await().until(() -> callbacks.waiting() == 0);
        assertThat(told).singleElement().asString().startsWith("/b ");
    }

    @Test
    void shouldFollowNoRedirect() {
        status.set(307);
        callbacks.tell(event("17", NonstopEventKind.NODE_FAILED, here("/a")));
        await().until(() -> told.size() >= 2);
        assertThat(told).allMatch(line -> line.startsWith("/a "));
    }

    @Test
    void shouldNotCallWhereTheSiteDoesNotAllow() {
        callbacks.tell(event(
                "17",
                NonstopEventKind.NODE_FAILED,
                "http://[::1]:" + server.getAddress().getPort() + "/x"));
        await().until(() -> callbacks.waiting() == 0);
        assertThat(told).isEmpty();
    }

    /** Subscribers that accept and say nothing, and one that speaks for ever, keep nobody from being told. */
    @Test
    void shouldTellOthersWhileSubscribersHang() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1_000, InetAddress.getByName("127.0.0.1"));
                ServerSocket endless = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            Thread speaker = new Thread(() -> speak(endless));
            speaker.setDaemon(true);
            speaker.start();
            callbacks.tell(event(
                    "1", NonstopEventKind.NODE_FAILED, "http://127.0.0.1:" + endless.getLocalPort() + "/endless"));
            for (int job = 2; job < 40; job++) {
                callbacks.tell(event(
                        Integer.toString(job),
                        NonstopEventKind.NODE_FAILED,
                        "http://127.0.0.1:" + silent.getLocalPort() + "/" + job));
            }
            callbacks.tell(event("99", NonstopEventKind.NODE_FAILED, here("/last")));
            await().atMost(Duration.ofSeconds(10)).until(() -> told.size() == 1);
            await().atMost(Duration.ofSeconds(10)).until(() -> callbacks.waiting() == 38);
        }
    }

    private static void speak(ServerSocket endless) {
        try (Socket socket = endless.accept();
                OutputStream out = socket.getOutputStream()) {
            out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            while (true) {
                out.write("4\r\nmore\r\n".getBytes(StandardCharsets.US_ASCII));
                out.flush();
                Thread.sleep(10);
            }
        } catch (IOException | InterruptedException e) {
            // The caller hung up.
        }
    }

    @Test
    void shouldBoundWhatWaitsToBeTold() {
        for (int job = 0; job < CallbackQueue.MOST_WAITING + 500; job++) {
            callbacks.tell(event(Integer.toString(job), NonstopEventKind.NODE_FAILED, "http://127.0.0.1:1/" + job));
        }
        assertThat(callbacks.waiting()).isLessThanOrEqualTo(CallbackQueue.MOST_WAITING);
    }

    @Test
    void shouldRememberTheLatestEventsOfEachJob() {
        NonstopEventLog log = new NonstopEventLog();
        for (int i = 0; i < NonstopEventLog.REMEMBERED + 10; i++) {
            assertThat(log.add(event(i % 2 == 0 ? "even" : "odd", NonstopEventKind.NODE_FAILED)))
                    .isTrue();
        }
        assertThat(log.after("c", "even", null)).hasSize(NonstopEventLog.REMEMBERED / 2);
        NonstopEvent last = event("even", NonstopEventKind.NODE_REPLACE);
        String before = log.after("c", "even", null)
                .get(NonstopEventLog.REMEMBERED / 2 - 1)
                .getEventId();
        assertThat(log.add(last)).isTrue();
        assertThat(log.add(last)).as("it is known").isFalse();
        assertThat(log.after("c", "even", before)).containsExactly(last);
        assertThat(log.after("other", "even", null)).isEmpty();
    }

    @Test
    void shouldLetOnlySoManyWaitAndForgetThoseWhoDoNotWaitAnyMore() throws Exception {
        NonstopEventLog log = new NonstopEventLog();
        CompletableFuture<List<NonstopEvent>> brief = log.await("c", "17", null, Duration.ofMillis(50));
        assertThat(brief.get(5, TimeUnit.SECONDS)).isEmpty();
        assertThat(log.waiters()).isZero();
        for (int i = 0; i < NonstopEventLog.MOST_WAITING; i++) {
            log.await("c", "17", null, Duration.ofMinutes(1));
        }
        assertThat(log.await("c", "18", null, Duration.ofMinutes(1))).isCompletedWithValue(List.of());
        log.add(event("17", NonstopEventKind.NODE_FAILED));
        assertThat(log.waiters()).isZero();
    }
}
