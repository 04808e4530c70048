package io.weir.scheduler.core.iteration;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.SchedulerFixture;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.output.OutputKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Which versions of nodes, jobs and reservations are published. Job next has a reservation behind job first. */
@NullUnmarked
class EntityPublisherTest {
    private static final Set<OutputKind> ENTITIES = EnumSet.of(OutputKind.NODE, OutputKind.JOB, OutputKind.RESERVATION);

    private final SchedulerFixture weir =
            new SchedulerFixture().nodes(1, 4).submit("first", 4, 100).submit("next", 4, 100);

    private List<String> published() {
        return weir.lastResult.outputs().stream()
                .filter(output -> ENTITIES.contains(output.kind()))
                .map(Output::key)
                .toList();
    }

    @Test
    void shouldPublishWhatCame() {
        weir.iterateSilently(0);

        assertThat(published()).contains("c/n1", "c/first", "c/next");
        assertThat(weir.publishedJobs).containsOnlyKeys("first", "next");
        assertThat(weir.publishedReservations).containsOnlyKeys("next");
    }

    @Test
    void shouldPublishNothingTwice() {
        weir.iterate(0).iterate(1).iterate(2);

        assertThat(published()).isEmpty();
    }

    @Test
    void shouldPublishOnlyWhatChanged() {
        weir.iterate(0).iterate(1).iterate(2);

        weir.limit("first", 300).iterate(3);

        assertThat(published()).as("its limit, and the start behind it").containsExactly("c/first", "c/next");
        assertThat(weir.publishedReservations.get("next").getStart()).isEqualTo(SchedulerFixture.at(300));
    }
}
