package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.NameValue;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The record of a reservation, with what was reserved and what was left unused: there when it is over, and not before. */
@NullUnmarked
class ReservationRecordTest {
    private static final long HOUR = 3_600;
    private static final String MANAGER = "AMCFG[am] SERVER=file:///tmp/charge.dat";

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private String reserve(NameValue... more) {
        List<NameValue> terms = new java.util.ArrayList<>(List.of(
                new NameValue("hostexp", "^n1$"),
                new NameValue("duration", "2:00:00"),
                new NameValue("acl", "user=john")));
        terms.addAll(List.of(more));
        site.request("r", RequestKind.CREATE_RESERVATION, "-", terms).iterate(0);
        assertThat(site.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        return site.publishedReservations.keySet().iterator().next();
    }

    /** Everything that was told of processor seconds so far. */
    private List<String> records() {
        return site.outputs.stream()
                .map(Output::value)
                .filter(Notification.class::isInstance)
                .map(Notification.class::cast)
                .filter(notice -> notice.getText().contains("processor seconds"))
                .map(notice -> notice.getEvent() + " " + notice.getObjectId() + " " + notice.getText())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", MANAGER, MANAGER + " FLUSHINTERVAL=0:10:00"})
    @Feature({"CHG-2", "CHG-3", "CHG-5"})
    void shouldBeToldWhenTheReservationIsOverAndNotBefore(String policy) {
        site.policy(policy).nodes(1, 4);
        String id = reserve();
        site.submit("j", 2, 3 * HOUR, job -> job.setUser("john")).iterate(0);
        for (long time = 600; time < HOUR; time += 600) {
            site.iterate(time);
        }
        site.end("j", HOUR);
        for (long time = HOUR; time < 2 * HOUR; time += 600) {
            site.iterate(time);
        }
        site.iterate(2 * HOUR - 1);
        assertThat(records()).as("it is not over").isEmpty();
        assertThat(site.publishedReservations).containsOnlyKeys(id);
        site.iterate(2 * HOUR);
        site.iterate(2 * HOUR + 1);
        site.iterate(3 * HOUR);
        assertThat(records())
                .singleElement()
                .satisfies(text -> assertThat(text)
                        .startsWith("rsvend " + id)
                        .contains("28800 processor seconds reserved, 21600 unused"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", MANAGER})
    @Feature({"CHG-2", "CHG-5"})
    void shouldBeToldOfAReservationThatIsReleased(String policy) {
        site.policy(policy).nodes(1, 4);
        String id = reserve();
        site.iterate(HOUR - 1);
        assertThat(records()).isEmpty();
        site.request("x", RequestKind.RELEASE_RESERVATION, id).iterate(HOUR);
        site.iterate(HOUR + 1);
        assertThat(records())
                .singleElement()
                .satisfies(text -> assertThat(text).contains(id, "14400 processor seconds reserved, 14400 unused"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", MANAGER + " FLUSHINTERVAL=0:10:00"})
    @Feature({"CHG-5", "CHG-7"})
    void shouldBeToldOnceThoughSomebodyIsCharged(String policy) {
        site.policy(policy).nodes(1, 4);
        reserve(new NameValue("accountable", "aaccount=jupiter"));
        for (long time = 600; time < 2 * HOUR; time += 600) {
            site.iterate(time);
        }
        assertThat(records()).isEmpty();
        site.iterate(2 * HOUR);
        site.iterate(2 * HOUR + 1);
        assertThat(records()).hasSize(1);
    }

    @Test
    @Feature("CHG-5")
    void shouldBeToldOfAnInstanceOfAStandingReservationWhenThatIsOver() {
        site.policy("SRCFG[s] HOSTLIST=n1 PERIOD=DAY STARTTIME=0:00:00 ENDTIME=24:00:00")
                .nodes(1, 4);
        long midnight = 86_400 - SchedulerFixture.T0 % 86_400;
        site.iterate(0);
        site.iterate(midnight - 1);
        assertThat(records()).isEmpty();
        site.iterate(midnight);
        site.iterate(midnight + 1);
        assertThat(records())
                .singleElement()
                .satisfies(text -> assertThat(text)
                        .contains(4 * midnight + " processor seconds reserved, " + 4 * midnight + " unused"));
    }
}
