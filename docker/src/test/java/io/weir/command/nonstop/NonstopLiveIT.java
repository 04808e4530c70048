package io.weir.command.nonstop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.weir.Feature;
import io.weir.nonstop.client.FailureServiceException;
import io.weir.nonstop.client.JobEvent;
import io.weir.nonstop.client.NonstopClient;
import io.weir.rm.simulated.SimulatedProvider;
import io.weir.schemas.NonstopEvent;
import io.weir.schemas.NonstopEventKind;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.TopicContents;
import io.weir.standalone.access.Account;
import io.weir.standalone.drill.TopicsAudit;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    @TempDir
    Path root;

    private NonstopSite site(String failures, String... conf) throws IOException {
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
        try (NonstopSite site = site("AT +25 NODE n0004 DOWN\n", "HotSpareCount=DEFAULT:2")) {
            NonstopClient client = site.client(OWNER);
            assertThat(allocation(client)).containsExactly("n0003", "n0004");
            assertThat(awaitFailure(client)).isEqualTo("n0004");

            assertThat(site.smd(OWNER, JOB, told("REPLACE"), "-H"))
                    .as(site.err())
                    .isZero();

            assertThat(site.lines()).containsExactlyElementsOf(PrintedRuns.replaced(JOB, "n0004", "n0001"));
            assertThat(JobEnvironment.file(root, JOB)).content().contains("SLURM_NODELIST=n0001,n0003");
            assertThat(ledger()).filteredOn(line -> line.contains("\tGROW\t")).hasSize(1);
            assertThat(ledger()).filteredOn(line -> line.contains("\tSHRINK\t")).hasSize(1);
            assertTold(site, NonstopEventKind.NODE_FAILED, NonstopEventKind.NODE_REPLACED);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(client.events(JOB, ""))
                            .extracting(JobEvent::kind, JobEvent::node, JobEvent::replacement)
                            .containsExactly(
                                    tuple("NODE_FAILED", "n0004", ""), tuple("NODE_REPLACED", "n0004", "n0001")));
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

    /** Returns how many commands the resource manager carried out or refused. */
    private long commands() throws IOException {
        return ledger().stream()
                .filter(line -> !line.split("\t")[3].equals("0"))
                .count();
    }
}
