package io.weir.monitoring.source;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.monitoring.format.Formats;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.NodeMetric;
import io.weir.service.http.HttpListener;
import io.weir.service.http.HttpSettings;
import io.weir.topics.AvroCodec;
import io.weir.topics.AvroTrust;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A source that listens on a port of its own and writes to Kafka's in-memory producer. */
final class SourceFixture implements AutoCloseable {

    static final String TOKEN = "let-me-in";

    private static final TopicNames NAMES = new TopicNames("test.");

    static {
        AvroTrust.install();
    }

    final UnwillingProducer producer = new UnwillingProducer();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final AvroCodec codec = new AvroCodec(NAMES, Map.of("schema.registry.url", "mock://" + UUID.randomUUID()));
    final MessageIntake intake;
    private final HttpReceiver receiver;
    private final HttpListener listener;

    SourceFixture(Path directory) throws IOException {
        Path token = Files.writeString(directory.resolve("token"), TOKEN + "\n");
        intake = new MessageIntake(
                FactMakerTest.maker(), new FactWriter(producer, NAMES, codec), meters, Clock.systemUTC());
        receiver = new HttpReceiver(intake, Formats.named("auto").orElseThrow(), token);
        listener = HttpListener.start(HttpSettings.small("test", "127.0.0.1", 0).withBodies(1 << 20), receiver);
    }

    int port() {
        return listener.port();
    }

    /** Kafka's in-memory producer, which also waits, or takes nothing and says so afterwards as the real one does. */
    static final class UnwillingProducer extends MockProducer<byte[], byte[]> {
        volatile Runnable before = () -> {};
        volatile @Nullable Exception refusal;
        final AtomicInteger tried = new AtomicInteger();

        UnwillingProducer() {
            super(true, new ClusterPartitioner(), new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
            before.run();
            tried.incrementAndGet();
            Exception why = refusal;
            return why == null ? super.send(record) : CompletableFuture.failedFuture(why);
        }
    }

    HttpResponse<String> post(String path, String token, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    List<NodeMetric> metrics() {
        return written(Topics.MONITORING_METRICS);
    }

    List<GenericEvent> events() {
        return written(Topics.MONITORING_EVENTS);
    }

    private <T extends SpecificRecord> List<T> written(Topic<T> topic) {
        return producer.history().stream()
                .filter(record -> record.topic().equals(NAMES.full(topic)))
                .map(record -> codec.decode(topic, record.value()))
                .toList();
    }

    @Override
    public void close() {
        listener.close();
        receiver.close();
        codec.close();
    }
}
