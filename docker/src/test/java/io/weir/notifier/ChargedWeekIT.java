package io.weir.notifier;

import static io.weir.notifier.ChargedWeek.BEGIN;
import static io.weir.notifier.ChargedWeek.DAY;
import static io.weir.notifier.ChargedWeek.HOUR;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.Feature;
import io.weir.command.Main;
import io.weir.command.terminal.ExitCode;
import io.weir.notifier.runtime.NotifierService;
import io.weir.rm.runtime.ConnectorRunner;
import io.weir.rm.runtime.ConnectorService;
import io.weir.rm.runtime.RunnerListener;
import io.weir.rm.runtime.fact.PublishedPoll;
import io.weir.rm.simulated.LedgerReport;
import io.weir.rm.simulated.SimulatedProvider;
import io.weir.rm.spi.VirtualTime.Progress;
import io.weir.scheduler.SchedulerService;
import io.weir.schemas.Charge;
import io.weir.service.Service;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.HostedService;
import io.weir.standalone.KafkaEnvironment;
import io.weir.standalone.PolicyPublisher;
import io.weir.standalone.Standalone;
import io.weir.standalone.StandaloneConfig;
import io.weir.standalone.TraceRun;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Grants;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * A week in virtual time: jobs that end, early or with a node, and reservations that others answer for, charged every six
 * hours, while the scheduler and the notifier are started anew and a peer is away. Topic, file, web service and {@code mdiag -r}
 * say the same of it, and so does the machine's own record.
 */
class ChargedWeekIT {
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final String POLICY = """
            AMCFG[am] SERVER=file:///charge.dat FLUSHINTERVAL=6:00:00 REFUNDPOLICY=SYSTEMFAILURE
            NODECFG[n0002] CHARGERATE=1.5
            """;

    @TempDir
    private Path directory;

    private final Map<Long, ThrowingRunnable> agenda = new TreeMap<>();
    private final CompletableFuture<ConnectorRunner.Ending> ended = new CompletableFuture<>();
    private final ExecutorService operators = Executors.newCachedThreadPool();
    private final List<Future<?>> answers = new ArrayList<>();
    private final List<HostedService> running = new ArrayList<>();
    private DataDirectory site;
    private StandaloneConfig config;
    private KafkaEnvironment environment;
    private HookReceiver meter;
    private NotifierTopics topics;
    private HostedService scheduler;
    private HostedService notifier;

    @BeforeEach
    void start() throws IOException {
        site = new DataDirectory(directory.resolve("site"));
        Path trace = directory.resolve("week.swf");
        Path failures = directory.resolve("failures");
        ChargedWeek.writeTrace(trace, 14);
        ChargedWeek.writeFailures(failures);
        TraceRun run = new TraceRun(trace, ChargedWeek.NODES, ChargedWeek.PROCS_PER_NODE, 0, ChargedWeek.JOBS, POLICY);
        Map<String, String> settings = run.settings();
        settings.put("rm.simulated.script", failures.toString());
        settings.put("rm.simulated.node.failure", "end-jobs");
        config = new StandaloneConfig(site, 0, 0, Map.of(), settings);
        environment = KafkaEnvironment.start(
                site,
                0,
                0,
                Map.of(),
                Grants.of(NAMES, "weir-scheduler", List.of(new Grants.Connector(TraceRun.CLUSTER, "rm"))));
        Files.writeString(site.tokens(), "operator 0123456789abcdef0123 1\n");
        meter = new HookReceiver();
        Map<String, String> admin =
                new HashMap<>(environment.connection(Account.ADMIN).settings());
        admin.put("topics.retention", "*=forever");
        Standalone.provision(admin);
        new PolicyPublisher(environment.connection(Account.API), NAMES).publish(TraceRun.CLUSTER, POLICY, "test");
        topics = new NotifierTopics(environment.connection(Account.SCHEDULER), environment.connection(Account.READER));
        scheduler = start(new SchedulerService(), Account.SCHEDULER, Map.of());
        notifier = notifier();
    }

    @AfterEach
    void stop() {
        meter.close();
        running.forEach(HostedService::close);
        operators.shutdownNow();
        topics.close();
        environment.close();
    }

    @Test
    @Feature({"CHG-1", "CHG-6", "CHG-7", "CHG-8", "CHG-9", "CHG-10", "CMD-2"})
    void shouldSayTheSameOfAWeekEverywhere() throws Exception {
        agenda.put(0L, this::reserve);
        agenda.put(DAY + 1, this::restartScheduler);
        agenda.put(2 * DAY, () -> meter.answer(503));
        agenda.put(3 * DAY + 7 * HOUR, this::restartScheduler);
        agenda.put(4 * DAY, this::restartNotifier);
        agenda.put(5 * DAY, () -> {
            meter.answer(200);
            eventually(this::assertShownAsCharged);
            restartScheduler();
            eventually(this::assertShownAsCharged);
        });
        connect();

        assertThat(ended.get(5, MINUTES)).isEqualTo(ConnectorRunner.Ending.FINISHED);

        assertThat(agenda).isEmpty();
        for (Future<?> answer : answers) {
            answer.get();
        }
        eventually(this::assertShownAsCharged);
        List<Charge> charges = topics.charges();
        eventually(() -> assertThat(lines()).hasSize(charges.size()));
        eventually(() -> assertThat(meter.taken()).hasSize(charges.size()));
        assertThat(topics.charges()).as("all is quiet").hasSize(charges.size());
        assertThat(charges).extracting(Charge::getChargeId).doesNotHaveDuplicates();
        assertThat(topics.deadLetters()).isEmpty();

        Map<String, Sum> due = sums(charges);
        assertThat(ofFile()).isEqualTo(due);
        assertThat(ofMeter()).isEqualTo(due);
        assertJobsAsTheMachineSays(charges, due);
        assertReservationsInFull(charges);
    }

    /** Reservations of two nodes that others answer for: one for longer than the week, the others one after another. */
    private void reserve() {
        eventually(() -> weir("mdiag", "-r"));
        answers.add(operators.submit(() -> reserve("week", "n0008", BEGIN + 5 * HOUR, 20 * DAY)));
        for (int day = 0; day < 6; day++) {
            String name = "day" + day;
            long from = BEGIN + day * DAY + 8 * HOUR;
            answers.add(operators.submit(() -> reserve(name, "n0007", from, 13 * HOUR)));
        }
        eventually(() -> {
            for (Future<?> answer : answers) {
                if (answer.isDone()) {
                    answer.get();
                }
            }
            assertThat(topics.requests()).isEqualTo(answers.size());
        });
    }

    private void reserve(String name, String node, long from, long seconds) {
        weir(
                "mrsvctl",
                "-c",
                "-n",
                name,
                "-h",
                "^" + node + "$",
                "-s",
                Long.toString(from),
                "-d",
                Long.toString(seconds),
                "-a",
                "user=u1",
                "-S",
                "aaccount=jupiter");
    }

    private void restartScheduler() {
        running.remove(scheduler);
        scheduler.close();
        scheduler = start(new SchedulerService(), Account.SCHEDULER, Map.of());
    }

    private void restartNotifier() {
        running.remove(notifier);
        notifier.close();
        notifier = notifier();
    }

    /** What is shown of reservations that last is what was charged for them. */
    private void assertShownAsCharged() throws IOException {
        Map<String, Sum> charged = sums(topics.charges());
        int lasting = 0;
        for (JsonNode shown : new ObjectMapper().readTree(weir("mdiag", "-r", "--format=json"))) {
            if (shown.path("accountable").isEmpty()) {
                continue;
            }
            lasting++;
            String id = shown.path("reservationId").asText();
            Sum sum = charged.getOrDefault(id, Sum.NONE);
            assertThat(shown.path("chargedMillis").asLong()).as(id).isEqualTo(sum.millis());
            assertThat(sum.processorSeconds()).as(id).isEqualTo(sum.millis() / 1_000);
        }
        assertThat(lasting).isPositive();
    }

    /** Each job is charged for what it had, at the rate of its nodes, and those that a node ended for nothing. */
    private void assertJobsAsTheMachineSays(List<Charge> charges, Map<String, Sum> due) throws IOException {
        Path ledger = site.connector().resolve(SimulatedProvider.LEDGER_FILE);
        LedgerReport report = LedgerReport.read(ledger);
        assertThat(report.problems()).isEmpty();
        assertThat(report.runs()).hasSize(ChargedWeek.JOBS);
        Set<String> byNodes = ChargedWeek.endedByNodes(ledger);
        assertThat(byNodes).as("ended with a node").hasSizeGreaterThan(5);
        Map<String, Long> expected = ChargedWeek.processorSeconds(report.runs());
        byNodes.forEach(id -> expected.put(id, 0L));
        Map<String, Long> charged = new TreeMap<>();
        expected.keySet()
                .forEach(id -> charged.put(id, due.getOrDefault(id, Sum.NONE).processorSeconds()));
        assertThat(charged).isEqualTo(expected);
        assertThat(charges.stream()
                        .filter(charge -> charge.getKind().equals("refund")
                                && "SYSTEM".equals(charge.getEndReason())
                                && charge.getObjectType().equals("job"))
                        .map(Charge::getObjectId)
                        .toList())
                .as("given back once")
                .containsExactlyInAnyOrderElementsOf(byNodes);
        assertThat(byNodes)
                .allSatisfy(id -> assertThat(due.getOrDefault(id, Sum.NONE).millis())
                        .as(id)
                        .isZero());
    }

    /** What was reserved is what jobs used of it and what was charged. */
    private static void assertReservationsInFull(List<Charge> charges) {
        Map<String, Long> reserved = new TreeMap<>();
        Map<String, Long> accounted = new TreeMap<>();
        long used = 0;
        for (Charge charge : charges) {
            if (charge.getObjectType().equals("reservation")) {
                long sign = charge.getKind().equals("refund") ? -1 : 1;
                reserved.merge(charge.getObjectId(), sign * charge.getReservedProcSeconds(), Long::sum);
                accounted.merge(
                        charge.getObjectId(),
                        sign * (charge.getUsedProcSeconds() + charge.getProcessorSeconds()),
                        Long::sum);
                used += sign * charge.getUsedProcSeconds();
            }
        }
        assertThat(used).as("used by jobs").isPositive();
        assertThat(accounted).isEqualTo(reserved);
        assertThat(reserved).hasSize(7);
        assertThat(reserved.values().stream()
                        .filter(each -> each == ChargedWeek.PROCS_PER_NODE * 13 * HOUR)
                        .count())
                .as("reservations of a day, over")
                .isEqualTo(6);
    }

    /**
     * What an object was charged.
     *
     * @param processorSeconds those of a job, or those of a reservation that nobody used
     * @param millis the amount, thousandths
     */
    private record Sum(long processorSeconds, long millis) {
        static final Sum NONE = new Sum(0, 0);

        Sum plus(Sum other) {
            return new Sum(processorSeconds + other.processorSeconds, millis + other.millis);
        }
    }

    private static Map<String, Sum> sums(List<Charge> charges) {
        Map<String, Sum> sums = new TreeMap<>();
        for (Charge charge : charges) {
            long sign = charge.getKind().equals("refund") ? -1 : 1;
            sums.merge(
                    charge.getObjectId(),
                    new Sum(sign * charge.getProcessorSeconds(), sign * charge.getAmountMillis()),
                    Sum::plus);
        }
        return sums;
    }

    private Map<String, Sum> ofFile() throws IOException {
        Map<String, Sum> sums = new TreeMap<>();
        for (String line : lines()) {
            String[] words = line.split(" ", -1);
            Map<String, String> values = List.of(words).stream()
                    .filter(word -> word.contains("="))
                    .collect(Collectors.toMap(word -> word.split("=", 2)[0], word -> word.split("=", 2)[1]));
            String seconds = values.get(words[2].equals("JOB") ? "usedps" : "unusedps");
            sums.merge(
                    words[3], new Sum(Long.parseLong(seconds), millis(values.getOrDefault("charge", ""))), Sum::plus);
        }
        return sums;
    }

    private Map<String, Sum> ofMeter() throws IOException {
        Map<String, Sum> sums = new TreeMap<>();
        for (String event : meter.taken().values()) {
            JsonNode data = new ObjectMapper().readTree(event).path("data");
            sums.merge(
                    data.path("objectId").asText(),
                    new Sum(
                            data.path("processorSeconds").asLong(),
                            millis(data.path("amount").asText())),
                    Sum::plus);
        }
        return sums;
    }

    private static long millis(String amount) {
        return new BigDecimal(amount).movePointRight(3).longValueExact();
    }

    /** Starts the machine; it stands still while something on the agenda is done. */
    private void connect() {
        RunnerListener listener = new RunnerListener() {
            @Override
            public void polled(PublishedPoll poll, Instant rmTime, @Nullable Progress progress) {
                long now = rmTime.getEpochSecond() - BEGIN;
                for (long due : new TreeSet<>(agenda.keySet())) {
                    if (due <= now) {
                        act(agenda.remove(due));
                    }
                }
            }
        };
        ConnectorService connector = new ConnectorService(listener);
        connector.completion().whenComplete((ending, failure) -> {
            if (failure == null) {
                ended.complete(ending);
            } else {
                ended.completeExceptionally(failure);
            }
        });
        start(connector, Account.connector(TraceRun.CLUSTER, "rm"), Map.of());
    }

    private void act(ThrowingRunnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            ended.completeExceptionally(e);
            throw new IllegalStateException(e);
        }
    }

    private HostedService notifier() {
        Map<String, String> settings = new HashMap<>();
        settings.put("notifier.peers", "am,meter");
        settings.put("peer.am.type", "file");
        settings.put("peer.am.path", file().toString());
        settings.put("peer.meter.type", "http");
        settings.put("peer.meter.url", meter.url());
        settings.put("peer.meter.retry.first.ms", "200");
        settings.put("peer.meter.retry.longest.ms", "500");
        return start(new NotifierService(), Account.NOTIFIER, settings);
    }

    private HostedService start(Service service, Account account, Map<String, String> more) {
        Map<String, String> settings = config.settings(environment.connection(account));
        settings.putAll(environment.connection(Account.API).settingsOfPart("api"));
        settings.putAll(more);
        for (Service other : List.of(new SchedulerService(), new ConnectorService(), new NotifierService())) {
            settings.keySet()
                    .removeIf(key -> other.definition().names().contains(key)
                            && !service.definition().names().contains(key));
        }
        HostedService hosted = HostedService.start(service, settings, () -> {});
        running.add(0, hosted);
        return hosted;
    }

    /** Runs a command of the operator's, which has to succeed; returns what it prints. */
    private String weir(String... words) {
        List<String> command = new ArrayList<>(List.of(words));
        command.addAll(List.of("--data", site.root().toString()));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        assertThat(line.execute(command.toArray(String[]::new)))
                .as(() -> String.join(" ", words) + ": " + err + out)
                .isEqualTo(ExitCode.FINE);
        return out.toString();
    }

    private Path file() {
        return directory.resolve("charge.dat");
    }

    private List<String> lines() throws IOException {
        return Files.exists(file()) ? Files.readAllLines(file()) : List.of();
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(2, MINUTES).pollInterval(Duration.ofMillis(200)).untilAsserted(assertion);
    }
}
