package io.weir.service;

import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.service.http.HostNames;
import io.weir.service.http.HttpSettings;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main of every service process: {@code [--config FILE]}. Serves health and metrics, starts the service, waits, and on
 * SIGTERM or failure drains it in order. Exit codes: 0 stopped as asked, 1 failed or not drained in time, 2 bad usage or
 * settings.
 */
public final class ServiceMain {

    /** Exit code for bad usage or settings. */
    public static final int BAD_USAGE = 2;

    private static final Logger log = LoggerFactory.getLogger(ServiceMain.class);
    private static final Duration HEALTH_CLOSE_LIMIT = Duration.ofSeconds(2);

    /** How long the process may take to end when the clock was set back. */
    private static final Duration HALT_AFTER = Duration.ofSeconds(20);

    private static final int FAILED = 1;

    private ServiceMain() {}

    /** Runs {@code service} until it stops, then ends the JVM. */
    public static void main(Service service, String[] args) {
        ServiceLifecycle lifecycle = new ServiceLifecycle();
        Thread hook = new Thread(
                () -> {
                    log.info("Stopping {}", service.name());
                    lifecycle.close();
                    // The JVM is on its way out with SIGTERM's code; an orderly stop is to show as one.
                    Runtime.getRuntime().halt(lifecycle.exitCode());
                },
                "stop-" + service.name());
        Runtime.getRuntime().addShutdownHook(hook);
        int code = run(service, lifecycle, List.of(args), System.getenv(), System.err);
        if (code == BAD_USAGE) {
            Runtime.getRuntime().halt(code);
        }
        System.exit(code);
    }

    /** Runs {@code service} until {@code lifecycle} is asked to stop; returns the exit code once everything is closed. */
    static int run(
            Service service,
            ServiceLifecycle lifecycle,
            List<String> args,
            Map<String, String> environment,
            PrintStream err) {
        ServiceConfig config;
        try {
            config = ServiceConfig.load(service.definition(), configFile(args), environment);
        } catch (ConfigException e) {
            err.println(service.name() + ": " + e.getMessage());
            return BAD_USAGE;
        }
        try (lifecycle) {
            start(service, config, lifecycle);
            lifecycle.awaitStopRequest();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            lifecycle.fail(e);
        } catch (Exception e) {
            lifecycle.fail(e);
        }
        return lifecycle.exitCode();
    }

    /** Serves the health of {@code service} and starts it; returns when it runs. */
    public static HealthServer start(Service service, ServiceConfig config, ServiceLifecycle lifecycle)
            throws Exception {
        log.info("Starting {} with {}", service.name(), config);
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        meters.config().commonTags("service", service.name());
        List.of(new JvmMemoryMetrics(), new JvmThreadMetrics(), new ClassLoaderMetrics(), new ProcessorMetrics())
                .forEach(binder -> binder.bindTo(meters));
        Readiness readiness = new Readiness();
        Readiness.Condition started = readiness.declare("started");
        HttpSettings served = HttpSettings.small(
                        "health", config.text("health.host"), Math.toIntExact(config.number("health.port")))
                .with(TlsSettings.from(config, "health"))
                .calledBy(HostNames.ofAddress(config.text("health.host")));
        HealthServer health = HealthServer.start(served, lifecycle::isAlive, readiness, meters);
        lifecycle.onClose("health", HEALTH_CLOSE_LIMIT, health);
        service.start(new ServiceContext(config, lifecycle, readiness, meters));
        started.met();
        BrokerWatch watch = BrokerWatch.start(config.admin(), readiness.declare("broker"));
        lifecycle.onClose("broker-watch", HEALTH_CLOSE_LIMIT, watch::stop);
        ClockWatch clock = ClockWatch.start(why -> {
            lifecycle.fail(why);
            haltLater();
        });
        lifecycle.onClose("clock-watch", HEALTH_CLOSE_LIMIT, clock::stop);
        log.info("Started {}; health and metrics on port {}", service.name(), health.port());
        return health;
    }

    /** Sees to it that the process ends: what waits by a clock that was set back does not come to its end in good order. */
    private static void haltLater() {
        Thread thread = new Thread(
                () -> {
                    try {
                        Thread.sleep(HALT_AFTER.toMillis());
                        log.error(
                                "Not everything was closed within {} s; the process is halted", HALT_AFTER.toSeconds());
                        Runtime.getRuntime().halt(FAILED);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "halt");
        thread.setDaemon(true);
        thread.start();
    }

    private static Optional<Path> configFile(List<String> args) {
        if (args.isEmpty()) {
            return Optional.empty();
        }
        if (args.size() != 2 || !args.get(0).equals("--config")) {
            throw new ConfigException("Arguments " + args + " not understood; usage: [--config FILE]");
        }
        return Optional.of(Path.of(args.get(1)));
    }
}
