package io.weir.scheduler.plugin;

import io.weir.schemas.DeadLetter;
import io.weir.schemas.PluginAnswer;
import io.weir.schemas.PluginQuestion;
import io.weir.topics.AvroCodec;
import io.weir.topics.DeadLetterForm;
import io.weir.topics.EntityKey;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes committed questions from their topic, asks the plug-ins and puts the answers on theirs. A position is committed
 * only behind written answers: after a crash a question may be asked twice, and the core takes the first answer. Own
 * thread, away from the stream's; a broker that is away is waited for, what nobody foresaw ends the service.
 */
public final class PluginService implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PluginService.class);
    private static final DeadLetterForm LETTERS = new DeadLetterForm("plugins");
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final long JOIN_MILLIS = 3_000;

    /** Plug-ins asked at a time. */
    private static final int WORKERS = 4;

    /** Questions of one poll: their answers have to be there before the next. */
    private static final int BATCH = 100;

    /** Longest time a batch may take before the group gives its partitions away: all plug-ins at the end of theirs. */
    private static final int POLL_LIMIT_MILLIS = 30 * 60 * 1000;

    private final Map<String, Object> consumer;
    private final Map<String, Object> producer;
    private final TopicNames names;
    private final AvroCodec codec;
    private final Plugins plugins;
    private final InstantSource clock;
    private final Consumer<Throwable> fail;
    private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS, work -> {
        Thread thread = new Thread(work, "allocation-plugins");
        thread.setDaemon(true);
        return thread;
    });
    private final Thread thread = new Thread(this::run, "plugin-service");
    private volatile boolean closed;

    /** The consumer at work; null when there is none. */
    private volatile @Nullable KafkaConsumer<byte[], byte[]> source;

    /**
     * A service of the consumer group {@code group}; nothing happens before {@link #start}.
     *
     * @param fail ends the service
     */
    public PluginService(
            Map<String, Object> consumer,
            Map<String, Object> producer,
            String group,
            TopicNames names,
            AvroCodec codec,
            Plugins plugins,
            InstantSource clock,
            Consumer<Throwable> fail) {
        this.consumer = new HashMap<>(consumer);
        this.consumer.put("group.id", group);
        this.consumer.put("isolation.level", "read_committed");
        this.consumer.put("enable.auto.commit", false);
        this.consumer.put("auto.offset.reset", "earliest");
        this.consumer.put("max.poll.records", BATCH);
        this.consumer.put("max.poll.interval.ms", POLL_LIMIT_MILLIS);
        this.producer = new HashMap<>(producer);
        this.producer.put("acks", "all");
        this.producer.put("enable.idempotence", true);
        this.names = names;
        this.codec = codec;
        this.plugins = plugins;
        this.clock = clock;
        this.fail = fail;
        thread.setDaemon(true);
    }

    /** Begins to answer. */
    public void start() {
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        workers.shutdownNow();
        KafkaConsumer<byte[], byte[]> reading = source;
        if (reading != null) {
            reading.wakeup();
        }
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closed) {
            try {
                serve();
            } catch (WakeupException e) {
                log.debug("Woken up: closed={}", closed);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (KafkaException | ExecutionException e) {
                if (closed) {
                    return;
                }
                log.warn("Cannot take questions to allocation plug-ins, trying again in {}", PAUSE, e);
                pause();
            } catch (RuntimeException | Error e) {
                if (!closed) {
                    fail.accept(e);
                }
                return;
            }
        }
    }

    private void serve() throws InterruptedException, ExecutionException {
        try (KafkaConsumer<byte[], byte[]> questions =
                        new KafkaConsumer<>(consumer, new ByteArrayDeserializer(), new ByteArrayDeserializer());
                KafkaProducer<byte[], byte[]> answers =
                        new KafkaProducer<>(producer, new ByteArraySerializer(), new ByteArraySerializer())) {
            source = questions;
            questions.subscribe(List.of(names.full(Topics.PLUGIN_QUESTIONS)));
            while (!closed) {
                ConsumerRecords<byte[], byte[]> batch = questions.poll(POLL);
                if (batch.isEmpty()) {
                    continue;
                }
                List<Future<?>> sent = new ArrayList<>();
                for (ConsumerRecord<byte[], byte[]> entry : batch) {
                    sent.add(workers.submit(() -> {
                        answer(entry, answers);
                        return null;
                    }));
                }
                for (Future<?> answer : sent) {
                    await(answer);
                }
                questions.commitSync();
            }
        }
    }

    /** Waits for an answer; one that will never be possible is no reason to keep the others waiting. */
    private static void await(Future<?> answer) throws InterruptedException, ExecutionException {
        try {
            answer.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() instanceof ExecutionException sending ? sending.getCause() : e.getCause();
            if (cause instanceof RegistryUnavailableException
                    || (cause instanceof KafkaException && !(cause instanceof RecordTooLargeException))) {
                throw e;
            }
            log.error("A question to an allocation plug-in stays without answer", cause);
        }
    }

    /** Answers a question and returns when the answer is written; what is no question goes to the dead letters. */
    private void answer(ConsumerRecord<byte[], byte[]> entry, KafkaProducer<byte[], byte[]> answers)
            throws InterruptedException, ExecutionException {
        PluginQuestion question;
        try {
            question = question(entry);
        } catch (PoisonRecordException e) {
            giveUp(entry, String.valueOf(e.getMessage()), answers);
            return;
        }
        PluginAnswer answer = plugins.ask(question, clock.instant());
        if (answer.getFailure() != null) {
            log.warn(
                    "Allocation plug-in failed: plugin={} jobId={} {}",
                    question.getPlugin(),
                    question.getJobId(),
                    answer.getFailure());
        }
        answers.send(new ProducerRecord<>(
                        names.full(Topics.PLUGIN_ANSWERS),
                        entry.partition(),
                        new EntityKey(question.getCluster(), question.getJobId()).toBytes(),
                        codec.encode(Topics.PLUGIN_ANSWERS, answer)))
                .get();
    }

    private PluginQuestion question(ConsumerRecord<byte[], byte[]> entry) throws PoisonRecordException {
        if (entry.value() == null) {
            throw new PoisonRecordException("it has no value");
        }
        return codec.decode(Topics.PLUGIN_QUESTIONS, entry.value());
    }

    private void giveUp(ConsumerRecord<byte[], byte[]> entry, String message, KafkaProducer<byte[], byte[]> producing)
            throws InterruptedException, ExecutionException {
        DeadLetter letter = LETTERS.of(entry, names, "UNDECODABLE", message);
        producing
                .send(new ProducerRecord<>(
                        names.full(Topics.DEAD_LETTERS), new byte[0], codec.encode(Topics.DEAD_LETTERS, letter)))
                .get();
        log.warn(
                "Dead letter: topic={} partition={} offset={} is no question to an allocation plug-in: {}",
                entry.topic(),
                entry.partition(),
                entry.offset(),
                message);
    }

    private void pause() {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
