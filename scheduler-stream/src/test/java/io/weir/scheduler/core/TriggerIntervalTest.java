package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Measurement;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.TriggerFiring;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When triggers fire that may do so more than once: by Interval, RearmTime, Offset and FailOffset. */
@NullUnmarked
class TriggerIntervalTest {
    private static final String ACTION = "AType=event,Action=sitetopic";

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
    private final List<Long> fired = new ArrayList<>();

    /** Iterates every {@code step} seconds; every firing is answered at once. Notes when something fired. */
    private void pass(long from, long to, long step) {
        for (long time = from; time <= to; time += step) {
            site.iterate(time);
            List<TriggerFiring> firings = site.lastFirings();
            for (TriggerFiring firing : firings) {
                fired.add(time);
                answer(firing, time);
            }
        }
    }

    private void answer(TriggerFiring firing, long time) {
        site.fact(DeliveryResult.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setDeliveryId(firing.getFiringId())
                .setChannel("event")
                .setOutcome(DeliveryOutcome.DELIVERED)
                .setAttempts(1)
                .setTime(at(time))
                .setKind("firing")
                .build());
    }

    private void event(long time) {
        site.fact(new GenericEvent(SchedulerFixture.CLUSTER, "fan", "node", "n1", null, at(time), null, true, null));
    }

    private void temperature(double value) {
        site.node("n1", 4, NodeState.IDLE, node -> node.setMetrics(List.of(new Measurement("temp", value))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Interval=TRUE,MultiFire=TRUE,RearmTime=60",
                "Interval=TRUE,RearmTime=1:00",
                "Flags=interval:multifire,RearmTime=60"
            })
    @Feature("TRIG-1")
    void shouldFireAgainAndAgainAfterOneEvent(String attributes) {
        site.policy("NODECFG[n1] TRIGGER=EType=gevent:fan," + ACTION + "," + attributes)
                .nodes(1, 4)
                .iterate(0);
        event(10);
        pass(10, 310, 10);
        assertThat(fired).containsExactly(10L, 70L, 130L, 190L, 250L, 310L);
    }

    @Test
    @Feature("TRIG-1")
    void shouldWakeTheSchedulerForTheNextTime() {
        site.policy("NODECFG[n1] TRIGGER=EType=gevent:fan," + ACTION + ",Interval=TRUE,RearmTime=60")
                .nodes(1, 4)
                .iterate(0);
        event(10);
        pass(10, 10, 1);
        site.iterate(11);
        assertThat(site.lastResult.nextWake()).isEqualTo(at(70));
    }

    @ParameterizedTest
    @ValueSource(strings = {"RearmTime=60", "MultiFire=TRUE", "MultiFire=TRUE,RearmTime=60"})
    @Feature("TRIG-1")
    void shouldFireOnceForAnEventWithoutInterval(String attributes) {
        site.policy("NODECFG[n1] TRIGGER=EType=gevent:fan," + ACTION + "," + attributes)
                .nodes(1, 4)
                .iterate(0);
        event(10);
        pass(10, 310, 10);
        assertThat(fired).containsExactly(10L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MultiFire=TRUE              | 10,20,30,130",
                "RearmTime=60                | 10,70,130",
                "RearmTime=60,Offset=15      | 25,85,145",
                "RearmTime=5,Offset=1:00     | 70,190",
                "Offset=5                    | 15"
            })
    @Feature("TRIG-1")
    void shouldFireForEventsNoSoonerThanItsRearmTimeAllows(String attributes, String times) {
        site.policy("NODECFG[n1] TRIGGER=EType=gevent:fan," + ACTION + "," + attributes)
                .nodes(1, 4)
                .iterate(0);
        for (long time = 1; time <= 300; time++) {
            if (List.of(10L, 20L, 30L, 130L).contains(time)) {
                event(time);
            }
            pass(time, time, 1);
        }
        assertThat(fired.stream().map(String::valueOf).toList()).containsExactly(times.split(",", -1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                            | 10",
                "RearmTime=60                | 10,70,130,190,310,370",
                "MultiFire=TRUE              | 10,310",
                "FailOffset=40               | 50",
                "Offset=40                   | 50",
                "FailOffset=40,RearmTime=60  | 50,110,170,350",
                "FailOffset=40,RearmTime=600 | 50",
                "FailOffset=200,RearmTime=60 | "
            })
    @Feature("TRIG-2")
    void shouldFireWhileAThresholdStaysPassed(String attributes, String times) {
        site.policy("NODECFG[n1] TRIGGER=EType=threshold,Threshold=gmetric[temp]>34," + ACTION
                + (attributes == null ? "" : "," + attributes));
        temperature(20);
        pass(0, 0, 1);
        temperature(35);
        pass(10, 190, 10);
        temperature(30);
        pass(200, 300, 10);
        temperature(36);
        pass(310, 390, 10);
        assertThat(fired.stream().map(String::valueOf).toList())
                .isEqualTo(times == null ? List.of() : List.of(times.split(",", -1)));
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireWhileItsJobLives() {
        site.policy("CLASSCFG[batch] TRIGGER=EType=start," + ACTION + ",Interval=TRUE,RearmTime=60")
                .nodes(1, 4)
                .submit("j", 2, 10_000, job -> job.setJobClass("batch"));
        pass(0, 0, 1);
        pass(1, 131, 10);
        assertThat(fired).hasSize(3);
        site.end("j", 135);
        pass(141, 500, 10);
        assertThat(fired).as("the job is over").hasSize(3);
        assertThat(site.lastResult.nextWake()).isNotEqualTo(at(501));
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireWhileItsReservationLives() {
        site.nodes(1, 4).iterate(0);
        site.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(
                                new NameValue("hostexp", "^n1$"),
                                new NameValue("starttime", "+100"),
                                new NameValue("duration", "1:00:00"),
                                new NameValue("trigger", "EType=start," + ACTION + ",Interval=TRUE,RearmTime=60")))
                .iterate(0);
        assertThat(site.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        pass(10, 300, 10);
        assertThat(fired).containsExactly(100L, 160L, 220L, 280L);
        site.request(
                "x",
                RequestKind.RELEASE_RESERVATION,
                site.publishedReservations.keySet().iterator().next());
        pass(310, 600, 10);
        assertThat(fired).as("the reservation is gone").hasSize(4);
    }

    @Test
    @Feature("TRIG-1")
    void shouldNotFireInItsIntervalAtTheEndOfItsReservation() {
        site.nodes(1, 4).iterate(0);
        site.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(
                                new NameValue("hostexp", "^n1$"),
                                new NameValue("starttime", "+100"),
                                new NameValue("duration", "180"),
                                new NameValue("trigger", "EType=start," + ACTION + ",Interval=TRUE,RearmTime=60")))
                .iterate(0);

        pass(10, 400, 10);

        assertThat(fired).containsExactly(100L, 160L, 220L);
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireWhileItsNodeLives() {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=create," + ACTION + ",Interval=TRUE,RearmTime=60");
        site.iterate(0);
        site.nodes(2, 4);
        pass(1, 61, 60);
        assertThat(fired).containsExactly(1L, 1L, 61L, 61L);
        site.node("n2", 4, NodeState.REMOVED).iterate(100);
        pass(121, 181, 60);
        assertThat(fired).containsExactly(1L, 1L, 61L, 61L, 121L, 181L);
        assertThat(site.outputs.stream()
                        .map(Output::value)
                        .filter(TriggerFiring.class::isInstance)
                        .map(firing -> ((TriggerFiring) firing).getObjectId()))
                .endsWith("n1", "n1");
    }

    @Test
    @Feature("TRIG-1")
    void shouldNotFireInItsIntervalAfterItsExpiry() {
        site.policy("NODECFG[n1] TRIGGER=EType=gevent:fan," + ACTION + ",Interval=TRUE,RearmTime=60,ExpireTime="
                        + at(150).getEpochSecond())
                .nodes(1, 4)
                .iterate(0);
        event(10);
        pass(10, 500, 10);
        assertThat(fired).containsExactly(10L, 70L, 130L);
    }

    @Test
    @Feature("TRIG-1")
    void shouldWaitInItsIntervalForTheVariablesThatItNeeds() {
        site.policy("NODECFG[n1] TRIGGER=EType=gevent:fan," + ACTION + ",Interval=TRUE,RearmTime=60,Requires=armed")
                .nodes(1, 4)
                .iterate(0);
        event(10);
        pass(10, 100, 10);
        assertThat(fired).isEmpty();
        site.request("v", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("variable", "armed=1")));
        pass(110, 240, 10);
        assertThat(fired).hasSize(3);
        assertThat(fired.get(1) - fired.get(0)).isEqualTo(60);
    }

    /** The threshold is passed at 20, and the trigger fires a minute later, and again after another. */
    @Test
    @Feature("TRIG-1")
    void shouldFireWithTheValueOfThatTime() {
        site.policy("NODECFG[n1] TRIGGER=EType=threshold,Threshold=gmetric[temp]>34,AType=mail,Action=\"v $VALUE\","
                        + "FailOffset=60,RearmTime=60")
                .nodes(1, 4)
                .iterate(0);
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            temperature(30 + i * 5);
            pass(i * 20L, i * 20L, 1);
            site.lastFirings().forEach(firing -> bodies.add(firing.getBody()));
        }
        assertThat(fired).containsExactly(80L, 140L);
        assertThat(bodies).containsExactly("v 50", "v 65");
    }

    @Test
    @Feature("TRIG-1")
    void shouldMakeUpOnceForPeriodsThatBeginDuringTheAction() {
        site.policy("SCHEDCFG[s] TRIGGER=EType=standing,Period=MINUTE,Offset=5,MultiFire=TRUE," + ACTION)
                .nodes(1, 4)
                .iterate(0);
        List<TriggerFiring> firings = new ArrayList<>();
        for (long time = 5; time <= 300; time += 5) {
            if (!firings.isEmpty() && time >= 245) {
                answer(firings.remove(0), time);
            }
            site.iterate(time);
            if (!site.lastFirings().isEmpty()) {
                fired.add(time);
                firings.addAll(site.lastFirings());
            }
        }
        assertThat(fired).containsExactly(25L, 245L, 265L);
    }
}
