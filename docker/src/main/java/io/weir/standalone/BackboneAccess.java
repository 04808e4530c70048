package io.weir.standalone;

import io.weir.scheduler.cli.BrokerAccess;
import io.weir.standalone.broker.DirectoryLock;
import java.io.IOException;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;

/**
 * A way to the topics of a data directory: through the broker that is running on it, or else through one started for as
 * long as this object is open.
 */
public final class BackboneAccess implements BrokerAccess {
    private final Endpoints endpoints;
    private final @Nullable Backbone own;

    private BackboneAccess(Endpoints endpoints, @Nullable Backbone own) {
        this.endpoints = endpoints;
        this.own = own;
    }

    /**
     * Opens the topics of {@code directory}.
     *
     * @throws IOException when nothing was ever kept there, or the broker is still starting
     */
    public static BackboneAccess open(DataDirectory directory) throws IOException {
        if (!Files.isDirectory(directory.broker())) {
            throw new IOException(directory.root()
                    + " holds no topics: give the --data directory of weir demo, standalone or run-trace");
        }
        if (DirectoryLock.isHeld(directory.broker())) {
            Endpoints running = Endpoints.read(directory.endpoints())
                    .orElseThrow(() -> new IllegalStateException(
                            "The broker on " + directory.root() + " is starting; try again in a few seconds"));
            return new BackboneAccess(running, null);
        }
        Backbone own = Backbone.start(directory, 0, 0);
        return new BackboneAccess(own.endpoints(), own);
    }

    @Override
    public String bootstrapServers() {
        return endpoints.bootstrapServers();
    }

    @Override
    public String registryUrl() {
        return endpoints.registryUrl();
    }

    /** Where the broker and the registry are reached. */
    public Endpoints endpoints() {
        return endpoints;
    }

    @Override
    public void close() {
        if (own != null) {
            own.close();
        }
    }
}
