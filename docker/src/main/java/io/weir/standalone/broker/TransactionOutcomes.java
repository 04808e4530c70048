package io.weir.standalone.broker;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.coordinator.transaction.TransactionLog;
import org.apache.kafka.coordinator.transaction.TransactionLog.TxnRecord;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionState;

/**
 * How transactions ended, by the log of their coordinators, of which records are taken in order. Every transaction of the
 * second version has an epoch of its own: its records have one, the decision to end it the next. One thread.
 */
final class TransactionOutcomes {
    private final Map<Epoch, TransactionResult> decided = new HashMap<>();

    /** The last state of each producer. */
    private final Map<Long, TransactionMetadata> last = new HashMap<>();

    private record Epoch(long producerId, int number) {}

    /** Takes a record of the log; one of another kind, or without a value, says nothing. */
    void take(ConsumerRecord<byte[], byte[]> entry) {
        if (entry.key() != null
                && entry.value() != null
                && TransactionLog.read(ByteBuffer.wrap(entry.key()), ByteBuffer.wrap(entry.value()))
                        instanceof TxnRecord found) {
            take(found.metadata());
        }
    }

    /** Takes the state of a producer that follows those taken before. */
    void take(TransactionMetadata state) {
        last.put(state.producerId(), state);
        if (state.clientTransactionVersion().supportsEpochBump()) {
            result(state.state())
                    .ifPresent(result -> decided.put(new Epoch(state.producerId(), state.producerEpoch()), result));
        }
    }

    private static Optional<TransactionResult> result(TransactionState state) {
        return switch (state) {
            case PREPARE_COMMIT, COMPLETE_COMMIT -> Optional.of(TransactionResult.COMMIT);
            case PREPARE_ABORT, COMPLETE_ABORT -> Optional.of(TransactionResult.ABORT);
            case EMPTY, ONGOING, DEAD, PREPARE_EPOCH_FENCE -> Optional.empty();
        };
    }

    /**
     * Returns how the transaction ended whose records are of {@code epoch}; empty when it has not, when its coordinator is still
     * about to tell the partitions, or when the log does not say.
     */
    Optional<TransactionResult> of(long producerId, int epoch) {
        TransactionMetadata now = last.get(producerId);
        if (now != null
                && now.producerEpoch() == epoch + 1
                && (now.state() == TransactionState.PREPARE_COMMIT || now.state() == TransactionState.PREPARE_ABORT)) {
            return Optional.empty();
        }
        return Optional.ofNullable(decided.get(new Epoch(producerId, epoch + 1)));
    }
}
