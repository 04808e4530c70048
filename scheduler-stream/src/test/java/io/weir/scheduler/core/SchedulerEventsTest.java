package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TriggerFiring;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The built-in events about new reservations, and about the beginning and the end of scheduling. */
@NullUnmarked
class SchedulerEventsTest {
    private static final List<String> NAMES = List.of("rsvcreate", "schedstart", "schedstop");

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private void begin() {
        StringBuilder policy = new StringBuilder("ADMINCFG[1] USERS=root\nSRCFG[s] HOSTLIST=n2 PERIOD=DAY\n");
        NAMES.forEach(name ->
                policy.append("GEVENTCFG[").append(name).append("] ACTION=execute:/opt/tell?$EVENT?$OTYPE?$OID\n"));
        site.policy(policy.toString()).nodes(2, 4);
    }

    private List<String> done(long time) {
        int before = all().size();
        site.iterate(time);
        return all().subList(before, all().size());
    }

    private List<String> all() {
        return site.outputs.stream()
                .map(Output::value)
                .filter(TriggerFiring.class::isInstance)
                .map(firing -> String.join(" ", ((TriggerFiring) firing).getArguments()))
                .toList();
    }

    @Test
    @Feature("NOTE-3")
    void shouldTellOnceThatTheSchedulerStarts() {
        begin();
        assertThat(done(0)).contains("schedstart sched c");
        assertThat(done(1)).doesNotContain("schedstart sched c");
        assertThat(done(100)).isEmpty();
        site.hello(SchedulerFixture.EPOCH + 1);
        site.node("n1", 4, NodeState.IDLE);
        assertThat(done(200)).as("a connector that starts is no scheduler").isEmpty();
    }

    @Test
    @Feature("NOTE-3")
    void shouldTellOfEachReservationThatIsMade() {
        begin();
        List<String> first = done(0);
        assertThat(first).anyMatch(event -> event.startsWith("rsvcreate rsv s."));
        site.iterate(1);
        for (String label : List.of("one", "two")) {
            site.request(
                    label,
                    RequestKind.CREATE_RESERVATION,
                    "-",
                    List.of(
                            new NameValue("hostexp", "^n1$"),
                            new NameValue("label", label),
                            new NameValue("flags", "ignrsv"),
                            new NameValue("duration", "1:00:00")));
        }
        assertThat(done(10)).hasSize(2).allMatch(event -> event.matches("rsvcreate rsv (one|two)\\..*"));
        site.publishedReservations.keySet().stream()
                .filter(id -> id.startsWith("one"))
                .findFirst()
                .ifPresent(id -> site.request(
                        "m", RequestKind.MODIFY_RESERVATION, id, List.of(new NameValue("duration", "2:00:00"))));
        assertThat(done(20)).as("it is only changed").isEmpty();
    }

    @Test
    @Feature("NOTE-3")
    void shouldTellOfNoReservationThatIsRefused() {
        begin();
        site.iterate(0);
        site.iterate(1);
        site.request("x", RequestKind.CREATE_RESERVATION, "-", List.of(new NameValue("hostexp", "^n9$")));
        assertThat(done(10)).isEmpty();
    }

    @Test
    @Feature("NOTE-3")
    void shouldTellThatSchedulingStops() {
        begin();
        site.iterate(0);
        site.iterate(1);
        site.request("s", RequestKind.CONTROL_SCHEDULER, "-", List.of(new NameValue("action", "stop")));
        site.iterate(10);
        site.iterate(11);
        site.iterate(12);
        assertThat(all()).filteredOn(event -> event.startsWith("schedstop")).containsExactly("schedstop sched c");
        site.submit("j", 1, 100).iterate(20);
        assertThat(site.started()).isEmpty();
    }

    @Test
    @Feature("NOTE-3")
    void shouldTellThatSchedulingStopsAfterAnIterationWhenItDoes() {
        begin();
        site.iterate(0);
        site.iterate(1);
        long last = site.domain().getIteration() + 3;
        site.request(
                "s",
                RequestKind.CONTROL_SCHEDULER,
                "-",
                List.of(new NameValue("action", "stop"), new NameValue("iteration", Long.toString(last))));
        List<Long> told = new ArrayList<>();
        for (long i = 0; i < 6; i++) {
            if (done(10 + i).contains("schedstop sched c")) {
                told.add(site.domain().getIteration());
            }
        }
        assertThat(told).contains(last);
        assertThat(told).as("not every time that it stands still").hasSizeLessThanOrEqualTo(2);
    }
}
