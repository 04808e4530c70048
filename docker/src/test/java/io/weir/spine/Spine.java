package io.weir.spine;

import io.weir.rm.runtime.ConnectorRunner;
import io.weir.rm.runtime.ConnectorService;
import io.weir.rm.runtime.RunnerListener;
import io.weir.rm.runtime.fact.PublishedPoll;
import io.weir.rm.simulated.LedgerReport;
import io.weir.rm.simulated.SimulatedProvider;
import io.weir.rm.spi.VirtualTime.Progress;
import io.weir.scheduler.SchedulerService;
import io.weir.scheduler.simulator.ClusterModel;
import io.weir.scheduler.simulator.Simulator;
import io.weir.service.Service;
import io.weir.standalone.HostedService;
import io.weir.standalone.PolicyPublisher;
import io.weir.standalone.Standalone;
import io.weir.standalone.TraceRun;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Grants;
import io.weir.standalone.drill.TopicsAudit;
import io.weir.topics.TopicNames;
import io.weir.trace.JobRun;
import io.weir.trace.SwfTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A run over a trace on topics of its own: scheduler and connector in this JVM, each started and stopped at will, and
 * what came of it.
 */
final class Spine implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String CONNECTOR = "rm";

    private final SpineBroker broker;
    private final TraceRun run;
    private final TopicNames names;
    private final Path ledger;
    private final Map<String, String> settings;
    private final CountDownLatch finished = new CountDownLatch(1);
    private final AtomicInteger ended = new AtomicInteger();
    private @Nullable HostedService scheduler;
    private @Nullable HostedService connector;

    /** Makes the topics, named after {@code name}, and publishes the run's policy; nothing runs yet. */
    Spine(String name, SpineBroker broker, Path directory, TraceRun run, Map<String, String> more) {
        this.broker = broker;
        this.run = run;
        this.names = new TopicNames(name + ".");
        this.ledger = directory.resolve("connector").resolve(SimulatedProvider.LEDGER_FILE);
        this.settings = new TreeMap<>(run.settings());
        settings.put("topics.prefix", names.prefix());
        settings.put("application.id", name);
        settings.put("instance.id", name);
        settings.put("state.dir", directory.resolve("scheduler").toString());
        settings.put("connector.data.dir", directory.resolve("connector").toString());
        settings.putAll(more);
        Map<String, String> admin = new TreeMap<>(settings);
        admin.putAll(broker.as(Account.ADMIN).settings());
        Standalone.provision(admin);
        broker.grant(Grants.of(names, name, List.of(new Grants.Connector(TraceRun.CLUSTER, CONNECTOR))));
        if (!run.policy().isBlank()) {
            new PolicyPublisher(broker.as(Account.API), names).publish(TraceRun.CLUSTER, run.policy(), "test");
        }
    }

    TopicNames names() {
        return names;
    }

    void startScheduler() {
        startScheduler(new SchedulerService());
    }

    void startScheduler(Service service) {
        scheduler = start(service, Account.SCHEDULER);
    }

    void stopScheduler() {
        stop(scheduler);
        scheduler = null;
    }

    void startConnector() {
        RunnerListener progress = new RunnerListener() {
            @Override
            public void polled(PublishedPoll poll, Instant rmTime, @Nullable Progress reached) {
                if (reached != null) {
                    ended.set(reached.ended());
                }
            }
        };
        ConnectorService service = new ConnectorService(progress);
        service.completion().whenComplete((ending, failure) -> {
            if (failure != null || ending == ConnectorRunner.Ending.FINISHED) {
                finished.countDown();
            }
        });
        connector = start(service, Account.connector(TraceRun.CLUSTER, CONNECTOR));
    }

    void stopConnector() {
        stop(connector);
        connector = null;
    }

    /** Deletes the consumer group of the scheduler, which has to be stopped. */
    void forgetPositions() throws Exception {
        String group = settings.getOrDefault("application.id", "");
        try (Admin admin = Admin.create(broker.as(Account.ADMIN).kafka())) {
            admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
                    .all()
                    .get();
            admin.deleteConsumerGroups(List.of(group)).all().get();
        }
    }

    /** Waits until so many jobs have ended. */
    void awaitEnded(int jobs) {
        Awaitility.await("jobs ended of " + names.prefix())
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> ended.get() >= jobs || finished.getCount() == 0);
    }

    /** Runs from wherever it stands to the end. */
    void finish() throws InterruptedException {
        if (scheduler == null) {
            startScheduler();
        }
        if (connector == null) {
            startConnector();
        }
        if (!finished.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("only " + ended + " jobs have ended within " + PATIENCE);
        }
    }

    /** What really happened, by the resource manager's record. */
    LedgerReport report() {
        return LedgerReport.read(ledger);
    }

    List<JobRun> runs() {
        return report().runs().stream()
                .sorted(Comparator.comparingLong(JobRun::sequence))
                .toList();
    }

    /** What the offline simulator makes of the same jobs. */
    List<JobRun> expected() throws IOException {
        ClusterModel cluster = new ClusterModel(run.nodes(), run.procsPerNode());
        SwfTrace trace = SwfTrace.read(run.trace(), cluster.processors());
        return new Simulator(cluster, trace.window(run.from(), run.count()), trace.start(), run.policy())
                .run().stream()
                        .sorted(Comparator.comparingLong(JobRun::sequence))
                        .toList();
    }

    /** What differs when everything is derived again from the journal. */
    List<String> auditProblems() throws IOException {
        return TopicsAudit.problems(broker.as(Account.READER), names);
    }

    @Override
    public void close() {
        stop(connector);
        stop(scheduler);
    }

    private HostedService start(Service service, Account account) {
        Map<String, String> known = new TreeMap<>(settings);
        known.putAll(broker.as(account).settings());
        known.putAll(broker.as(Account.API).settingsOfPart("api"));
        List.of(new SchedulerService(), new ConnectorService())
                .forEach(other -> known.keySet()
                        .removeIf(key -> other.definition().names().contains(key)
                                && !service.definition().names().contains(key)));
        return HostedService.start(service, known, () -> {});
    }

    private static void stop(@Nullable HostedService service) {
        if (service != null) {
            service.close();
        }
    }
}
