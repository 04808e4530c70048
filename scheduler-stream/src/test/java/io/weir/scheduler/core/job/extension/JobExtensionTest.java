package io.weir.scheduler.core.job.extension;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.policy.node.AllocationPolicyKind;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.scheduler.core.policy.node.TaskDistribution;
import io.weir.scheduler.core.policy.nodeset.NodeSetAttribute;
import io.weir.scheduler.core.policy.nodeset.NodeSetPlus;
import io.weir.scheduler.core.policy.nodeset.NodeSetPolicy;
import io.weir.scheduler.core.policy.nodeset.NodeSetPriority;
import io.weir.scheduler.core.policy.nodeset.NodeSetSpec;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.TaskRequirement;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class JobExtensionTest {
    static {
        AvroTrust.install();
    }

    @Test
    void shouldReadThatThereIsNoTimeLimit() {
        for (String none : new String[] {"0", "-1", "INFINITY", "unlimited"}) {
            assertThat(JobExtension.parse("walltime=" + none).size().walltimeSeconds())
                    .as(none)
                    .isEqualTo(100L * 366 * 86_400);
        }
    }

    @Test
    @Feature("CMD-3")
    void shouldReadAResourceList() {
        JobExtension extension = JobExtension.parse(
                "nodes=4:ppn=2:fast,walltime=1:00:00,pref=feature:fast&mem>=2048,nodeset=ONEOF:FEATURE:switchA,switchB,"
                        + "resfailpolicy=requeue*,nokill,tpn=2+,mem=2G,gres=tape:2,matlab,deadline=+2:00:00");

        assertThat(extension.messages()).isEmpty();
        assertThat(extension.refusal()).isNull();
        assertThat(extension.size().nodes()).containsExactly(new NodesClause(4, null, 2, List.of("fast")));
        assertThat(extension.size().walltimeSeconds()).isEqualTo(3600);
        assertThat(extension.size().tasksPerNode()).isEqualTo(2);
        assertThat(extension.size().tasksPerNodeAtLeast()).isTrue();
        assertThat(extension.place().preference()).isEqualTo("feature:fast&mem>=2048");
        assertThat(extension.place().nodeSet().spec())
                .isEqualTo(
                        new NodeSetSpec(NodeSetPolicy.ONEOF, NodeSetAttribute.FEATURE, List.of("switchA", "switchB")));
        assertThat(extension.failure().policy()).isEqualTo("REQUEUE*");
        assertThat(extension.failure().noKill()).isTrue();
        assertThat(extension.task().memoryMb()).isEqualTo(2048);
        assertThat(extension.task().gres()).containsEntry("tape", 2L).containsEntry("matlab", 1L);
        assertThat(extension.deadline()).isNotNull();
        assertThat(extension.deadline().resolve(100)).isEqualTo(7300);
    }

    @Test
    @Feature("CMD-3")
    void shouldReadTheFormWithColons() {
        JobExtension extension = JobExtension.parse("x=\"NODESET:FIRSTOF:PROCSPEED:450,500;QOS:high;"
                + "NODESETISOPTIONAL:false;NODESETTOLERANCE:0.5;NODESETPRIORITYTYPE:bestfit;NODESETPLUS:spanevenly;"
                + "ADVRES:system.1;NALLOCPOLICY:FASTEST;NACCESSPOLICY:singlejob;TASKDIST:RR;"
                + "PREF(FEATURE:FAST,FEATURE:TAPE);FLAGS:RESTARTABLE,preemptee\"");

        assertThat(extension.messages()).isEmpty();
        assertThat(extension.labels().qos()).isEqualTo("high");
        assertThat(extension.place().nodeSet().optional()).isFalse();
        assertThat(extension.place().nodeSet().tolerance()).isEqualTo(0.5);
        assertThat(extension.place().nodeSet().priority()).isEqualTo(NodeSetPriority.BESTFIT);
        assertThat(extension.place().nodeSet().plus()).isEqualTo(NodeSetPlus.SPANEVENLY);
        assertThat(extension.place().reservation()).isEqualTo("system.1");
        assertThat(extension.place().allocation().kind()).isEqualTo(AllocationPolicyKind.FASTEST);
        assertThat(extension.place().access()).isEqualTo(NodeAccessPolicy.SINGLEJOB);
        assertThat(extension.place().distribution()).isEqualTo(TaskDistribution.RR);
        assertThat(extension.place().preference()).isEqualTo("FEATURE:FAST,FEATURE:TAPE");
        assertThat(extension.flags()).containsExactly("PREEMPTEE", "RESTARTABLE");
    }

    @Test
    void shouldNameTheFirstMistakesOfALongTextOnly() {
        List<String> messages = JobExtension.parse("colour=red,".repeat(5_000)).messages();

        assertThat(messages)
                .hasSize(33)
                .startsWith("unknown extension 'colour', ignored")
                .endsWith("the extension has more that is unknown or wrong, ignored");
    }

    @Test
    void shouldLeaveMessagesForWhatItCannotUse() {
        JobExtension extension = JobExtension.parse(
                "nodes=0,walltime=soon,colour=red,pref=shiny,nodesetdelay=1:00,nallocpolicy=FIRSTFIT,qos=low");

        assertThat(extension.refusal()).isNull();
        assertThat(extension.labels().qos()).isEqualTo("low");
        assertThat(extension.messages())
                .satisfiesExactly(
                        m -> assertThat(m).startsWith("nodes: '0' in '0' is not a number"),
                        m -> assertThat(m).startsWith("walltime: 'soon' is not a time"),
                        m -> assertThat(m).isEqualTo("unknown extension 'colour', ignored"),
                        m -> assertThat(m).contains("'shiny' is no condition"),
                        m -> assertThat(m).startsWith("nodesetdelay: jobs may not set"),
                        m -> assertThat(m).startsWith("nallocpolicy: 'FIRSTFIT' is not available"));
    }

    @Test
    @Feature({"SET-2", "SET-30"})
    void shouldRefuseABadNodeSetAndNameThePart() {
        assertThat(JobExtension.parse("nodeset=SOMEOF:FEATURE:a").refusal())
                .startsWith("nodeset: 'SOMEOF' is not a node set policy");
        assertThat(JobExtension.parse("nodeset=ONEOF:COLOUR").refusal())
                .startsWith("nodeset: 'COLOUR' is not a node set attribute");
        assertThat(JobExtension.parse("nodeset=ONEOF:PROCSPEED:fast").refusal())
                .startsWith("nodeset: 'fast' is not a number");
        assertThat(JobExtension.parse("nodeset=NONE").place().nodeSet().none()).isTrue();
    }

    @Test
    @Feature("CMD-3")
    void shouldSayThatNodesAndProcessorsDoNotAgree() {
        assertThat(JobExtension.parse("procs=8,nodes=2").messages())
                .containsExactly("procs: nodes= says how many processors are asked for; ignored");
        assertThat(JobExtension.parse("procs=8,nodes=2:ppn=4").messages()).isEmpty();
    }

    /** A resource manager may report as flags what its users write there. */
    @Test
    @Feature("RSV-19")
    void shouldReadTheReservationFromReportedFlags() {
        JobRequest named = request(report -> report.setTasks(1).setFlags(List.of("RESTARTABLE", "ADVRES:system.1")));
        assertThat(named.options().reservation()).isEqualTo("system.1");
        assertThat(named.options().flags()).containsExactly("RESTARTABLE");
        assertThat(request(report -> report.setTasks(1).setFlags(List.of("advres")))
                        .options()
                        .reservation())
                .isEmpty();
        assertThat(request(report ->
                                report.setTasks(1).setFlags(List.of("ADVRES")).setReservation("mine"))
                        .options()
                        .reservation())
                .isEqualTo("mine");
        assertThat(request(report -> report.setTasks(1).setFlags(List.of("ADVRESX")))
                        .options()
                        .reservation())
                .isNull();
    }

    @Test
    @Feature("CMD-3")
    void shouldPutWhatIsSaidInItsPlace() {
        JobRequest request = request(report -> report.setTasks(1)
                .setQos("low")
                .setExtension("nodes=2:ppn=4:fast+1:ppn=16:big,mem=512,class=batch,cput=900,os=linux,partition=p1"));

        assertThat(request.requirements()).hasSize(2);
        Requirement fast = request.requirements().get(0);
        assertThat(fast.tasks()).isEqualTo(8);
        assertThat(fast.nodes()).isEqualTo(2);
        assertThat(fast.tasksPerNode()).isEqualTo(4);
        assertThat(fast.resources().memoryMb()).isEqualTo(512);
        assertThat(fast.demands().features()).containsExactly("fast");
        assertThat(fast.demands().os()).isEqualTo("linux");
        assertThat(request.requirements().get(1).tasks()).isEqualTo(16);
        assertThat(request.procs()).isEqualTo(24);
        assertThat(request.credentials().jobClass()).isEqualTo("batch");
        assertThat(request.credentials().qos()).isEqualTo("low");
        assertThat(request.options().cpuLimitSeconds()).isEqualTo(900);
        assertThat(request.options().partitions()).containsExactly("p1");
        Job job = JobEdit.submitted(request).done();
        assertThat(Job.from(job.toRecord("c")).request()).isEqualTo(request);
    }

    @Test
    @Feature("REQ-7")
    void shouldLeaveClassesAndNodesOfRequirementsAloneUnlessItSaysOtherwise() {
        TaskRequirement part = TaskRequirement.newBuilder()
                .setTasks(2)
                .setClasses(List.of("gpu"))
                .setHosts(List.of("n1"))
                .setExcludedHosts(List.of("n2"))
                .setApart(true)
                .build();
        Requirement kept = first(part, "mem=512,feature=fast");
        assertThat(kept.demands().features()).containsExactly("fast");
        assertThat(kept.demands().classes()).containsExactly("gpu");
        assertThat(kept.demands().hosts()).containsExactly("n1");
        assertThat(kept.demands().excludedHosts()).containsExactly("n2");
        assertThat(kept.demands().apart()).isTrue();

        Requirement named = first(part, "hostlist=n3");
        assertThat(named.demands().hosts()).isEmpty();
        assertThat(named.demands().classes()).containsExactly("gpu");
        Requirement joined = first(part, "hostlist=n3+n4+n3*");
        assertThat(joined.demands().hosts()).isEmpty();
        assertThat(joined.demands().requiredHosts()).containsExactly("n3", "n4");
        assertThat(first(part, "hostlist=n3^").demands().requiredHosts()).isEmpty();
        assertThat(first(part, "nodes=1:ppn=2").demands()).isEqualTo(NodeDemands.NONE);
    }

    private static Requirement first(TaskRequirement part, String extension) {
        return request(report ->
                        report.setTasks(2).setRequirements(List.of(part)).setExtension(extension))
                .first();
    }

    @Test
    void shouldLeaveAReportWithoutExtensionAlone() {
        JobRequest request = request(report -> report.setTasks(3).setProcsPerTask(2));

        assertThat(request.extension()).isSameAs(JobExtension.NONE);
        assertThat(request.procs()).isEqualTo(6);
    }

    private static JobRequest request(Consumer<JobReport.Builder> more) {
        JobReport.Builder report = JobReport.newBuilder()
                .setCluster("c")
                .setJobId("1")
                .setState(JobState.IDLE)
                .setQueueSequence(1)
                .setWalltimeSeconds(60L)
                .setSubmitTime(Instant.EPOCH);
        more.accept(report);
        return JobRequest.from(report.build(), "rm");
    }
}
