package io.weir.scheduler.query.request;

import io.weir.schemas.PolicyVersion;
import io.weir.schemas.Request;
import io.weir.schemas.RequestResult;
import io.weir.service.BrokerTrouble;
import io.weir.service.http.HttpRefusal;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts requests on their topic and waits for the scheduler's committed answers, and until what they tell of can be read. A
 * request whose id was answered before, even by an earlier process, gets that answer and is not asked again. Topics are
 * opened with the first request. Thread-safe.
 */
public final class RequestClient implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RequestClient.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration REFUSAL_PAUSE = Duration.ofSeconds(5);
    private static final Duration SEND_LIMIT = Duration.ofSeconds(15);
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(15);
    private static final long JOIN_MILLIS = 3_000;

    /** Answers that are remembered, and how far back they are looked for at the start. */
    private static final int REMEMBERED = 10_000;

    private static final long REMEMBERED_CHARACTERS = 32L << 20;

    /**
     * A request.
     *
     * @param fingerprint of principal and content, which tells a request that comes again from another under its id
     */
    public record Asked(Request request, long fingerprint) {
        EntityKey key() {
            return new EntityKey(request.getCluster(), request.getRequestId());
        }
    }

    private record Sent(Asked asked, Future<?> written) {}

    private final RequestClientConnections clients;
    private final RequestClientThreads threads;
    private final TopicNames names;
    private final AvroCodec codec;

    private final KnownAnswers answers = new KnownAnswers(REMEMBERED, REMEMBERED_CHARACTERS);

    /** Counted down when the reader of answers has ended. */
    private final CountDownLatch ended = new CountDownLatch(1);

    private @Nullable Producer<byte[], byte[]> sender;
    private @Nullable Consumer<byte[], byte[]> source;
    private @Nullable VisibleState state;
    private volatile boolean closed;

    /** Why brokers let nobody read the answers; null while they do. Written by the reader. */
    private volatile @Nullable KafkaException refusal;

    /** Creates a client; nothing is opened yet. */
    public RequestClient(
            RequestClientConnections clients, RequestClientThreads threads, TopicNames names, AvroCodec codec) {
        this.clients = clients;
        this.threads = threads;
        this.names = names;
        this.codec = codec;
    }

    /**
     * Asks, unless that was done before, and waits.
     *
     * @param fingerprint of principal and content, which tells a request that comes again from another under its id
     * @return empty when there was no answer within {@code patience}; it may still come
     * @throws KafkaException when broker or registry do not answer; the request may have been written all the same
     */
    public Optional<RequestResult> ask(Request request, long fingerprint, Duration patience)
            throws InterruptedException {
        return ask(List.of(new Asked(request, fingerprint)), patience).get(0);
    }

    /**
     * Asks several requests, which are on the topic in their order, and waits for all.
     *
     * @return by request, empty when there was no answer within {@code patience}
     * @throws KafkaException when broker or registry do not answer; some may have been written all the same. None is written
     *     while brokers let nobody read the answers
     */
    public List<Optional<RequestResult>> ask(List<Asked> all, Duration patience) throws InterruptedException {
        Producer<byte[], byte[]> out = open();
        @Nullable KafkaException obstacle = refusal;
        if (obstacle != null) {
            throw new KafkaException("Cannot read " + names.full(Topics.REQUEST_RESULTS), obstacle);
        }
        List<Asked> first = new ArrayList<>();
        List<CompletableFuture<RequestResult>> awaited = expect(all, first);
        send(out, first);
        long deadline = threads.nanos() + patience.toNanos();
        List<Optional<RequestResult>> results = new ArrayList<>();
        for (CompletableFuture<RequestResult> answer : awaited) {
            results.add(await(answer, Duration.ofNanos(Math.max(0, deadline - threads.nanos()))));
        }
        awaitState(out, results);
        return results;
    }

    /** Returns the answers that will come, and adds what is still to be sent to {@code first}. */
    private List<CompletableFuture<RequestResult>> expect(List<Asked> all, List<Asked> first) {
        List<CompletableFuture<RequestResult>> awaited = new ArrayList<>();
        try {
            for (Asked asked : all) {
                KnownAnswers.Expected expected = answers.expect(asked.key(), asked.fingerprint());
                awaited.add(expected.answer());
                if (expected.first()) {
                    first.add(asked);
                }
            }
            return awaited;
        } catch (HttpRefusal e) {
            first.forEach(asked -> answers.forget(asked.key(), e));
            throw e;
        }
    }

    private void awaitState(Producer<byte[], byte[]> out, List<Optional<RequestResult>> results)
            throws InterruptedException {
        VisibleState written;
        synchronized (this) {
            written = state;
        }
        SortedSet<String> clusters = new TreeSet<>();
        results.forEach(result -> result.ifPresent(answer -> clusters.add(answer.getCluster())));
        for (String cluster : clusters) {
            if (written != null) {
                written.await(cluster, topic -> out.partitionsFor(topic).size());
            }
        }
    }

    private Optional<RequestResult> await(CompletableFuture<RequestResult> answer, Duration patience)
            throws InterruptedException {
        try {
            return Optional.of(threads.await(answer, patience));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException failure
                    ? failure
                    : new KafkaException("Cannot read answers", e.getCause());
        }
    }

    /** Puts a version of a configuration on its topic. */
    public void publish(PolicyVersion version) throws InterruptedException {
        EntityKey key = new EntityKey(version.getCluster(), version.getVersion());
        try {
            open().send(new ProducerRecord<>(
                            names.full(Topics.POLICY), key.toBytes(), codec.encode(Topics.POLICY, version)))
                    .get(SEND_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("Cannot write to " + names.full(Topics.POLICY), e);
        }
        log.info(
                "Configuration: cluster={} version={} source={} principal={}",
                version.getCluster(),
                version.getVersion(),
                version.getSource(),
                version.getPrincipal());
    }

    /** Returns the answer to a request, if it has come. */
    public Optional<RequestResult> answer(EntityKey key) {
        open();
        return answers.find(key);
    }

    @Override
    public void close() {
        closed = true;
        boolean reading;
        synchronized (this) {
            reading = source != null;
            if (source != null) {
                source.wakeup();
            }
            if (sender != null) {
                sender.close(Duration.ofSeconds(1));
            }
            if (state != null) {
                state.close();
            }
        }
        if (reading) {
            try {
                if (!ended.await(JOIN_MILLIS, TimeUnit.MILLISECONDS)) {
                    log.warn("Still reading the answers to requests after {} ms", JOIN_MILLIS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Writes requests in their order; behind one that cannot be written no more is. */
    private void send(Producer<byte[], byte[]> out, List<Asked> all) throws InterruptedException {
        List<Sent> sent = new ArrayList<>();
        KafkaException failure = null;
        for (Asked asked : all) {
            if (failure != null) {
                answers.forget(asked.key(), failure);
                continue;
            }
            try {
                ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                        names.full(Topics.REQUESTS),
                        asked.key().toBytes(),
                        codec.encode(Topics.REQUESTS, asked.request()));
                sent.add(new Sent(asked, out.send(record)));
            } catch (RuntimeException e) {
                failure = unwritten(asked, e);
            }
        }
        long deadline = threads.nanos() + SEND_LIMIT.toNanos();
        for (Sent each : sent) {
            KafkaException unwritten = confirm(each.asked(), each.written(), deadline - threads.nanos());
            failure = failure == null ? unwritten : failure;
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Waits until a request is written; returns why it may not be, null when it is. */
    private @Nullable KafkaException confirm(Asked asked, Future<?> written, long nanos) throws InterruptedException {
        try {
            written.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            Request request = asked.request();
            log.info(
                    "Request: cluster={} requestId={} principal={} kind={} object={}",
                    request.getCluster(),
                    request.getRequestId(),
                    request.getPrincipal(),
                    request.getKind(),
                    request.getObjectId());
            return null;
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            return unwritten(asked, e);
        }
    }

    /** Gives up waiting for the answer, unless it has come all the same. */
    private @Nullable KafkaException unwritten(Asked asked, Exception cause) {
        KafkaException failure = new KafkaException("Cannot write to " + names.full(Topics.REQUESTS), cause);
        if (answers.forget(asked.key(), failure).isEmpty()) {
            return failure;
        }
        log.info(
                "Request was written though that was not confirmed: requestId={}",
                asked.request().getRequestId());
        return null;
    }

    private synchronized Producer<byte[], byte[]> open() {
        if (closed) {
            throw new HttpRefusal(HttpRefusal.UNAVAILABLE, "The service is stopping");
        }
        Producer<byte[], byte[]> out = sender != null ? sender : clients.requests();
        if (source == null) {
            Consumer<byte[], byte[]> opened;
            try {
                opened = openSource();
            } catch (RuntimeException e) {
                sender = null;
                out.close(Duration.ZERO);
                throw e;
            }
            source = opened;
            threads.start("api-answers", () -> follow(opened));
        }
        sender = out;
        if (state == null) {
            state = new VisibleState(clients.admin(), threads, names);
        }
        return out;
    }

    /** Opens the answers and reads those given lately, so that a repeated request is known from the start. */
    private Consumer<byte[], byte[]> openSource() {
        Consumer<byte[], byte[]> opened = clients.answers();
        try {
            List<TopicPartition> partitions = partitions(opened);
            opened.assign(partitions);
            Map<TopicPartition, Long> beginnings = opened.beginningOffsets(partitions);
            Map<TopicPartition, Long> ends = opened.endOffsets(partitions);
            ends.forEach((partition, end) ->
                    opened.seek(partition, Math.max(beginnings.getOrDefault(partition, 0L), end - REMEMBERED)));
            long deadline = threads.nanos() + OPEN_LIMIT.toNanos();
            while (ends.entrySet().stream().anyMatch(end -> opened.position(end.getKey()) < end.getValue())) {
                if (threads.nanos() > deadline) {
                    throw new org.apache.kafka.common.errors.TimeoutException(
                            "Could not read " + names.full(Topics.REQUEST_RESULTS) + " within " + OPEN_LIMIT);
                }
                opened.poll(Duration.ofMillis(50)).forEach(this::take);
            }
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private void follow(Consumer<byte[], byte[]> opened) {
        try (opened) {
            while (!closed) {
                try {
                    followAdded(opened);
                    opened.poll(POLL).forEach(this::takeInTime);
                    refusal = null;
                } catch (WakeupException e) {
                    return;
                } catch (AuthorizationException | AuthenticationException e) {
                    refused(e);
                } catch (RuntimeException e) {
                    log.warn("Cannot read the answers to requests: {}", e.toString());
                    threads.pause(POLL);
                }
            }
        } finally {
            if (closed) {
                ended.countDown();
            } else {
                reopenWithTheNextRequest();
            }
        }
    }

    /** Notes that brokers let nobody read the answers, which they may go on with for long. */
    private void refused(KafkaException cause) {
        if (refusal == null) {
            log.error("Cannot read the answers to requests, none is taken: {}", BrokerTrouble.describe(cause));
        }
        refusal = cause;
        threads.pause(REFUSAL_PAUSE);
    }

    /** Reads partitions that were added, too: the answers to a cluster's requests may go to one of them now. */
    private void followAdded(Consumer<byte[], byte[]> opened) {
        Set<TopicPartition> added = new HashSet<>(partitions(opened));
        added.removeAll(opened.assignment());
        if (!added.isEmpty()) {
            Set<TopicPartition> all = new HashSet<>(opened.assignment());
            all.addAll(added);
            opened.assign(all);
            opened.seekToBeginning(added);
        }
    }

    private List<TopicPartition> partitions(Consumer<byte[], byte[]> opened) {
        return opened.partitionsFor(names.full(Topics.REQUEST_RESULTS)).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
    }

    /** Nobody may wait for answers that nothing reads, after an error such as one of memory. */
    private synchronized void reopenWithTheNextRequest() {
        source = null;
        if (closed) {
            ended.countDown();
        }
        log.warn("The reader of the answers to requests has ended; the next request starts another");
    }

    /** Takes an answer, again and again while the registry is away: what is passed over does not come back. */
    private void takeInTime(ConsumerRecord<byte[], byte[]> entry) {
        while (!closed) {
            try {
                take(entry);
                return;
            } catch (RegistryUnavailableException e) {
                log.warn("Registry is away, an answer waits for it: {}", e.getMessage());
                threads.pause(POLL);
            }
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> entry) {
        if (entry.value() == null) {
            return;
        }
        try {
            answers.take(codec.decode(Topics.REQUEST_RESULTS, entry.value()));
        } catch (PoisonRecordException | IllegalArgumentException e) {
            log.warn("Unreadable answer: topic={} offset={}: {}", entry.topic(), entry.offset(), e.getMessage());
        }
    }
}
