package io.weir.command.nonstop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.weir.Feature;
import io.weir.command.Main;
import io.weir.command.terminal.ExitCode;
import io.weir.nonstop.client.FailureServiceException;
import io.weir.nonstop.client.JobEvent;
import io.weir.nonstop.client.NonstopClient;
import io.weir.nonstop.client.ServiceAddress;
import io.weir.rm.simulated.SimulatedProvider;
import io.weir.schemas.NonstopEvent;
import io.weir.schemas.NonstopEventKind;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.TopicContents;
import io.weir.standalone.access.Account;
import io.weir.standalone.drill.TopicsAudit;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The three runs of a job whose node may fail, with everything between {@code smd} and the resource manager running: HTTP,
 * topics, scheduler, connector. The machine is simulated and its clock is ours.
 */
@NullUnmarked
class NonstopLiveIT {
    private static final String JOB = "1";
    private static final String OWNER = "u1";
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final StringWriter said = new StringWriter();

    @TempDir
    Path root;

    private NonstopSite site(String failures, String... conf) throws IOException {
        return site(failures, Map.of(), conf);
    }

    private NonstopSite site(String failures, Map<String, String> more, String... conf) throws IOException {
        Files.writeString(root.resolve("failures.txt"), failures);
        // Job 1 of user 1 asks for two processors and ten hours, and would run for as long.
        Files.writeString(root.resolve("jobs.swf"), """
                ; UnixStartTime: 1700000000
                1 0 -1 36000 2 -1 -1 2 36000 -1 1 1 1 -1 -1 -1 -1 -1
                """);
        Map<String, String> settings = new HashMap<>();
        settings.put("clock", "rm");
        settings.put("topics.retention", "*=forever");
        settings.put("connector.poll.interval.ms", "250");
        settings.put("rm.type", SimulatedProvider.TYPE);
        settings.put("rm.simulated.clock", "scaled");
        settings.put("rm.simulated.clock.scale", "1");
        settings.put("rm.simulated.nodes", "4");
        settings.put("rm.simulated.procs.per.node", "1");
        settings.put("rm.simulated.trace", root.resolve("jobs.swf").toString());
        settings.put("rm.simulated.script", root.resolve("failures.txt").toString());
        settings.putAll(more);
        return new NonstopSite(
                root, settings, "NODEALLOCATIONPOLICY FIRSTAVAILABLE\nNODEALLOCRESFAILUREPOLICY IGNORE\n", conf);
    }

    private List<String> ledger() throws IOException {
        return Files.readAllLines(
                new DataDirectory(root.resolve("data")).connector().resolve(SimulatedProvider.LEDGER_FILE));
    }

    private static List<String> allocation(NonstopClient client) {
        return await("job 1 to run")
                .atMost(PATIENCE)
                .until(
                        () -> {
                            try {
                                return client.failures(JOB).nodes();
                            } catch (FailureServiceException e) {
                                return List.of();
                            }
                        },
                        nodes -> nodes.size() == 2);
    }

    private static String awaitFailure(NonstopClient client) {
        await("a failure")
                .atMost(PATIENCE)
                .until(() -> client.failures(JOB).lost().size() == 1);
        try {
            return client.failures(JOB).lost().get(0).name();
        } catch (FailureServiceException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, String> told(String directives) {
        return Map.of("SMD_NONSTOP_FAILED", directives);
    }

    private void assertTold(NonstopSite site, NonstopEventKind... kinds) throws IOException {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                new TopicContents(site.standalone().connection(Account.READER), NAMES)
                                        .read(Topics.NONSTOP_EVENTS))
                        .extracting(NonstopEvent::getKind)
                        .containsExactly(kinds));
        assertThat(TopicsAudit.problems(site.standalone().connection(Account.READER), NAMES))
                .isEmpty();
    }

    @Test
    @Feature({"SMD-8", "SMD-54"})
    void shouldFindThatNothingFailed() throws Exception {
        try (NonstopSite site = site("")) {
            allocation(site.client(OWNER));
            assertThat(site.smd(OWNER, JOB, told("REPLACE"), "-H"))
                    .as(site.err())
                    .isZero();
            assertThat(site.lines()).containsExactlyElementsOf(PrintedRuns.nothingFailed(JOB));
            assertThat(JobEnvironment.file(root, JOB)).doesNotExist();
        }
    }

    /** The two nodes that are kept as spares are not the job's before. */
    @Test
    @Feature({"SMD-2", "SMD-4", "SMD-8", "SMD-55"})
    void shouldReplaceTheFailedNodeByASpare() throws Exception {
        try (NonstopSite site = site("AT +25 NODE n0002 DOWN\n", "HotSpareCount=DEFAULT:2")) {
            NonstopClient client = site.client(OWNER);
            assertThat(allocation(client)).containsExactly("n0001", "n0002");
            assertThat(awaitFailure(client)).isEqualTo("n0002");

            assertThat(site.smd(OWNER, JOB, told("REPLACE"), "-H"))
                    .as(site.err())
                    .isZero();

            assertThat(site.lines()).containsExactlyElementsOf(PrintedRuns.replaced(JOB, "n0002", "n0003"));
            assertThat(JobEnvironment.file(root, JOB)).content().contains("SLURM_NODELIST=n0001,n0003");
            assertThat(ledger()).filteredOn(line -> line.contains("\tGROW\t")).hasSize(1);
            assertThat(ledger()).filteredOn(line -> line.contains("\tSHRINK\t")).hasSize(1);
            assertTold(site, NonstopEventKind.NODE_FAILED, NonstopEventKind.NODE_REPLACED);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(client.events(JOB, ""))
                            .extracting(JobEvent::kind, JobEvent::node, JobEvent::replacement)
                            .containsExactly(
                                    tuple("NODE_FAILED", "n0002", ""), tuple("NODE_REPLACED", "n0002", "n0003")));
        }
    }

    @Test
    @Feature({"SMD-8", "SMD-57", "SMD-58"})
    void shouldWaitThenDropTheNodeAndExtendTheTimeLimit() throws Exception {
        String failures = "AT +1 NODE n0003 DOWN\nAT +1 NODE n0004 DOWN\nAT +25 NODE n0002 DOWN\n";
        try (NonstopSite site = site(failures, "TimeLimitDelay=1", "TimeLimitDrop=30")) {
            NonstopClient client = site.client(OWNER);
            assertThat(allocation(client)).containsExactly("n0001", "n0002");
            assertThat(awaitFailure(client)).isEqualTo("n0002");

            assertThat(site.smd(OWNER, JOB, told("REPLACE:TIME_LIMIT_DELAY=1:DROP:TIME_LIMIT_DROP=30"), "-H"))
                    .as(site.err())
                    .isZero();

            Path file = JobEnvironment.file(root, JOB);
            assertThat(PrintedRuns.rounded(site.lines()))
                    .containsExactlyElementsOf(PrintedRuns.waitedAndDropped(JOB, "n0002", file.toString()));
            assertThat(file).content().contains("SLURM_NODELIST=n0001\n");
            assertThat(ledger())
                    .filteredOn(line -> line.contains("\tLIMIT\t"))
                    .extracting(line -> line.split("\t")[5])
                    .containsExactly("36060", Integer.toString(36_060 + 30 * 60));
            assertThat(ledger()).filteredOn(line -> line.contains("\tSHRINK\t")).hasSize(1);
            assertTold(
                    site,
                    NonstopEventKind.NODE_FAILED,
                    NonstopEventKind.TIME_EXTENDED,
                    NonstopEventKind.NODE_DROPPED,
                    NonstopEventKind.TIME_EXTENDED);
        }
    }

    @Test
    @Feature({"SMD-5", "SMD-8"})
    void shouldRefuseBadRequestsAndChangeNothing() throws Exception {
        try (NonstopSite site = site("", "UserDrainAllow=u2", "MaxSpareNodeCount=1")) {
            NonstopClient owner = site.client(OWNER);
            allocation(owner);
            long entries = commands();
            assertThat(site.smd(OWNER, "99", Map.of(), "-f")).isEqualTo(SmdExit.REFUSED);
            assertThat(site.err()).contains("EJOBID");
            assertThat(site.smd(OWNER, JOB, Map.of(), "-r", "n0002")).isEqualTo(SmdExit.REFUSED);
            assertThat(site.err()).contains("ENODENOTFAIL");
            assertThat(site.smd(OWNER, JOB, Map.of(), "-D", "n0003")).isEqualTo(SmdExit.REFUSED);
            assertThat(site.err()).contains("ENODENOTINJOB");
            assertThat(site.smd(OWNER, JOB, Map.of(), "-D", "nowhere")).isEqualTo(SmdExit.REFUSED);
            assertThat(site.err()).contains("ENOHOST");
            assertThat(site.smd(OWNER, JOB, Map.of(), "-e", "1")).isEqualTo(SmdExit.REFUSED);
            assertThat(site.err()).contains("ENOINCREASETIMELIMIT");
            assertThat(site.smd(OWNER, JOB, told("REPLACE:WAIT=3"), "-H")).isEqualTo(SmdExit.BAD_INPUT);
            assertThat(site.smd(OWNER, JOB, Map.of(), "-d", "n0002", "-R", "disk"))
                    .isEqualTo(SmdExit.NOT_PERMITTED);
            site.client("u2");
            assertThat(site.smd("u2", JOB, Map.of(), "-f")).isEqualTo(SmdExit.NOT_PERMITTED);
            Files.writeString(root.resolve("token.nobody"), "0123456789abcdef\n");
            assertThat(site.smd("nobody", JOB, Map.of(), "-f")).isEqualTo(SmdExit.NOT_PERMITTED);
            assertThat(site.err()).contains("EPERM");
            assertThatThrownBy(() -> owner.cancel("99"))
                    .isInstanceOfSatisfying(
                            FailureServiceException.class,
                            e -> assertThat(e.code()).isEqualTo("EJOBID"));
            assertThatThrownBy(() -> site.client("u2").cancel(JOB))
                    .isInstanceOfSatisfying(
                            FailureServiceException.class,
                            e -> assertThat(e.code()).isEqualTo("EPERM"));
            Files.writeString(root.resolve("nowhere.conf"), "ControlAddr=127.0.0.1\nBackupAddr=127.0.0.1\nPort=1\n");
            assertThat(site.smd(
                            OWNER,
                            JOB,
                            Map.of(
                                    "WEIR_NONSTOP_CONF",
                                    root.resolve("nowhere.conf").toString()),
                            "-f"))
                    .isEqualTo(SmdExit.UNREACHABLE);
            assertThat(commands()).isEqualTo(entries);
            assertThat(owner.failures(JOB).lost()).isEmpty();
        }
    }

    private static final List<String> MALFORMED = List.of(
            "",
            "{",
            "n0002",
            "[]",
            "null",
            "\"n0002\"",
            "{\"node\": }",
            "{'node': 'n0002'}",
            "{\"node\": \"n0002\"} and more",
            "{\"node\": \"n0002\", \"node\": \"n0001\"}",
            "{\"node\": [\"n0002\"]}",
            "{\"node\": {\"node\": \"n0002\"}}",
            "{\"node\": null}",
            "{\"nodes\": \"n0002\"}",
            "{\"node\": \"\\ud800\"}",
            "[".repeat(10_000));

    /** None of these reaches the scheduler, and nobody else waits for them. */
    @Test
    @Feature({"SMD-5", "SMD-26"})
    void shouldTakeNoRequestThatIsNone() throws Exception {
        try (NonstopSite site = site("", "ReadTimeout=5000")) {
            NonstopClient owner = site.client(OWNER);
            allocation(owner);
            long entries = commands();
            URI replace = URI.create(ServiceAddress.read(site.conf()).urls().get(0) + "/nonstop/v1/jobs/1/replace");
            String token = Files.readString(root.resolve("token." + OWNER)).strip();
            try (Socket halfOpen = new Socket(replace.getHost(), replace.getPort())) {
                halfOpen.setSoTimeout((int) PATIENCE.toMillis());
                halfOpen.getOutputStream()
                        .write(("POST " + replace.getPath() + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
                                        + token + "\r\nContent-Length: 100\r\n\r\n{")
                                .getBytes(StandardCharsets.US_ASCII));
                for (String body : MALFORMED) {
                    assertThat(post(replace, token, body)).as(body).isEqualTo(400);
                }
                assertThat(post(replace, token, "{\"node\": \"" + "n".repeat(300_000) + "\"}"))
                        .isEqualTo(413);
                assertThat(post(replace, "0123456789abcdef", "{\"node\": \"n0002\"}"))
                        .isEqualTo(401);
                assertThat(new String(halfOpen.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .startsWith("HTTP/1.1 408");
            }
            assertThat(owner.failures(JOB).lost()).isEmpty();
            assertThat(new TopicContents(site.standalone().connection(Account.READER), NAMES).read(Topics.REQUESTS))
                    .extracting(Request::getKind)
                    .containsOnly(RequestKind.SHOW_NONSTOP, RequestKind.SHOW_JOB_FAILURES);
            assertThat(commands()).isEqualTo(entries);
        }
    }

    private static int post(URI address, String token, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    @Feature({"SMD-3", "SMD-4", "SMD-26"})
    void shouldServeOverTlsAndCallBackAndRefuseMoreThanTheBalance() throws Exception {
        SelfSigned own = SelfSigned.in(root);
        List<String> told = new CopyOnWriteArrayList<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            told.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        receiver.start();
        Map<String, String> settings = Map.of(
                "api.tls.certificate.file", own.chain().toString(),
                "api.tls.key.file", own.key().toString(),
                "nonstop.callbacks", "127.0.0.1");
        try (NonstopSite site =
                site("AT +40 NODE n0002 DOWN\n", settings, "HotSpareCount=DEFAULT:2", "TimeLimitExtend=2")) {
            NonstopClient client = site.client(OWNER);
            assertThat(allocation(client)).containsExactly("n0001", "n0002");
            client.subscribe(JOB, "http://127.0.0.1:" + receiver.getAddress().getPort() + "/");
            String token = Files.readString(root.resolve("token." + OWNER)).strip();
            NonstopClient clear = new NonstopClient(ServiceAddress.read(site.conf()), Optional.of(token));
            assertThatThrownBy(clear::configuration).isInstanceOf(FailureServiceException.class);
            String data = root.resolve("data").toString();
            assertThat(weir("showq", "--data", data, "--ca-file", own.chain().toString()))
                    .isEqualTo(ExitCode.FINE);
            assertThat(weir("showq", "--data", data)).isEqualTo(ExitCode.FAILED);
            assertThat(said.toString()).contains("is not trusted").contains("--ca-file");

            assertThat(awaitFailure(client)).isEqualTo("n0002");
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(told).singleElement().asString().contains("\"NODE_FAILED\""));
            assertThat(site.smd(OWNER, JOB, Map.of(), "-e", "3")).isEqualTo(SmdExit.REFUSED);
            assertThat(site.err()).contains("ETIMEOVERLIMIT");
            assertThat(ledger()).noneMatch(line -> line.contains("\tLIMIT\t"));

            assertThat(site.smd(OWNER, JOB, told("REPLACE:TIME_LIMIT_EXTEND=2"), "-H"))
                    .as(site.err())
                    .isZero();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(told).last().asString().contains("\"NODE_REPLACE"));
            assertThat(ledger()).filteredOn(line -> line.contains("\tGROW\t")).hasSize(1);
            assertThat(ledger()).filteredOn(line -> line.contains("\tLIMIT\t")).hasSize(1);
        } finally {
            receiver.stop(0);
        }
    }

    private int weir(String... words) {
        said.getBuffer().setLength(0);
        return Main.commandLine()
                .setOut(new PrintWriter(said, true))
                .setErr(new PrintWriter(said, true))
                .execute(words);
    }

    /** Returns how many commands the resource manager carried out or refused. */
    private long commands() throws IOException {
        return ledger().stream()
                .filter(line -> !line.split("\t")[3].equals("0"))
                .count();
    }
}
