package io.weir.topics;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;

/** Waits for an admin client's answers; failures come out as the unchecked exceptions Kafka itself throws elsewhere. */
final class KafkaFutures {

    private KafkaFutures() {}

    static <T> T get(KafkaFuture<T> future, String what) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new KafkaException("Cannot get " + what + ": " + cause.getMessage(), cause);
        }
    }
}
