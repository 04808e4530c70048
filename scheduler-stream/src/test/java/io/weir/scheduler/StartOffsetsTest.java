package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.topics.UnfitBrokerException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class StartOffsetsTest {
    private static final TopicPartition JOBS = new TopicPartition("weir.rm.jobs", 0);
    private static final TopicPartition NODES = new TopicPartition("weir.rm.nodes", 0);
    private static final TopicPartition REQUESTS = new TopicPartition("weir.requests", 0);
    private static final TopicPartition ANSWERS = new TopicPartition("weir.plugin-answers", 0);
    private static final Set<String> REPORTED = Set.of(JOBS.topic(), NODES.topic());

    @Test
    void shouldBeginANewInstallationAtTheBeginning() {
        assertThat(choose(Map.of(JOBS, 5L), Map.of(JOBS, 9L), Map.of(), Set.of()))
                .containsExactly(Map.entry(JOBS, 5L));
    }

    @Test
    void shouldGoOnFromTheStateWhenThePositionsAreLost() {
        assertThat(choose(
                        Map.of(JOBS, 5L, NODES, 0L),
                        Map.of(JOBS, 9L, NODES, 4L),
                        Map.of(JOBS, 7L, NODES, 4L),
                        Set.of(0)))
                .containsOnly(Map.entry(JOBS, 7L), Map.entry(NODES, 4L));
    }

    @Test
    void shouldBeginATopicThatIsNewToTheStateAtItsBeginning() {
        assertThat(choose(Map.of(NODES, 2L), Map.of(NODES, 4L), Map.of(JOBS, 7L), Set.of(0)))
                .containsExactly(Map.entry(NODES, 2L));
    }

    @Test
    void shouldRefuseToApplyInputsTwiceWhenTheStateIsGone() {
        assertRefused(Map.of(JOBS, 0L), Map.of(JOBS, 9L), Map.of(), "neither positions nor state");
    }

    @Test
    void shouldSayWhatWasDeletedBeforeItWasTakenInAndHowToGoOn() {
        assertRefused(
                Map.of(REQUESTS, 40L),
                Map.of(REQUESTS, 90L),
                Map.of(REQUESTS, 12L),
                "weir.requests-0 from offset 12 to 39",
                "--group app --topic weir.requests:0 --reset-offsets --to-offset 40 --execute");
    }

    @Test
    void shouldGoOnWithoutReportsThatWereDeletedBeforeTheyWereTakenIn() {
        assertThat(choose(Map.of(JOBS, 40L), Map.of(JOBS, 90L), Map.of(JOBS, 12L), Set.of(0)))
                .containsExactly(Map.entry(JOBS, 40L));
    }

    @Test
    void shouldNameEveryTopicWhoseRecordsWereDeletedBehindThePosition() {
        StartOffsets.Place place = new StartOffsets.Place(40, 90, 12L);
        assertThat(StartOffsets.choose("app", Map.of(JOBS, place, NODES, place), Map.of(), Set.of(0), REPORTED))
                .containsOnly(Map.entry(JOBS, 40L), Map.entry(NODES, 40L));

        assertThatExceptionOfType(UnfitBrokerException.class)
                .isThrownBy(() -> StartOffsets.choose(
                        "app", Map.of(REQUESTS, place, ANSWERS, place), Map.of(), Set.of(0), REPORTED))
                .satisfies(e -> assertThat(e.problems())
                        .hasSize(2)
                        .allSatisfy(problem -> assertThat(problem).contains("from offset 12 to 39")));
    }

    @Test
    void shouldRefuseATopicThatWasMadeAnew() {
        assertRefused(Map.of(JOBS, 0L), Map.of(JOBS, 3L), Map.of(JOBS, 200L), "weir.rm.jobs-0 ends at offset 3");
    }

    /** As with kafka-consumer-groups.sh --reset-offsets --to-latest: what came while it was away would be lost without a word. */
    @Test
    void shouldGoBackToTheStateFromPositionsThatWereSetForward() {
        assertThat(StartOffsets.ahead(
                        Map.of(JOBS, 9L, NODES, 4L, REQUESTS, 3L),
                        Map.of(JOBS, 5L, NODES, 0L, REQUESTS, 0L),
                        Map.of(JOBS, 7L, NODES, 4L)))
                .containsOnly(Map.entry(JOBS, 7L), Map.entry(REQUESTS, 0L));
    }

    @Test
    void shouldStayBehindRecordsThatWereDeletedAndSkipped() {
        assertThat(StartOffsets.ahead(Map.of(JOBS, 40L), Map.of(JOBS, 40L), Map.of(JOBS, 12L)))
                .isEmpty();
    }

    @Test
    void shouldLeavePositionsWithoutAStateAsTheyAre() {
        assertThat(StartOffsets.ahead(Map.of(JOBS, 9L), Map.of(JOBS, 5L), Map.of()))
                .isEmpty();
    }

    /** Kafka Streams would make it anew and go on with nothing. */
    @Test
    void shouldMissAStateWhoseChangelogIsGone() {
        assertThat(StartOffsets.lost(
                        Set.of(0, 1), Map.of("app-entities-changelog", Set.of(0), "app-intake-changelog", Set.of())))
                .containsOnly(
                        Map.entry("app-entities-changelog", Set.of(1)),
                        Map.entry("app-intake-changelog", Set.of(0, 1)));
    }

    @Test
    void shouldMissNoStateWhereNothingWasJournaled() {
        assertThat(StartOffsets.lost(Set.of(), Map.of("app-intake-changelog", Set.of())))
                .isEmpty();
        assertThat(StartOffsets.lost(Set.of(0), Map.of("app-intake-changelog", Set.of(0, 1))))
                .isEmpty();
    }

    private static void assertRefused(
            Map<TopicPartition, Long> first,
            Map<TopicPartition, Long> ends,
            Map<TopicPartition, Long> stored,
            String... says) {
        assertThatExceptionOfType(UnfitBrokerException.class)
                .isThrownBy(() -> choose(first, ends, stored, Set.of(0)))
                .satisfies(
                        e -> assertThat(e.problems()).singleElement().asString().contains(says));
    }

    private static Map<TopicPartition, Long> choose(
            Map<TopicPartition, Long> first,
            Map<TopicPartition, Long> ends,
            Map<TopicPartition, Long> stored,
            Set<Integer> journaled) {
        Map<TopicPartition, StartOffsets.Place> unfit = new HashMap<>();
        first.forEach((partition, oldest) ->
                unfit.put(partition, new StartOffsets.Place(oldest, ends.getOrDefault(partition, oldest), null)));
        return StartOffsets.choose("app", unfit, stored, journaled, REPORTED);
    }
}
