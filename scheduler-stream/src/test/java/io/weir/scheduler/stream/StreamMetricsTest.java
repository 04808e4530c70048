package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.scheduler.stream.pacing.Overload;
import io.weir.scheduler.stream.quarantine.Suspicions;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.RequestOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StreamMetricsTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final StreamMetrics metrics = new StreamMetrics(meters);

    @Test
    void shouldAddUpWhatWaitsInAllPartitions() {
        metrics.waiting(0, 1, 10, 100, 1_000);
        metrics.waiting(1, 9, 9, 9, 9);
        metrics.waiting(1, 2, 20, 200, 2_000);

        assertThat(gauge("weir.inputs.waiting")).isEqualTo(3);
        assertThat(gauge("weir.heartbeats.held")).isEqualTo(30);
        assertThat(gauge("weir.facts.parked")).isEqualTo(300);
        assertThat(gauge("weir.quarantine.objects")).isEqualTo(3_000);
    }

    @Test
    void shouldAddUpTheClustersWithUnfinishedPlans() {
        metrics.unfinishedPlans(0, 2);
        metrics.unfinishedPlans(1, 1);
        metrics.unfinishedPlans(0, 0);

        assertThat(gauge("weir.plans.unfinished")).isEqualTo(1);
    }

    @Test
    void shouldShowTheLongestWaitOfAllPartitions() {
        assertThat(gauge("weir.inputs.waiting.seconds")).isZero();
        metrics.watch(0, waitingFor(Duration.ofMillis(1_500)));
        metrics.watch(1, waitingFor(Duration.ofMillis(7_250)));

        assertThat(gauge("weir.inputs.waiting.seconds")).isEqualTo(7.25);
    }

    private static Overload waitingFor(Duration time) {
        long[] nanos = {0};
        Overload overload = new Overload(0, () -> nanos[0]);
        overload.note(1);
        nanos[0] = time.toNanos();
        return overload;
    }

    @Test
    void shouldAddUpTheClustersThatCouldNotBeRestored() {
        metrics.restored(0, 2);
        metrics.restored(1, 3);
        metrics.restored(0, 1);

        assertThat(gauge("weir.clusters.unrestored")).isEqualTo(4);
    }

    @Test
    void shouldShowHowManyClustersHaveNoIterations() {
        Suspicions suspicions = new Suspicions();
        metrics.watch(suspicions);
        assertThat(gauge("weir.clusters.halted")).isZero();

        suspicions.halt("alpha", new ArithmeticException());

        assertThat(gauge("weir.clusters.halted")).isEqualTo(1);
    }

    @Test
    void shouldCountWhatIsDroppedByItsReason() {
        metrics.duplicate();
        metrics.stale(3);

        assertThat(count("weir.dropped", "why", "duplicate")).isEqualTo(1);
        assertThat(count("weir.dropped", "why", "stale")).isEqualTo(3);
    }

    @Test
    void shouldCountInputsGapsAndTheTimeOfIterations() {
        metrics.accepted();
        metrics.accepted();
        metrics.gap();
        metrics.iterated(Duration.ofMillis(30));

        assertThat(meters.get("weir.inputs").counter().count()).isEqualTo(2);
        assertThat(meters.get("weir.gaps").counter().count()).isEqualTo(1);
        assertThat(meters.get("weir.iteration").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(30);
    }

    @Test
    void shouldCountDeadLettersAndAnswersByWhatBecameOfThem() {
        metrics.deadLetter("NO_ROOM");
        metrics.deadLetter("NO_ROOM");
        metrics.deadLetter("BAD_KEY");
        metrics.answered(RequestOutcome.REFUSED);

        assertThat(count("weir.dead.letters", "cause", "NO_ROOM")).isEqualTo(2);
        assertThat(count("weir.dead.letters", "cause", "BAD_KEY")).isEqualTo(1);
        assertThat(count("weir.requests", "outcome", "refused")).isEqualTo(1);
    }

    @Test
    void shouldTellWhatIsSetAsideFromWhatIsTakenBack() {
        Quarantine aside =
                new Quarantine("alpha", QuarantineKind.JOB, "j1", "cause", "text", Instant.EPOCH, "build", false);
        metrics.quarantined(aside);
        metrics.quarantined(aside);
        metrics.quarantined(Quarantine.newBuilder(aside).setLifted(true).build());

        assertThat(meters.get("weir.quarantine")
                        .tags("kind", "job", "change", "set_aside")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(meters.get("weir.quarantine")
                        .tags("kind", "job", "change", "lifted")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    private double gauge(String name) {
        return meters.get(name).gauge().value();
    }

    private double count(String name, String tag, String value) {
        return meters.get(name).tag(tag, value).counter().count();
    }
}
