package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.plan.Slot;
import io.weir.scheduler.core.plan.TestCluster;
import org.junit.jupiter.api.Test;

/** Slots of jobs whose reservation stands, on two processors. */
class ReservedSlotsTest {
    private final TestCluster cluster = new TestCluster().nodes(2, 1);
    private final Job job = cluster.waiting("job", 1, 50);
    private final PassFixture fixture = new PassFixture(cluster);
    private final ReservedSlots slots = fixture.slots;

    @Test
    void shouldHoldTheSlotOfAStartThatIsTriedAgain() {
        Slot slot = Slot.counted(0, 50, 2);
        slots.retry(fixture.plan, job, slot);

        assertThat(slots.retries()).isTrue();
        assertThat(slots.retried(job)).isEqualTo(slot);
        assertThat(slots.of(job)).isEqualTo(slot);
        assertThat(fixture.plan.exhausted()).isTrue();
    }

    @Test
    void shouldTakeWhatIsTriedAgainFromAPlanThatStartsAnew() {
        slots.retry(fixture.plan, job, Slot.counted(0, 50, 2));
        fixture.plan.reset(0, fixture.policy);
        assertThat(fixture.plan.exhausted()).isFalse();

        slots.takeHeld(fixture.plan);

        assertThat(fixture.plan.exhausted()).isTrue();
    }

    @Test
    void shouldReserveWhatItHoldsWithoutCallingItARetry() {
        slots.reserve(fixture.plan, job, Slot.counted(10, 50, 1), fixture.actions);

        assertThat(fixture.actions.steps).containsExactly("reserve job 10");
        assertThat(slots.isEmpty()).isFalse();
        assertThat(slots.retries()).isFalse();
        assertThat(slots.retried(job)).isNull();
    }

    @Test
    void shouldHoldNothingOfAJobThatIsRemoved() {
        slots.retry(fixture.plan, job, Slot.counted(0, 50, 1));

        slots.remove(job);

        assertThat(slots.of(job)).isNull();
        assertThat(slots.retried(job)).isNull();
    }

    @Test
    void shouldHoldNothingWhenACompletePassBegins() {
        slots.retry(fixture.plan, job, Slot.counted(0, 50, 1));

        slots.clear();

        assertThat(slots.isEmpty()).isTrue();
        assertThat(slots.retries()).isFalse();
    }

    @Test
    void shouldHaveTheJobLookedAtAgainWhoseSlotItHolds() {
        fixture.plan.take(Slot.counted(0, 50, 2));
        fixture.plan.fillColumns(
                job, cluster.jobs.queue().columns(), cluster.jobs.queue().row(0));
        assertThat(knownNotToFit()).isTrue();

        slots.hold(job, Slot.counted(50, 50, 1));

        assertThat(knownNotToFit()).isFalse();
    }

    private boolean knownNotToFit() {
        return fixture.plan.outOfReach(
                cluster.jobs.queue().columns(), cluster.jobs.queue().row(0));
    }
}
