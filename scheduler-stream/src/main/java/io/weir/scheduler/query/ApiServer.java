package io.weir.scheduler.query;

import io.weir.scheduler.query.image.ClusterImageFeed;
import io.weir.scheduler.query.image.ImageHealth;
import io.weir.scheduler.query.image.LiveImage;
import io.weir.scheduler.query.image.UnreadableRecords;
import io.weir.scheduler.query.request.KafkaRequestClientConnections;
import io.weir.scheduler.query.request.MachineThreads;
import io.weir.scheduler.query.request.RequestClient;
import io.weir.service.ServiceContext;
import io.weir.service.http.HttpListener;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP API: {@link ApiRoutes} on a listener of its own. Everything is JSON; what is refused is {@code {"error":
 * "..."}} with a status.
 */
public final class ApiServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ApiServer.class);

    private final Optional<Path> announced;
    private final HttpListener listener;
    private final Optional<NonstopService> nonstop;
    private final ApiThreads threads;
    private final LiveImage image;
    private final RequestClient client;

    private ApiServer(
            Optional<Path> announced,
            HttpListener listener,
            Optional<NonstopService> nonstop,
            ApiThreads threads,
            LiveImage image,
            RequestClient client) {
        this.announced = announced;
        this.listener = listener;
        this.nonstop = nonstop;
        this.threads = threads;
        this.image = image;
        this.client = client;
    }

    /**
     * Starts serving.
     *
     * @param consumer properties of a consumer
     * @param producer properties of a producer
     * @param admin properties of an admin client
     * @param clusters clusters that requests may be about
     * @param halted says of a cluster why it has no iterations; empty where it has
     * @param service where metrics and readiness go, and what ends when an administrator asks for it
     * @throws IOException when the address is taken or not this machine's
     */
    public static ApiServer start(
            ApiSettings settings,
            Map<String, Object> consumer,
            Map<String, Object> producer,
            Map<String, Object> admin,
            TopicNames names,
            AvroCodec codec,
            List<String> clusters,
            Function<String, Optional<String>> halted,
            ServiceContext service)
            throws IOException {
        UnreadableRecords unreadable = new UnreadableRecords(service.meters());
        LiveImage image = new LiveImage(
                () -> new ClusterImageFeed(consumer, names, codec, unreadable),
                new ImageHealth(service.meters(), service.readiness()));
        Runnable stop = service.lifecycle()::requestStop;
        RequestClient client = new RequestClient(
                new KafkaRequestClientConnections(consumer, producer, admin), new MachineThreads(), names, codec);
        ApiThreads threads = new ApiThreads();
        HttpListener listener;
        ApiRoutes routes = new ApiRoutes(
                settings,
                clusters,
                image,
                client,
                threads,
                new ApiWarnings(service.readiness(), unreadable),
                halted,
                stop);
        try {
            listener = HttpListener.start(settings.http(), routes, new CountedRefusals(service.meters()));
        } catch (IOException | RuntimeException e) {
            threads.close();
            client.close();
            image.close();
            if (e instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new IOException(
                    "Cannot serve the API on " + settings.host() + ":" + settings.port() + " (" + e.getMessage()
                            + "); set api.host and api.port to a free address of this machine",
                    e);
        }
        Optional<NonstopService> nonstop = settings.nonstopHost()
                .map(host -> NonstopService.start(
                        settings,
                        consumer,
                        names,
                        codec,
                        image,
                        events -> new NonstopListeners(
                                settings,
                                clusters,
                                cluster -> image.read(all -> all.failureServiceText(cluster)),
                                cluster -> new NonstopRoutes(
                                        cluster,
                                        new ApiGate(settings),
                                        threads,
                                        (principal, request) -> routes.result(principal, cluster, request),
                                        settings.callbacks(),
                                        events))));
        ApiServer api = new ApiServer(settings.announce(), listener, nonstop, threads, image, client);
        if (settings.announce().isPresent()) {
            Files.writeString(settings.announce().get(), "api.url=" + api.url() + "\n");
        }
        log.info("API: url={} authentication={}", api.url(), settings.tokens().isPresent());
        return api;
    }

    /** Returns where it is served. */
    public String url() {
        return listener.url();
    }

    @Override
    public void close() throws IOException {
        if (announced.isPresent()) {
            Files.deleteIfExists(announced.get());
        }
        nonstop.ifPresent(NonstopService::close);
        threads.close();
        listener.close();
        client.close();
        image.close();
    }
}
