package io.weir.standalone;

import io.weir.service.HealthServer;
import io.weir.service.Service;
import io.weir.service.ServiceConfig;
import io.weir.service.ServiceLifecycle;
import io.weir.service.ServiceMain;
import java.util.Map;

/** A service running in this JVM the way it would run in one of its own, health and metrics included. */
public final class HostedService implements AutoCloseable {
    private final String name;
    private final ServiceLifecycle lifecycle;
    private final HealthServer health;

    private HostedService(String name, ServiceLifecycle lifecycle, HealthServer health) {
        this.name = name;
        this.lifecycle = lifecycle;
        this.health = health;
    }

    /**
     * Starts {@code service} with those of {@code settings} that it knows.
     *
     * @param onStop run, on a thread of its own, when the service has finished, failed or been closed
     */
    public static HostedService start(Service service, Map<String, String> settings, Runnable onStop) {
        ServiceLifecycle lifecycle = new ServiceLifecycle();
        HealthServer health;
        try {
            health = ServiceMain.start(service, ServiceConfig.of(service.definition(), settings), lifecycle);
        } catch (Exception e) {
            lifecycle.close();
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw e instanceof RuntimeException unchecked
                    ? unchecked
                    : new IllegalStateException("Service " + service.name() + " did not start: " + e.getMessage(), e);
        }
        Thread watch = new Thread(
                () -> {
                    try {
                        lifecycle.awaitStopRequest();
                        onStop.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "watch-" + service.name());
        watch.setDaemon(true);
        watch.start();
        return new HostedService(service.name(), lifecycle, health);
    }

    /** Name of the service. */
    public String name() {
        return name;
    }

    /** Where its health and metrics are. */
    public String healthUrl() {
        return health.url();
    }

    /** Says whether it has not failed; a service that finished its work has not. */
    public boolean isAlive() {
        return lifecycle.isAlive();
    }

    /** Stops it in order. */
    @Override
    public void close() {
        lifecycle.close();
    }

    /** Returns 0 when it neither failed nor had to be cut off on closing. */
    public int exitCode() {
        return lifecycle.exitCode();
    }
}
