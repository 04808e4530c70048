package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.state.TriggerRecord;
import io.weir.schemas.Measurement;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** A node that gets hot is reserved; if it gets hotter still its jobs go elsewhere; when it is cool again all that is over. */
@NullUnmarked
class EvacuationTest {
    private static final String TEMPERATURE = """
            NODECFG[DEFAULT] TRIGGER=EType=threshold,Threshold=gmetric[temp]>34,AType=internal,Action="node:-:reserve",RearmTime=30,FailOffset=2:00,Sets=temp_rsv
            NODECFG[DEFAULT] TRIGGER=EType=threshold,Threshold=gmetric[temp]>40,AType=internal,Action="node:-:evacuate",RearmTime=3:00,Requires=temp_rsv,Sets=node_evac
            NODECFG[DEFAULT] TRIGGER=EType=threshold,Threshold=gmetric[temp]<25,AType=internal,Action="node:-:release",RearmTime=30,Requires=temp_rsv,Unsets=temp_rsv.node_evac
            """;

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private void temperature(double value, long time) {
        site.node("n1", 8, NodeState.IDLE, node -> node.setMetrics(List.of(new Measurement("temp", value))));
        site.iterate(time);
    }

    private List<String> commands() {
        return site.lastCommands().stream()
                .filter(command -> command.getJobId() != null)
                .map(command -> command.getKind() + " " + command.getJobId())
                .toList();
    }

    private SortedSet<String> variables() {
        SortedSet<String> names = new TreeSet<>();
        site.snapshot().forEach(change -> {
            if (change.value() instanceof TriggerRecord record
                    && record.getObjectId().equals("n1")) {
                record.getVariables().forEach(variable -> names.add(variable.getName() + "=" + variable.getValue()));
            }
        });
        return names;
    }

    private void reserved() {
        site.policy(TEMPERATURE).node("n2", 8, NodeState.IDLE);
        temperature(36, 0);
        site.adopt("a", 2, 10_000, 0, "n1").adopt("b", 2, 10_000, 0, "n1").adopt("far", 2, 10_000, 0, "n2");
        temperature(36, 120);
        assertThat(variables()).containsExactly("temp_rsv=TRUE");
        assertThat(commands()).isEmpty();
    }

    @Test
    @Feature({"TRIG-1", "TRIG-2", "CAT-33"})
    void shouldRequeueTheJobsOfAReservedNodeThatGetsHotterStill() {
        reserved();
        temperature(40, 200);
        assertThat(commands()).as("not beyond 40").isEmpty();
        temperature(41, 210);
        assertThat(commands()).containsExactly("REQUEUE_JOB a", "REQUEUE_JOB b");
        assertThat(variables()).containsExactly("node_evac=TRUE", "temp_rsv=TRUE");
    }

    @Test
    @Feature("TRIG-2")
    void shouldWaitWithTheEvacuationUntilTheNodeIsReserved() {
        site.policy(TEMPERATURE).node("n2", 8, NodeState.IDLE);
        temperature(41, 0);
        site.adopt("a", 2, 10_000, 0, "n1");
        temperature(42, 60);
        site.iterate(119);
        assertThat(commands()).isEmpty();
        assertThat(variables()).isEmpty();
        site.iterate(120);
        site.iterate(121);
        assertThat(site.outputs.stream()
                        .filter(output ->
                                output.value() instanceof RmCommand command && "a".equals(command.getJobId())))
                .singleElement()
                .satisfies(output ->
                        assertThat(((RmCommand) output.value()).getIssuedAt()).isBetween(at(120), at(121)));
        assertThat(variables()).containsExactly("node_evac=TRUE", "temp_rsv=TRUE");
    }

    @Test
    @Feature("TRIG-2")
    void shouldForgetTheEvacuationWhenTheNodeIsCoolAgain() {
        reserved();
        temperature(41, 210);
        assertThat(site.publishedReservations).hasSize(1);
        temperature(24, 500);
        assertThat(site.publishedReservations).isEmpty();
        assertThat(variables()).isEmpty();
    }
}
