package io.weir.scheduler.stream.quarantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import io.weir.scheduler.stream.store.UnreadableStateException;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.RegistryUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferOverflowException;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FailureOriginTest {
    @ParameterizedTest
    @MethodSource("ofTheMachine")
    void shouldNotBlameTheWorkForFailuresOfTheMachine(Throwable failure) {
        assertThat(FailureOrigin.of(failure)).isEqualTo(FailureOrigin.MACHINE);
        assertThat(FailureOrigin.of(new StreamsException(failure))).isEqualTo(FailureOrigin.MACHINE);
        assertThat(FailureOrigin.of(new IllegalStateException("while planning", failure)))
                .isEqualTo(FailureOrigin.MACHINE);
    }

    static Stream<Throwable> ofTheMachine() {
        return Stream.of(
                new OutOfMemoryError("Java heap space"),
                new InternalError("fault in the virtual machine"),
                new NoClassDefFoundError("io/weir/Missing"),
                new IOException("No space left on device"),
                new UncheckedIOException(new IOException("Input/output error")),
                new ProcessorStateException("Error while putting into store", new IllegalStateException("closed")),
                new InvalidStateStoreException("closed"),
                new TaskCorruptedException(Set.of()),
                new TaskMigratedException("fenced"),
                new UnreadableStateException("of another build", null),
                new TimeoutException("broker away"),
                new KafkaException("the producer is in an error state"),
                new ProducerFencedException("another instance"),
                new TopicAuthorizationException("weir.journal"),
                new RecordTooLargeException("the broker takes less than it was asked for"),
                new OffsetOutOfRangeException(java.util.Map.of(new TopicPartition("weir.rm.jobs", 0), 7L)),
                new RegistryUnavailableException("registry away", new IOException("refused")),
                new RestClientException("forbidden", 403, 40301),
                new InterruptException("closing"),
                new StreamsException("no cause given"));
    }

    @ParameterizedTest
    @MethodSource("ofTheWork")
    void shouldBlameTheWorkForEverythingElse(Throwable failure) {
        assertThat(FailureOrigin.of(failure)).isEqualTo(FailureOrigin.WORK);
        assertThat(FailureOrigin.of(new StreamsException(failure))).isEqualTo(FailureOrigin.WORK);
    }

    static Stream<Throwable> ofTheWork() {
        return Stream.of(
                new StackOverflowError(),
                new ArithmeticException("integer overflow"),
                new NullPointerException(),
                new IndexOutOfBoundsException(7),
                new NegativeArraySizeException("-1"),
                new BufferOverflowException(),
                new AssertionError("impossible"),
                new PoisonRecordException("a poisonous value"),
                new SerializationException("not serializable"));
    }

    /** A chain of causes may be a circle. */
    @Test
    void shouldLookAtTheFirstHundredCauses() {
        assertThat(FailureOrigin.of(wrapped(99))).isEqualTo(FailureOrigin.MACHINE);
        assertThat(FailureOrigin.of(wrapped(100))).isEqualTo(FailureOrigin.WORK);
    }

    private static Throwable wrapped(int times) {
        Throwable failure = new IOException("No space left on device");
        for (int time = 0; time < times; time++) {
            failure = new IllegalStateException(failure);
        }
        return failure;
    }

    @Test
    void shouldBlameNobodyOnAnInterruptedThread() {
        Thread.currentThread().interrupt();
        try {
            assertThat(FailureOrigin.of(new NullPointerException())).isEqualTo(FailureOrigin.MACHINE);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
