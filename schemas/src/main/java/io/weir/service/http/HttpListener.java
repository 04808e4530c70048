package io.weir.service.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves HTTP/1.1 on one address. A connection holds no thread while it waits: neither for a request that comes slowly
 * nor for an answer that is not ready. At most one request of a connection is under way, so the number of connections
 * bounds all queues. Every answer, a refusal of Jetty's own included, is the handler's or {@link HttpErrors}'. Closing
 * stops accepting and gives answers under way a moment. Thread-safe.
 */
public final class HttpListener implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HttpListener.class);
    private static final int HEADER_BYTES = 16_384;
    private static final int BACKLOG = 256;
    private static final int THREAD_IDLE_MS = 60_000;
    private static final long STOP_MS = 1_500;
    private static final long SWEEP_MS = 1_000;
    private static final long TLS_LOOK_MS = 2_000;
    private static final int CLIENT_ERRORS = 400;
    private static final int SERVER_ERRORS = 500;
    private static final int HEADER_TOO_LARGE = 431;

    /** Bytes of answers on their way, to all clients and to one address. */
    private static final long MOST_SENDING = 128L << 20;

    private static final long MOST_SENDING_TO_ONE = 32L << 20;

    /** How fast answers have to be taken at the least. */
    private static final long SLOWEST_READER = 64L << 10;

    private static final long TRY_AGAIN_SECONDS = 5;

    /** What an identifier may hold is for whoever asks: escapes of '/' and '%' and empty segments are passed on. */
    private static final UriCompliance URIS = UriCompliance.RFC3986.with(
            "WEIR",
            UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
            UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
            UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT);

    private final HttpSettings settings;
    private final HttpHandler handler;
    private final HttpErrors errors;
    private final ConnectionGuard guard;
    private final SendingBudget sendings = new SendingBudget(MOST_SENDING, MOST_SENDING_TO_ONE);
    private final Server server;
    private final ServerConnector connector;
    private final Optional<TlsKeys> tls;

    private HttpListener(HttpSettings settings, HttpHandler handler, HttpErrors errors, long bytesPerSecond) {
        this.settings = settings;
        this.handler = handler;
        this.errors = errors;
        this.guard = new ConnectionGuard(settings.maxConnections(), settings.patience(), bytesPerSecond);
        this.tls = settings.tls().map(TlsKeys::new);
        QueuedThreadPool threads = new QueuedThreadPool(settings.threads(), settings.threads(), THREAD_IDLE_MS);
        threads.setName(settings.name());
        threads.setDaemon(true);
        threads.setReservedThreads(0);
        Scheduler scheduler = new ScheduledExecutorScheduler(settings.name() + "-timer", true);
        this.server = new Server(threads, scheduler, new ArrayByteBufferPool());
        this.connector = new ServerConnector(server, null, null, null, 1, 1, factories());
        connector.setHost(settings.host());
        connector.setPort(settings.port());
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(settings.idle().toMillis());
        connector.addBean(guard);
        server.addConnector(connector);
        server.setHandler(new GracefulHandler(new Answering()));
        server.setErrorHandler(this::refuse);
        server.setStopTimeout(STOP_MS);
        threads.setStopTimeout(STOP_MS);
    }

    /** Starts serving with refusals as {@code {"error": "..."}}. */
    public static HttpListener start(HttpSettings settings, HttpHandler handler) throws IOException {
        return start(settings, handler, HttpErrors.PLAIN);
    }

    /**
     * Starts serving.
     *
     * @throws IOException when the address is taken or not this machine's
     * @throws org.apache.kafka.common.config.ConfigException when the certificate cannot be used
     */
    public static HttpListener start(HttpSettings settings, HttpHandler handler, HttpErrors errors) throws IOException {
        return start(settings, handler, errors, SLOWEST_READER);
    }

    /** Starts serving clients that take their answers no slower than {@code bytesPerSecond}. */
    static HttpListener start(HttpSettings settings, HttpHandler handler, HttpErrors errors, long bytesPerSecond)
            throws IOException {
        HttpListener listener = new HttpListener(settings, handler, errors, bytesPerSecond);
        listener.open();
        return listener;
    }

    /** Returns the port it serves on. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Returns where it is served. */
    public String url() {
        String host = settings.host().indexOf(':') >= 0 ? "[" + settings.host() + "]" : settings.host();
        return (tls.isPresent() ? "https://" : "http://") + host + ":" + port();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (TimeoutException e) {
            // Clients that keep their connections open, as ours do, are nothing to report.
            log.info("{} stopped with connections open: {}", settings.name(), e.toString());
        } catch (Exception e) {
            // Jetty declares no less; what is left are daemon threads without a socket.
            log.warn("{} did not stop in order: {}", settings.name(), e.toString());
        }
    }

    private void open() throws IOException {
        try {
            connector.open();
            server.start();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        } catch (Exception e) {
            close();
            throw new IOException(e);
        }
        every(SWEEP_MS, guard::sweep);
        tls.ifPresent(keys -> every(TLS_LOOK_MS, keys::refresh));
    }

    private void every(long millis, Runnable action) {
        server.getScheduler()
                .schedule(
                        () -> {
                            if (server.isRunning()) {
                                action.run();
                                every(millis, action);
                            }
                        },
                        millis,
                        TimeUnit.MILLISECONDS);
    }

    private ConnectionFactory[] factories() {
        HttpConfiguration config = new HttpConfiguration();
        config.setSendServerVersion(false);
        config.setSendXPoweredBy(false);
        config.setRequestHeaderSize(HEADER_BYTES);
        config.setHttpCompliance(HttpCompliance.RFC9110);
        config.setUriCompliance(URIS);
        List<ConnectionFactory> factories = new ArrayList<>();
        HttpConnectionFactory http = new HttpConnectionFactory(config);
        if (tls.isPresent()) {
            config.addCustomizer(new SecureRequestCustomizer(false));
            factories.add(new SslConnectionFactory(tls.get().factory(), http.getProtocol()));
        }
        factories.add(http);
        return factories.toArray(ConnectionFactory[]::new);
    }

    /** Hands requests to the handler and sends what it says. */
    private final class Answering extends Handler.Abstract.NonBlocking {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            Connection connection = request.getConnectionMetaData().getConnection();
            guard.begin(connection);
            Callback done = Callback.from(callback, () -> guard.end(connection));
            UnreadBody rest = new UnreadBody(request, awaited -> guard.awaitBody(connection, awaited));
            CompletionStage<HttpReply> answer;
            try {
                checkHost(request);
                answer = handler.answer(new HttpCall(
                        request,
                        settings.maxBody(),
                        settings.patience(),
                        awaited -> guard.awaitBody(connection, awaited)));
            } catch (RuntimeException e) {
                answer = refusal(request, e).now();
            }
            answer.handle((reply, failure) -> failure == null ? reply : refusal(request, failure))
                    .thenAccept(reply -> answer(request, response, reply, rest, done));
            return true;
        }
    }

    /** Sends an answer at once; where its client has not sent all, as the last one on this connection. */
    private void answer(Request request, Response response, HttpReply reply, UnreadBody rest, Callback done) {
        // Of a request that timed out, the body is still asked for.
        if (reply.status() == HttpRefusal.REQUEST_TIMEOUT || rest.isAtEnd()) {
            sendWithinBudget(request, response, reply, done);
        } else {
            sendWithinBudget(
                    request,
                    response,
                    reply.with(HttpHeader.CONNECTION.asString(), "close"),
                    Callback.from(() -> rest.drop(done::succeeded), done::failed));
        }
    }

    /** Sends an answer, or refuses it for now where too much else is on its way to that client, or to all. */
    private void sendWithinBudget(Request request, Response response, HttpReply reply, Callback done) {
        String client = HttpCall.remote(request);
        HttpReply sent = reply;
        if (!sendings.take(client, sent.body().remaining())) {
            sent = refusal(
                    request,
                    HttpRefusal.later(
                            HttpRefusal.UNAVAILABLE,
                            "Too many large answers are on their way and not taken",
                            TRY_AGAIN_SECONDS));
            sendings.take(client, sent.body().remaining());
        }
        long bytes = sent.body().remaining();
        guard.sending(request.getConnectionMetaData().getConnection(), bytes);
        send(response, sent, Callback.from(done, () -> sendings.free(client, bytes)));
    }

    private void checkHost(Request request) {
        String host = request.getHttpURI().getHost();
        if (host != null && !settings.hosts().include(host)) {
            throw new HttpRefusal(
                    HttpRefusal.MISDIRECTED,
                    "This is not '" + host + "'; see the setting of the names by which it may be called");
        }
    }

    private HttpReply refusal(Request request, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof HttpRefusal refusal) {
            HttpReply reply = errors.reply(refusal.status(), String.valueOf(refusal.getMessage()));
            for (var header : refusal.headers().entrySet()) {
                reply = reply.with(header.getKey(), header.getValue());
            }
            return reply;
        }
        log.error("{} {} failed", request.getMethod(), request.getHttpURI().getPath(), cause);
        return errors.reply(HttpRefusal.FAILED, "Failed; the log says why");
    }

    /** Answers what Jetty itself refuses: mostly what is no HTTP. */
    private boolean refuse(Request request, Response response, Callback callback) {
        Object reason = request.getAttribute(ErrorHandler.ERROR_MESSAGE);
        Object cause = request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
        int status = response.getStatus();
        String message;
        boolean ours = cause instanceof Throwable && !(cause instanceof HttpException || cause instanceof IOException);
        if (status >= SERVER_ERRORS && ours) {
            log.error("{} {} failed", request.getMethod(), request.getHttpURI().getPath(), cause);
            message = "Failed; the log says why";
        } else if (status == HEADER_TOO_LARGE) {
            message = "The head of a request has at most " + HEADER_BYTES + " bytes";
        } else {
            message = "The request is not understood: " + (reason == null ? "status " + status : reason);
        }
        send(response, errors.reply(Math.max(status, CLIENT_ERRORS), message), callback);
        return true;
    }

    private static void send(Response response, HttpReply reply, Callback callback) {
        response.setStatus(reply.status());
        var headers = response.getHeaders();
        if (reply.status() != HttpReply.NO_CONTENT) {
            headers.put(HttpHeader.CONTENT_TYPE, reply.type());
            headers.put(HttpHeader.CONTENT_LENGTH, reply.body().remaining());
        }
        headers.put(HttpHeader.CACHE_CONTROL, "no-store");
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Cross-Origin-Resource-Policy", "same-origin");
        reply.headers().forEach(headers::put);
        response.write(true, reply.body().duplicate(), Callback.from(callback, reply.sent()));
    }

    @Override
    public String toString() {
        return settings.name() + " " + url();
    }
}
