package io.weir.scheduler.core;

import static io.weir.scheduler.core.NodeAllocationTest.nodesOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What operators change of a job's request holds whatever the resource manager goes on to report. */
@NullUnmarked
class JobModificationTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    @Test
    void shouldRunOnTheNodesAnOperatorNames() {
        weir.nodes(3, 1).adopt("r", 1, 100, 0, "n2").submit("j", 1, HOUR);
        modify("root", "nodelist", "n2");
        weir.iterate(1);
        assertThat(weir.started()).isEmpty();
        assertThat(outcome()).isEqualTo(RequestOutcome.ACCEPTED);
        weir.report("j", JobState.IDLE, Long.MAX_VALUE)
                .rebuildingAlways()
                .end("r", 50)
                .iterate(50);
        assertThat(nodesOf(weir, "j")).containsExactly("n2");
    }

    @Test
    void shouldRefuseNodesThatDoNotExist() {
        weir.nodes(1, 1).submit("j", 1, HOUR);
        modify("root", "nodelist", "n1,n7");
        weir.iterate(0);
        assertThat(weir.lastAnswers().get(0).getMessage()).contains("'n7'");
        assertThat(weir.job("j").getOrders()).isEmpty();
    }

    @Test
    void shouldKeepAnotherFailurePolicy() {
        weir.nodes(1, 1).submit("j", 1, HOUR, job -> job.setExtension("resfailpolicy=cancel"));
        modify("ann", "resfailpolicy", "requeue*");
        weir.iterate(0);
        assertThat(outcome()).isEqualTo(RequestOutcome.ACCEPTED);
        assertThat(weir.job("j").getOrders()).containsExactly("resfailpolicy=REQUEUE*");
        modify("ann", "resfailpolicy", "dance");
        weir.iterate(1);
        assertThat(outcome()).isEqualTo(RequestOutcome.REFUSED);
    }

    /** OP1 with the delay of one job in place of the site's. */
    @Test
    @Feature("SET-30")
    void shouldLetAnOperatorOnlySayHowLongAJobWaitsForANodeSet() {
        weir.policy("NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETLIST a,b");
        for (int i = 1; i <= 2; i++) {
            weir.node("a" + i, 1, NodeState.IDLE, node -> node.setFeatures(List.of("a")));
            weir.node("b" + i, 1, NodeState.IDLE, node -> node.setFeatures(List.of("b")));
        }
        weir.adopt("ra", 1, HOUR, 0, "a1").adopt("rb", 1, 2 * HOUR, 0, "b1").submit("j", 2, HOUR);
        modify("ann", "nodesetdelay", "2:00:00");
        modify("root", "nodesetdelay", "2:00:00");
        weir.iterate(0);
        assertThat(weir.lastAnswers())
                .extracting(io.weir.schemas.RequestResult::getOutcome)
                .containsExactly(RequestOutcome.REFUSED, RequestOutcome.ACCEPTED);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("j")).isEqualTo(HOUR);

        modify("root", "nodesetdelay", "0:10:00");
        weir.iterate(10);
        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    void shouldAttachVariablesAndMetricsThatOutliveReports() {
        weir.nodes(1, 1).submit("j", 1, HOUR);
        modify("root", "variable", "owner=chem");
        modify("root", "gmetric[temp]", "41.5");
        weir.rebuildingAlways().iterate(0);
        weir.report("j", JobState.RUNNING, Long.MAX_VALUE).iterate(1);
        assertThat(weir.job("j").getMarks())
                .containsExactly(new NameValue("gmetric temp", "41.5"), new NameValue("variable owner", "chem"));

        modify("root", "variable", "-owner");
        modify("root", "gmetric[temp]", "");
        weir.iterate(2);
        assertThat(weir.job("j").getMarks()).isEmpty();
        modify("root", "variable", "-owner");
        modify("root", "gmetric[temp]", "warm");
        weir.iterate(3);
        assertThat(weir.lastAnswers())
                .extracting(io.weir.schemas.RequestResult::getMessage)
                .containsExactly(
                        "nobody attached variable owner to job j", "gmetric[temp] is 'warm'; a number is needed");
    }

    @Test
    void shouldRaiseAnEventAboutAJob() {
        weir.nodes(1, 1).submit("j", 1, HOUR);
        modify("root", "gevent", "diskslow:'scratch is slow'");
        weir.iterate(0);
        assertThat(weir.lastNotifications()).singleElement().satisfies(event -> {
            assertThat(event.getEvent()).isEqualTo("diskslow");
            assertThat(event.getObjectType()).isEqualTo("job");
            assertThat(event.getObjectId()).isEqualTo("j");
            assertThat(event.getText()).isEqualTo("scratch is slow, raised by root");
        });
    }

    @Test
    void shouldSendSignalsToRunningJobsOnly() {
        weir.nodes(1, 1).submit("j", 1, HOUR);
        signal("SIGUSR1");
        weir.iterate(0);
        assertThat(weir.lastAnswers().get(0).getMessage()).isEqualTo("job j is not running but IDLE");

        signal("SIGUSR1");
        weir.iterate(1);
        assertThat(weir.lastCommands()).singleElement().satisfies(command -> {
            assertThat(command.getKind()).isEqualTo(CommandKind.SIGNAL_JOB);
            assertThat(command.getArguments()).containsExactly(new NameValue("signal", "USR1"));
        });
        weir.answer("j", CommandOutcome.REFUSED, 2).iterate(2);
        assertThat(weir.job("j").getPendingCommand()).isNull();
        assertThat(weir.job("j").getState()).isEqualTo(JobState.RUNNING);
        assertThat(weir.lastNotifications().get(0).getText()).isEqualTo("SIGNAL_JOB of job j refused: says the rm");
        signal("kill -9");
        weir.iterate(3);
        assertThat(outcome()).isEqualTo(RequestOutcome.REFUSED);
    }

    private void signal(String name) {
        weir.request("s" + requests++, RequestKind.SIGNAL_JOB, "j", List.of(new NameValue("signal", name)));
    }

    private RequestOutcome outcome() {
        return weir.lastAnswers().get(0).getOutcome();
    }

    private int requests;

    private void modify(String principal, String name, String value) {
        weir.request(
                "m" + requests++,
                principal,
                principal.equals("root") ? SchedulerFixture.ADMINISTRATOR : null,
                RequestKind.MODIFY_JOB,
                "j",
                List.of(new NameValue(name, value)));
    }
}
