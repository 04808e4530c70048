package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.trigger.TriggerRules;
import io.weir.scheduler.core.trigger.TriggerTemplate;
import io.weir.schemas.CommandKind;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TriggerFiring;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What fires triggers of each kind of object, and attributes that say whether, when and for whom. */
@NullUnmarked
class TriggerKindsTest {
    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    /** Returns a trigger that says by mail that it fired. */
    private static String mail(String object, String type, String more) {
        String word = type.replaceFirst("[:,].*", "");
        return object + " TRIGGER=EType=" + type + ",AType=mail,Action=\"" + word + " $OID\"" + more + "\n";
    }

    private List<String> said() {
        return site.outputs.stream()
                .map(Output::value)
                .filter(TriggerFiring.class::isInstance)
                .map(firing -> ((TriggerFiring) firing).getBody())
                .toList();
    }

    private SchedulerFixture of(String policy) {
        site.policy(policy).iterate(0);
        return site;
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireWhenNodesAreFirstSeenAndBecomeIdle() {
        of(mail("NODECFG[DEFAULT]", "create", "") + mail("NODECFG[DEFAULT]", "end", ""))
                .nodes(1, 4)
                .adopt("j", 2, 1_000, 0, "n1")
                .iterate(1);
        assertThat(said()).containsExactly("create n1");
        site.end("j", 10).iterate(10);
        assertThat(said()).containsExactly("create n1", "end n1");
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireForTheSchedulersOwnEventsOfANode() {
        of(mail("NODECFG[n1]", "gevent:NodeDown", "").replace("gevent $OID", "down $COUNT")
                        + mail("NODECFG[n1]", "gevent:nodeup", "").replace("gevent $OID", "up")
                        + mail("NODECFG[n1]", "gevent:nodefailing", "").replace("gevent $OID", "failing")
                        + mail("NODECFG[n1]", "gevent:noderesume", "").replace("gevent $OID", "resumed")
                        + mail("NODECFG[n1]", "gevent:nodetransient", "").replace("gevent $OID", "transient"))
                .nodes(2, 4)
                .iterate(1);
        site.node("n1", 4, NodeState.DOWN).node("n2", 4, NodeState.DOWN).iterate(10);
        site.node("n1", 4, NodeState.IDLE).iterate(20);
        site.request("f", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("failing", "disk")))
                .iterate(30);
        site.request("i", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("state", "Idle")))
                .iterate(40);
        site.iterate(50);
        assertThat(said()).containsExactlyInAnyOrder("down 1", "up", "transient", "failing", "resumed");
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireForEverythingThatBefallsAJob() {
        StringBuilder policy = new StringBuilder();
        for (String type : List.of("create", "start", "hold", "preempt", "modify", "migrate", "fail", "end")) {
            policy.append(mail("CLASSCFG[batch]", type, ""));
        }
        of(policy.toString()).nodes(3, 4).submit("j", 2, 1_000, report -> report.setJobClass("batch"));
        site.request("h", RequestKind.HOLD_JOB, "j").iterate(10);
        site.iterate(11);
        assertThat(said()).containsExactlyInAnyOrder("create j", "hold j");
        site.fact(
                JobReport.newBuilder(site.job("j", JobState.IDLE, 2, 1, 500, 0, null, null, List.of(), Long.MAX_VALUE))
                        .setJobClass("batch")
                        .build());
        site.iterate(12);
        assertThat(said()).contains("modify j");
        site.request("r", RequestKind.RELEASE_JOB, "j").iterate(20);
        site.iterate(30);
        assertThat(said()).contains("start j");
        String node = site.job("j").getAllocation().get(0).getNodeId();
        String other = node.equals("n2") ? "n3" : "n2";
        site.runsOn("j", Long.MAX_VALUE, new NodeAllocation(other, 2)).iterate(40);
        assertThat(said()).contains("migrate j");
        site.report("j", JobState.SUSPENDED, Long.MAX_VALUE).iterate(50);
        assertThat(said()).contains("preempt j");
        site.report("j", JobState.FAILED, Long.MAX_VALUE).iterate(60);
        assertThat(said())
                .containsExactlyInAnyOrder(
                        "create j", "hold j", "start j", "modify j", "migrate j", "preempt j", "fail j", "end j");
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireWhenAJobGoesBackIntoTheQueueToGoOnFromACheckpoint() {
        of(mail("CLASSCFG[batch]", "checkpoint", "")).nodes(2, 4);
        site.submit("plain", 2, 1_000, report -> report.setJobClass("batch"))
                .submit("able", 2, 1_000, report -> report.setJobClass("batch").setExtension("checkpointable=true"))
                .iterate(10);
        for (String job : List.of("plain", "able")) {
            site.runsOn(job, Long.MAX_VALUE, new NodeAllocation("n1", 2));
        }
        site.iterate(20);
        assertThat(said()).isEmpty();
        for (String job : List.of("plain", "able")) {
            site.report(job, JobState.IDLE, Long.MAX_VALUE);
        }
        site.iterate(30);
        assertThat(said()).containsExactly("checkpoint able");
    }

    @Test
    @Feature("TRIG-1")
    void shouldTakeSchedcfgOfAnyNameForTheScheduler() {
        site.policy(mail("SCHEDCFG[weir]", "create", "")
                        + mail("SCHEDCFG[x]", "start", "")
                        + mail("SCHEDCFG[weir]", "threshold,Threshold=freenodes<1", ""))
                .iterate(0);
        site.iterate(1);
        assertThat(said()).contains("create c", "start c", "threshold c");
        assertThat(SitePolicy.read("SCHEDCFG[a] MODE=NORMAL\nSCHEDCFG[b] MODE=MONITOR")
                        .problems())
                .extracting(PolicyProblem::toString)
                .containsExactly("WARNING line 2: SCHEDCFG[b]: the scheduler is called a before; a configuration is for"
                        + " one, so this is taken for the same");
    }

    @Test
    @Feature("TRIG-1")
    void shouldTakeTheOnlyResourceManagerWithTriggersForTheOnlyConnector() {
        TriggerRules one = SitePolicy.read(mail("RMCFG[DEFAULT]", "fail", "") + mail("RMCFG[toy]", "fail", ""))
                .policy()
                .triggers();
        TriggerRules two = SitePolicy.read(mail("RMCFG[toy]", "fail", "") + mail("RMCFG[Slurm]", "fail", ""))
                .policy()
                .triggers();

        assertThat(one.ofManager("rm", true))
                .extracting(TriggerTemplate::id)
                .containsExactly("RMCFG.DEFAULT.1", "RMCFG.toy.1");
        assertThat(one.ofManager("rm", false)).extracting(TriggerTemplate::id).containsExactly("RMCFG.DEFAULT.1");
        assertThat(two.ofManager("rm", true)).isEmpty();
        assertThat(two.ofManager("slurm", false))
                .extracting(TriggerTemplate::id)
                .containsExactly("RMCFG.Slurm.1");
        of(mail("RMCFG[toy]", "start", "")).hello(2).iterate(1);
        assertThat(said()).containsExactly("start rm");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stop", "shutdown"})
    @Feature("TRIG-1")
    void shouldFireWhenTheSchedulerIsNewAndWhenItIsStopped(String action) {
        site.policy(mail("SCHEDCFG[c]", "create", "") + mail("SCHEDCFG[c]", "end", ""))
                .iterate(0);
        site.iterate(1);
        assertThat(said()).containsExactly("create c");
        site.request("s", RequestKind.CONTROL_SCHEDULER, "-", List.of(new NameValue("action", action)))
                .iterate(10);
        site.iterate(11);
        assertThat(said()).containsExactly("create c", "end c");
    }

    @Test
    @Feature("TRIG-1")
    void shouldTellTheOwnersOfTheJobsOnANode() {
        of("NODECFG[n1] TRIGGER=EType=gevent:hot,AType=jobaction,Action=\"notify:$OID is hot;class=batch\",Sets=told\n")
                .nodes(2, 4);
        for (String job : List.of("a", "b", "other", "far")) {
            site.submit(job, 1, 1_000, report -> report.setJobClass(job.equals("other") ? "x" : "batch"));
            site.runsOn(job, Long.MAX_VALUE, new NodeAllocation(job.equals("far") ? "n2" : "n1", 1));
        }
        site.iterate(1);
        site.request("e", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("gevent", "hot")))
                .iterate(10);
        site.iterate(11);
        assertThat(site.outputs.stream()
                        .map(Output::value)
                        .filter(Notification.class::isInstance)
                        .map(Notification.class::cast)
                        .filter(each -> each.getEvent().equals("jobnotify")))
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.getText()).contains("n1 is hot").contains("(jobs a, b)");
                    assertThat(each.getRecipients()).containsExactly("ann");
                });
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireAtThresholdsOfNodesReservationsAndTheScheduler() {
        site.nodes(3, 4);
        of(mail("NODECFG[n1]", "threshold,Threshold=cpuload>3", "")
                        + mail("NODECFG[n2]", "threshold,Threshold=availmem<100", "")
                        + mail("NODECFG[n3]", "threshold,Threshold=availproc<=1", "")
                        + mail("SCHEDCFG[c]", "threshold,Threshold=freenodes<3", "")
                        + mail("SCHEDCFG[c]", "threshold,Threshold=downnodes>=1", ""))
                .node("n1", 4, NodeState.IDLE, node -> node.setLoad(2.5))
                .node("n2", 4, NodeState.IDLE, node -> node.setAvailableMemoryMb(500L))
                .node("n3", 4, NodeState.IDLE, node -> node.setAvailableProcs(4))
                .iterate(10);
        assertThat(said()).isEmpty();
        site.node("n1", 4, NodeState.IDLE, node -> node.setLoad(3.5)).iterate(20);
        site.node("n2", 4, NodeState.IDLE, node -> node.setAvailableMemoryMb(50L))
                .iterate(30);
        site.node("n3", 4, NodeState.IDLE, node -> node.setAvailableProcs(1)).iterate(40);
        assertThat(said()).containsExactly("threshold n1", "threshold n2", "threshold n3");
        site.node("n2", 4, NodeState.DOWN).iterate(50);
        assertThat(said()).hasSize(5).endsWith("threshold c", "threshold c");
    }

    @Test
    @Feature("TRIG-1")
    void shouldNotFireAfterItsExpiry() {
        of(mail("NODECFG[DEFAULT]", "fail", ",MultiFire=TRUE,ExpireTime=" + at(100).getEpochSecond()))
                .nodes(1, 4)
                .iterate(1);
        site.node("n1", 4, NodeState.DOWN).iterate(10);
        site.node("n1", 4, NodeState.IDLE).iterate(20);
        assertThat(said()).hasSize(1);
        site.node("n1", 4, NodeState.DOWN).iterate(101);
        assertThat(said()).hasSize(1);
    }

    @Test
    @Feature("TRIG-1")
    void shouldSeeVariablesOfOtherObjectsWithGlobalvars() {
        of("NODECFG[n1] TRIGGER=EType=fail,AType=mail,Action=\"set $OID\",Sets=^alarm\n"
                        + "NODECFG[n2] TRIGGER=EType=fail,AType=mail,Action=\"own $OID\",Requires=alarm\n"
                        + "NODECFG[n3] TRIGGER=EType=fail,AType=mail,Action=\"global $OID\",Requires=alarm,"
                        + "Flags=globalvars\n")
                .nodes(3, 4)
                .iterate(1);
        site.node("n1", 4, NodeState.DOWN).iterate(10);
        answer("fail", DeliveryOutcome.DELIVERED);
        site.node("n2", 4, NodeState.DOWN).node("n3", 4, NodeState.DOWN).iterate(20);
        assertThat(said()).containsExactly("set n1", "global n3");
    }

    private void waits(String setting, String firstOf) {
        of(setting + "NODECFG[n2] TRIGGER=EType=fail,AType=mail,Action=\"own $OID\",Requires=alarm\n"
                        + "NODECFG[n3] TRIGGER=EType=fail,AType=mail,Action=\"global $OID\",Requires=alarm,"
                        + "Flags=globalvars\n")
                .nodes(3, 4)
                .iterate(1);
        site.node("n2", 4, NodeState.DOWN).node("n3", 4, NodeState.DOWN).iterate(5);
        assertThat(said()).isEmpty();
        site.node(firstOf, 4, NodeState.DOWN);
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireWhenAVariableIsExportedForWhichItWaits() {
        waits("NODECFG[n1] TRIGGER=EType=fail,AType=mail,Action=\"set $OID\",Sets=^alarm\n", "n1");
        site.iterate(10);
        assertThat(said()).containsExactly("set n1");
        answer("fail", DeliveryOutcome.DELIVERED);
        assertThat(said()).as("in the iteration that learns of it").containsExactly("set n1", "global n3");
        site.iterate(20);
        assertThat(said()).hasSize(2);
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireWithTheTriggerThatSetsWhatItWaitsForInTheSameIteration() {
        waits(
                "NODECFG[n1] TRIGGER=EType=fail,AType=event,Action=\"siteevent $OID\",Sets=^alarm\n"
                        + "GEVENTCFG[siteevent] ACTION=record\n",
                "n1");
        site.iterate(10);
        assertThat(said()).containsExactly("global n3");
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireInTheIterationInWhichARequestSetsWhatItWaitsFor() {
        waits("NODECFG[n1] TRIGGER=EType=fail,AType=internal,Action=\"node:-:drain\",Sets=^alarm\n", "n1");
        site.iterate(10);
        assertThat(said()).containsExactly("global n3");
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireWhenATriggerOfTheSchedulerSetsWhatItWaitsFor() {
        waits(
                "SCHEDCFG[DEFAULT] TRIGGER=EType=threshold,Threshold=downnodes>2,AType=event,"
                        + "Action=\"siteevent $OID\",Sets=alarm\nGEVENTCFG[siteevent] ACTION=record\n",
                "n1");
        site.iterate(10);
        assertThat(said()).containsExactly("global n3");
    }

    @Test
    @Feature("TRIG-1")
    void shouldNotFireMoreThanAnIterationMayThoughOneWakesAll() {
        of("NODECFG[n1] TRIGGER=EType=fail,AType=mail,Action=\"set $OID\",Sets=^alarm\n"
                        + "NODECFG[DEFAULT] TRIGGER=EType=fail,AType=mail,Action=\"global $OID\",Requires=alarm,"
                        + "Flags=globalvars\n")
                .nodes(700, 4)
                .iterate(1);
        for (int i = 2; i <= 700; i++) {
            site.node("n" + i, 4, NodeState.DOWN);
        }
        site.iterate(5);
        site.iterate(6);
        assertThat(said()).isEmpty();
        site.node("n1", 4, NodeState.DOWN).iterate(10);
        answer("fail", DeliveryOutcome.DELIVERED);
        assertThat(site.lastFirings()).hasSize(500);
        assertThat(site.lastResult.nextWake()).isEqualTo(at(12));
        site.iterate(12);
        assertThat(said()).hasSize(1 + 700).doesNotHaveDuplicates();
    }

    private void answer(String why, DeliveryOutcome outcome) {
        TriggerFiring firing = site.lastFirings().get(0);
        site.fact(DeliveryResult.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setDeliveryId(firing.getFiringId())
                .setChannel(firing.getActionType())
                .setOutcome(outcome)
                .setAttempts(1)
                .setTime(at(0))
                .setKind("firing")
                .setMessage(why)
                .build());
        site.iterate(11);
    }

    @Test
    @Feature("TRIG-4")
    void shouldCancelTheJobWhoseTriggerFailed() {
        of("CLASSCFG[batch] TRIGGER=EType=start,AType=exec,Action=/opt/prepare,FailurePolicy=cancel,Flags=user")
                .nodes(1, 4)
                .submit("j", 2, 1_000, report -> report.setJobClass("batch"))
                .iterate(5);
        site.iterate(6);
        assertThat(site.outputs.stream().map(Output::value).filter(TriggerFiring.class::isInstance))
                .singleElement()
                .satisfies(firing ->
                        assertThat(((TriggerFiring) firing).getRunAs()).isEqualTo("ann"));
        site.fact(DeliveryResult.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setDeliveryId(site.outputs.stream()
                        .map(Output::value)
                        .filter(TriggerFiring.class::isInstance)
                        .map(firing -> ((TriggerFiring) firing).getFiringId())
                        .findFirst()
                        .orElseThrow())
                .setChannel("exec")
                .setOutcome(DeliveryOutcome.FAILED)
                .setAttempts(1)
                .setTime(at(0))
                .setKind("firing")
                .setCode(1)
                .build());
        site.iterate(10);
        site.iterate(11);
        assertThat(commands()).contains(CommandKind.CANCEL_JOB);
    }

    private List<CommandKind> commands() {
        return site.outputs.stream()
                .map(Output::value)
                .filter(RmCommand.class::isInstance)
                .map(command -> ((RmCommand) command).getKind())
                .toList();
    }

    @Test
    @Feature({"TRIG-3", "CAT-33"})
    void shouldPreemptTheJobsOfANodeAndCancelAReservation() {
        of("NODECFG[n1] TRIGGER=EType=gevent:hot,AType=jobpreempt,Action=requeue\n")
                .nodes(2, 4)
                .adopt("a", 2, 1_000, 0, "n1")
                .adopt("b", 2, 1_000, 0, "n2")
                .iterate(1);
        site.request("e", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("gevent", "hot")))
                .iterate(10);
        site.iterate(11);
        site.iterate(12);
        assertThat(site.outputs.stream()
                        .map(Output::value)
                        .filter(RmCommand.class::isInstance)
                        .map(command -> ((RmCommand) command).getKind() + " " + ((RmCommand) command).getJobId()))
                .containsExactly("REQUEUE_JOB a");

        site.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(
                                new NameValue("hostexp", "^n2$"),
                                new NameValue("flags", "ignjobrsv"),
                                new NameValue("trigger", "EType=start,AType=cancel,Offset=0:10")))
                .iterate(20);
        assertThat(site.publishedReservations).hasSize(1);
        site.iterate(30);
        site.iterate(31);
        assertThat(site.publishedReservations).isEmpty();
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireWhenAResourceManagerFailsAndComesBack() {
        of(mail("RMCFG[rm]", "fail", ",MultiFire=TRUE") + mail("RMCFG[rm]", "start", ",MultiFire=TRUE"))
                .nodes(1, 4)
                .heartbeat(1, true, SchedulerFixture.EPOCH, 1)
                .iterate(1);
        site.iterate(5_000);
        site.iterate(5_001);
        assertThat(said()).contains("fail rm");
        site.hello(SchedulerFixture.EPOCH + 1);
        site.iterate(5_002);
        assertThat(said()).contains("start rm");
    }
}
