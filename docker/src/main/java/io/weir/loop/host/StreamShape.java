package io.weir.loop.host;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;

/**
 * A topology of one processor.
 *
 * @param application its application id: group, and prefix of changelogs and transactional ids
 * @param inputs full names of the topics it reads
 * @param outputs full names of the topics it writes, by the name of the child that stands for them
 * @param timestamps gives a record its timestamp
 * @param processors makes the processors of one start, anew for each
 * @param read is told what each poll gave
 * @param partitioner gives a key its partition
 */
public record StreamShape(
        String application,
        List<String> inputs,
        Map<String, String> outputs,
        TimestampExtractor timestamps,
        Supplier<ProcessorSupplier<byte[], byte[], byte[], byte[]>> processors,
        Consumer<ConsumerRecords<byte[], byte[]>> read,
        Partitioner partitioner) {

    /** Gives a key its partition. */
    @FunctionalInterface
    public interface Partitioner {
        /** Returns the partition, of {@code partitions}, of {@code key}. */
        int partition(byte[] key, int partitions);
    }

    /** Returns the name of the changelog of {@code store}. */
    public static String changelog(String application, String store) {
        return application + "-" + store + "-changelog";
    }
}
