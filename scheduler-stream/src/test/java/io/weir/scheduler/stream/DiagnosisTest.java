package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.FaultyScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.stream.quarantine.Diagnosis;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What is set aside, and how much of it at a time. */
class DiagnosisTest {
    private static final Instant NOW = Instant.parse("2026-03-01T00:10:00Z");

    /** With no time at all one object is found each time: there is always progress, and an end. */
    @Test
    void shouldGoOnAnotherTimeWhenTimeIsUp() throws Exception {
        List<Change> state = threeJobs();
        ClusterScheduler copy = new ClusterScheduler("alpha");
        state.forEach(copy::replay);
        for (String job : List.of("j1", "j2")) {
            Diagnosis.Finding finding = diagnosis(copy::snapshot, Duration.ZERO).run(true);

            assertThat(finding.aside()).extracting(Quarantine::getId).containsExactly(job);
            assertThat(finding.complete()).isFalse();
            finding.aside().forEach(quarantine -> copy.apply(Fact.foreign(quarantine)));
        }
        Diagnosis.Finding last = diagnosis(copy::snapshot, Duration.ZERO).run(true);
        assertThat(last.aside()).extracting(Quarantine::getId).containsExactly("j3");
        assertThat(last.complete()).isTrue();
    }

    @Test
    void shouldSuspendTheClusterWhenPatienceIsOver() throws Exception {
        List<Change> state = threeJobs();

        Diagnosis.Finding finding = diagnosis(() -> state, Duration.ZERO).run(false);

        assertThat(finding.complete()).isTrue();
        assertThat(finding.aside())
                .singleElement()
                .extracting(Quarantine::getKind)
                .isEqualTo(QuarantineKind.CLUSTER);
    }

    @Test
    void shouldFindAllAtOnceWhenThereIsTime() throws Exception {
        List<Change> state = threeJobs();

        Diagnosis.Finding finding =
                diagnosis(() -> state, Diagnosis.LONGEST.multipliedBy(100)).run(true);

        assertThat(finding.complete()).isTrue();
        assertThat(finding.aside()).extracting(Quarantine::getId).containsExactly("j1", "j2", "j3");
    }

    private static Diagnosis diagnosis(Supplier<List<Change>> state, Duration longest) {
        return new Diagnosis(
                "alpha",
                state,
                cluster -> FaultyScheduler.of(
                        cluster,
                        (kind, id) -> kind == QuarantineKind.JOB && FaultyScheduler.calledBy("BackfillPlanner."),
                        () -> new ArithmeticException("integer overflow")),
                new OutputLimits(),
                NOW,
                "test",
                longest);
    }

    private static List<Change> threeJobs() {
        try (StreamHarness harness = StreamHarness.rm()) {
            FakeConnector connector = new FakeConnector(harness);
            harness.deliver(connector.hello());
            harness.deliver(connector.node("n1", 1));
            for (int number = 1; number <= 3; number++) {
                harness.deliver(connector.job(number, 1));
            }
            return harness.state("alpha");
        }
    }
}
