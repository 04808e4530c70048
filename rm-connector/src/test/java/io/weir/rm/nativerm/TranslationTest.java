package io.weir.rm.nativerm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.nativerm.text.JobAttributes;
import io.weir.rm.nativerm.text.NodeAttributes;
import io.weir.rm.nativerm.text.Problems;
import io.weir.rm.nativerm.text.TextObject;
import io.weir.rm.nativerm.text.TextReader;
import io.weir.rm.nativerm.text.Vocabulary;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TranslationTest {
    static {
        AvroTrust.install();
    }

    private static final Instant NOW = Instant.ofEpochSecond(2_000);

    private final JobTranslation jobs = new JobTranslation("c1", new Sightings());

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
    void shouldNotInventAStateOrATime() {
        assertThat(node("n1").getState()).isEqualTo(NodeState.DOWN);
        assertThat(node("n1 CPROC=4").getState()).isEqualTo(NodeState.UNKNOWN);
        assertThat(node("n1 STATE=Idle").getUpdateTime()).isNull();
        assertThat(node("n1 STATE=Idle").getLoad()).isNull();
    }

    @Test
    void shouldReportANodeWithoutPowerAsDown() {
        assertThat(node("n1 STATE=Idle;POWER=Off")).satisfies(report -> {
            assertThat(report.getState()).isEqualTo(NodeState.DOWN);
            assertThat(report.getReason()).isEqualTo("power is off");
        });
    }

    @Test
    void shouldNotReportANodeThatWasTakenAway() {
        assertThat(NodeTranslation.report("c1", parse(NodeAttributes.VOCABULARY, "n1 STATE=Idle;REMOVED=1")))
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
                        .build());
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
        TextObject waiting = parse(JobAttributes.VOCABULARY, "x STATE=Idle");
        TextObject ended = parse(JobAttributes.VOCABULARY, "x STATE=Completed");

        assertThat(jobs.report(waiting, NOW).getSubmitTime()).isEqualTo(NOW);
        JobReport report = jobs.report(ended, NOW.plusSeconds(9));
        assertThat(report.getSubmitTime()).isEqualTo(NOW);
        assertThat(report.getEndTime()).isEqualTo(NOW.plusSeconds(9));
        assertThat(jobs.report(ended, NOW.plusSeconds(20))).isEqualTo(report);
        assertThat(report.getQueueSequence()).isZero();
    }

    private static NodeReport node(String line) {
        return NodeTranslation.report("c1", parse(NodeAttributes.VOCABULARY, line))
                .orElseThrow();
    }

    private JobReport job(String line) {
        return jobs.report(parse(JobAttributes.VOCABULARY, line), NOW);
    }

    private static TextObject parse(Vocabulary vocabulary, String line) {
        Problems problems = new Problems();
        TextReader reader = new TextReader(vocabulary, problems);
        reader.read("test", line);
        assertThat(problems.first()).isEmpty();
        return reader.objects().iterator().next();
    }
}
