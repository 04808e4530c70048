package io.weir.scheduler.stream.quarantine;

import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.errors.StreamsException;

/**
 * Tells failures of the machine from failures of the work. Memory, disk, broker, registry, rights, an interruption and a
 * broken installation are the machine's, whatever was being worked on. Everything else an input or an object brought
 * about: it would fail again on any other machine. A stack that ran over is among these, as its depth follows the input.
 */
public enum FailureOrigin {
    /** The same work may succeed elsewhere or later; nothing that was submitted is to blame. */
    MACHINE,
    /** The same work fails again. */
    WORK;

    private static final int DEEPEST_CAUSE = 100;

    /** Returns the origin of {@code failure}; one cause of the machine's makes it the machine's. */
    public static FailureOrigin of(Throwable failure) {
        if (Thread.currentThread().isInterrupted()) {
            return MACHINE;
        }
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (isMachine(cause)) {
                return MACHINE;
            }
            cause = cause.getCause();
        }
        return WORK;
    }

    private static boolean isMachine(Throwable failure) {
        if (failure instanceof KafkaException) {
            return !isWrapper(failure) && !(failure instanceof SerializationException);
        }
        return (failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError))
                || failure instanceof LinkageError
                || failure instanceof InterruptedException
                || failure instanceof IOException
                || failure instanceof UncheckedIOException
                || failure instanceof RestClientException;
    }

    /** Kafka Streams wraps what a processor throws, whatever that is. */
    private static boolean isWrapper(Throwable failure) {
        return failure.getCause() != null && failure.getClass() == StreamsException.class;
    }
}
