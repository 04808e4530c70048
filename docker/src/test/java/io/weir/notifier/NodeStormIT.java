package io.weir.notifier;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.Feature;
import io.weir.notifier.runtime.NotifierService;
import io.weir.rm.runtime.fact.FactPublisher;
import io.weir.rm.runtime.fact.FinishedCommands;
import io.weir.rm.runtime.fact.KafkaFactLog;
import io.weir.rm.runtime.fact.PollTrouble;
import io.weir.rm.spi.Poll;
import io.weir.rm.spi.RmCapabilities;
import io.weir.scheduler.SchedulerService;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.service.Service;
import io.weir.standalone.Connection;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.HostedService;
import io.weir.standalone.KafkaEnvironment;
import io.weir.standalone.PolicyPublisher;
import io.weir.standalone.Standalone;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Grants;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ten thousand nodes go down within ten seconds of their resource manager's clock, through the real scheduler and the real
 * notifier in the heap of one test: all of it is on the topic, and goes out as one mail.
 */
class NodeStormIT {
    private static final int NODES = 10_000;
    private static final int SECONDS = 10;

    /** Nodes that go down once more when the event is armed anew. */
    private static final int AGAIN = 1_000;

    private static final String CLUSTER = "storm";
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final Instant BEGIN = Instant.parse("2026-03-01T10:00:00Z");
    private static final RmCapabilities MANAGER = new RmCapabilities("storm", "1", Set.of());

    @TempDir
    private Path directory;

    private final SteppedClock clock = new SteppedClock(BEGIN);
    private final NodeReport[] reports = new NodeReport[NODES];
    private KafkaEnvironment environment;
    private MailSink mails;
    private NotifierTopics topics;
    private HostedService scheduler;
    private HostedService notifier;
    private AvroCodec codec;
    private KafkaFactLog log;
    private FactPublisher manager;

    /** Seconds of the resource manager's clock. */
    private long now;

    @BeforeEach
    void start() throws Exception {
        environment = KafkaEnvironment.start(
                new DataDirectory(directory.resolve("site")),
                0,
                0,
                Map.of(),
                Grants.of(NAMES, "weir-scheduler", List.of(new Grants.Connector(CLUSTER, "rm"))));
        Standalone.provision(environment.connection(Account.ADMIN).settings());
        mails = new MailSink();
        topics = new NotifierTopics(environment.connection(Account.SCHEDULER), environment.connection(Account.READER));
        new PolicyPublisher(environment.connection(Account.API), NAMES)
                .publish(
                        CLUSTER,
                        "ADMINCFG[1] USERS=ops\nGEVENTCFG[nodedown] ACTION=notify REARM=00:20:00 SEVERITY=3",
                        "test");
        scheduler = start(
                new SchedulerService(),
                Account.SCHEDULER,
                Map.of(
                        "clusters",
                        CLUSTER,
                        "clock",
                        "rm",
                        "state.dir",
                        directory.resolve("state").toString()));
        notifier = start(
                new NotifierService(clock),
                Account.NOTIFIER,
                Map.of(
                        "notifier.channels", "ops",
                        "channel.ops.type", "mail",
                        "channel.ops.port", Integer.toString(mails.port()),
                        "channel.ops.security", "none",
                        "channel.ops.from", "weir@example.org",
                        "channel.ops.domain", "example.org",
                        "channel.ops.digest.ms", "60000",
                        "notifier.routes", "down",
                        "route.down.events", "nodedown"));
        Connection connection = environment.connection(Account.connector(CLUSTER, "rm"));
        codec = new AvroCodec(NAMES, connection.registry());
        log = new KafkaFactLog(connection.kafka(), false, codec, NAMES, CLUSTER);
        manager = new FactPublisher(log, CLUSTER, "rm", null);
    }

    @AfterEach
    void stop() throws Exception {
        notifier.close();
        scheduler.close();
        log.close();
        codec.close();
        mails.close();
        topics.close();
        environment.close();
    }

    @Test
    @Feature({"NOTE-1", "NOTE-4"})
    void shouldTellOfAStormInOneMail() {
        manager.hello(MANAGER, time());
        set(0, NODES, NodeState.IDLE);
        poll();

        storm();
        eventually(() -> {
            pass(1);
            assertThat(told()).hasSize(NODES);
        });
        assertThat(told())
                .as("each once")
                .containsOnlyKeys(nodes())
                .allSatisfy((node, times) -> assertThat(times).isEqualTo(1));
        assertOneMoreMail(1, NODES, NODES);

        // Up and down again before the event is armed anew: counted, and nothing else.
        set(0, NODES, NodeState.IDLE);
        pass(60);
        storm();
        pass(60);
        pass(60);
        assertThat(told().values()).as("not armed").allMatch(times -> times == 1);

        set(0, AGAIN, NodeState.IDLE);
        pass(1_300);
        set(0, AGAIN, NodeState.DOWN);
        eventually(() -> {
            pass(1);
            assertThat(told().values().stream().filter(times -> times == 2)).hasSize(AGAIN);
        });
        assertThat(told().values()).as("armed anew").allMatch(times -> times <= 2);
        assertThat(topics.notifications())
                .filteredOn(notice -> notice.getObjectId().equals("n00000"))
                .filteredOn(notice -> notice.getEvent().equals("nodedown"))
                .last()
                .extracting(Notification::getCount)
                .as("with those that were only counted")
                .isEqualTo(3L);
        assertOneMoreMail(2, AGAIN, NODES + AGAIN);
        assertThat(topics.deadLetters()).isEmpty();
    }

    /** The notifier collects for a minute of its clock; then all goes out together. */
    private void assertOneMoreMail(int number, int nodes, int results) {
        eventually(() -> {
            clock.advance(Duration.ofSeconds(5));
            assertThat(mails.mails()).hasSize(number);
        });
        assertThat(mails.mails().get(number - 1))
                .contains(nodes + " nodedown", (nodes - 100) + " more; all are on the topic");
        eventually(() -> assertThat(topics.results()).hasSize(results));
        assertThat(topics.results()).extracting(DeliveryResult::getOutcome).containsOnly(DeliveryOutcome.MERGED);
    }

    /** A thousand nodes go down every second. */
    private void storm() {
        int each = NODES / SECONDS;
        for (int second = 0; second < SECONDS; second++) {
            set(second * each, (second + 1) * each, NodeState.DOWN);
            pass(1);
        }
    }

    private void set(int from, int to, NodeState state) {
        for (int node = from; node < to; node++) {
            reports[node] = NodeReport.newBuilder()
                    .setCluster(CLUSTER)
                    .setNodeId(id(node))
                    .setState(state)
                    .setProcs(4)
                    .build();
        }
    }

    private void pass(long seconds) {
        now += seconds;
        poll();
    }

    private void poll() {
        manager.poll(
                new Poll(time(), List.of(reports), List.of()),
                MANAGER,
                FinishedCommands.upTo(0),
                false,
                PollTrouble.NONE);
        manager.flush();
    }

    private Instant time() {
        return BEGIN.plusSeconds(now);
    }

    private static String id(int node) {
        return String.format("n%05d", node);
    }

    private static List<String> nodes() {
        return IntStream.range(0, NODES).mapToObj(NodeStormIT::id).toList();
    }

    /** Returns how often it was told of each node that it is down. */
    private Map<String, Integer> told() {
        Map<String, Integer> times = new TreeMap<>();
        for (Notification notice : topics.notifications()) {
            if (notice.getEvent().equals("nodedown")) {
                times.merge(notice.getObjectId(), 1, Integer::sum);
            }
        }
        return times;
    }

    private HostedService start(Service service, Account account, Map<String, String> more) {
        Map<String, String> settings =
                new HashMap<>(environment.connection(account).settings());
        if (account == Account.SCHEDULER) {
            settings.putAll(environment.connection(Account.API).settingsOfPart("api"));
        }
        settings.putAll(more);
        return HostedService.start(service, settings, () -> {});
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(4, MINUTES).pollInterval(Duration.ofSeconds(1)).untilAsserted(assertion);
    }
}
