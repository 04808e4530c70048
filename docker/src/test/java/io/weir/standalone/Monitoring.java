package io.weir.standalone;

import io.weir.schemas.NodeMetric;
import io.weir.standalone.access.Account;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What a site's monitoring writes, with its account. */
public final class Monitoring {
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);

    private Monitoring() {}

    /** Writes a value of a node's metric, as of now; returns when the broker has it. */
    public static void measured(Standalone site, String cluster, String node, String metric, double value)
            throws ExecutionException, InterruptedException {
        Connection connection = site.connection(Account.MONITORING);
        try (AvroCodec codec = new AvroCodec(NAMES, connection.registry());
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(connection.kafka(), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            NAMES.full(Topics.MONITORING_METRICS),
                            new EntityKey(cluster, node).toBytes(),
                            codec.encode(
                                    Topics.MONITORING_METRICS,
                                    new NodeMetric(cluster, node, metric, value, Instant.now()))))
                    .get();
        }
    }
}
