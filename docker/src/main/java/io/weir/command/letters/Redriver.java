package io.weir.command.letters;

import io.weir.command.client.TopicsAccess;
import io.weir.command.terminal.BadInputException;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.RecordHeader;
import io.weir.standalone.access.NotPermittedException;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.RecordSize;
import io.weir.topics.RedriveMark;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends dead letters again: the bytes, the key and the headers as they were, to the partition they came from, with a
 * header that names their origin. In the same transaction it notes among the dead letters that it did, so that nobody does
 * it again unawares. Two that run at once exclude each other. One thread.
 */
final class Redriver implements AutoCloseable {
    private static final String SERVICE = "weir dead-letters";
    private static final String TRANSACTIONAL_ID = "weir-dead-letters";

    /** Topics that services read, and so have dead letters of; nothing is sent to any other. */
    private static final Set<Topic<?>> INPUTS = Stream.concat(
                    Topics.schedulerInputs().stream(),
                    Stream.of(Topics.COMMANDS, Topics.NOTIFICATIONS, Topics.TRIGGER_FIRINGS, Topics.CHARGES))
            .collect(Collectors.toUnmodifiableSet());

    private final TopicNames names;
    private final AvroCodec codec;
    private final KafkaProducer<byte[], byte[]> producer;

    /**
     * Opens a way to the topics behind {@code opened}. From now on no other one can send: so open this first, and read
     * afterwards what was sent before.
     */
    Redriver(TopicsAccess.Opened opened, TopicNames names, AvroCodec codec) {
        this.names = names;
        this.codec = codec;
        Map<String, Object> settings = opened.connection().kafka();
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, names.full(Topics.DEAD_LETTERS) + "-" + TRANSACTIONAL_ID);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, RecordSize.most(Topics.DEAD_LETTERS));
        producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        try {
            producer.initTransactions();
        } catch (AuthorizationException e) {
            producer.close();
            throw NotPermittedException.refused("sending dead letters again", String.valueOf(e.getMessage()));
        }
    }

    /** Says why {@code letter} cannot be sent again; empty when it can. */
    static Optional<String> obstacle(FiledLetter letter) {
        String name = letter.letter().getTopic();
        if (Topics.byName(name).filter(INPUTS::contains).isEmpty()) {
            return Optional.of("no service reads a topic " + LetterText.line(name));
        }
        if (name.equals(Topics.RM_HEARTBEATS.name())) {
            return Optional.of(
                    "a heartbeat says something about its own place among the facts; the connector's next one"
                            + " takes its place");
        }
        return letter.letter().getTruncated()
                ? Optional.of("it was cut when it was filed; its end is lost")
                : Optional.empty();
    }

    /**
     * Sends {@code letter} again.
     *
     * @return where it is now: {@code topic-partition@offset}
     */
    String send(FiledLetter letter) {
        DeadLetter dead = letter.letter();
        Topic<?> topic = Topics.byName(dead.getTopic())
                .orElseThrow(() -> new BadInputException("There is no topic " + dead.getTopic()));
        producer.beginTransaction();
        try {
            RecordMetadata sent = producer.send(new ProducerRecord<>(
                            names.full(topic),
                            dead.getPartition(),
                            timestamp(dead),
                            LetterText.bytes(dead.getKey()),
                            LetterText.bytes(dead.getValue()),
                            headers(letter)))
                    .get();
            String place = topic.name() + "-" + sent.partition() + "@" + sent.offset();
            producer.send(mark(letter, place)).get();
            producer.commitTransaction();
            return place;
        } catch (ProducerFencedException e) {
            throw fenced(letter, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ProducerFencedException
                    || e.getCause() instanceof InvalidProducerEpochException) {
                throw fenced(letter, e);
            }
            producer.abortTransaction();
            throw new KafkaException("Could not send " + letter.origin() + " again: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("Interrupted while sending " + letter.origin() + " again", e);
        }
    }

    private static KafkaException fenced(FiledLetter letter, Exception cause) {
        return new KafkaException(
                letter.origin() + " is not sent: another weir dead-letters redrive has begun since; see what it did by"
                        + " weir dead-letters list",
                cause);
    }

    /** Returns the record's own timestamp; one that no record may have becomes now. */
    private static long timestamp(DeadLetter letter) {
        return letter.getTimestamp() > 0 ? letter.getTimestamp() : System.currentTimeMillis();
    }

    private static RecordHeaders headers(FiledLetter letter) {
        RecordHeaders headers = letter.headers();
        FactHeaders.REDRIVEN_FROM.put(headers, letter.origin());
        return headers;
    }

    private ProducerRecord<byte[], byte[]> mark(FiledLetter letter, String place) {
        DeadLetter dead = letter.letter();
        DeadLetter mark = DeadLetter.newBuilder()
                .setService(SERVICE)
                .setTopic(dead.getTopic())
                .setPartition(dead.getPartition())
                .setOffset(dead.getOffset())
                .setTimestamp(dead.getTimestamp())
                .setCause(RedriveMark.CAUSE)
                .setMessage(RedriveMark.message(place))
                .setHeaders(channel(letter))
                .build();
        return new ProducerRecord<>(
                names.full(Topics.DEAD_LETTERS),
                letter.partition(),
                EntityKey.ofCluster(letter.cluster()).toBytes(),
                codec.encode(Topics.DEAD_LETTERS, mark));
    }

    /** Returns the header that says whose letter it was, as the letter has it. */
    private static List<RecordHeader> channel(FiledLetter letter) {
        return letter.letter().getHeaders().stream()
                .filter(header -> header.getName().equals(FactHeaders.CHANNEL.name()))
                .toList();
    }

    @Override
    public void close() {
        producer.close();
    }
}
