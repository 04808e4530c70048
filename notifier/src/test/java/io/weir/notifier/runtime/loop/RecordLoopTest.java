package io.weir.notifier.runtime.loop;

import static io.weir.notifier.runtime.loop.LoopFixture.P0;
import static io.weir.notifier.runtime.loop.LoopFixture.P1;
import static io.weir.notifier.runtime.loop.LoopFixture.notification;
import static io.weir.notifier.runtime.loop.LoopFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.schemas.DeliveryResult;
import io.weir.schemas.Severity;
import io.weir.topics.AvroCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecordLoopTest {

    private final LoopFixture kafka = new LoopFixture();
    private final ScriptedHandler handler = new ScriptedHandler();

    @AfterEach
    void close() {
        kafka.close();
    }

    @Test
    void shouldRecordOutcomeAndPositionInOneTransaction() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");

        loop.step();

        assertThat(handler.asked).containsExactly("0@0#1");
        assertThat(ids()).containsExactly("0@0");
        assertThat(kafka.position()).containsExactly(Map.entry(P0, 1L));
        assertThat(kafka.transactions()).isEqualTo(1);
        assertThat(kafka.readiness.isReady()).isTrue();
    }

    @Test
    void shouldHandleEachRecordOnceInOrder() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        for (int i = 0; i < 5; i++) {
            kafka.add("tiny/7/" + i);
        }

        run(loop);

        assertThat(handler.asked).containsExactly("0@0#1", "0@1#1", "0@2#1", "0@3#1", "0@4#1");
        assertThat(ids()).containsExactly("0@0", "0@1", "0@2", "0@3", "0@4");
        assertThat(kafka.position()).containsEntry(P0, 5L);
    }

    @Test
    void shouldTryAgainWhenTheWaitIsOverAndHoldLaterRecordsBack() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");
        kafka.add("tiny/7/1");
        handler.answers.add(new Step.Retry(Duration.ofSeconds(10)));
        handler.answers.add(new Step.Retry(Duration.ofSeconds(20)));

        run(loop);
        kafka.pass(Duration.ofSeconds(9), loop);
        assertThat(handler.asked).containsExactly("0@0#1");

        kafka.pass(Duration.ofSeconds(1), loop);
        assertThat(handler.asked).containsExactly("0@0#1", "0@0#2");

        kafka.pass(Duration.ofSeconds(20), loop);
        run(loop);
        assertThat(handler.asked).containsExactly("0@0#1", "0@0#2", "0@0#3", "0@1#1");
        assertThat(ids()).containsExactly("0@0", "0@1");
    }

    /** What is said of a failed attempt does not wait for the end of all attempts, and settles nothing. */
    @Test
    void shouldTellOfAFailedAttemptAtOnce() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");
        handler.answers.add(new Step.Retry(
                Duration.ofSeconds(10), false, ScriptedHandler.settled("told").outputs()));

        run(loop);
        assertThat(ids()).containsExactly("told");
        assertThat(kafka.position()).containsEntry(P0, 0L);

        kafka.pass(Duration.ofSeconds(10), loop);
        run(loop);
        assertThat(ids()).containsExactly("told", "0@0");
        assertThat(kafka.position()).containsEntry(P0, 1L);
    }

    /** Its heartbeats ended with the refused login; the consumer itself would neither send any again nor notice. */
    @Test
    void shouldJoinItsGroupAnewAfterARefusedLogin() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        kafka.consumer.setPollException(new SaslAuthenticationException("invalid credentials"));

        assertThat(loop.step()).isFalse();

        assertThat(kafka.consumer.shouldRebalance()).isTrue();
    }

    @Test
    void shouldJoinItsGroupAnewWhenThatKnowsItNoMore() throws Exception {
        kafka.onNewProducer = producer ->
                producer.sendOffsetsToTransactionException = new CommitFailedException("not aware of this member");
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");

        assertThat(loop.step()).isFalse();

        assertThat(kafka.consumer.shouldRebalance()).isTrue();
    }

    @Test
    void shouldStayInItsGroupThroughOtherFailures() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        kafka.consumer.setPollException(new TimeoutException("no answer"));

        assertThat(loop.step()).isFalse();

        assertThat(kafka.consumer.shouldRebalance()).isFalse();
    }

    @Test
    void shouldNotWaitForAClockThatWasPutBack() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");
        handler.answers.add(new Step.Retry(Duration.ofSeconds(10)));
        run(loop);

        kafka.clock.advance(Duration.ofHours(-1));
        run(loop);

        assertThat(handler.asked).containsExactly("0@0#1", "0@0#2");
        assertThat(ids()).containsExactly("0@0");
    }

    @Test
    void shouldNotHoldBackUntilAClockThatWasPutBackHasCaughtUp() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");
        handler.answers.add(new Step.Hold(kafka.clock.instant().plusSeconds(60)));
        run(loop);
        assertThat(handler.releases).isEmpty();

        kafka.clock.advance(Duration.ofHours(-1));
        run(loop);

        assertThat(handler.releases).containsExactly("0@0+1#1");
    }

    @Test
    void shouldFetchNothingWhileARecordWaits() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");
        handler.answers.add(new Step.Retry(Duration.ofSeconds(10)));

        run(loop);
        assertThat(kafka.consumer.paused()).containsExactly(P0);

        kafka.pass(Duration.ofSeconds(10), loop);
        run(loop);
        assertThat(kafka.consumer.paused()).isEmpty();
    }

    @Test
    void shouldNotCountAPostponementAsAnAttempt() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");
        handler.answers.add(new Step.Postpone(Duration.ofSeconds(5), "no registry"));

        run(loop);
        assertThat(kafka.readiness.report()).containsEntry("loop", "no registry");

        kafka.pass(Duration.ofSeconds(5), loop);
        assertThat(handler.asked).containsExactly("0@0#1", "0@0#1");
        assertThat(kafka.readiness.isReady()).isTrue();
    }

    @Test
    void shouldCommitThePositionBehindRecordsWithoutOutcomeOnceIdle() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        run(loop);
        for (int i = 0; i < 3; i++) {
            kafka.add("tiny/7/" + i);
            handler.answers.add(Step.Settled.silently());
        }
        long before = kafka.transactions();

        run(loop);

        assertThat(kafka.position()).containsEntry(P0, 3L);
        assertThat(kafka.transactions() - before).isEqualTo(1);
        assertThat(kafka.results()).isEmpty();
    }

    @Test
    void shouldCommitThePositionBehindTheMarkersOfTransactionsOnceIdle() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        run(loop);
        kafka.add("tiny/7/0");
        handler.answers.add(Step.Settled.silently());
        kafka.markers = 1;
        run(loop);

        assertThat(kafka.position()).containsEntry(P0, 2L);
    }

    @Test
    void shouldCommitThePositionBehindTheMarkersOfTransactionsWithTheOutcome() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        run(loop);
        kafka.add("tiny/7/0");
        kafka.markers = 1;
        run(loop);

        assertThat(kafka.results()).hasSize(1);
        assertThat(kafka.position()).containsEntry(P0, 2L);
    }

    @Test
    void shouldWriteAgainButNotHandleAgainWhenTheTransactionFails() throws Exception {
        failFirstCommit("no broker");
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");

        run(loop);
        assertThat(kafka.readiness.report().get("loop")).contains("no broker");
        assertThat(kafka.results()).isEmpty();

        kafka.pass(Duration.ofSeconds(2), loop);
        assertThat(handler.asked).containsExactly("0@0#1");
        assertThat(ids()).containsExactly("0@0");
        assertThat(kafka.position()).containsEntry(P0, 1L);
        assertThat(kafka.readiness.isReady()).isTrue();
    }

    @Test
    void shouldLeaveOutWhatDoesNotFitOnItsTopicAndGoOn() throws Exception {
        List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();
        kafka.onNewProducer = producer -> {
            producers.add(producer);
            if (producers.size() == 1) {
                producer.commitTransactionException =
                        new KafkaException("in an error state", new RecordTooLargeException("1,200,000 bytes"));
            }
        };
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");
        kafka.add("tiny/7/1");

        run(loop);

        assertThat(handler.asked).containsExactly("0@0#1", "0@1#1");
        assertThat(ids()).containsExactly("0@1");
        assertThat(kafka.position()).containsEntry(P0, 2L);
    }

    @Test
    void shouldNotWriteAgainWhatTookEffectAlthoughTheAnswerWasLost() throws Exception {
        failFirstCommit("answer lost");
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");
        run(loop);
        kafka.committedElsewhere.put(P0, 1L);

        kafka.pass(Duration.ofSeconds(2), loop);

        assertThat(handler.asked).containsExactly("0@0#1");
        assertThat(kafka.results()).isEmpty();
    }

    @Test
    void shouldWriteLessAndLessOftenWhileTheBrokerIsAway() throws Exception {
        kafka.onNewProducer = producer -> producer.commitTransactionException = new TimeoutException("no broker");
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");

        run(loop);
        kafka.pass(Duration.ofMinutes(10), loop);

        assertThat(handler.asked).containsExactly("0@0#1");
        assertThat(kafka.producers).hasSizeBetween(20, 35);
    }

    @Test
    void shouldLetOthersGoOnWhileOneIsSetAside() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        handler.answers.add(new Step.Aside(Duration.ofSeconds(10)));
        handler.answers.add(ScriptedHandler.settled("0@1"));
        handler.answers.add(new Step.Aside(Duration.ofSeconds(20)));
        for (int i = 0; i < 3; i++) {
            kafka.add("tiny/7/" + i);
        }

        run(loop);
        assertThat(handler.asked).containsExactly("0@0#1", "0@1#1", "0@2#1");
        assertThat(ids()).containsExactly("0@1");
        assertThat(kafka.position()).containsEntry(P0, 3L);

        handler.answers.add(new Step.Aside(Duration.ofSeconds(15)));
        kafka.pass(Duration.ofSeconds(24), loop);
        assertThat(handler.asked).endsWith("0@0#2", "0@2#2");
        assertThat(ids()).containsExactly("0@1", "0@2");
        assertThat(loop.isBusy()).isFalse();

        kafka.add("tiny/7/3");
        kafka.pass(Duration.ofSeconds(1), loop);
        assertThat(ids()).contains("0@3", "0@0");
        assertThat(handler.repeated).isEmpty();
        assertThat(kafka.consumer.committed(Set.of(P0)).get(P0)).isEqualTo(BeginningMark.reached(4));
    }

    /** As after a crash: the position is behind what waits, and names it. */
    @Test
    void shouldTakeUpAgainWhatWasSetAsideAndNothingElse() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        handler.answers.add(ScriptedHandler.settled("0@0"));
        handler.answers.add(new Step.Aside(Duration.ofSeconds(10)));
        for (int i = 0; i < 4; i++) {
            kafka.add("tiny/7/" + i);
        }
        run(loop);

        kafka.consumer.updateEndOffsets(Map.of(P0, 4L));
        kafka.consumer.rebalance(List.of());
        kafka.consumer.rebalance(List.of(P0));
        for (int offset = 1; offset < 4; offset++) {
            kafka.consumer.addRecord(LoopFixture.record(P0, offset, new byte[] {1}));
        }
        kafka.add("tiny/7/4");
        run(loop);

        assertThat(handler.asked).containsExactly("0@0#1", "0@1#1", "0@2#1", "0@3#1", "0@1#2", "0@4#1");
        assertThat(handler.repeated).as("whom it reached is not known").containsExactly("0@1");
        assertThat(kafka.consumer.committed(Set.of(P0)).get(P0)).isEqualTo(BeginningMark.reached(5));
    }

    @Test
    void shouldWriteTheOutcomeOfWhatWasSetAsideOnce() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        handler.answers.add(new Step.Aside(Duration.ofSeconds(10)));
        kafka.add("tiny/7/0");
        run(loop);

        kafka.producers.get(0).commitTransactionException = new CommitFailedException("the group is rebalancing");
        kafka.pass(Duration.ofSeconds(20), loop);

        assertThat(handler.asked).containsExactly("0@0#1", "0@0#2");
        assertThat(ids()).containsExactly("0@0");
        assertThat(kafka.consumer.committed(Set.of(P0)).get(P0)).isEqualTo(BeginningMark.reached(1));
    }

    /** Where everything is put off, it is the receiver that does not work. */
    @Test
    void shouldWaitWhereTooManyAreSetAside() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        for (int i = 0; i < 100; i++) {
            kafka.add("tiny/7/" + i);
            handler.answers.add(new Step.Aside(Duration.ofSeconds(1_000)));
        }

        run(loop);
        run(loop);
        run(loop);

        assertThat(handler.asked).hasSize(65);
        assertThat(kafka.position()).containsEntry(P0, 64L);
        assertThat(kafka.consumer.committed(Set.of(P0)).get(P0).metadata()).hasSizeLessThan(2_000);
    }

    @Test
    void shouldForgetWhatIsTakenAway() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");
        kafka.add("tiny/7/1");
        handler.answers.add(new Step.Retry(Duration.ofSeconds(10)));
        run(loop);

        kafka.consumer.rebalance(List.of(P1));
        kafka.add(P1, notification("tiny/7/2", "nodedown", Severity.ERROR));
        kafka.pass(Duration.ofSeconds(30), loop);

        assertThat(handler.asked).containsExactly("0@0#1", "1@0#1");
        assertThat(kafka.position()).containsEntry(P1, 1L).doesNotContainKey(P0);
    }

    @Test
    void shouldRememberWhatWasSettledWhenItsPartitionComesBack() throws Exception {
        failFirstCommit("the group is rebalancing");
        RecordLoop loop = kafka.assigned(handler);
        byte[] value = {1};
        kafka.add(P0, value);
        run(loop);

        kafka.consumer.rebalance(List.of());
        run(loop);
        kafka.consumer.rebalance(List.of(P0));
        kafka.consumer.addRecord(LoopFixture.record(P0, 0, value));
        kafka.pass(Duration.ofSeconds(2), loop);

        assertThat(handler.asked).containsExactly("0@0#1");
        assertThat(ids()).containsExactly("0@0");
        assertThat(kafka.position()).containsEntry(P0, 1L);
    }

    /** As when an attempt takes longer than the group waits for its member, which joins again at once. */
    @Test
    void shouldGoOnCountingAttemptsWhenItsPartitionComesBack() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        byte[] value = {1};
        kafka.add(P0, value);
        for (int i = 0; i < 3; i++) {
            handler.answers.add(new Step.Retry(Duration.ofSeconds(10)));
        }

        kafka.pass(Duration.ofSeconds(10), loop);
        for (int i = 0; i < 3; i++) {
            kafka.consumer.rebalance(List.of());
            kafka.consumer.rebalance(List.of(P0));
            kafka.consumer.addRecord(LoopFixture.record(P0, 0, value));
            kafka.pass(Duration.ofSeconds(10), loop);
        }

        assertThat(handler.asked).containsExactly("0@0#1", "0@0#2", "0@0#3", "0@0#4");
    }

    @Test
    void shouldSendNothingTogetherAgainThatWasSettledBeforeItsPartitionWasTakenAway() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        handler.answers.add(new Step.Hold(kafka.clock.instant().plusSeconds(5)));
        handler.onRelease = () -> kafka.producers.get(0).commitTransactionException =
                new CommitFailedException("the group is rebalancing");
        byte[] value = {1};
        kafka.add(P0, value);
        kafka.add(P0, value);
        kafka.pass(Duration.ofSeconds(5), loop);
        assertThat(handler.releases).containsExactly("0@0+2#1");

        kafka.consumer.rebalance(List.of());
        kafka.consumer.rebalance(List.of(P0));
        for (int offset = 0; offset < 3; offset++) {
            kafka.consumer.addRecord(LoopFixture.record(P0, offset, value));
        }
        kafka.pass(Duration.ofSeconds(5), loop);

        assertThat(handler.releases).containsExactly("0@0+2#1");
        assertThat(handler.asked).containsExactly("0@0#1", "0@2#1");
        assertThat(kafka.position()).containsEntry(P0, 3L);
    }

    /** The group tells of an assignment once, and the consumer goes to the group's position by itself. */
    @Test
    void shouldHandleNothingBeforeItKnowsWhatAKilledProcessHadBegun() throws Exception {
        RecordLoop loop = kafka.loop(FirstPosition.EARLIEST, kafka.codec, handler);
        kafka.consumer.commitSync(Map.of(P0, BeginningMark.at(0)));
        kafka.onPositionAsked = () -> {
            throw new TimeoutException("no leader");
        };
        assertThatThrownBy(() -> kafka.consumer.rebalance(List.of(P0))).isInstanceOf(TimeoutException.class);
        kafka.add("tiny/7/0");

        assertThat(loop.step()).isFalse();
        assertThat(handler.asked).isEmpty();

        kafka.onPositionAsked = () -> {};
        run(loop);
        assertThat(handler.asked).containsExactly("0@0#1");
        assertThat(handler.repeated).containsExactly("0@0");
    }

    @Test
    void shouldEndWhenAnotherProcessTookItsPlace() {
        kafka.onNewProducer =
                producer -> producer.initTransactionException = new ProducerFencedException("a newer instance");
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");

        assertThatThrownBy(() -> run(loop)).isInstanceOf(ProducerFencedException.class);
    }

    @Test
    void shouldHandleNothingBeforeItsOutcomeCouldBeWritten() throws Exception {
        try (AvroCodec away = new AvroCodec(LoopFixture.NAMES, Map.of("schema.registry.url", "http://127.0.0.1:9"))) {
            RecordLoop loop = kafka.loop(FirstPosition.EARLIEST, away, handler);
            kafka.consumer.rebalance(List.of(P0));
            kafka.add("tiny/7/0");

            assertThat(loop.step()).isFalse();

            assertThat(handler.asked).isEmpty();
            assertThat(kafka.readiness.isReady()).isFalse();
        }
    }

    @Test
    void shouldEndWhatAKilledProcessLeftOpenBeforeItAsksForItsPosition() throws Exception {
        kafka.onNewProducer = producer -> producer.initTransactionException = new TimeoutException("no broker");
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");

        assertThat(loop.step()).isFalse();
        assertThat(handler.asked).isEmpty();

        kafka.onNewProducer = producer -> {};
        run(loop);
        assertThat(kafka.producers.get(1).transactionInitialized()).isTrue();
        assertThat(ids()).containsExactly("0@0");
    }

    @Test
    void shouldBeReadyOnlyOnceItsGroupHasTakenItIn() throws Exception {
        RecordLoop loop = kafka.loop(FirstPosition.EARLIEST, kafka.codec, handler);

        run(loop);
        assertThat(kafka.readiness.isReady()).isFalse();

        kafka.consumer.rebalance(List.of());
        run(loop);
        assertThat(kafka.readiness.isReady()).isTrue();
    }

    @Test
    void shouldWaitTheLongerTheMoreStepsFailInARow() throws Exception {
        List<Duration> waits = new ArrayList<>();
        boolean[] away = {true};
        kafka.onNewProducer = producer -> {
            if (away[0]) {
                throw new KafkaException("no broker");
            }
        };
        RecordLoop loop = kafka.assigned(handler);

        for (int i = 0; i < 9; i++) {
            assertThat(loop.step()).isFalse();
            waits.add(loop.backOff());
        }
        assertThat(waits).startsWith(Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThat(waits).endsWith(Duration.ofSeconds(30), Duration.ofSeconds(30));

        away[0] = false;
        assertThat(loop.step()).isTrue();
        assertThat(loop.backOff()).isZero();
    }

    @Test
    void shouldLeaveARecordThatWaitsToTheNextStart() throws Exception {
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");
        kafka.add("tiny/7/1");
        handler.answers.add(Step.Settled.silently());
        handler.answers.add(new Step.Retry(Duration.ofSeconds(10)));
        run(loop);

        loop.close();

        assertThat(kafka.position()).containsEntry(P0, 1L);
        assertThat(kafka.consumer.closed()).isTrue();
        assertThat(handler.closed).isTrue();
        assertThat(kafka.producers).allMatch(producer -> producer.closed());
    }

    @Test
    void shouldRecordWhatIsSettledBeforeItLeaves() throws Exception {
        failFirstCommit("no broker");
        RecordLoop loop = kafka.assigned(handler);
        kafka.add("tiny/7/0");
        run(loop);

        loop.close();

        assertThat(ids()).containsExactly("0@0");
        assertThat(kafka.position()).containsEntry(P0, 1L);
    }

    private void failFirstCommit(String why) {
        kafka.onNewProducer = producer ->
                producer.commitTransactionException = kafka.producers.size() == 1 ? new KafkaException(why) : null;
    }

    private List<String> ids() {
        return kafka.results().stream().map(DeliveryResult::getDeliveryId).toList();
    }
}
