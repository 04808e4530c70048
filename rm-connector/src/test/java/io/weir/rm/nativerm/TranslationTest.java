package io.weir.rm.nativerm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.Feature;
import io.weir.rm.nativerm.text.JobTextAttributes;
import io.weir.rm.nativerm.text.NodeTextAttributes;
import io.weir.rm.nativerm.text.Problems;
import io.weir.rm.nativerm.text.TextObject;
import io.weir.rm.nativerm.text.TextReader;
import io.weir.rm.nativerm.text.Vocabulary;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.Measurement;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.TaskRequirement;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TranslationTest {
    static {
        AvroTrust.install();
    }

    private static final Instant NOW = Instant.ofEpochSecond(2_000);

    private final NativeJobTranslation jobs = new NativeJobTranslation("c1", new FirstSeenTimes());

    @Test
    void shouldReportANode() {
        assertThat(node(
                        "n1 STATE=Idle+Fail:'fan slow';CPROC=8;CMEMORY=2G;CPULOAD=0.5;FEATURE=b:a;PARTITION=p;UPDATETIME=1000;"
                                + "NODEINDEX=3"))
                .isEqualTo(NodeReport.newBuilder()
                        .setCluster("c1")
                        .setNodeId("n1")
                        .setIndex(3)
                        .setState(NodeState.IDLE)
                        .setFailing(true)
                        .setProcs(8)
                        .setMemoryMb(2048)
                        .setLoad(0.5)
                        .setFeatures(List.of("a", "b"))
                        .setPartition("p")
                        .setReason("fan slow")
                        .setUpdateTime(Instant.ofEpochSecond(1_000))
                        .build());
    }

    @Test
    void shouldReportWhatItCouldNotReadOfAJob() {
        JobReport report = flawed("1 STATE=Idle;UNAME=ann;WCLIMIT=ten;TASKS=many;QUEUETIME=1000");

        assertThat(report.getWalltimeSeconds()).isEqualTo(864_000);
        assertThat(report.getTasks()).isEqualTo(1);
        assertThat(report.getProblems()).hasSize(2);
        assertThat(report.getProblems().get(0)).startsWith("WCLIMIT=ten: ").endsWith("; ignored, so the default holds");
        assertThat(report.getProblems().get(1)).startsWith("TASKS=many: ");
    }

    @ParameterizedTest
    @CsvSource({
        "UNAME=b\u0001d;QUEUETIME=5, HOLD, UNAME of the job cannot be read",
        "RCLASS=[batch:x];UNAME=ann;TASKS=1, HOLD, RCLASS of the job cannot be read",
        "TASKS=1 UNAME='ann, HOLD, UNAME of the job cannot be read",
        "UNAME=ann;WCLIMIT=ten;TASKS=1, IDLE,",
        "TASKS=1, IDLE,"
    })
    void shouldHoldAJobOfWhichItCannotBeReadWhoseItIs(String told, JobState state, @Nullable String reason) {
        JobReport report = flawed("1 STATE=Idle;" + told);

        assertThat(report.getState()).isEqualTo(state);
        assertThat(report.getReason()).isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource({
        "WCLIMIT=600;WCLIMIT=-5;TASKS=1, '; ignored, so the other value given holds'",
        "WCLIMIT=-5;TASKS=1, '; ignored, so the default holds'",
        "UNAME=b\u0001d;TASKS=1, '; ignored, so it counts as not given'"
    })
    void shouldSayWhatHoldsInsteadOfWhatCannotBeRead(String told, String instead) {
        assertThat(flawed("1 STATE=Idle;" + told).getProblems())
                .singleElement()
                .asString()
                .endsWith(instead);
    }

    @Test
    void shouldNotInventAStateOrATime() {
        assertThat(node("n1").getState()).isEqualTo(NodeState.DOWN);
        assertThat(node("n1 CPROC=4").getState()).isEqualTo(NodeState.UNKNOWN);
        assertThat(node("n1 STATE=Idle").getUpdateTime()).isNull();
        assertThat(node("n1 STATE=Idle").getLoad()).isNull();
    }

    /** A node that is switched off is not broken; one that should be at work and has no power is. */
    @ParameterizedTest
    @CsvSource({
        "STATE=Idle, DRAINED",
        "STATE=Drained, DRAINED",
        "STATE=Unknown, DRAINED",
        "CPROC=4, DRAINED",
        "STATE=Running, DOWN",
        "STATE=Busy, DOWN",
        "STATE=Draining, DOWN",
        "STATE=Down, DOWN"
    })
    void shouldTellANodeThatIsSwitchedOffFromOneThatLostItsPower(String told, NodeState state) {
        assertThat(node("n1 " + told + ";POWER=Off")).satisfies(report -> {
            assertThat(report.getState()).isEqualTo(state);
            assertThat(report.getReason()).isEqualTo("power is off");
            assertThat(report.getPoweredOn()).isFalse();
        });
    }

    /** What is available tells whether a node of unknown state is at work; without that it stays unknown. */
    @ParameterizedTest
    @CsvSource({
        "STATE=Unknown;CPROC=4;APROC=4, IDLE",
        "STATE=Unknown;CPROC=4;APROC=3, RUNNING",
        "STATE=Unknown;CPROC=4;APROC=0, BUSY",
        "STATE=Unknown;CPROC=4;APROC=9, IDLE",
        "CPROC=4;APROC=1, RUNNING",
        "STATE=Unknown;CPROC=4, UNKNOWN",
        "CPROC=4, UNKNOWN"
    })
    void shouldFindTheStateThatIsNotKnownInWhatIsAvailable(String told, NodeState state) {
        assertThat(node("n1 " + told).getState()).isEqualTo(state);
    }

    @Test
    void shouldNotReportANodeThatWasTakenAway() {
        assertThat(NativeNodeTranslation.report(
                        "c1", parse(NodeTextAttributes.VOCABULARY, "n1 STATE=Idle;REMOVED=1"), Instant.MIN))
                .isEmpty();
    }

    @Test
    void shouldReportARunningJob() {
        assertThat(
                        job(
                                "job.17 STATE=Running;NAME=cfd;UNAME=ann;GNAME=users;ACCOUNT=a;RCLASS=[batch:1];TASKS=3;DPROCS=2;"
                                        + "WCLIMIT=60;QUEUETIME=100;STARTTIME=200;TASKLIST=n2,n1,n2;EXITCODE=0;COMMENT=QOS\\:high"))
                .isEqualTo(JobReport.newBuilder()
                        .setCluster("c1")
                        .setJobId("job.17")
                        .setQueueSequence(17)
                        .setName("cfd")
                        .setUser("ann")
                        .setGroup("users")
                        .setAccount("a")
                        .setJobClass("batch")
                        .setQos("high")
                        .setState(JobState.RUNNING)
                        .setTasks(3)
                        .setProcsPerTask(2)
                        .setWalltimeSeconds(60L)
                        .setSubmitTime(Instant.ofEpochSecond(100))
                        .setStartTime(Instant.ofEpochSecond(200))
                        .setAllocation(List.of(new NodeAllocation("n1", 2), new NodeAllocation("n2", 4)))
                        .setExtension("QOS:high")
                        .build());
    }

    @Test
    @Feature("CAT-25")
    void shouldReportAllThatIsSaidOfANode() {
        assertThat(node(
                        "n1 STATE=Idle;CPROC=4;CSWAP=10;CDISK=20;APROC=3;AMEMORY=5;ASWAP=6;ADISK=7;CCLASS=[batch:4][x:2];"
                                + "CRES=gpu:2;NETWORK=ib:eth;ARCH=x86;OS=linux;SPEED=1.5;CPUSPEED=2400;RACK=r1;SLOT=s2;MAXTASK=8;"
                                + "CHARGERATE=0.5;GMETRIC[temp]=113;VARIABLE=a=b;MESSAGE='look here';CAT=Maintenance"))
                .satisfies(report -> {
                    assertThat(report.getSwapMb()).isEqualTo(10);
                    assertThat(report.getDiskMb()).isEqualTo(20);
                    assertThat(report.getAvailableProcs()).isEqualTo(3);
                    assertThat(report.getAvailableMemoryMb()).isEqualTo(5);
                    assertThat(report.getAvailableSwapMb()).isEqualTo(6);
                    assertThat(report.getAvailableDiskMb()).isEqualTo(7);
                    assertThat(report.getClasses()).containsExactly(new NameCount("batch", 4L), new NameCount("x", 2L));
                    assertThat(report.getGres()).containsExactly(new NameCount("gpu", 2L));
                    assertThat(report.getNetworks()).containsExactly("eth", "ib");
                    assertThat(report.getArch()).isEqualTo("x86");
                    assertThat(report.getOs()).isEqualTo("linux");
                    assertThat(report.getSpeed()).isEqualTo(1.5);
                    assertThat(report.getProcSpeedMhz()).isEqualTo(2400);
                    assertThat(report.getRack()).isEqualTo("r1");
                    assertThat(report.getSlot()).isEqualTo("s2");
                    assertThat(report.getMaxTasks()).isEqualTo(8);
                    assertThat(report.getChargeRate()).isEqualTo(0.5);
                    assertThat(report.getMetrics()).containsExactly(new Measurement("temp", 113.0));
                    assertThat(report.getVariables()).containsExactly(new NameValue("a", "b"));
                    assertThat(report.getMessages()).containsExactly("look here");
                    assertThat(report.getCategory()).isEqualTo("Maintenance");
                });
    }

    @Test
    void shouldReportAllThatAJobAsksFor() {
        JobReport job = job(
                "1 QUEUETIME=100;TASKS=4;DPROCS=2;DMEM=100;DSWAP=50;DDISK=7;GRES=gpu:1;RFEATURES=fast:big;"
                        + "RARCH=x86;ROPSYS=linux;RNETWORK=ib;RMEM=2048;RMEMCMP='>=';NODES=2;TASKPERNODE=2;PARTITIONMASK=p2:p1;"
                        + "HOSTLIST=n2,n1;APPLICATION=cfd;COMMENT=x;PREF=fast;RESERVATION=r1;STARTDATE=500;CPUTIME=60;MEMUSED=99");

        assertThat(job.getRequirements()).hasSize(1);
        TaskRequirement asked = job.getRequirements().get(0);
        assertThat(asked.getTasks()).isEqualTo(4);
        assertThat(asked.getProcsPerTask()).isEqualTo(2);
        assertThat(asked.getMemoryMb()).isEqualTo(100);
        assertThat(asked.getSwapMb()).isEqualTo(50);
        assertThat(asked.getDiskMb()).isEqualTo(7);
        assertThat(asked.getGres()).containsExactly(new NameCount("gpu", 1L));
        assertThat(asked.getFeatures()).containsExactly("big", "fast");
        assertThat(asked.getArch()).isEqualTo("x86");
        assertThat(asked.getOs()).isEqualTo("linux");
        assertThat(asked.getNetwork()).isEqualTo("ib");
        assertThat(asked.getNodeConditions()).containsExactly("memory>=2048");
        assertThat(asked.getNodes()).isEqualTo(2);
        assertThat(asked.getTasksPerNode()).isEqualTo(2);
        assertThat(job.getPartitions()).containsExactly("p1", "p2");
        assertThat(job.getHosts()).containsExactly("n2", "n1");
        assertThat(job.getApplication()).isEqualTo("cfd");
        assertThat(job.getExtension()).isEqualTo("x");
        assertThat(job.getPreference()).isEqualTo("fast");
        assertThat(job.getReservation()).isEqualTo("r1");
        assertThat(job.getStartAfter()).isEqualTo(Instant.ofEpochSecond(500));
        assertThat(job.getUsedCpuSeconds()).isEqualTo(60);
        assertThat(job.getUsedMemoryMb()).isEqualTo(99);
    }

    @Test
    void shouldNotReportAStartOrNodesOfAWaitingJob() {
        JobReport job = job("1 QUEUETIME=100;STARTTIME=0;TASKLIST=n1;COMPLETIONTIME=0");

        assertThat(job.getStartTime()).isNull();
        assertThat(job.getEndTime()).isNull();
        assertThat(job.getAllocation()).isEmpty();
        assertThat(job.getWalltimeSeconds()).isEqualTo(864_000);
    }

    @Test
    void shouldReportTheEndOfAJob() {
        JobReport job =
                job("1 STATE=Failed;QUEUETIME=100;STARTTIME=200;COMPLETIONTIME=300;EXITCODE=2;EVENT='node lost'");

        assertThat(job.getState()).isEqualTo(JobState.FAILED);
        assertThat(job.getEndTime()).isEqualTo(Instant.ofEpochSecond(300));
        assertThat(job.getExitCode()).isEqualTo(2);
        assertThat(job.getReason()).isEqualTo("node lost");
    }

    @Test
    void shouldRememberWhenItFirstSawWhatTheTextDoesNotTell() {
        TextObject waiting = parse(JobTextAttributes.VOCABULARY, "x STATE=Idle");
        TextObject ended = parse(JobTextAttributes.VOCABULARY, "x STATE=Completed");

        assertThat(jobs.report(waiting, NOW).getSubmitTime()).isEqualTo(NOW);
        JobReport report = jobs.report(ended, NOW.plusSeconds(9));
        assertThat(report.getSubmitTime()).isEqualTo(NOW);
        assertThat(report.getEndTime()).isEqualTo(NOW.plusSeconds(9));
        assertThat(jobs.report(ended, NOW.plusSeconds(20))).isEqualTo(report);
        assertThat(report.getQueueSequence()).isZero();
    }

    private static NodeReport node(String line) {
        return NativeNodeTranslation.report("c1", parse(NodeTextAttributes.VOCABULARY, line), Instant.MIN)
                .orElseThrow();
    }

    /** Returns the report of a job of which not everything can be read. */
    private JobReport flawed(String line) {
        TextReader reader = new TextReader(JobTextAttributes.VOCABULARY, new Problems());
        reader.read("test", line);
        return jobs.report(reader.objects().iterator().next(), NOW);
    }

    private JobReport job(String line) {
        return jobs.report(parse(JobTextAttributes.VOCABULARY, line), NOW);
    }

    private static TextObject parse(Vocabulary vocabulary, String line) {
        Problems problems = new Problems();
        TextReader reader = new TextReader(vocabulary, problems);
        reader.read("test", line);
        assertThat(problems.first()).isEmpty();
        return reader.objects().iterator().next();
    }
}
