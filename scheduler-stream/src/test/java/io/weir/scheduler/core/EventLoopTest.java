package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.event.ObjectEvent;
import io.weir.scheduler.core.trigger.TriggerFirings;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.Measurement;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TriggerFiring;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Configurations whose actions cause what they wait for: they come to rest, and it is said which they are. */
@NullUnmarked
class EventLoopTest {
    private static final long DAY = 86_400;
    /** An instant at which an hour begins, as the fixture counts. */
    private static final long BEGIN = SchedulerFixture.HOUR_ALIGNED;

    private static final long HOUR = 3_600;

    private final SchedulerFixture site = new SchedulerFixture();
    private final List<Notification> told = new ArrayList<>();
    private final List<TriggerFiring> fired = new ArrayList<>();

    /** Runs an iteration whenever there is something to do, as the scheduler does, until {@code end}. */
    private int run(long from, long end) {
        int iterations = 0;
        long now = from;
        while (now < end) {
            site.iterate(now);
            iterations++;
            told.addAll(site.lastNotifications());
            fired.addAll(site.lastFirings());
            site.lastFirings().forEach(this::delivered);
            long wake = !site.lastFirings().isEmpty()
                    ? now
                    : site.lastResult.nextWake() == null
                            ? end
                            : site.lastResult.nextWake().getEpochSecond() - at(0).getEpochSecond();
            now = Math.max(now + 1, wake);
        }
        return iterations;
    }

    private void delivered(TriggerFiring firing) {
        site.fact(DeliveryResult.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setDeliveryId(firing.getFiringId())
                .setChannel("exec")
                .setOutcome(DeliveryOutcome.DELIVERED)
                .setAttempts(1)
                .setTime(at(0))
                .setKind("firing")
                .setTriggerId(firing.getTriggerId())
                .build());
    }

    private List<String> told(String event) {
        return told.stream()
                .filter(each -> each.getEvent().equals(event))
                .map(Notification::getText)
                .toList();
    }

    @Test
    @Feature("TRIG-1")
    void shouldBringTriggersToRestThatRaiseEachOthersEvents() {
        site.policy("""
                        NODECFG[DEFAULT] TRIGGER=EType=gevent:ping,AType=event,Action="pong ball",MultiFire=TRUE
                        NODECFG[DEFAULT] TRIGGER=EType=gevent:pong,AType=event,Action="ping ball",MultiFire=TRUE
                        """).nodes(1, 4).iterate(0);
        site.request("serve", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("gevent", "ping:ball")));

        int iterations = run(BEGIN, BEGIN + DAY);

        assertThat(told("triglimit"))
                .hasSizeBetween(24, 48)
                .anySatisfy(text -> assertThat(text)
                        .startsWith("trigger NODECFG.DEFAULT.1 of node n1 is put off until ")
                        .contains("fired " + TriggerFirings.FIRINGS + " times in this hour", "RearmTime"));
        assertThat(iterations).isBetween(24 * 2 * TriggerFirings.FIRINGS - 100, 25 * 2 * TriggerFirings.FIRINGS + 100);
    }

    @Test
    @Feature("TRIG-1")
    void shouldBringTriggersToRestThatModifyEachOthersReservation() {
        site.policy("""
                        RSVPROFILE[p] TRIGGER=EType=modify,AType=internal,Action="rsv:-:extend:60",MultiFire=TRUE
                        RSVPROFILE[p] TRIGGER=EType=modify,AType=internal,Action="rsv:-:modify:comment=$TIME",MultiFire=TRUE
                        """).nodes(1, 4).iterate(0);
        site.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(
                                new NameValue("hostexp", "^n1$"),
                                new NameValue("duration", "99:00:00:00"),
                                new NameValue("profile", "p")))
                .iterate(1);
        String id = site.publishedReservations.keySet().iterator().next();
        site.request("m", RequestKind.MODIFY_RESERVATION, id, List.of(new NameValue("duration", "+=60")));

        run(BEGIN, BEGIN + DAY);

        long grown = site.publishedReservations.get(id).getEnd().getEpochSecond() - at(1).getEpochSecond() - 99 * DAY;
        assertThat(grown).isLessThanOrEqualTo(25L * 60 * TriggerFirings.FIRINGS + 300);
        assertThat(told("triglimit")).hasSizeLessThanOrEqualTo(50);
    }

    /** What fires seldom is not touched: every half minute is what the limit leaves. */
    @Test
    @Feature("TRIG-2")
    void shouldLetATriggerFireEveryHalfMinute() {
        site.policy(
                "NODECFG[DEFAULT] TRIGGER=EType=threshold,Threshold=gmetric[temp]>34,AType=exec,Action=/x,RearmTime=30");
        site.node("n1", 4, NodeState.IDLE, node -> node.setMetrics(List.of(new Measurement("temp", 40.0))));

        run(BEGIN, BEGIN + 2 * HOUR);

        assertThat(fired).hasSize(2 * TriggerFirings.FIRINGS);
        assertThat(told("triglimit")).isEmpty();
    }

    @Test
    @Feature("TRIG-4")
    void shouldNotRepeatAFailingActionForEver() {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=fail,AType=internal,Action=\"node:nowhere:drain\",MaxRetry=1000000")
                .nodes(1, 4)
                .iterate(0);
        site.node("n1", 4, NodeState.DOWN);

        assertThat(run(BEGIN, BEGIN + HOUR)).isLessThan(TriggerFirings.FIRINGS);
        assertThat(told("trigfail")).singleElement().asString().contains("NODECFG.DEFAULT.1", "in attempt 101");
    }

    @Test
    @Feature("NOTE-3")
    void shouldBringAnEventToRestWhoseActionCausesIt() {
        site.policy("GEVENTCFG[sick] ACTION=execute:/opt/heal?$OID").nodes(1, 4).iterate(0);
        int programs = 0;
        for (int second = 0; second < 2 * HOUR; second += 2) {
            site.request("r" + second, RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("gevent", "sick:again")))
                    .iterate(BEGIN + second);
            told.addAll(site.lastNotifications());
            programs += site.lastFirings().size();
        }

        assertThat(programs).isEqualTo(2 * ObjectEvent.FIRINGS);
        assertThat(told("eventlimit"))
                .hasSize(2)
                .allSatisfy(
                        text -> assertThat(text).contains("GEVENTCFG[sick] fired 120 times in this hour on node n1"));
    }

    /** Whom it only tells, it tells each time: mail has limits of its own. */
    @Test
    @Feature("NOTE-3")
    void shouldNotLimitAnEventThatOnlyTells() {
        site.policy("GEVENTCFG[sick] ACTION=notify,record\nADMINCFG[1] USERS=root")
                .nodes(1, 4)
                .iterate(0);
        for (int second = 0; second < 600; second += 2) {
            site.request("r" + second, RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("gevent", "sick:again")))
                    .iterate(BEGIN + second);
            told.addAll(site.lastNotifications());
        }

        assertThat(told("sick").size()).isGreaterThanOrEqualTo(300);
        assertThat(told("eventlimit")).isEmpty();
    }
}
