package io.weir.scheduler.plugin;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Plug-ins in this process, each call on a thread of its own. One that does not heed the interrupt keeps that thread;
 * a class with too many such threads is not called any more until one of them ends. Thread-safe.
 */
final class ClassPlugins {
    /** Calls of one class that may go on at a time, those given up included. */
    private static final int MOST_CALLS = 8;

    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

    List<NodeAllocationPlugin.Choice> choose(String className, AllocationQuestion question, Duration limit)
            throws PluginFailure, InterruptedException {
        AtomicInteger running = calls.computeIfAbsent(className, unknown -> new AtomicInteger());
        if (running.incrementAndGet() > MOST_CALLS) {
            running.decrementAndGet();
            throw new PluginFailure("class " + className + " still works on " + MOST_CALLS + " earlier questions");
        }
        FutureTask<List<NodeAllocationPlugin.Choice>> call = new FutureTask<>(() -> {
            try {
                return List.copyOf(load(className).choose(question));
            } finally {
                running.decrementAndGet();
            }
        });
        Thread thread = new Thread(call, "allocation-plugin-" + className);
        thread.setDaemon(true);
        thread.start();
        try {
            return call.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new PluginFailure("class " + className + " took longer than " + limit.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new PluginFailure(
                    cause instanceof PluginFailure ? String.valueOf(cause.getMessage()) : "" + cause, e);
        } finally {
            thread.interrupt();
        }
    }

    private static NodeAllocationPlugin load(String className) throws PluginFailure {
        try {
            for (ServiceLoader.Provider<NodeAllocationPlugin> provider :
                    ServiceLoader.load(NodeAllocationPlugin.class).stream().toList()) {
                if (provider.type().getName().equals(className)) {
                    return provider.get();
                }
            }
        } catch (ServiceConfigurationError e) {
            throw new PluginFailure("class " + className + " cannot be loaded: " + e.getMessage(), e);
        }
        throw new PluginFailure("class " + className + " is not among the services found");
    }
}
