package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.schemas.Iteration;
import io.weir.schemas.RmCommand;
import io.weir.topics.Topics;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A task that another instance takes over, whose settings name other clusters. */
class UnlistedClusterTest {
    private final StreamHarness harness = StreamHarness.rm();
    private final FakeConnector alpha = new FakeConnector(harness);

    @BeforeEach
    void schedule() {
        harness.deliver(alpha.hello());
        harness.deliver(alpha.node("n1", 4));
        harness.deliver(alpha.heartbeat());
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void shouldTakeInNothingWhereAClusterScheduledSoFarIsNotListed() {
        assertThatThrownBy(() -> harness.takeOver(settings(List.of("gamma"), List.of())))
                .isInstanceOf(UnlistedClusterException.class)
                .hasMessageStartingWith("The state holds [alpha], scheduled until now, but clusters is [gamma]")
                .hasMessageContaining("clusters.given.up");

        harness.takeOver(settings(List.of("alpha", "gamma"), List.of()));
        harness.deliver(alpha.job(1, 1));
        harness.deliver(alpha.heartbeat());

        assertThat(harness.causes()).isEmpty();
        assertThat(harness.iterations()).extracting(Iteration::getCluster).containsOnly("alpha");
        assertThat(harness.read(Topics.COMMANDS))
                .extracting(RmCommand::getJobId)
                .containsExactly("j1");
    }

    @Test
    void shouldScheduleTheOthersWithoutAClusterThatIsGivenUpAndGoOnWithItWhenItIsListedAgain() {
        harness.takeOver(settings(List.of("gamma"), List.of("alpha")));
        harness.deliver(alpha.job(1, 1));

        assertThat(harness.read(Topics.DEAD_LETTERS)).singleElement().satisfies(letter -> {
            assertThat(letter.getCause()).isEqualTo("MISROUTED");
            assertThat(letter.getMessage()).isEqualTo("Cluster 'alpha' is given up here (clusters.given.up)");
        });
        harness.takeOver(settings(List.of("alpha", "gamma"), List.of()));
        assertThat(harness.state("alpha"))
                .anySatisfy(entity -> assertThat(entity.id()).isEqualTo("n1"));
    }

    @Test
    void shouldNotMissAClusterThatWasListedButNeverHeardOf() {
        harness.takeOver(settings(List.of("alpha"), List.of()));

        assertThat(harness.causes()).isEmpty();
    }

    private static StreamSettings settings(List<String> clusters, List<String> givenUp) {
        StreamSettings settings = StreamHarness.settings(ClockMode.RM, false);
        return new StreamSettings(
                settings.names(),
                new TreeSet<>(clusters),
                new TreeSet<>(givenUp),
                settings.partitions(),
                settings.clock(),
                settings.coalesce(),
                settings.maxSkew(),
                settings.gapTimeout(),
                settings.foreignReports(),
                settings.build());
    }
}
