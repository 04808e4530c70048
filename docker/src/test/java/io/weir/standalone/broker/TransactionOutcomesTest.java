package io.weir.standalone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.server.common.TransactionVersion;
import org.junit.jupiter.api.Test;

class TransactionOutcomesTest {
    private static final long PRODUCER = 7;

    private final TransactionOutcomes outcomes = new TransactionOutcomes();

    @Test
    void shouldKnowHowATransactionEndedThatItsProducerHasLeftBehind() {
        take(TransactionState.ONGOING, 3);
        take(TransactionState.PREPARE_COMMIT, 4);
        take(TransactionState.COMPLETE_COMMIT, 4);
        take(TransactionState.ONGOING, 4);
        take(TransactionState.PREPARE_ABORT, 5);
        take(TransactionState.COMPLETE_ABORT, 5);

        assertThat(outcomes.of(PRODUCER, 3)).contains(TransactionResult.COMMIT);
        assertThat(outcomes.of(PRODUCER, 4)).contains(TransactionResult.ABORT);
    }

    @Test
    void shouldLeaveATransactionAloneThatIsNotAtItsEnd() {
        take(TransactionState.COMPLETE_COMMIT, 4);
        take(TransactionState.ONGOING, 4);

        assertThat(outcomes.of(PRODUCER, 4)).isEmpty();
    }

    @Test
    void shouldLeaveATransactionToTheCoordinatorThatIsAboutToEndIt() {
        take(TransactionState.ONGOING, 3);
        take(TransactionState.PREPARE_COMMIT, 4);

        assertThat(outcomes.of(PRODUCER, 3)).isEmpty();
    }

    @Test
    void shouldNotGuessWhatTheLogDoesNotSay() {
        take(TransactionState.COMPLETE_COMMIT, 9);

        assertThat(outcomes.of(PRODUCER, 3)).isEmpty();
        assertThat(outcomes.of(PRODUCER + 1, 8)).isEmpty();
    }

    /** There all transactions of a producer have one epoch. */
    @Test
    void shouldNotJudgeTransactionsOfTheFirstVersion() {
        outcomes.take(state(TransactionState.COMPLETE_COMMIT, 4, TransactionVersion.TV_1));

        assertThat(outcomes.of(PRODUCER, 3)).isEmpty();
    }

    private void take(TransactionState state, int epoch) {
        outcomes.take(state(state, epoch, TransactionVersion.TV_2));
    }

    private static TransactionMetadata state(TransactionState state, int epoch, TransactionVersion version) {
        return new TransactionMetadata(
                "scheduler", PRODUCER, -1, -1, (short) epoch, (short) -1, 60_000, state, Set.of(), 0, 0, version);
    }
}
