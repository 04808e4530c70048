package io.weir.standalone.drill;

import io.weir.rm.simulated.SimulatedProvider;
import io.weir.standalone.Component;
import io.weir.standalone.Connection;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.Endpoints;
import io.weir.standalone.KafkaAccess;
import io.weir.standalone.TraceRun;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Credentials;
import io.weir.standalone.broker.FreePorts;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs a trace on separate processes, kills them with SIGKILL at random moments, starts each again at once, and judges
 * what came of it. The kills are spread over the whole run. One thread.
 */
public final class CrashDrill {
    private static final int HEAP_MB = 512;
    private static final long PATIENCE_MILLIS = 120_000;
    private static final long STEP_MILLIS = 50;

    /** Longest wait between reaching a point of the run and the kill. */
    private static final int LONGEST_DELAY_MILLIS = 200;

    /** Kills come before this share of the jobs has ended: a fast machine must not be done before the last one. */
    private static final double LAST_POINT = 0.6;

    private final DrillPlan plan;
    private final Consumer<String> events;
    private final Random random;
    private final Map<Component, ComponentProcess> running = new EnumMap<>(Component.class);
    private final Map<Component, Integer> killed = new EnumMap<>(Component.class);
    private final int brokerPort;
    private final int registryPort;

    /** Prepares a drill; {@code events} is told what happens. */
    public CrashDrill(DrillPlan plan, Consumer<String> events) {
        this.plan = plan;
        this.events = events;
        this.random = new Random(plan.seed());
        int[] ports = FreePorts.any(2);
        this.brokerPort = ports[0];
        this.registryPort = ports[1];
    }

    /** Runs it to its end. All processes are gone when it returns. */
    public DrillReport run() throws IOException, InterruptedException {
        long began = System.nanoTime();
        List<String> problems = new ArrayList<>();
        DataDirectory directory = plan.directory();
        directory.prepare();
        writeSettings();
        try {
            start(Component.BROKER);
            plan.run().publishPolicy(awaitBroker());
            start(Component.SCHEDULER);
            start(Component.CONNECTOR);
            int[] points = points(plan.victims().size());
            for (int i = 0; i < points.length && awaitMoment(points[i]); i++) {
                Component victim = plan.victims().get(i);
                kill(victim);
                start(victim);
            }
            awaitProgress(Integer.MAX_VALUE);
            for (Component component : List.of(Component.SCHEDULER, Component.BROKER)) {
                process(component).stop();
            }
        } catch (IllegalStateException e) {
            problems.add(String.valueOf(e.getMessage()));
        } finally {
            running.values().forEach(ComponentProcess::kill);
        }
        events.accept("judging");
        if (Files.exists(ledger())) {
            problems.addAll(DrillJudge.problems(plan.run(), directory));
            try (KafkaAccess access = KafkaAccess.open(directory, Account.READER)) {
                problems.addAll(TopicsAudit.problems(access.connection(), new TopicNames(TopicNames.DEFAULT_PREFIX)));
            }
        }
        int jobs = Files.exists(ledger()) ? TraceRun.report(directory).runs().size() : 0;
        return new DrillReport(killed, jobs, (System.nanoTime() - began) / 1e9, problems);
    }

    private void start(Component component) {
        running.put(
                component,
                ComponentProcess.start(
                        component,
                        HEAP_MB,
                        List.of(
                                "--data", plan.directory().root().toString(),
                                "--port", Integer.toString(brokerPort),
                                "--registry-port", Integer.toString(registryPort),
                                "--settings", settingsFile().toString()),
                        plan.directory().logs().resolve(component.name().toLowerCase(Locale.ROOT) + ".out")));
    }

    private void kill(Component component) throws IOException {
        process(component).kill();
        killed.merge(component, 1, Integer::sum);
        events.accept(String.format(
                Locale.ROOT,
                "killed %s when %d jobs had ended",
                component.name().toLowerCase(Locale.ROOT),
                ended()));
    }

    /** Waits until {@code point} jobs have ended and a little longer; returns false when the run is over by then. */
    private boolean awaitMoment(int point) throws IOException, InterruptedException {
        awaitProgress(point);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_DELAY_MILLIS));
        return !isFinished();
    }

    /** Waits until {@code point} jobs have ended or the run is over; fails when it stands still. */
    private void awaitProgress(int point) throws IOException, InterruptedException {
        long before = -1;
        long deadline = 0;
        while (!isFinished() && ended() < point) {
            long now = recorded();
            if (now > before) {
                before = now;
                deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
            } else if (System.currentTimeMillis() > deadline) {
                throw new IllegalStateException("the run stands still: nothing was recorded for "
                        + PATIENCE_MILLIS / 1000 + " s; see " + plan.directory().logs());
            }
            TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
        }
    }

    /** Says whether the connector has come to its end; fails when a process ended that nobody killed. */
    private boolean isFinished() {
        for (ComponentProcess process : running.values()) {
            if (!process.isAlive() && !(process.component() == Component.CONNECTOR && process.exitCode() == 0)) {
                throw new IllegalStateException(process.component() + " ended by itself with exit code "
                        + process.exitCode() + "; see " + plan.directory().logs());
            }
        }
        return !process(Component.CONNECTOR).isAlive();
    }

    private ComponentProcess process(Component component) {
        ComponentProcess process = running.get(component);
        if (process == null) {
            throw new IllegalStateException(component + " was never started");
        }
        return process;
    }

    private Connection awaitBroker() throws InterruptedException {
        long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (System.currentTimeMillis() < deadline) {
            Optional<Endpoints> endpoints = Endpoints.read(plan.directory().endpoints());
            if (endpoints.isPresent()) {
                Credentials credentials = new Credentials(plan.directory().credentials());
                return Connection.of(endpoints.get(), credentials.of(Account.API));
            }
            TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
        }
        throw new IllegalStateException(
                "the broker did not start; see " + plan.directory().logs());
    }

    private Path ledger() {
        return plan.directory().connector().resolve(SimulatedProvider.LEDGER_FILE);
    }

    /** Returns how many jobs have to have ended before each kill: anywhere in the run, in order. */
    private int[] points(int kills) throws IOException {
        int jobs = DrillJudge.jobs(plan.run()).size();
        return random.doubles(kills, 0, jobs * LAST_POINT)
                .sorted()
                .mapToInt(point -> (int) point)
                .toArray();
    }

    private long ended() throws IOException {
        if (!Files.exists(ledger())) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(ledger())) {
            return lines.filter(line -> line.contains("\tEND\t")).count();
        }
    }

    private long recorded() throws IOException {
        return Files.exists(ledger()) ? Files.size(ledger()) : 0;
    }

    private Path settingsFile() {
        return plan.directory().root().resolve("drill.properties");
    }

    private void writeSettings() throws IOException {
        Properties properties = new Properties();
        properties.putAll(plan.run().settings());
        try (Writer out = Files.newBufferedWriter(settingsFile(), StandardCharsets.UTF_8)) {
            properties.store(out, "Settings of a crash drill");
        }
    }
}
