package io.weir.command.letters;

import io.weir.command.client.TopicsAccess;
import io.weir.command.terminal.PrintableText;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import io.weir.topics.UnknownSchemaException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The committed dead letters, in the order of each partition. One thread. */
final class LetterLog implements AutoCloseable {
    private static final Duration SLICE = Duration.ofMillis(200);

    /** How long a transaction that is still open is waited for; longer ones are aborted by the broker. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final TopicNames names;
    private final AvroCodec codec;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<String, Object> client;

    /** Records whose schema the registry does not know, and what it said of the last. */
    private int unread;

    private String unreadWords = "";

    /** Opens the letters behind {@code opened}. */
    LetterLog(TopicsAccess.Opened opened, TopicNames names) {
        this.names = names;
        this.codec = new AvroCodec(names, opened.connection().registry());
        client = opened.connection().kafka();
        consumer = consumer("read_committed");
    }

    private KafkaConsumer<byte[], byte[]> consumer(String isolation) {
        Map<String, Object> settings = new HashMap<>(client);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 100);
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /**
     * Hands over every letter there is now, marks of those that were sent again included. What lies behind a transaction
     * that is still open is waited for: a mark there must not be missed.
     */
    void read(Consumer<FiledLetter> reader) {
        List<TopicPartition> partitions = consumer.partitionsFor(names.full(Topics.DEAD_LETTERS)).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        Map<TopicPartition, Long> ends;
        try (KafkaConsumer<byte[], byte[]> whole = consumer("read_uncommitted")) {
            ends = whole.endOffsets(partitions);
        }
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (TopicPartition partition : partitions) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = ends.getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                if (System.nanoTime() - deadline > 0) {
                    throw new TimeoutException(
                            "Could not read " + partition + " up to offset " + end + " within " + PATIENCE);
                }
                consumer.poll(SLICE).forEach(record -> hand(record, reader));
            }
        }
    }

    /** Warns on {@code err} of letters that were left out: the registry has lost their schema, or is another one. */
    void tellUnread(PrintWriter err) {
        if (unread > 0) {
            err.println(
                    "WARNING: " + unread + (unread == 1 ? " record" : " records") + " among the dead letters cannot be"
                            + " read and " + (unread == 1 ? "is" : "are")
                            + " left out, as the schema registry does not know the"
                            + " schema: " + PrintableText.line(unreadWords));
            err.flush();
        }
    }

    /** Returns what decodes the records that letters hold. */
    AvroCodec codec() {
        return codec;
    }

    private void hand(ConsumerRecord<byte[], byte[]> record, Consumer<FiledLetter> reader) {
        byte[] value = record.value();
        if (value == null) {
            return;
        }
        try {
            reader.accept(new FiledLetter(
                    record.partition(),
                    record.offset(),
                    Instant.ofEpochMilli(record.timestamp()),
                    record.key() == null ? "" : EntityKey.parse(record.key()).cluster(),
                    codec.decode(Topics.DEAD_LETTERS, value)));
        } catch (UnknownSchemaException e) {
            unread++;
            unreadWords = String.valueOf(e.getMessage());
        } catch (PoisonRecordException e) {
            // Written by somebody else: no service can have meant it for anybody.
        }
    }

    @Override
    public void close() {
        consumer.close();
        codec.close();
    }
}
