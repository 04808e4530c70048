package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.scheduler.stream.store.UnreadableStateException;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.Iteration;
import io.weir.schemas.RmCommand;
import io.weir.topics.Topics;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** A cluster whose stored state brings about an exception when the stream starts. */
class UnrestorableClusterTest {
    private final Set<String> broken = new HashSet<>();
    private RuntimeException failure = new ArithmeticException("integer overflow");

    @Test
    void shouldPassOverTheInputsOfAClusterThatCannotBeRestoredAndScheduleTheOthers() {
        try (StreamHarness harness = harness()) {
            FakeConnector alpha = new FakeConnector(harness);
            FakeConnector beta = new FakeConnector(harness, "beta");
            harness.deliver(alpha.hello());
            harness.deliver(alpha.node("n1", 4));
            harness.deliver(alpha.heartbeat());
            harness.deliver(beta.hello());
            harness.deliver(beta.node("n1", 4));
            broken.add("alpha");
            harness.start();
            harness.deliver(alpha.job(1, 1));
            harness.deliver(beta.job(2, 1));
            harness.deliver(beta.heartbeat());

            assertThat(harness.iterations()).extracting(Iteration::getCluster).containsExactly("alpha", "beta");
            assertThat(harness.read(Topics.COMMANDS))
                    .extracting(RmCommand::getJobId)
                    .containsExactly("j2");
            assertThat(harness.read(Topics.DEAD_LETTERS)).singleElement().satisfies(letter -> {
                assertThat(letter.getCause()).isEqualTo("NOT_RESTORED");
                assertThat(letter.getMessage())
                        .isEqualTo("The state of cluster 'alpha' could not be restored: ArithmeticException: integer"
                                + " overflow; run a build that can, then send this again");
            });
            assertThat(harness.meter("weir.clusters.unrestored")).isEqualTo(1);
        }
    }

    /** What was passed over is missed by its number: the connector is asked for everything. */
    @Test
    void shouldAskForWhatWasPassedOverOnceAMendedBuildRuns() {
        try (StreamHarness harness = harness()) {
            FakeConnector alpha = new FakeConnector(harness);
            harness.deliver(alpha.hello());
            harness.deliver(alpha.node("n1", 4));
            harness.deliver(alpha.heartbeat());
            broken.add("alpha");
            harness.start();
            harness.deliver(alpha.job(1, 1));
            broken.clear();
            harness.start();
            harness.deliver(alpha.job(2, 1));
            harness.deliver(alpha.heartbeat());
            harness.advance(harness.settings().gapTimeout());

            assertThat(harness.read(Topics.DEAD_LETTERS))
                    .extracting(DeadLetter::getCause)
                    .containsExactly("NOT_RESTORED", "INCOMPLETE");
            assertThat(harness.read(Topics.COMMANDS))
                    .extracting(command -> command.getKind().name())
                    .contains("FULL_POLL");
            assertThat(harness.meter("weir.clusters.unrestored")).isZero();
        }
    }

    /** There is nobody to go on for: nothing is passed over, and whoever runs the service is told. */
    @Test
    void shouldStopWhenNoClusterOfThePartitionCanBeRestored() {
        try (StreamHarness harness = harness()) {
            broken.addAll(Set.of("alpha", "beta"));

            assertThatThrownBy(harness::start)
                    .isInstanceOf(UnreadableStateException.class)
                    .hasMessageContaining("alpha=ArithmeticException: integer overflow");
            broken.clear();
            harness.start();
        }
    }

    @Test
    void shouldLeaveFailuresOfTheMachineToTheService() {
        try (StreamHarness harness = harness()) {
            failure = new TimeoutException("registry away");
            broken.add("alpha");

            assertThatThrownBy(harness::start).isSameAs(failure);
            broken.clear();
            harness.start();
        }
    }

    private StreamHarness harness() {
        return new StreamHarness(
                StreamHarness.settings(ClockMode.RM, false),
                cluster -> {
                    if (broken.contains(cluster)) {
                        throw failure;
                    }
                    return new ClusterScheduler(cluster);
                },
                new OutputLimits());
    }
}
