package io.weir.command.nonstop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.Feature;
import io.weir.nonstop.client.FailureServiceException;
import io.weir.nonstop.client.JobEvent;
import io.weir.schemas.NodeState;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scenarios SM1 to SM9 by the command's words, on the scheduler's core. */
@NullUnmarked
class SmdScenarioTest {
    private static final String WAITING = "_try_replace: job 17 trying to replace 1 nodes";
    private static final String FAILED = "_try_replace: smd_replace_node() error job_id 17: Failed to replace the node";

    @TempDir
    Path directory;

    private final StringWriter err = new StringWriter();
    private List<String> lines = List.of();

    private int smd(CoreFailureService service, Map<String, String> more, String... arguments) {
        Map<String, String> environment = new TreeMap<>(CoreFailureService.environment(directory.toString()));
        environment.putAll(more);
        StringWriter out = new StringWriter();
        int exit = SmdMain.commandLine(new SmdCommand(environment, service, command -> service))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        lines = out.toString().lines().toList();
        return exit;
    }

    private int handle(CoreFailureService service, String directives) {
        return smd(service, Map.of("SMD_NONSTOP_FAILED", directives), "-H");
    }

    private Path file() {
        return directory.resolve("smd_job_17_nodes.sh");
    }

    /** Job 17 runs on dario and ercole, which fails; whether the others are idle says {@code others}. */
    private static CoreFailureService ercoleFails(NodeState others, String... settings) {
        return new CoreFailureService("ann", settings)
                .node("dario", NodeState.IDLE)
                .node("ercole", NodeState.IDLE)
                .node("prometeo", others)
                .node("spartaco", others)
                .runs("dario", "ercole")
                .fails("ercole");
    }

    private static List<String> began() {
        return List.of(
                "is_failed: job 17 searching for FAILED hosts",
                "is_failed: job 17 has 1 FAILED nodes",
                "is_failed: job 17 FAILED node ercole cpu_count 1",
                "_handle_fault: job 17 handle failed_hosts");
    }

    private static List<String> extended(int minutes) {
        return List.of(
                "_time_limit_extend: job 17 extending job time limit by " + minutes + " minutes",
                "_increase_job_runtime: job 17 run time limit extended by " + minutes + "min successfully");
    }

    private static String waited(int count) {
        return "_try_replace: job 17 waited for " + 20 * count + " sec cnt " + count + " trying every 20 sec...";
    }

    @SafeVarargs
    private static List<String> joined(List<String>... parts) {
        List<String> all = new ArrayList<>();
        for (List<String> part : parts) {
            all.addAll(part);
        }
        return all;
    }

    @Test
    @Feature({"SMD-10", "SMD-54"})
    void SM1() {
        CoreFailureService service = new CoreFailureService("ann")
                .node("dario", NodeState.IDLE)
                .node("ercole", NodeState.IDLE)
                .runs("dario", "ercole");
        assertThat(handle(service, "REPLACE")).isZero();
        assertThat(lines)
                .containsExactly(
                        "is_failed: job 17 searching for FAILED hosts", "is_failed: job 17 has no FAILED nodes");
        assertThat(file()).doesNotExist();
    }

    @Test
    @Feature({"SMD-24", "SMD-41", "SMD-43", "SMD-55", "SMD-60"})
    void SM2() throws IOException {
        CoreFailureService service = ercoleFails(NodeState.IDLE);
        assertThat(handle(service, "REPLACE")).isZero();
        assertThat(lines)
                .containsExactlyElementsOf(joined(
                        began(),
                        List.of(
                                WAITING,
                                "_try_replace: job 17 node ercole replaced by prometeo",
                                "_generate_node_file: job 17 all nodes replaced")));
        assertThat(file()).hasContent("""
            export SLURM_NODELIST=dario,prometeo
            export SLURM_JOB_NODELIST=dario,prometeo
            export SLURM_NNODES=2
            export SLURM_JOB_NUM_NODES=2
            export SLURM_JOB_CPUS_PER_NODE=1\\(x2\\)
            unset SLURM_TASKS_PER_NODE
            """);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-r--r--");
    }

    @Test
    @Feature({"SMD-21", "SMD-44", "SMD-45", "SMD-47", "SMD-57", "SMD-58"})
    void SM3() {
        CoreFailureService service = ercoleFails(NodeState.DOWN, "TimeLimitDelay=1", "TimeLimitDrop=30");
        assertThat(handle(service, "REPLACE:TIME_LIMIT_DELAY=1:DROP:TIME_LIMIT_DROP=30"))
                .isZero();
        assertThat(lines).containsExactlyElementsOf(joined(waitedAndDropped(), extended(30)));
        assertThat(service.walltime()).isEqualTo(36_000 + 31 * 60);
        assertThat(service.seconds()).isEqualTo(60);
    }

    private List<String> waitedAndDropped() {
        return joined(
                began(),
                List.of(WAITING, FAILED),
                extended(1),
                List.of(waited(0), WAITING, FAILED, waited(1), WAITING, FAILED, waited(2)),
                List.of(
                        "_try_replace: job 17 failed to replace down or failing nodes:",
                        "    ercole",
                        "_drop_nodes: job 17 node ercole dropped all right",
                        "_generate_node_file: job 17 all nodes replaced",
                        "source the " + file() + " hostfile to get the new job environment"));
    }

    /** The example of four minutes and ten: twelve attempts, then the node is given up. */
    @Test
    @Feature("SMD-51")
    void shouldWaitFourMinutesThenDropForTenMore() {
        CoreFailureService service = ercoleFails(NodeState.DOWN, "TimeLimitDelay=600", "TimeLimitDrop=30");
        assertThat(handle(service, "REPLACE:TIME_LIMIT_DELAY=4:DROP:TIME_LIMIT_DROP=10"))
                .isZero();
        assertThat(Collections.frequency(lines, WAITING)).isEqualTo(12);
        assertThat(service.seconds()).isEqualTo(240);
        assertThat(lines).containsAll(extended(4)).containsAll(extended(10));
        assertThat(service.walltime()).isEqualTo(36_000 + 14 * 60);
    }

    @Test
    @Feature({"SMD-47", "SMD-59"})
    void SM4() {
        CoreFailureService service =
                ercoleFails(NodeState.DOWN, "TimeLimitDelay=600", "TimeLimitExtend=2", "TimeLimitDrop=10");
        assertThat(handle(service, "REPLACE:TIME_LIMIT_DELAY=1:DROP:TIME_LIMIT_DROP=30"))
                .isZero();
        assertThat(lines)
                .containsExactlyElementsOf(joined(
                        waitedAndDropped(),
                        List.of("_time_limit_extend: job 17 extending job time limit by 30 minutes")));
        assertThat(err.toString()).contains("ETIMEOVERLIMIT");
        assertThat(service.walltime()).isEqualTo(36_000 + 60);
        smd(service, Map.of(), "-j");
        assertThat(lines).contains("TIME_EXTEND_AVAIL=10");
    }

    @Test
    @Feature({"SMD-48", "SMD-50"})
    void SM5() {
        CoreFailureService service = ercoleFails(NodeState.DOWN);
        assertThat(handle(service, "REPLACE:TIME_LIMIT_DELAY=4:EXIT_JOB")).isEqualTo(1);
        assertThat(Collections.frequency(lines, WAITING)).isEqualTo(12);
        assertThat(service.seconds()).isEqualTo(240);
        assertThat(service.isCancelled()).isTrue();
    }

    @Test
    void SM6() {
        CoreFailureService service = new CoreFailureService("ann", "TimeLimitDelay=1", "TimeLimitDrop=30")
                .node("dario", NodeState.IDLE)
                .node("ercole", NodeState.IDLE)
                .runs("dario", "ercole")
                .fails("ercole");
        service.at(35, () -> service.node("prometeo", NodeState.IDLE));
        assertThat(handle(service, "REPLACE:TIME_LIMIT_DELAY=1:DROP:TIME_LIMIT_DROP=30"))
                .isZero();
        assertThat(service.seconds()).isEqualTo(40);
        assertThat(lines)
                .contains("_try_replace: job 17 node ercole replaced by prometeo")
                .noneMatch(line -> line.contains("dropped"));
        assertThat(service.walltime()).isEqualTo(36_000 + 60);
    }

    /** Job 17 takes four spares one after the other, and then loses the last of them: no node is idle. */
    private CoreFailureService lastSpareFails() {
        CoreFailureService service = new CoreFailureService("ann", "HotSpareCount=DEFAULT:5", "MaxSpareNodeCount=4")
                .node("dario", NodeState.IDLE)
                .node("ercole", NodeState.IDLE);
        for (int i = 1; i <= 5; i++) {
            service.node("spare" + i, NodeState.IDLE);
        }
        service.runs("dario", "ercole");
        String lost = "ercole";
        for (int i = 1; i <= 4; i++) {
            assertThat(handle(service.fails(lost), "REPLACE")).isZero();
            assertThat(lines).contains("_try_replace: job 17 node " + lost + " replaced by spare" + i);
            lost = "spare" + i;
        }
        return service.fails(lost);
    }

    @Test
    @Feature("SMD-35")
    void SM7() {
        CoreFailureService service = lastSpareFails();
        assertThat(smd(service, Map.of(), "-r", "spare4")).isEqualTo(SmdExit.REFUSED);
        assertThat(err.toString()).contains("EMAXSPARECOUNT").contains("took 4 spares");
        assertThat(handle(service, "REPLACE:TIME_LIMIT_DELAY=4:DROP")).isZero();
        assertThat(lines)
                .containsExactly(
                        "is_failed: job 17 searching for FAILED hosts",
                        "is_failed: job 17 has 1 FAILED nodes",
                        "is_failed: job 17 FAILED node spare4 cpu_count 1",
                        "_handle_fault: job 17 handle failed_hosts",
                        WAITING,
                        FAILED + ", the job took its 4 spare nodes",
                        "_try_replace: job 17 failed to replace down or failing nodes:",
                        "    spare4",
                        "_drop_nodes: job 17 node spare4 dropped all right",
                        "_generate_node_file: job 17 all nodes replaced",
                        "source the " + file() + " hostfile to get the new job environment");
        assertThat(service.seconds()).as("no spare comes from waiting").isZero();
        smd(service, Map.of(), "-j");
        assertThat(lines).contains("REPLACE_NODE_CNT=4");
    }

    /** The other way out: the job is ended. */
    @Test
    @Feature({"SMD-35", "SMD-48"})
    void shouldEndTheJobThatHadAllItsSpares() {
        CoreFailureService service = lastSpareFails();
        assertThat(handle(service, "REPLACE:EXIT_JOB")).isEqualTo(1);
        assertThat(service.isCancelled()).isTrue();
    }

    @Test
    @Feature({"SMD-1", "SMD-5", "SMD-40"})
    void SM8() throws FailureServiceException {
        CoreFailureService service = new CoreFailureService("carol", "UserDrainAllow=alan,brenda")
                .node("dario", NodeState.IDLE)
                .node("ercole", NodeState.IDLE)
                .runs("dario", "ercole");
        assertThat(smd(service, Map.of(), "-d", "ercole", "-R", "disk")).isEqualTo(SmdExit.NOT_PERMITTED);
        assertThat(err.toString()).contains("EPERM");
        assertThat(service.events(CoreFailureService.JOB, "")).isEmpty();

        service.as("ann").subscribe(CoreFailureService.JOB, "http://dario:7000/");
        assertThat(smd(service.as("alan"), Map.of(), "-d", "ercole", "-R", "disk"))
                .isZero();
        assertThat(service.events(CoreFailureService.JOB, ""))
                .extracting(JobEvent::kind, JobEvent::node)
                .containsExactly(tuple("NODE_FAILING", "ercole"));
        assertThat(smd(service.as("ann"), Map.of(), "-f")).isZero();
        assertThat(lines).containsExactly("ercole 1 FAILING");
    }

    @Test
    @Feature({"SMD-23", "SMD-28"})
    void SM9() {
        CoreFailureService service = new CoreFailureService("ann", "TimeLimitDrop=60", "TimeLimitDelay=600")
                .node("dario", NodeState.IDLE)
                .node("ercole", NodeState.IDLE)
                .node("prometeo", NodeState.IDLE)
                .occupied("prometeo", 3_600)
                .runs("dario", "ercole")
                .fails("ercole");
        assertThat(smd(service, Map.of(), "-f")).isZero();
        assertThat(lines).containsExactly("ercole 1 FAILED");
        assertThat(smd(service, Map.of(), "-r", "ercole")).isEqualTo(SmdExit.REFUSED);
        assertThat(err.toString()).contains("EREPLACELATER").contains("expected in 3600 s");
        smd(service, Map.of(), "-j");
        assertThat(lines).contains("PENDING_NODE_NAME=prometeo", "PENDING_JOB_DELAY=60", "TIME_EXTEND_AVAIL=60");

        assertThat(smd(service, Map.of(), "-D", "ercole")).isZero();
        smd(service, Map.of(), "-j");
        assertThat(lines)
                .contains("failed and failing nodes: 0", "PENDING_JOB_ID=none", "PENDING_NODE_NAME=none")
                .contains("PENDING_JOB_DELAY=0", "TIME_EXTEND_AVAIL=60");
        assertThat(smd(service, Map.of(), "-E")).isZero();
        assertThat(lines).contains("export SLURM_NODELIST=dario");
        assertThat(smd(service, Map.of(), "-e", "60")).isZero();
        assertThat(service.walltime()).isEqualTo(36_000 + 60 * 60);
        assertThat(smd(service, Map.of(), "-e", "1")).isEqualTo(SmdExit.REFUSED);
        assertThat(err.toString()).contains("ETIMEOVERLIMIT");
        assertThat(service.walltime()).isEqualTo(36_000 + 60 * 60);
    }

    @Test
    @Feature("SMD-42")
    void shouldReplaceAFailingNode() {
        CoreFailureService service = new CoreFailureService("ann", "UserDrainAllow=ALL")
                .node("dario", NodeState.IDLE)
                .node("ercole", NodeState.IDLE)
                .node("prometeo", NodeState.IDLE)
                .runs("dario", "ercole");
        assertThat(smd(service, Map.of(), "-d", "ercole", "-R", "disk")).isZero();
        assertThat(smd(service, Map.of(), "-f")).isZero();
        assertThat(lines).containsExactly("ercole 1 FAILING");
        assertThat(smd(service, Map.of("SMD_NONSTOP_FAILING", "REPLACE"), "-G")).isZero();
        assertThat(lines)
                .contains(
                        "is_failed: job 17 searching for FAILING hosts",
                        "_handle_fault: job 17 handle failing_hosts",
                        "_try_replace: job 17 node ercole replaced by prometeo");
    }

    @Test
    @Feature("SMD-46")
    void shouldExtendTheTimeLimitForEachReplacedNode() {
        CoreFailureService service = new CoreFailureService("ann", "TimeLimitExtend=5")
                .node("dario", NodeState.IDLE)
                .node("ercole", NodeState.IDLE)
                .node("tiberio", NodeState.IDLE)
                .node("prometeo", NodeState.IDLE)
                .node("spartaco", NodeState.IDLE)
                .runs("dario", "ercole", "tiberio")
                .fails("ercole")
                .fails("tiberio");
        assertThat(handle(service, "REPLACE:TIME_LIMIT_EXTEND=5")).isZero();
        assertThat(lines).contains("_increase_job_runtime: job 17 run time limit extended by 10min successfully");
        assertThat(service.walltime()).isEqualTo(36_000 + 600);
    }

    @Test
    void shouldSayThatNobodySaidWhatToDo() {
        assertThat(smd(ercoleFails(NodeState.IDLE), Map.of(), "-H")).isEqualTo(3);
        assertThat(handle(ercoleFails(NodeState.DOWN), "REPLACE")).isEqualTo(1);
    }

    @Test
    @Feature({"SMD-7", "SMD-9"})
    void shouldShowSettingsJobAndEnvironment() {
        CoreFailureService service = ercoleFails(NodeState.DOWN, "Port=9114", "TimeLimitExtend=2");
        assertThat(smd(service, Map.of(), "-c")).isZero();
        assertThat(lines).contains("ControlAddr=\"dario\"", "BackupAddr=none", "Port=9114", "TimeLimitExtend=2");
        assertThat(smd(service, Map.of(), "--job-info", "17")).isZero();
        assertThat(lines).contains("PENDING_NODE_NAME=none", "REPLACE_NODE_CNT=0", "TIME_EXTEND_AVAIL=2");
        assertThat(smd(service, Map.of(), "-D", "ercole")).isZero();
        assertThat(smd(service, Map.of(), "-E")).isZero();
        assertThat(lines).contains("export SLURM_NODELIST=dario", "export SLURM_JOB_CPUS_PER_NODE=1");
    }

    /** Directives are attached to their option, so that whatever stands apart behind it is the job. */
    @ParameterizedTest
    @ValueSource(strings = {"-H", "--handle-failed"})
    @Feature({"SMD-7", "SMD-10"})
    void shouldTakeTheJobThatStandsBehindAnOptionWithoutDirectives(String option) {
        CoreFailureService service = ercoleFails(NodeState.IDLE);
        Map<String, String> environment = Map.of("SLURM_JOB_ID", "17", "SMD_NONSTOP_FAILED", "REPLACE");
        assertThat(smd(service, environment, option, "w2")).isEqualTo(6);
        assertThat(err.toString()).contains("EJOBID");
        assertThat(lines).noneMatch(line -> line.contains("job 17"));
        assertThat(smd(service, Map.of("SLURM_JOB_ID", "99", "SMD_NONSTOP_FAILED", "REPLACE"), option, "17"))
                .isZero();
        assertThat(lines).contains("_try_replace: job 17 node ercole replaced by prometeo");
    }

    @Test
    @Feature({"SMD-7", "SMD-10"})
    void shouldTakeOneJob() {
        CoreFailureService service = ercoleFails(NodeState.IDLE);
        assertThat(smd(service, Map.of(), "-H", "17", "18")).isEqualTo(2);
        assertThat(smd(service, Map.of(), "-G", "17", "18")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-HREPLACE", "-H=replace", "--handle-failed=REPLACE:"})
    @Feature({"SMD-7", "SMD-10"})
    void shouldTakeDirectivesAttachedToTheirOption(String option) {
        CoreFailureService service = ercoleFails(NodeState.IDLE);
        assertThat(smd(service, Map.of("SLURM_JOB_ID", "99"), option, "17")).isZero();
        assertThat(lines).contains("_try_replace: job 17 node ercole replaced by prometeo");
    }

    @Test
    @Feature({"SMD-7", "SMD-10"})
    void shouldHandleBothKindsOfNodesOfTheJobNamedBehindTheirOptions() {
        CoreFailureService service = ercoleFails(NodeState.IDLE);
        assertThat(smd(service, Map.of("SLURM_JOB_ID", "99", "SMD_NONSTOP_FAILED", "REPLACE"), "-H", "-G", "17"))
                .isZero();
        assertThat(lines)
                .contains("_try_replace: job 17 node ercole replaced by prometeo")
                .last()
                .isEqualTo("is_failed: job 17 has no FAILING nodes");
    }

    /** Of two commands none is carried out: whoever gives both means something else. */
    @Test
    @Feature("SMD-7")
    void shouldDoNothingWhenToldToDoTwoThings() {
        CoreFailureService service = ercoleFails(NodeState.IDLE);
        assertThat(smd(service, Map.of(), "-D", "ercole", "-r", "ercole")).isEqualTo(2);
        assertThat(smd(service, Map.of(), "-e", "1", "-H")).isEqualTo(2);
        assertThat(smd(service, Map.of(), "-c", "-f")).isEqualTo(2);
        assertThat(smd(service, Map.of(), "-f")).isZero();
        assertThat(lines).containsExactly("ercole 1 FAILED");
    }

    /** The node is back while smd waits for another: nobody ends a job all of whose nodes are well. */
    @Test
    @Feature({"SMD-45", "SMD-48"})
    void shouldLetTheJobGoOnWhoseNodeComesBackMeanwhile() {
        CoreFailureService service = ercoleFails(NodeState.DOWN, "TimeLimitDelay=600");
        service.at(70, () -> service.node("ercole", NodeState.IDLE));
        assertThat(handle(service, "REPLACE:TIME_LIMIT_DELAY=4:EXIT_JOB")).isZero();
        assertThat(lines).last().isEqualTo("_try_replace: job 17 node ercole is no longer FAILED");
        assertThat(service.seconds()).isEqualTo(80);
        assertThat(service.isCancelled()).isFalse();
        assertThat(file()).doesNotExist();
    }

    @Test
    @Feature("SMD-48")
    void shouldNotEndAJobWhoseNodeComesBackInTheLastMoment() {
        CoreFailureService service = ercoleFails(NodeState.DOWN, "TimeLimitDelay=600");
        service.at(230, () -> service.node("ercole", NodeState.IDLE));
        assertThat(handle(service, "REPLACE:TIME_LIMIT_DELAY=4:EXIT_JOB")).isZero();
        assertThat(lines).last().isEqualTo("is_failed: job 17 has no FAILED nodes");
        assertThat(service.isCancelled()).isFalse();
    }

    /** Nodes are named as Slurm names them. */
    @Test
    @Feature({"SMD-1", "SMD-7", "SMD-15"})
    void shouldDrainAndDropSeveralNodesAtOnce() {
        CoreFailureService service = new CoreFailureService("ann", "UserDrainAllow=ALL");
        for (int i = 8; i <= 11; i++) {
            service.node("tux%02d".formatted(i), NodeState.IDLE);
        }
        service.runs("tux08", "tux09", "tux10", "tux11");
        assertThat(smd(service, Map.of(), "-d", "tux[08-09,11]", "-R", "slow")).isZero();
        assertThat(smd(service, Map.of(), "-f")).isZero();
        assertThat(lines).containsExactly("tux08 1 FAILING", "tux09 1 FAILING", "tux11 1 FAILING");
        assertThat(smd(service, Map.of(), "-D", "tux[08-09],tux11")).isZero();
        assertThat(lines)
                .containsExactly("job 17 node tux08 dropped", "job 17 node tux09 dropped", "job 17 node tux11 dropped");
        assertThat(smd(service, Map.of(), "-E")).isZero();
        assertThat(lines).contains("export SLURM_NODELIST=tux10");
        assertThat(smd(service, Map.of(), "-d", "tux[11-08]", "-R", "slow")).isEqualTo(2);
        assertThat(smd(service, Map.of(), "-d", ",", "-R", "slow")).isEqualTo(2);
        assertThat(smd(service, Map.of(), "-f")).isZero();
        assertThat(lines).isEmpty();
    }
}
