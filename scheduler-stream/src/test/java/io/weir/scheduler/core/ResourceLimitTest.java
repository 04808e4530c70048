package io.weir.scheduler.core;

import static io.weir.scheduler.core.NodeAllocationTest.nodesOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RmCommand;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What classes allow, and what becomes of jobs that use more than they asked for. */
@NullUnmarked
class ResourceLimitTest {
    private static final long HOUR = 3600;
    private static final String CLASS = "CLASSCFG[interactive] HOSTLIST=i1,i2 MAX.CPUTIME=900\n";

    private final SchedulerFixture weir = new SchedulerFixture();

    @Test
    @Feature("ALLOC-10")
    void shouldKeepAClassOnItsHosts() {
        weir.policy(CLASS).node("i1", 1, NodeState.IDLE).node("i2", 1, NodeState.IDLE);
        weir.node("compute", 4, NodeState.IDLE);
        for (int i = 1; i <= 3; i++) {
            weir.submit("j" + i, 1, HOUR, interactive());
        }
        weir.submit("free", 4, HOUR).iterate(0);
        assertThat(nodesOf(weir, "j1")).containsExactly("i2");
        assertThat(nodesOf(weir, "j2")).containsExactly("i1");
        assertThat(nodesOf(weir, "j3")).isEmpty();
        assertThat(nodesOf(weir, "free")).containsExactly("compute");
    }

    @Test
    @Feature("ALLOC-10")
    void shouldKeepAClassOnTheHostsOfAnExpression() {
        weir.policy("CLASSCFG[interactive] HOSTLIST=^i0[1-2]$,login")
                .node("i01", 1, NodeState.IDLE)
                .node("i03", 1, NodeState.IDLE)
                .node("login", 1, NodeState.IDLE)
                .node("login2", 1, NodeState.IDLE);
        weir.submit("j1", 1, HOUR, interactive())
                .submit("j2", 1, HOUR, interactive())
                .submit("j3", 1, HOUR, interactive())
                .iterate(0);

        assertThat(nodesOf(weir, "j1")).containsExactly("login");
        assertThat(nodesOf(weir, "j2")).containsExactly("i01");
        assertThat(nodesOf(weir, "j3")).isEmpty();
    }

    @Test
    @Feature("ALLOC-11")
    void shouldRefuseAJobThatAsksForMoreThanItsClassAllows() {
        weir.policy(CLASS).node("i1", 4, NodeState.IDLE).iterate(0);
        weir.submit("most", 1, HOUR, interactive().andThen(job -> job.setExtension("cput=900")))
                .submit("more", 1, HOUR, interactive().andThen(job -> job.setExtension("cput=901")))
                .submit("open", 1, HOUR, interactive())
                .iterate(1);
        assertThat(weir.started()).containsExactly("most", "open");
        assertThat(weir.job("more").getHeld()).isTrue();
        assertThat(weir.job("more").getMessages()).singleElement().asString().contains("901", "900");

        assertThat(weir.job("more").getHolds()).containsExactly("BATCH");

        weir.requestBy("ann", "own", RequestKind.RELEASE_JOB, "more").iterate(2);
        assertThat(weir.lastAnswers().get(0).getMessage()).contains("batch hold");
        weir.request("r", RequestKind.RELEASE_JOB, "more", List.of(new NameValue("type", "batch")))
                .iterate(2);
        assertThat(weir.started()).containsExactly("more");
    }

    @Test
    void shouldHoldTheLimitsOfSizeAndTime() {
        weir.policy("CLASSCFG[c] MAX.WCLIMIT=1:00:00 MAX.PROC=4 MIN.PROC=2").nodes(4, 4);
        Consumer<JobReport.Builder> inClass = job -> job.setJobClass("c");
        weir.submit("long", 2, HOUR + 1, inClass)
                .submit("large", 5, HOUR, inClass)
                .submit("small", 1, HOUR, inClass)
                .submit("right", 4, HOUR, inClass)
                .submit("other", 5, HOUR)
                .iterate(0);
        assertThat(weir.started()).containsExactly("right", "other");
        assertThat(List.of("long", "large", "small"))
                .allMatch(id -> weir.job(id).getHeld());
    }

    @Test
    @Feature({"ALLOC-8", "ALLOC-11"})
    void shouldCancelAJobThatConsumedMoreThanItsClassAllows() {
        weir.policy(CLASS + "RESOURCELIMITPOLICY CPUTIME:ALWAYS:CANCEL").node("i1", 4, NodeState.IDLE);
        weir.submit("j", 1, HOUR, interactive()).iterate(0);
        used("j", 900, null);
        weir.iterate(10);
        assertThat(weir.lastCommands()).isEmpty();
        used("j", 901, null);
        weir.iterate(20);
        assertThat(weir.lastCommands())
                .extracting(RmCommand::getKind, RmCommand::getJobId)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(CommandKind.CANCEL_JOB, "j"));
        weir.iterate(21);
        assertThat(weir.lastCommands()).isEmpty();
    }

    @Test
    @Feature("ALLOC-8")
    void shouldActOnlyOnAViolationThatLasts() {
        weir.rebuildingAlways()
                .policy("RESOURCELIMITPOLICY MEM:EXTENDEDVIOLATION:REQUEUE:60")
                .node("n1", 4, NodeState.IDLE, n -> n.setMemoryMb(4000));
        weir.submit("j", 1, HOUR, job -> job.setExtension("mem=100")).iterate(0);
        used("j", 1, 101L);
        weir.iterate(10);
        assertThat(weir.lastCommands()).isEmpty();
        used("j", 2, 100L);
        weir.iterate(20);
        used("j", 3, 101L);
        weir.iterate(30).iterate(89);
        assertThat(weir.lastCommands()).isEmpty();
        weir.iterate(90);
        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.REQUEUE_JOB);
    }

    @Test
    @Feature("ALLOC-8")
    void shouldTellOnce() {
        weir.policy("RESOURCELIMITPOLICY CPUTIME:ALWAYS:NOTIFY").nodes(1, 4);
        weir.submit("j", 1, HOUR, job -> job.setExtension("cput=10")).iterate(0);
        used("j", 11, null);
        weir.iterate(1);
        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).containsExactly("joblimit");
        weir.iterate(2);
        assertThat(weir.lastNotifications()).isEmpty();
    }

    private static Consumer<JobReport.Builder> interactive() {
        return job -> job.setJobClass("interactive");
    }

    private void used(String id, long cpuSeconds, Long memoryMb) {
        JobStatus known = weir.job(id);
        weir.fact(JobReport.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setJobId(id)
                .setQueueSequence(known.getQueueSequence())
                .setUser(known.getUser())
                .setJobClass(known.getJobClass())
                .setState(JobState.RUNNING)
                .setTasks(1)
                .setWalltimeSeconds(known.getWalltimeSeconds())
                .setSubmitTime(known.getSubmitTime())
                .setStartTime(known.getStartTime())
                .setAllocation(known.getAllocation())
                .setExtension(known.getExtension())
                .setUsedCpuSeconds(cpuSeconds)
                .setUsedMemoryMb(memoryMb)
                .setAsOfCommand(Long.MAX_VALUE)
                .build());
    }
}
