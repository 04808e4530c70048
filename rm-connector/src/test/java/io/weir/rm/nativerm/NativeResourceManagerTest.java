package io.weir.rm.nativerm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.rm.Feature;
import io.weir.rm.nativerm.text.Problem;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Commands;
import io.weir.rm.spi.Execution;
import io.weir.rm.spi.Poll;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmContext;
import io.weir.rm.spi.RmException;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.Measurement;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeMetric;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TaskPlacement;
import io.weir.topics.AvroTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeResourceManagerTest {
    static {
        AvroTrust.install();
    }

    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

    @TempDir
    Path directory;

    private ToyRm toy;

    @BeforeEach
    void makeToy() {
        toy = ToyRm.in(directory);
    }

    @Test
    void shouldKnowItsVersionAndTheCommandsThatHaveAnAddress() {
        assertThat(open(toy.settings()).capabilities()).satisfies(capabilities -> {
            assertThat(capabilities.version()).isEqualTo("1.0");
            assertThat(capabilities.commands())
                    .containsExactlyInAnyOrder(
                            CommandKind.START_JOB,
                            CommandKind.CANCEL_JOB,
                            CommandKind.REQUEUE_JOB,
                            CommandKind.HOLD_JOB,
                            CommandKind.RELEASE_JOB,
                            CommandKind.MODIFY_JOB,
                            CommandKind.ADD_NODES,
                            CommandKind.REMOVE_NODES,
                            CommandKind.DRAIN_NODE,
                            CommandKind.RESUME_NODE,
                            CommandKind.MODIFY_NODE,
                            CommandKind.SUSPEND_JOB,
                            CommandKind.RESUME_JOB,
                            CommandKind.SIGNAL_JOB,
                            CommandKind.FULL_POLL);
        });
        assertThat(open(files()).capabilities()).satisfies(capabilities -> {
            assertThat(capabilities.version()).isEqualTo("unknown");
            assertThat(capabilities.commands()).containsExactly(CommandKind.FULL_POLL);
        });
    }

    @Test
    void shouldCarryOutEveryCommand() {
        NativeResourceManager rm = open(toy.settings());

        assertDone(rm, command(1, CommandKind.HOLD_JOB), JobState.HOLD);
        assertDone(rm, command(2, CommandKind.RELEASE_JOB), JobState.IDLE);
        assertDone(rm, start(3, "1", new NodeAllocation("n1", 1)), JobState.RUNNING);
        assertDone(rm, command(4, CommandKind.SUSPEND_JOB), JobState.SUSPENDED);
        assertDone(rm, command(5, CommandKind.RESUME_JOB), JobState.RUNNING);
        assertDone(rm, command(6, CommandKind.REQUEUE_JOB), JobState.IDLE);
        assertDone(rm, command(7, CommandKind.CANCEL_JOB), JobState.CANCELLED);
        assertThat(Commands.execute(rm, command(8, CommandKind.CANCEL_JOB)).message())
                .contains("job 1 is Cancelled");
    }

    /** The operating system hands no longer word to a program than 128 KiB, or more where pages are larger. */
    @Test
    void shouldSayThatTheTasksOfAJobAreTooManyForAProgram() {
        NativeResourceManager rm = open(toy.settings());
        RmCommand start = RmCommand.newBuilder(start(1, "1", new NodeAllocation("n1", 1)))
                .setPlacements(List.of(new TaskPlacement("n1", 0, 1_000_000)))
                .build();

        RmAnswer answer = Commands.execute(rm, start);

        assertThat(answer.outcome()).isEqualTo(CommandOutcome.REFUSED);
        assertThat(answer.aboutJob()).isTrue();
        assertThat(answer.message()).contains("2999999 characters", "an http address takes them");
    }

    @Test
    void shouldFollowAClockThatWasWrongOnce() {
        Map<String, String> settings = files();
        settings.put("system.query.url", "file://" + directory + "/time");
        toy.write("nodefile", "n1 STATE=Idle;CPROC=4;UPDATETIME=" + NOW.getEpochSecond() + "\n");
        NativeResourceManager rm = open(settings);

        toy.write("time", "toy TIME=" + (NOW.getEpochSecond() + 7200) + "\n");
        assertThat(rm.poll().rmTime()).isEqualTo(NOW.plusSeconds(7200));
        toy.write("time", "toy TIME=" + NOW.getEpochSecond() + "\n");

        Poll poll = rm.poll();
        assertThat(poll.rmTime()).isEqualTo(NOW);
        assertThat(poll.nodes()).extracting(NodeReport::getState).containsExactly(NodeState.IDLE);
    }

    @Test
    void shouldHaveTheFirstAnswerAgainForTheSameCommand() {
        NativeResourceManager rm = open(toy.settings());
        RmCommand start = start(1, "1", new NodeAllocation("n2", 1));
        RmAnswer answer = Commands.execute(rm, start);

        assertThat(Commands.execute(open(toy.settings()), start)).isEqualTo(answer);
        assertThat(toy.effects()).containsExactly("1");
    }

    @Test
    void shouldNotKnowWhatBecameOfACommandThatDiedAndNotRepeatItsEffect() {
        Map<String, String> dying = toy.settings();
        dying.put("environment", "TOY_DIR=" + directory + ";TOY_DIE=1");
        RmCommand start = start(1, "1", new NodeAllocation("n2", 1));

        assertThatThrownBy(() -> Commands.execute(open(dying), start)).isInstanceOf(RetriableRmException.class);

        assertThat(Commands.execute(open(toy.settings()), start).outcome()).isEqualTo(CommandOutcome.DONE);
        assertThat(toy.effects()).containsExactly("1");
    }

    @Test
    void shouldPassATaskListAndTheUser() {
        toy.write("jobs/9", "QUEUETIME=1;UNAME=bob;TASKS=3;DPROCS=2\n");
        toy.write(
                "start.sh",
                "#!/bin/sh\necho \"SC=-1;MESSAGE='$1 $2 $3 $WEIR_ALLOCATION $WEIR_WALLTIME $WEIR_COMMAND_ID'\"\n");
        Map<String, String> settings = toy.settings();
        settings.put("job.start.url", "exec:///bin/sh " + directory.resolve("start.sh"));
        NativeResourceManager rm = open(settings);

        RmAnswer answer = Commands.execute(rm, start(7, "9", new NodeAllocation("n2", 4), new NodeAllocation("n1", 2)));

        assertThat(answer.message()).isEqualTo("SC=-1: 9 n2,n2,n1 bob n2:4,n1:2 60 c1/7/0");
        assertThat(Commands.execute(rm, start(8, "9", new NodeAllocation("n2", 3)))
                        .message())
                .contains("tasks of 2 processors: 3 on n2");
        assertThat(Commands.execute(rm, start(8, "77", new NodeAllocation("n2", 3)))
                        .message())
                .contains("lists no job 77");
    }

    /** Each of the scripts waits for the other. */
    @Test
    void shouldCarryOutAsManyActionsAtOnceAsTheSiteAllows() {
        toy.write("start.sh", """
                #!/bin/sh
                touch begun.$1
                i=0
                while [ $(ls begun.* | wc -l) -lt 2 ] && [ $i -lt 200 ]; do sleep 0.05; i=$((i + 1)); done
                [ $i -lt 200 ]
                """);
        Map<String, String> settings = toy.settings();
        settings.put("job.start.url", "exec:///bin/sh " + directory.resolve("start.sh"));
        settings.put("actions.at.once", "2");
        NativeResourceManager rm = open(settings);
        assertThat(rm.mostUnderWay()).isEqualTo(2);

        Execution first = rm.execute(start(1, "1", new NodeAllocation("n1", 1)));
        Execution second = rm.execute(start(2, "2", new NodeAllocation("n2", 1)));

        assertThat(rm.poll().jobs()).extracting(JobReport::getState).containsOnly(JobState.IDLE);
        assertThat(Commands.settled(first).outcome()).isEqualTo(CommandOutcome.DONE);
        assertThat(Commands.settled(second).outcome()).isEqualTo(CommandOutcome.DONE);
    }

    @Test
    void shouldKnowOfAnActionThatIsUnderWayAndBeginItNoSecondTime() throws IOException {
        toy.write("start.sh", "#!/bin/sh\necho $1 >> begun\nwhile [ ! -e go ]; do sleep 0.05; done\n");
        Map<String, String> settings = toy.settings();
        settings.put("job.start.url", "exec:///bin/sh " + directory.resolve("start.sh"));
        NativeResourceManager rm = open(settings);
        RmCommand start = start(1, "1", new NodeAllocation("n1", 1));
        rm.execute(start);

        assertThat(rm.lookup(start).verdict()).isEqualTo(CommandCheck.Verdict.ONGOING);
        toy.write("go", "");

        assertThat(Commands.lookup(rm, start).answer())
                .extracting(RmAnswer::outcome)
                .isEqualTo(CommandOutcome.DONE);
        assertThat(rm.lookup(start).verdict()).isEqualTo(CommandCheck.Verdict.UNKNOWN);
        assertThat(Files.readAllLines(directory.resolve("begun"))).containsExactly("1");
    }

    @Test
    void shouldRefuseACommandWhoseProgramIsMissing() {
        Map<String, String> settings = toy.settings();
        settings.put("job.cancel.url", "exec:///no/such/program");

        assertThatThrownBy(() -> Commands.execute(open(settings), command(1, CommandKind.CANCEL_JOB)))
                .isExactlyInstanceOf(RmException.class)
                .hasMessageContaining("/no/such/program");
    }

    @Test
    void shouldMergeSourcesOfOneResourceManager() {
        toy.write("more", "n2 CPULOAD=1.54;FEATURE=fast\nn3 STATE=Idle;CPROC=2\n");
        Map<String, String> settings = files();
        settings.merge("cluster.query.url", "file://" + directory.resolve("more"), (a, b) -> a + "," + b);

        List<NodeReport> nodes = open(settings).poll().nodes();

        assertThat(nodes).extracting(NodeReport::getNodeId).containsExactly("n1", "n2", "n3");
        assertThat(nodes.get(1).getLoad()).as("in tenths").isEqualTo(1.5);
        assertThat(nodes.get(1).getProcs()).isEqualTo(4);
    }

    @Test
    void shouldTellTemperaturesAndEventsOfASecondResourceManager() {
        Map<String, String> settings = files();
        settings.put(
                "rmcfg",
                "RMCFG[base] TYPE=NATIVE\nRMCFG[temp] TYPE=NATIVE CLUSTERQUERYURL=file://" + directory + "/temp");
        toy.write("temp", "n1 GMETRIC[temp]=113 GEVENT[hitemp:1130325993]='temperature exceeds 150 degrees'\n");
        NativeResourceManager rm = open(settings);

        Poll poll = rm.poll();

        assertThat(poll.metrics()).containsExactly(new NodeMetric("c1", "n1", "temp", 113.0, NOW));
        assertThat(poll.nodes().get(0).getMetrics()).containsExactly(new Measurement("temp", 113.0));
        assertThat(poll.events()).singleElement().satisfies(event -> {
            assertThat(event.getName()).isEqualTo("hitemp");
            assertThat(event.getObjectType()).isEqualTo("node");
            assertThat(event.getObjectId()).isEqualTo("n1");
            assertThat(event.getTime()).isEqualTo(Instant.ofEpochSecond(1_130_325_993));
            assertThat(event.getMessage()).contains("150 degrees");
        });
    }

    @Test
    void shouldSayThatAnEventIsOverWhenTwoPollsDoNotShowIt() {
        Map<String, String> settings = files();
        settings.put(
                "rmcfg",
                "RMCFG[base] TYPE=NATIVE\nRMCFG[temp] TYPE=NATIVE CLUSTERQUERYURL=file://" + directory + "/temp");
        toy.write("temp", "n1 GEVENT[hitemp]=hot\n");
        NativeResourceManager rm = open(settings);
        rm.poll();
        toy.write("temp", "n1 CPULOAD=1\n");

        assertThat(rm.poll().events()).isEmpty();
        assertThat(rm.poll().events()).singleElement().satisfies(event -> {
            assertThat(event.getName()).isEqualTo("hitemp");
            assertThat(event.getObjectId()).isEqualTo("n1");
            assertThat(event.getActive()).isFalse();
        });
        assertThat(rm.poll().events()).isEmpty();
    }

    @Test
    void shouldKeepACategoryUntilTwoPollsDoNotShowIt() {
        Map<String, String> settings = files();
        settings.put(
                "rmcfg",
                "RMCFG[base] TYPE=NATIVE\nRMCFG[care] TYPE=NATIVE CLUSTERQUERYURL=file://" + directory + "/care");
        toy.write("care", "n1 CAT=Benchmark\nn2 VARIABLE=NODECATEGORY=site1\n");
        NativeResourceManager rm = open(settings);
        assertThat(categories(rm)).containsExactly("Benchmark", "site1");
        toy.write("care", "n1 CPULOAD=1\n");

        assertThat(categories(rm)).containsExactly("Benchmark", "site1");
        assertThat(categories(rm)).containsExactly("", "");
    }

    @Test
    void shouldEndACategoryAtOnceWhenItIsNone() {
        Map<String, String> settings = files();
        settings.put(
                "rmcfg",
                "RMCFG[base] TYPE=NATIVE\nRMCFG[care] TYPE=NATIVE CLUSTERQUERYURL=file://" + directory + "/care");
        toy.write("care", "n1 CAT=Benchmark\nn2 VARIABLE=NODECATEGORY=site1\n");
        NativeResourceManager rm = open(settings);
        assertThat(categories(rm)).containsExactly("Benchmark", "site1");
        toy.write("care", "n1 CAT=none\nn2 VARIABLE=NODECATEGORY=NONE\n");

        assertThat(categories(rm)).containsExactly("", "");
    }

    /** Returns the categories of the first two nodes in the next poll. */
    private static List<String> categories(NativeResourceManager rm) {
        return rm.poll().nodes().stream()
                .limit(2)
                .map(node -> node.getCategory() != null
                        ? node.getCategory()
                        : node.getVariables().stream()
                                .filter(variable -> variable.getName().equals("NODECATEGORY"))
                                .map(NameValue::getValue)
                                .findFirst()
                                .orElse(""))
                .toList();
    }

    @Test
    void shouldLetASecondResourceManagerAddAndFailWithoutHarm() throws Exception {
        Map<String, String> settings = files();
        settings.put(
                "rmcfg",
                "RMCFG[base] TYPE=NATIVE\nRMCFG[load] TYPE=NATIVE CLUSTERQUERYURL=file://" + directory + "/load");
        toy.write("load", "n1 CPULOAD=2.0\nelsewhere CPULOAD=3.0\n");
        NativeResourceManager rm = open(settings);

        assertThat(loads(rm)).containsExactly(2.0, null);
        assertThat(rm.firstProblems()).extracting(Problem::text).anyMatch(text -> text.startsWith("elsewhere"));
        Files.delete(directory.resolve("load"));
        assertThat(loads(rm)).containsExactly(2.0, null);
        assertThat(loads(rm)).containsExactly(2.0, null);
        assertThat(loads(rm)).containsExactly(null, null);
        toy.write("load", "n2 CPULOAD=4.0\n");
        assertThat(loads(rm)).containsExactly(null, 4.0);
    }

    @Test
    void shouldHaveNoPollWhenAQueryFailsAndSayWhenItIsDown() throws Exception {
        NativeResourceManager rm = open(files());
        rm.poll();
        Files.delete(directory.resolve("jobfile"));

        assertThatThrownBy(rm::poll)
                .isInstanceOf(RetriableRmException.class)
                .hasMessageStartingWith("native WORKLOADQUERYURL");
        assertThatThrownBy(rm::poll).hasMessageStartingWith("native WORKLOADQUERYURL");
        assertThatThrownBy(rm::poll)
                .isInstanceOf(RetriableRmException.class)
                .hasMessageStartingWith("native is down, 3 polls in a row failed");
        toy.write("jobfile", "1 QUEUETIME=1\n");
        assertThat(rm.poll().jobs()).hasSize(1);
        Files.delete(directory.resolve("jobfile"));
        assertThatThrownBy(rm::poll).hasMessageStartingWith("native WORKLOADQUERYURL");
    }

    @Test
    void shouldNotBelieveAnEmptyClusterOrGarbage() {
        NativeResourceManager rm = open(files());
        for (String text : List.of("", "# nothing\n", "<html>\n<p>404</p>\n", "=\n;;\n")) {
            toy.write("nodefile", text);
            assertThatThrownBy(rm::poll)
                    .isInstanceOf(RetriableRmException.class)
                    .hasMessageContaining("no node at all");
        }
        toy.write("nodefile", "n1 STATE=Idle\n");
        toy.write("jobfile", "<html>\n<p>404</p>\n");
        assertThatThrownBy(rm::poll)
                .isInstanceOf(RetriableRmException.class)
                .hasMessageContaining("2 lines, and no job")
                .hasMessageContaining("jobfile:1: line has no id");
        toy.write("jobfile", "# no jobs\n");
        assertThat(rm.poll().jobs()).isEmpty();
    }

    @Test
    void shouldCountWhatItLeftOut() {
        Map<String, String> settings = files();
        toy.write("nodefile", "n1 STATE=Idle;CPROC=0\nn2 STATE=Asleep;CPROC=2\n");
        toy.write(
                "jobfile",
                "1 STATE=Idle;UNAME=ann;GNAME=g;QUEUETIME=1;UPDATETIME=1;WCLIMIT=60;TASKS=1\n2 UNAME=ann\n3 NAME=x\n");
        NativeResourceManager rm = open(settings);

        Poll poll = rm.poll();

        assertThat(poll.nodes()).extracting(NodeReport::getNodeId).containsExactly("n2");
        assertThat(poll.jobs()).extracting(JobReport::getJobId).containsExactly("1", "2");
        assertThat(rm.problems()).isEqualTo(4);
        assertThat(rm.firstProblems())
                .extracting(Problem::toString)
                .containsExactly(
                        "file://" + directory + "/nodefile:2: n2 STATE=Asleep: is not a state of a node",
                        "native: n1: has no processors and is not reported",
                        "native: 2: a new job has [STATE, UPDATETIME, QUEUETIME, WCLIMIT, TASKS, GNAME], which are not given",
                        "native: 3: a new job has [STATE, UPDATETIME, QUEUETIME, WCLIMIT, TASKS, UNAME, GNAME], which are not given");
    }

    @Test
    void shouldReportTheNodeOfFloatingResourcesWithoutProcessors() {
        Map<String, String> settings = files();
        toy.write("nodefile", "n1 STATE=Idle\nGLOBAL STATE=Idle;CPROC=0;CRES=lic:2\n");

        assertThat(open(settings).poll().nodes())
                .extracting(NodeReport::getNodeId)
                .contains("GLOBAL");
    }

    @Test
    void shouldFollowTheClockOfTheResourceManager() {
        toy.write("system", "rm TIME=1800000500;VERSION='8.1 beta'\n");
        Map<String, String> settings = files();
        settings.put("system.query.url", "file://" + directory + "/system");
        NativeResourceManager rm = open(settings);

        assertThat(rm.capabilities().version()).isEqualTo("8.1 beta");
        assertThat(rm.poll().rmTime()).isEqualTo(NOW.plusSeconds(500));
        toy.write("system", "rm TIME=1800000495\n");
        assertThat(rm.poll().rmTime()).as("does not go back by a little").isEqualTo(NOW.plusSeconds(500));
    }

    private static List<Double> loads(NativeResourceManager rm) {
        return rm.poll().nodes().stream().map(NodeReport::getLoad).toList();
    }

    @Test
    @Feature("FAIL-18")
    void shouldReportANodeDownWhoseHeartbeatStopped() {
        Map<String, String> settings = files();
        long now = NOW.getEpochSecond();
        toy.write(
                "nodefile",
                "n1 STATE=Running;CPROC=4;UPDATETIME=" + (now - 59) + "\nn2 STATE=Running;CPROC=4;UPDATETIME="
                        + (now - 60) + "\nn3 STATE=Idle;CPROC=4\n");

        assertThat(open(settings).poll().nodes())
                .extracting(NodeReport::getState)
                .containsExactly(NodeState.RUNNING, NodeState.DOWN, NodeState.IDLE);
        assertThat(open(settings).poll().nodes().get(1).getReason())
                .isEqualTo("node not reporting, last heard of at " + NOW.minusSeconds(60));
        settings.put("node.detect.seconds", "0");
        assertThat(open(settings).poll().nodes().get(1).getState()).isEqualTo(NodeState.RUNNING);
    }

    /** What a script leaves out, once or for good, is not gone for that; what it says is gone, is. */
    @Test
    @Feature("FAIL-18")
    void shouldKeepANodeThatPollsDoNotListAndReportItDownInTheEnd() {
        Map<String, String> settings = files();
        toy.write("nodefile", "n1 STATE=Idle;CPROC=4\nn2 STATE=Running;CPROC=4\nn3 STATE=Idle;CPROC=4\n");
        toy.write("system", "rm TIME=1800000000\n");
        settings.put("system.query.url", "file://" + directory + "/system");
        NativeResourceManager rm = open(settings);
        rm.poll();
        toy.write("nodefile", "n1 STATE=Idle;CPROC=4\nn3 REMOVED=1;CPROC=4\n");
        toy.write("system", "rm TIME=1800000299\n");

        assertThat(rm.poll().nodes())
                .extracting(NodeReport::getNodeId, NodeReport::getState)
                .containsExactly(tuple("n1", NodeState.IDLE), tuple("n2", NodeState.UNKNOWN));
        toy.write("system", "rm TIME=1800000300\n");
        assertThat(rm.poll().nodes()).last().satisfies(node -> {
            assertThat(node.getState()).isEqualTo(NodeState.DOWN);
            assertThat(node.getReason()).isEqualTo("node not reporting, last listed at " + NOW);
        });
        toy.write("nodefile", "n1 STATE=Idle;CPROC=4\nn2 STATE=Idle;CPROC=4\n");
        assertThat(rm.poll().nodes()).extracting(NodeReport::getState).containsExactly(NodeState.IDLE, NodeState.IDLE);
    }

    @Test
    void shouldTakeANodeThatIsNotListedForGoneWhereTheSiteSaysSo() {
        Map<String, String> settings = files();
        settings.put("node.list.seconds", "0");
        toy.write("nodefile", "n1 STATE=Idle;CPROC=4\nn2 STATE=Running;CPROC=4\n");
        NativeResourceManager rm = open(settings);
        rm.poll();
        toy.write("nodefile", "n1 STATE=Idle;CPROC=4\n");
        assertThat(rm.poll().nodes()).extracting(NodeReport::getNodeId).containsExactly("n1");
    }

    private static void assertDone(NativeResourceManager rm, RmCommand command, JobState state) {
        RmAnswer answer = Commands.execute(rm, command);
        assertThat(answer.outcome())
                .as("%s: %s", command.getKind(), answer.message())
                .isEqualTo(CommandOutcome.DONE);
        assertThat(rm.poll().jobs().get(0).getState()).isEqualTo(state);
    }

    /** Returns settings that read two files. */
    private Map<String, String> files() {
        toy.write("nodefile", "n1 STATE=Idle;CPROC=4\nn2 STATE=Idle;CPROC=4\n");
        toy.write("jobfile", "1 STATE=Idle;QUEUETIME=1\n");
        return new TreeMap<>(Map.of(
                "cluster.query.url", "file://" + directory + "/nodefile",
                "workload.query.url", "file://" + directory + "/jobfile"));
    }

    private NativeResourceManager open(Map<String, String> settings) {
        return new NativeResourceManager(
                new RmContext("c1", "rm", directory, settings), NativeConfig.read(settings, name -> null), () -> NOW);
    }

    private static RmCommand start(long number, String job, NodeAllocation... where) {
        return RmCommand.newBuilder(command(number, CommandKind.START_JOB))
                .setJobId(job)
                .setAllocation(List.of(where))
                .setWalltimeSeconds(60L)
                .build();
    }

    private static RmCommand command(long number, CommandKind kind) {
        return Commands.builder("c1", number, kind, "1", NOW)
                .setReason("WALLCLOCK limit reached")
                .build();
    }
}
