package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.Measurement;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TriggerFiring;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each variable that texts of triggers and events may name, with what it stands for. */
@NullUnmarked
class VariablesTest {
    private static final String OWNED = "MAILDOMAIN example.org\nUSERCFG[bob] EMAILADDRESS=bob@lab.example.org\n";

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private TriggerFiring fired() {
        assertThat(site.lastFirings()).hasSize(1);
        return site.lastFirings().get(0);
    }

    private void node(String id, NodeState state, String os) {
        site.node(id, 4, state, node -> describe(node, os));
    }

    private static void describe(NodeReport.Builder node, String os) {
        node.setOs(os).setCategory("netfail").setReason("link lost");
    }

    private void event(String type, String id, String name, String message, long time) {
        site.fact(new GenericEvent(SchedulerFixture.CLUSTER, name, type, id, message, at(time), null, true, null));
    }

    @Test
    @Feature("TRIG-1")
    void shouldSayOfANodeWhatItIsAndWhy() {
        site.policy(
                "NODECFG[DEFAULT] TRIGGER=EType=fail,AType=mail,Action=\"$ETYPE;$EVENT;$OTYPE;$OID;$STATE;$HOSTLIST;$OS;"
                        + "$CATEGORY;$MESSAGE;$TIME;${TOOLS}\",Env=TOOLS=/opt/tools");
        node("n1", NodeState.IDLE, "debian12");
        site.iterate(0);
        node("n1", NodeState.DOWN, "debian12");
        site.iterate(10);
        assertThat(fired().getBody())
                .isEqualTo("fail;fail;node;n1;DOWN;n1;debian12;NetworkFailure;link lost;Mon Jan 12 13:46:50 1970;"
                        + "/opt/tools");
    }

    /** Env before what is known, that before what triggers set, and that before what others set on the object. */
    @Test
    @Feature("TRIG-5")
    void shouldTakeTheNearestOfVariablesWithOneName() {
        site.policy("GEVENTCFG[seen] ACTION=record\nNODECFG[n1] VARIABLE=A=configured,B=configured\n"
                        + "NODECFG[n1] TRIGGER=EType=create,AType=event,Action=\"seen x\",Sets=A\n"
                        + "NODECFG[n1] TRIGGER=EType=fail,AType=mail,Action=\"$A;$B;$OS;$STATE\",Env=OS=mine")
                .iterate(0);
        node("n1", NodeState.IDLE, "debian12");
        site.iterate(1);
        node("n1", NodeState.DOWN, "debian12");
        site.iterate(10);
        assertThat(fired().getBody()).isEqualTo("TRUE;configured;mine;DOWN");
    }

    @Test
    @Feature("TRIG-5")
    void shouldPutInWhatAllShareWhereTheTriggerSaysSo() {
        site.policy(
                        "GEVENTCFG[seen] ACTION=record\nNODECFG[n1] TRIGGER=EType=create,AType=event,Action=\"seen x\",Sets=^alarm\n"
                                + "NODECFG[n2] TRIGGER=EType=fail,AType=mail,Action=\"$alarm\",Flags=globalvars\n"
                                + "NODECFG[n3] TRIGGER=EType=fail,AType=mail,Action=\"$alarm\"")
                .iterate(0);
        site.nodes(3, 4).iterate(1);
        site.node("n2", 4, NodeState.DOWN).iterate(10);
        assertThat(fired().getBody()).isEqualTo("TRUE");
        site.node("n3", 4, NodeState.DOWN).iterate(20);
        assertThat(fired().getBody()).isEqualTo("$alarm");
    }

    @Test
    @Feature("TRIG-5")
    void shouldWarnOfAVariableThatNothingGaveAValue() {
        site.policy("NODECFG[n1] TRIGGER=EType=fail,AType=mail,Action=\"$OID ${NODE} \\$kept\"")
                .nodes(1, 4)
                .iterate(0);
        site.node("n1", 4, NodeState.DOWN).iterate(10);
        assertThat(fired().getBody()).isEqualTo("n1 ${NODE} $kept");
        site.iterate(11);
        assertThat(site.outputs.stream()
                        .map(Output::value)
                        .filter(Notification.class::isInstance)
                        .map(Notification.class::cast)
                        .filter(notification -> notification.getEvent().equals("trigvariable"))
                        .map(Notification::getText))
                .singleElement()
                .asString()
                .contains("not known and stay as they are written: NODE");
    }

    @Test
    @Feature("TRIG-1")
    void shouldSayOfAThresholdWhatWasMeasured() {
        site.policy("NODECFG[n1] TRIGGER=EType=threshold,Threshold=gmetric[temp]>34,AType=mail,"
                + "Action=\"$METRIC is $VALUE, above $THRESHOLD\"");
        site.node("n1", 4, NodeState.IDLE, node -> node.setMetrics(List.of(new Measurement("temp", 35.5))))
                .iterate(0);
        assertThat(fired().getBody()).isEqualTo("temp is 35.5, above 34.0");
    }

    @Test
    @Feature("TRIG-1")
    void shouldSayOfAnEventHowGraveItIs() {
        site.policy("GEVENTCFG[fan] ACTION=record SEVERITY=3\n"
                        + "NODECFG[n1] TRIGGER=EType=gevent:fan,AType=mail,Action=\"$SEVERITY $COUNT $MESSAGE\"")
                .nodes(1, 4)
                .iterate(0);
        event("node", "n1", "fan", "stopped", 10);
        site.iterate(10);
        assertThat(fired().getBody()).isEqualTo("3 1 stopped");
    }

    @Test
    @Feature("TRIG-1")
    void shouldSayOfAJobWhoseItIsAndHowItEnded() {
        site.policy(OWNED + "CLASSCFG[batch] TRIGGER=EType=start,AType=mail,"
                        + "Action=\"$JOBID;$USER;$OWNERMAIL;$MASTERHOST;$HOSTLIST;$STATE\"\n"
                        + "CLASSCFG[batch] TRIGGER=EType=end,AType=mail,Action=\"$JOBID;$COMPLETIONCODE;$STATE\"")
                .nodes(2, 4)
                .iterate(0);
        JobReport.Builder job = JobReport.newBuilder(site.job(
                        "j",
                        JobState.RUNNING,
                        2,
                        4,
                        1_000,
                        0,
                        at(0),
                        null,
                        List.of(new NodeAllocation("n1", 4), new NodeAllocation("n2", 4)),
                        0))
                .setUser("bob")
                .setJobClass("batch");
        site.fact(job.build());
        site.iterate(10);
        assertThat(fired().getBody()).isEqualTo("j;bob;bob@lab.example.org;n1;n1,n2;RUNNING");

        site.fact(job.setState(JobState.FAILED)
                .setEndTime(at(20))
                .setExitCode(3)
                .setAllocation(List.of())
                .build());
        site.iterate(20);
        assertThat(site.lastFirings()).extracting(TriggerFiring::getBody).contains("j;3;FAILED");
    }

    /** A job on two nodes. */
    private JobReport.Builder running(String id) {
        return JobReport.newBuilder(site.job(
                        id,
                        JobState.RUNNING,
                        2,
                        2,
                        1_000,
                        0,
                        at(0),
                        null,
                        List.of(new NodeAllocation("n2", 2), new NodeAllocation("n1", 2)),
                        Long.MAX_VALUE))
                .setUser("bob")
                .setJobClass("batch");
    }

    private void ends(JobReport.Builder job, JobState state, long time) {
        site.fact(job.setState(state)
                .setEndTime(at(time))
                .setAllocation(List.of())
                .build());
        site.iterate(time);
    }

    @ParameterizedTest
    @CsvSource({"jobend, COMPLETED", "jobfail, FAILED", "jobcancel, CANCELLED"})
    @Feature({"TRIG-1", "NOTE-3"})
    void shouldSayWhereAJobRanThatIsOver(String event, JobState end) {
        String type = event.substring("job".length());
        site.policy("GEVENTCFG[" + event + "] ACTION=execute:/opt/look?$HOSTLIST?$MASTERHOST\n"
                        + "CLASSCFG[batch] TRIGGER=EType=" + type + ",AType=mail,Action=\"$HOSTLIST;$MASTERHOST\"")
                .nodes(2, 4)
                .iterate(0);
        JobReport.Builder job = running("j");
        site.fact(job.build());
        site.iterate(10);
        ends(job, end, 20);
        assertThat(site.lastFirings())
                .extracting(
                        TriggerFiring::getActionType,
                        firing -> String.join(";", firing.getArguments()) + firing.getBody())
                .containsExactlyInAnyOrder(tuple("exec", "n2,n1;n2null"), tuple("mail", "n2,n1;n2"));
    }

    @Test
    @Feature("TRIG-1")
    void shouldSayWhereAJobRanThatIsBackInTheQueue() {
        site.policy("CLASSCFG[batch] TRIGGER=EType=preempt,AType=mail,Action=\"$HOSTLIST;$MASTERHOST\"\n"
                        + "CLASSCFG[batch] TRIGGER=EType=create,AType=mail,Action=\"$HOSTLIST;$MASTERHOST\"")
                .nodes(2, 4)
                .iterate(0);
        JobReport.Builder job = running("j").setState(JobState.IDLE).setAllocation(List.of());
        site.fact(job.build());
        site.iterate(5);
        assertThat(fired().getBody()).as("before its first run").isEqualTo(";");
        site.fact(running("j").build());
        site.iterate(10);
        site.fact(job.build());
        site.iterate(20);
        assertThat(fired().getBody()).isEqualTo("n2,n1;n2");
    }

    @Test
    @Feature("TRIG-1")
    void shouldDescribeAReservationInXmlThatItsTextsCannotBreak() {
        site.policy(OWNED);
        node("n1", NodeState.IDLE, "debian12");
        node("n2", NodeState.IDLE, "debian13");
        site.iterate(0);
        site.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(
                                new NameValue("hostexp", "^n[12]$"),
                                new NameValue("starttime", "+100"),
                                new NameValue("duration", "1:00:00"),
                                new NameValue("owner", "USER:ann"),
                                new NameValue("comment", "\"/><rsv Name='x' & y"),
                                new NameValue(
                                        "trigger",
                                        "EType=start,AType=mail,Action=\"$OWNER;$OWNERMAIL;$OS;$HOSTLIST;$OBJECTXML\"")))
                .iterate(1);
        String id = site.publishedReservations.keySet().iterator().next();
        long start = at(101).getEpochSecond();
        site.iterate(101);
        assertThat(fired().getBody())
                .isEqualTo("ann;ann@example.org;debian12,debian13;n1,n2;<rsv Name=\"" + id
                        + "\" Owner=\"USER:ann\" StartTime=\""
                        + start + "\" EndTime=\"" + (start + 3_600) + "\" Procs=\"8\" HostList=\"n1,n2\""
                        + " Comment=\"&quot;/&gt;&lt;rsv Name=&apos;x&apos; &amp; y\"/>");
    }

    @Test
    @Feature("NOTE-3")
    void shouldSayOfAConditionWhatWasMeasured() {
        site.policy(
                "GEVENTCFG[temp>50] ACTION=execute:/opt/cool?$METRIC?$VALUE?$THRESHOLD?$CATEGORY?$SEVERITY?$HOSTLIST?"
                        + "$OTYPE?$OS?$COUNT SEVERITY=2");
        node("n1", NodeState.IDLE, "debian12");
        site.iterate(0);
        event("node", "n1", "temp>50", "temp is 51.5, 50.25 on average over 60 s", 10);
        site.iterate(10);
        assertThat(fired().getArguments())
                .containsExactly("temp", "51.5", "50.0", "NetworkFailure", "2", "n1", "node", "debian12", "1");
    }

    @Test
    @Feature("NOTE-3")
    void shouldSayWhoseTheJobOfAnEventIs() {
        site.policy(OWNED + "GEVENTCFG[slow] ACTION=execute:/opt/look?$JOBID?$USER?$OWNERMAIL?$MASTERHOST")
                .nodes(1, 4)
                .adopt("j", 2, 1_000, 0, "n1")
                .iterate(0);
        event("job", "j", "slow", "no progress", 10);
        site.iterate(10);
        assertThat(fired().getArguments()).containsExactly("j", "ann", "ann@example.org", "n1");
    }
}
