package io.weir.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ServiceMainTest {

    private static final Map<String, String> ENVIRONMENT =
            Map.of("WEIR_KAFKA_BOOTSTRAP_SERVERS", "broker:9092", "WEIR_REGISTRY_URL", "mock://main");

    private final ServiceLifecycle lifecycle = new ServiceLifecycle();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    @Test
    void shouldRunUntilAskedToStop() {
        FakeService service = new FakeService(ServiceContext::lifecycle);

        assertThat(run(service, List.of(), ENVIRONMENT)).isZero();
        assertThat(service.closed).isTrue();
    }

    @Test
    void shouldFailWhenTheServiceCannotStart() {
        FakeService service = new FakeService(context -> {
            throw new IllegalStateException("failed on purpose");
        });

        assertThat(run(service, List.of(), ENVIRONMENT)).isEqualTo(1);
        assertThat(service.closed).isTrue();
    }

    @Test
    void shouldTellBadSettingsFromFailure() {
        assertThat(run(new FakeService(ServiceContext::lifecycle), List.of(), Map.of()))
                .isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("fake: ").contains("registry.url");
    }

    @Test
    void shouldTellBadUsageFromFailure() {
        assertThat(run(new FakeService(ServiceContext::lifecycle), List.of("--help"), ENVIRONMENT))
                .isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("usage: [--config FILE]");
    }

    @Test
    void shouldReadTheFileItIsGiven() throws Exception {
        Path file = Files.writeString(
                directory.resolve("weir.properties"), "kafka.bootstrap.servers=a:1\nregistry.url=mock://file\n");
        FakeService service = new FakeService(
                context -> assertThat(context.config().text("registry.url")).isEqualTo("mock://file"));

        assertThat(run(service, List.of("--config", file.toString()), Map.of())).isZero();
    }

    /** The real thing: a process of its own, drained on SIGTERM. */
    @Test
    void shouldDrainOnSigterm() throws Exception {
        Path marker = directory.resolve("events");
        ProcessBuilder builder = new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                "-DWEIR_LOG_LEVEL=OFF",
                Daemon.class.getName(),
                marker.toString());
        Map<String, String> environment = new HashMap<>(ENVIRONMENT);
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile());
        Process process = builder.start();
        try {
            await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(marker) || !process.isAlive());

            process.destroy();

            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(directory.resolve("log"))).isEmpty();
            assertThat(process.exitValue()).isZero();
            assertThat(Files.readString(marker)).isEqualTo("started drained");
        } finally {
            process.destroyForcibly();
        }
    }

    private int run(Service service, List<String> args, Map<String, String> environment) {
        return ServiceMain.run(service, lifecycle, args, environment, new PrintStream(err, true, UTF_8));
    }

    /** Starts as told, then asks for its own stop. */
    private static final class FakeService implements Service {

        private final StartAction action;
        private boolean closed;

        FakeService(StartAction action) {
            this.action = action;
        }

        @Override
        public String name() {
            return "fake";
        }

        @Override
        public ConfigDef definition() {
            return ServiceConfig.baseDefinition();
        }

        @Override
        public void start(ServiceContext context) throws Exception {
            context.lifecycle().onClose("fake", Duration.ofSeconds(5), () -> closed = true);
            action.accept(context);
            context.lifecycle().requestStop();
        }
    }

    private interface StartAction {
        void accept(ServiceContext context) throws Exception;
    }

    /** Runs until killed, and writes down what happened. */
    static final class Daemon implements Service {

        private final Path marker;

        private Daemon(Path marker) {
            this.marker = marker;
        }

        public static void main(String[] args) {
            ServiceMain.main(new Daemon(Path.of(args[0])), new String[0]);
        }

        @Override
        public String name() {
            return "daemon";
        }

        @Override
        public ConfigDef definition() {
            return ServiceConfig.baseDefinition();
        }

        @Override
        public void start(ServiceContext context) throws Exception {
            context.lifecycle()
                    .onClose("daemon", Duration.ofSeconds(5), () -> Files.writeString(marker, "started drained"));
            Files.writeString(marker, "started");
        }
    }
}
