package io.weir.notifier.runtime.loop;

import static io.weir.notifier.runtime.loop.LoopFixture.P0;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class FirstPositionTest {

    private final LoopFixture kafka = new LoopFixture();

    private final Logger logger = (Logger) LoggerFactory.getLogger(FirstPosition.class);
    private final Level before = logger.getLevel();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void close() {
        logger.detachAppender(log);
        logger.setLevel(before);
        kafka.close();
    }

    @Test
    void shouldBeginANewChannelAtTheBeginning() {
        topicHolds(5, 9);

        assertThat(place(FirstPosition.EARLIEST)).containsExactly(Map.entry(P0, 5L));
        assertThat(kafka.consumer.position(P0)).isEqualTo(5);
    }

    @Test
    void shouldBeginANewChannelAtTheEnd() {
        topicHolds(5, 9);

        assertThat(place(FirstPosition.LATEST)).containsExactly(Map.entry(P0, 9L));
        assertThat(kafka.consumer.position(P0)).isEqualTo(9);
    }

    @Test
    void shouldGoOnWhereTheGroupWas() {
        topicHolds(5, 9);
        kafka.committedElsewhere.put(P0, 7L);

        assertThat(place(FirstPosition.LATEST)).isEmpty();
        assertThat(kafka.consumer.position(P0)).isEqualTo(7);
    }

    @Test
    void shouldGoOnBehindWhatWasSettledWhenThePositionIsLost() {
        topicHolds(5, 9);

        assertThat(place(FirstPosition.EARLIEST, partitions -> Map.of(P0, 8L))).containsExactly(Map.entry(P0, 8L));
        assertThat(place(FirstPosition.LATEST, partitions -> Map.of(P0, 8L))).containsExactly(Map.entry(P0, 8L));
        assertThat(kafka.consumer.position(P0)).isEqualTo(8);
    }

    @Test
    void shouldBeginAtTheBeginningWhenWhatWasSettledHasExpired() {
        topicHolds(5, 9);

        assertThat(place(FirstPosition.LATEST, partitions -> Map.of(P0, 2L))).containsExactly(Map.entry(P0, 5L));
    }

    @Test
    void shouldNotTrustAHistoryOfAnEarlierTopic() {
        topicHolds(0, 3);

        assertThat(place(FirstPosition.EARLIEST, partitions -> Map.of(P0, 200L)))
                .containsExactly(Map.entry(P0, 0L));
    }

    @Test
    void shouldNotAskForTheHistoryOfAGroupThatHasItsPosition() {
        topicHolds(5, 9);
        kafka.committedElsewhere.put(P0, 7L);

        assertThat(place(FirstPosition.EARLIEST, partitions -> {
                    throw new AssertionError("asked of " + partitions);
                }))
                .isEmpty();
    }

    @Test
    void shouldGoOnBehindWhatExpired() {
        topicHolds(5, 9);
        kafka.committedElsewhere.put(P0, 2L);

        assertThat(place(FirstPosition.LATEST)).containsExactly(Map.entry(P0, 5L));
        assertThat(kafka.consumer.position(P0)).isEqualTo(5);
    }

    /** Behind the last record that was read there is the marker of its transaction. */
    @Test
    void shouldReportNoLossWhenOnlyTheMarkerOfTheLastTransactionExpired() {
        topicHolds(9, 9);
        kafka.committedElsewhere.put(P0, 8L);

        assertThat(place(FirstPosition.EARLIEST)).containsExactly(Map.entry(P0, 9L));
        assertThat(levels()).containsExactly(Level.INFO);
    }

    @Test
    void shouldReportALossWhenTheLastRecordExpired() {
        topicHolds(9, 9);
        kafka.committedElsewhere.put(P0, 7L);

        assertThat(place(FirstPosition.EARLIEST)).containsExactly(Map.entry(P0, 9L));
        assertThat(levels()).containsExactly(Level.ERROR);
    }

    @Test
    void shouldReportALossWhenLaterRecordsAreThere() {
        topicHolds(9, 12);
        kafka.committedElsewhere.put(P0, 8L);

        place(FirstPosition.EARLIEST);
        assertThat(levels()).containsExactly(Level.ERROR);
    }

    @Test
    void shouldReadATopicThatWasMadeAnewFromItsBeginning() {
        topicHolds(0, 3);
        kafka.committedElsewhere.put(P0, 200L);

        assertThat(place(FirstPosition.LATEST)).containsExactly(Map.entry(P0, 0L));
        assertThat(kafka.consumer.position(P0)).isZero();
    }

    /** Otherwise everything that the topic keeps would be sent again. */
    @Test
    void shouldGoOnBehindWhatWasSettledWhenBrokersLostTheEnd() {
        topicHolds(5, 90);
        kafka.committedElsewhere.put(P0, 100L);

        assertThat(place(FirstPosition.EARLIEST, partitions -> Map.of(P0, 88L))).containsExactly(Map.entry(P0, 88L));
        assertThat(kafka.consumer.position(P0)).isEqualTo(88);
        assertThat(levels()).containsExactly(Level.ERROR);
    }

    @Test
    void shouldReadATopicThatWasMadeAnewFromItsBeginningWhenNothingInItWasSettled() {
        topicHolds(0, 3);
        kafka.committedElsewhere.put(P0, 200L);

        assertThat(place(FirstPosition.LATEST, partitions -> Map.of(P0, 0L))).containsExactly(Map.entry(P0, 0L));
    }

    /** A program that ran is not run again because somebody set offsets back. */
    @Test
    void shouldGoOnBehindWhatWasSettledWhenThePositionWasSetBackByHand() {
        topicHolds(5, 90);
        kafka.setByHand.put(P0, 5L);

        assertThat(place(FirstPosition.EARLIEST, partitions -> Map.of(P0, 88L))).containsExactly(Map.entry(P0, 88L));
        assertThat(kafka.consumer.position(P0)).isEqualTo(88);
        assertThat(levels()).containsExactly(Level.WARN);
    }

    @Test
    void shouldFollowAPositionThatWasSetForwardByHandAndSaySo() {
        topicHolds(5, 90);
        kafka.setByHand.put(P0, 89L);

        assertThat(place(FirstPosition.EARLIEST, partitions -> Map.of(P0, 20L))).containsExactly(Map.entry(P0, 89L));
        assertThat(kafka.consumer.position(P0)).isEqualTo(89);
        assertThat(levels()).containsExactly(Level.INFO);
    }

    /** So the next start does not have to look at what was settled. */
    @Test
    void shouldKeepAPositionThatWasSetByHandAsItsOwn() throws Exception {
        topicHolds(5, 9);
        kafka.setByHand.put(P0, 7L);
        RecordLoop loop = kafka.loop(FirstPosition.LATEST, kafka.codec, new ScriptedHandler());
        kafka.consumer.rebalance(List.of(P0));
        loop.step();
        kafka.setByHand.clear();

        assertThat(kafka.consumer.committed(Set.of(P0)).get(P0)).isEqualTo(BeginningMark.reached(7));
    }

    @Test
    void shouldCommitAChosenPositionAtOnce() throws Exception {
        topicHolds(5, 9);
        RecordLoop loop = kafka.loop(FirstPosition.LATEST, kafka.codec, new ScriptedHandler());
        kafka.consumer.rebalance(List.of(P0));

        loop.step();

        assertThat(kafka.position()).containsEntry(P0, 9L);
    }

    private List<Level> levels() {
        return log.list.stream().map(ILoggingEvent::getLevel).toList();
    }

    private Map<TopicPartition, Long> place(FirstPosition first) {
        return place(first, SettlementHistory.NONE);
    }

    private Map<TopicPartition, Long> place(FirstPosition first, SettlementHistory history) {
        kafka.consumer.assign(List.of(P0));
        return first.place(kafka.consumer, List.of(P0), history);
    }

    private void topicHolds(long beginning, long end) {
        kafka.consumer.updateBeginningOffsets(Map.of(P0, beginning));
        kafka.consumer.updateEndOffsets(Map.of(P0, end));
    }
}
