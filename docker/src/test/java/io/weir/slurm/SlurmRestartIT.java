package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.schemas.Decision;
import io.weir.standalone.Component;
import io.weir.standalone.Connection;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.PolicyPublisher;
import io.weir.standalone.Standalone;
import io.weir.standalone.StandaloneConfig;
import io.weir.standalone.access.Account;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scheduler and connector as processes of their own beside a real Slurm, killed and started again: how long it takes from the
 * start of the process to the first line of a job that waits meanwhile. {@code -Dslurm.restart.rounds} says how often (2), and
 * {@code -Dslurm.restart.patience} how many times the limit a busy machine may take (3).
 */
@NullUnmarked
@Tag("soak")
class SlurmRestartIT {
    private static final Logger log = LoggerFactory.getLogger(SlurmRestartIT.class);
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final int ROUNDS = Integer.getInteger("slurm.restart.rounds", 2);
    private static final int PATIENCE = Integer.getInteger("slurm.restart.patience", 3);
    private static final Duration LONG_AGO = Duration.ofMinutes(2);

    private static final Map<Component, Duration> LIMITS =
            Map.of(Component.CONNECTOR, Duration.ofSeconds(5), Component.SCHEDULER, Duration.ofSeconds(3));

    @TempDir
    Path data;

    private final Map<Component, Process> processes = new EnumMap<>(Component.class);
    private SlurmSite slurm;
    private Standalone broker;
    private Path settings;
    private AvroCodec codec;
    private KafkaConsumer<byte[], byte[]> decisions;

    @BeforeEach
    void start() throws IOException {
        slurm = SlurmSite.start(Map.of("SLURM_NODES", "8", "SLURM_MIN_JOB_AGE", "3600"));
        slurm.run(
                List.of("mkdir", "-m", "1777", slurm.directory().resolve("ran").toString()));
        Map<String, String> site = new HashMap<>(slurm.connectorSettings());
        site.put("cluster", "site");
        site.put("clusters", "site");
        site.put("connector.poke.file", slurm.directory().resolve("poke").toString());
        Properties properties = new Properties();
        properties.putAll(site);
        settings = data.resolve("weir.properties");
        try (var out = Files.newBufferedWriter(settings)) {
            properties.store(out, "Settings of the scheduler and the connector");
        }
        broker = Standalone.start(
                new StandaloneConfig(new DataDirectory(data), 0, 0, Map.of(), site), EnumSet.of(Component.BROKER));
        watchDecisions();
    }

    @AfterEach
    void stop() {
        processes.values().forEach(Process::destroyForcibly);
        if (decisions != null) {
            decisions.close();
            codec.close();
        }
        if (broker != null) {
            broker.close();
        }
        if (slurm != null) {
            slurm.close();
        }
    }

    @Test
    void shouldStartJobsSoonAfterARestart() {
        begin(Component.SCHEDULER);
        begin(Component.CONNECTOR);
        ran(submit());

        for (Component component : List.of(Component.CONNECTOR, Component.SCHEDULER)) {
            List<Duration> took = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                kill(component);
                String job = submit();
                Instant began = begin(component);
                took.add(Duration.between(began, ran(job)));
            }
            judge(component, "first line of a job", took);
        }
    }

    @Test
    void shouldDecideSoonAfterARestartWhileItOnlyWatches() {
        new PolicyPublisher(broker.connection(Account.API), NAMES)
                .publish("site", "SCHEDCFG[weir] MODE=MONITOR\n", "watch.cfg");
        begin(Component.SCHEDULER);
        begin(Component.CONNECTOR);
        decided(submit());

        for (Component component : List.of(Component.CONNECTOR, Component.SCHEDULER)) {
            List<Duration> took = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                kill(component);
                String job = submit();
                Instant began = begin(component);
                took.add(Duration.between(began, decided(job)));
            }
            judge(component, "decision", took);
        }
        assertThat(slurm.jobs().values())
                .allSatisfy(job -> assertThat(job.state()).isEqualTo("PENDING"));
    }

    private static void judge(Component component, String what, List<Duration> took) {
        Collections.sort(took);
        Duration middle = took.get((took.size() - 1) / 2);
        log.info(
                "restart of the {}: {} after {} ms, of {}",
                component.name().toLowerCase(Locale.ROOT),
                what,
                middle.toMillis(),
                took.stream().map(Duration::toMillis).toList());
        assertThat(middle).isLessThan(LIMITS.get(component).multipliedBy(PATIENCE));
    }

    private String submit() {
        return slurm.submit("date +%s%N >" + slurm.directory().resolve("ran") + "/$SLURM_JOB_ID; sleep 1");
    }

    /** Waits for the first line of a job; returns when it was. */
    private Instant ran(String job) {
        Path mark = slurm.directory().resolve("ran").resolve(job);
        String text = await().atMost(LONG_AGO)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> Files.exists(mark) ? Files.readString(mark).strip() : "", said -> said.length() > 10);
        long nanos = Long.parseLong(text);
        return Instant.ofEpochSecond(nanos / 1_000_000_000, nanos % 1_000_000_000);
    }

    /** Waits until nodes were decided for a job; returns when that was seen. */
    private Instant decided(String job) {
        await().atMost(LONG_AGO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> StreamSupport.stream(
                                decisions.poll(Duration.ofMillis(100)).spliterator(), false)
                        .map(entry -> codec.decode(Topics.DECISIONS, entry.value()))
                        .filter(decision -> !decision.getAllocation().isEmpty())
                        .map(Decision::getJobId)
                        .anyMatch(job::equals));
        return Instant.now();
    }

    /** Opens a way to see decisions that costs the processes little while they start. */
    private void watchDecisions() {
        Connection connection = broker.connection(Account.READER);
        Map<String, Object> reading = connection.kafka();
        reading.put("isolation.level", "read_committed");
        reading.put("enable.auto.commit", "false");
        codec = new AvroCodec(NAMES, connection.registry());
        decisions = new KafkaConsumer<>(reading, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = decisions.partitionsFor(NAMES.full(Topics.DECISIONS)).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        decisions.assign(partitions);
        decisions.seekToBeginning(partitions);
    }

    private Instant begin(Component component) {
        List<String> command = List.of(
                "bin/weir",
                "standalone",
                "--only",
                component.name().toLowerCase(Locale.ROOT),
                "--data",
                data.toString(),
                "--settings",
                settings.toString());
        try {
            Instant now = Instant.now();
            processes.put(component, launch(command, component + ".out"));
            return now;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a process that has this JVM's Java, and says in the file {@code output} what it says. */
    private Process launch(List<String> command, String output) throws IOException {
        ProcessBuilder process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(data.resolve(output).toFile()));
        process.environment().put("JAVA_HOME", System.getProperty("java.home"));
        process.environment().put("WEIR_NO_BUILD", "yes");
        return process.start();
    }

    private void kill(Component component) {
        Process process = processes.get(component);
        assertThat(process.isAlive()).as("%s runs", component).isTrue();
        process.destroyForcibly();
        try {
            process.waitFor(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
