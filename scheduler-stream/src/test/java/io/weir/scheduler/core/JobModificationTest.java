package io.weir.scheduler.core;

import static io.weir.scheduler.core.NodeAllocationTest.nodesOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.Request;
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

    private RequestOutcome outcome() {
        return weir.lastAnswers().get(0).getOutcome();
    }

    private int requests;

    private void modify(String principal, String name, String value) {
        weir.fact(new Request(
                SchedulerFixture.CLUSTER,
                "m" + requests++,
                principal,
                RequestKind.MODIFY_JOB,
                "j",
                null,
                SchedulerFixture.at(0),
                List.of(new NameValue(name, value))));
    }
}
