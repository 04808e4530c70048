package io.weir.standalone.registry;

import io.confluent.kafka.schemaregistry.CompatibilityLevel;
import io.weir.service.http.HostNames;
import io.weir.service.http.HttpListener;
import io.weir.service.http.HttpSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the registry's protocol on the loopback interface over a topic of the given broker. It is for trying out,
 * tests and small sites: Avro only, nothing is ever deleted, users and passwords by basic authentication.
 */
public final class EmbeddedRegistry implements AutoCloseable {
    /** The topic with the content, unless told otherwise. */
    public static final String TOPIC = "_schemas";

    private static final Logger log = LoggerFactory.getLogger(EmbeddedRegistry.class);
    private static final String HOST = "127.0.0.1";
    private static final int THREADS = 4;

    private final HttpListener server;
    private final ExecutorService threads;
    private final RegistryLog entries;

    private EmbeddedRegistry(HttpListener server, ExecutorService threads, RegistryLog entries) {
        this.server = server;
        this.threads = threads;
        this.entries = entries;
    }

    /** Starts a registry on the broker reached with the settings {@code clients}; port 0 takes any free one. */
    public static EmbeddedRegistry start(Map<String, Object> clients, RegistryUsers users, int port) {
        return start(clients, TOPIC, users, port);
    }

    /** Starts a registry whose content is {@code topic}. */
    public static EmbeddedRegistry start(Map<String, Object> clients, String topic, RegistryUsers users, int port) {
        SchemaCatalogue catalogue = new SchemaCatalogue(CompatibilityLevel.FULL_TRANSITIVE);
        RegistryLog entries = new RegistryLog(clients, topic, catalogue);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "registry");
            thread.setDaemon(true);
            return thread;
        });
        try {
            RegistryRoutes routes = new RegistryRoutes(new SchemaRegistrar(catalogue, entries), users, threads);
            HttpListener server = HttpListener.start(
                    HttpSettings.small("registry-http", HOST, port)
                            .calledBy(HostNames.of(List.of()))
                            .withBodies(RegistryRequest.BODY_LIMIT),
                    routes,
                    RegistryRoutes::error);
            EmbeddedRegistry registry = new EmbeddedRegistry(server, threads, entries);
            log.info(
                    "Registry serves {} with {} subjects",
                    registry.url(),
                    catalogue.subjects().size());
            return registry;
        } catch (IOException e) {
            release(threads, entries);
            throw new UncheckedIOException(
                    "Port " + port + " of " + HOST + " cannot be used for the registry: choose another, or 0", e);
        } catch (RuntimeException | Error e) {
            release(threads, entries);
            throw e;
        }
    }

    /** Address for {@code schema.registry.url}. */
    public String url() {
        return server.url();
    }

    /** Port it listens on. */
    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
        release(threads, entries);
    }

    private static void release(ExecutorService threads, RegistryLog entries) {
        threads.shutdownNow();
        entries.close();
    }
}
