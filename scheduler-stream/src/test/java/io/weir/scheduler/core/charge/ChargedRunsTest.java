package io.weir.scheduler.core.charge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.state.ChargeRun;
import io.weir.topics.AvroTrust;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Runs that replace each other, when they are due, and what is kept of one that a node may have ended. */
class ChargedRunsTest {
    static {
        AvroTrust.install();
    }

    private static final String KEY = "job:j";
    private static final String PAST = "past:job:j";

    private final SuspectNodes suspects = new SuspectNodes();
    private final ChargedRuns runs = new ChargedRuns("c", suspects);

    private ChargedRun begin(long start) {
        return runs.begin(ChargedRun.JOB, "j", start, 0, 0);
    }

    @Test
    void shouldFindRunsByTheirObjects() {
        ChargedRun job = begin(100);
        ChargedRun reservation = runs.begin(ChargedRun.RESERVATION, "j", 200, 0, 0);

        assertThat(runs.ofJob("j")).isSameAs(job);
        assertThat(runs.ofReservation("j")).isSameAs(reservation);
        assertThat(runs.known(KEY)).isSameAs(job);
        assertThat(runs.all()).containsExactly(job, reservation);
        assertThat(runs.ids()).containsExactly(KEY, "reservation:j");
        assertThat(runs.ofJob("other")).isNull();
        assertThat(runs.ofReservation("other")).isNull();
        assertThatThrownBy(() -> runs.known("job:other"))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("run job:other is referred to and not known");
    }

    @Test
    void shouldBeDueAFlushAfterTheStartOrAfterChargingBegan() {
        assertThat(runs.nextDue()).isEqualTo(ChargedRun.NEVER);
        runs.begin(ChargedRun.JOB, "early", 100, 500, 60);
        runs.begin(ChargedRun.JOB, "late", 510, 500, 60);
        runs.begin(ChargedRun.JOB, "never", 0, 0, 0);
        assertThat(runs.nextDue()).isEqualTo(560);
        assertThat(runs.firstDue().objectId).isEqualTo("early");
        assertThat(runs.firstDue().countedTo).as("nothing before is charged").isEqualTo(500);

        runs.reschedule(runs.firstDue(), 620);

        assertThat(runs.nextDue()).isEqualTo(570);
        assertThat(runs.firstDue().objectId).isEqualTo("late");
    }

    @Test
    void shouldKeepTheOtherRunsThatAreDueAtAnInstant() {
        ChargedRun a = runs.begin(ChargedRun.JOB, "a", 0, 0, 60);
        ChargedRun b = runs.begin(ChargedRun.JOB, "b", 0, 0, 60);
        assertThat(runs.firstDue()).isSameAs(a);

        runs.reschedule(a, ChargedRun.NEVER);
        assertThat(runs.nextDue()).isEqualTo(60);
        assertThat(runs.firstDue()).isSameAs(b);

        runs.forget(b);
        assertThat(runs.nextDue()).isEqualTo(ChargedRun.NEVER);
    }

    @Test
    void shouldNotBeDueForARunThatAnotherFollows() {
        runs.begin(ChargedRun.JOB, "j", 0, 0, 60);

        runs.begin(ChargedRun.JOB, "j", 1_000, 0, 60);

        assertThat(runs.nextDue()).isEqualTo(1_060);
    }

    @Test
    void shouldGoOnWithTheNumbersOfTheRunBefore() {
        ChargedRun first = begin(100);
        first.charged("x", 7);

        ChargedRun second = begin(200);

        assertThat(second.number).isEqualTo(1);
        assertThat(second.amount).isZero();
        assertThat(runs.ofJob("j")).isSameAs(second);
        assertThat(runs.ids()).as("no node is suspected").containsExactly(KEY);
    }

    @Test
    void shouldKeepARunThatANodeMayHaveEndedWhenItsJobRunsAnew() {
        ChargedRun first = begin(100);
        first.charged("x", 7);
        suspects.add(first, List.of("n1"), 2);
        runs.drain();

        begin(200);

        assertThat(runs.ids()).containsExactly(KEY, PAST);
        ChargedRun past = runs.known(PAST);
        assertThat(past.start).isEqualTo(100);
        assertThat(past.amount).isEqualTo(7);
        assertThat(past.suspectedFor).isEqualTo(2);
        assertThat(suspects.of("n1")).containsExactly(PAST);
        assertThat(runs.drain()).containsExactly(KEY, PAST);
    }

    @Test
    void shouldForgetTheSuspicionOfARunThatIsReportedAnewFromTheSameInstant() {
        suspects.add(begin(100), List.of("n1"), 2);

        begin(100);

        assertThat(runs.ids()).containsExactly(KEY);
        assertThat(suspects.isEmpty()).isTrue();
    }

    @Test
    void shouldKeepTheLatestOfSeveralPastRuns() {
        suspects.add(begin(100), List.of("n1"), 2);
        suspects.add(begin(200), List.of("n2"), 1);

        begin(300);

        assertThat(runs.known(PAST).start).isEqualTo(200);
        assertThat(suspects.of("n1")).isEmpty();
        assertThat(suspects.of("n2")).containsExactly(PAST);
        assertThat(suspects.runs()).containsExactly(PAST);
    }

    @Test
    void shouldDropAPastRunOnceItsNodesAreCleared() {
        suspects.add(begin(100), List.of("n1"), 2);
        begin(200);
        ChargedRun past = runs.known(PAST);
        runs.settled(past);
        assertThat(runs.ids()).as("n1 may still have ended it").containsExactly(KEY, PAST);
        suspects.clear(past);
        runs.drain();

        runs.settled(past);
        runs.settled(runs.known(KEY));

        assertThat(runs.ids()).as("the present one stays").containsExactly(KEY);
        assertThat(runs.drain()).containsExactly(KEY, PAST);
        assertThat(runs.toRecord(PAST)).isNull();
    }

    @Test
    void shouldForgetAJobWithItsPastRun() {
        suspects.add(begin(100), List.of("n1"), 2);
        ChargedRun second = runs.begin(ChargedRun.JOB, "j", 200, 0, 60);
        suspects.add(second, List.of("n2"), 2);
        runs.begin(ChargedRun.RESERVATION, "j", 200, 0, 0);
        runs.drain();

        runs.forgetJob("j");

        assertThat(runs.ids()).containsExactly("reservation:j");
        assertThat(runs.nextDue()).isEqualTo(ChargedRun.NEVER);
        assertThat(suspects.isEmpty()).isTrue();
        assertThat(runs.drain()).containsExactly(KEY, PAST);
        runs.forgetJob("unknown");
        assertThat(runs.drain()).isEmpty();
    }

    @Test
    void shouldSayOnceWhatChanged() {
        ChargedRun run = begin(100);
        assertThat(runs.drain()).containsExactly(KEY);
        assertThat(runs.drain()).isEmpty();

        runs.reschedule(run, 300);
        assertThat(runs.drain()).containsExactly(KEY);
        runs.changed(run);
        assertThat(runs.drain()).containsExactly(KEY);
    }

    @Test
    void shouldGoOnWithStoredRuns() {
        ChargedRun run = runs.begin(ChargedRun.JOB, "j", 100, 0, 60);
        suspects.add(run, List.of("n1"), 2);
        ChargeRun record = Objects.requireNonNull(runs.toRecord(KEY));
        assertThat(record.getCluster()).isEqualTo("c");
        SuspectNodes others = new SuspectNodes();
        ChargedRuns restored = new ChargedRuns("c", others);

        restored.restore(record);

        assertThat(restored.toRecord(KEY)).isEqualTo(record);
        assertThat(restored.nextDue()).isEqualTo(160);
        assertThat(restored.firstDue()).isSameAs(restored.ofJob("j"));
        assertThat(others.of("n1")).containsExactly(KEY);
        assertThat(restored.drain()).as("it is stored").isEmpty();
    }
}
