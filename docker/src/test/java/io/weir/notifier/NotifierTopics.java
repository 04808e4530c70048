package io.weir.notifier;

import io.weir.notifier.runtime.KafkaClients;
import io.weir.schemas.Charge;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.Notification;
import io.weir.schemas.Severity;
import io.weir.schemas.TriggerFiring;
import io.weir.standalone.Connection;
import io.weir.topics.AvroCodec;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.EntityKey;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;

/** The scheduler's and the reader's side of the notifier's topics, for one test and its thread. */
final class NotifierTopics implements AutoCloseable {

    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);

    private final Connection reader;
    private final AvroCodec codec;
    private final KafkaProducer<byte[], byte[]> producer;

    NotifierTopics(Connection scheduler, Connection reader) {
        this.reader = reader;
        codec = new AvroCodec(NAMES, scheduler.registry());
        Map<String, Object> settings = scheduler.kafka();
        settings.put("transactional.id", "weir-scheduler/test");
        settings.put("partitioner.class", ClusterPartitioner.class.getName());
        // As the scheduler's own: requests behind one that a transaction's end refuses are not taken out of order.
        settings.put("max.in.flight.requests.per.connection", 1);
        producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
    }

    /** Publishes a notification of {@code event}, as the scheduler would. */
    void publish(String id, String event) {
        producer.beginTransaction();
        send(id, event);
        producer.commitTransaction();
    }

    /** Publishes a notification in a transaction that is aborted. */
    void publishAndAbort(String id) {
        producer.beginTransaction();
        send(id, "nodedown");
        producer.flush();
        producer.abortTransaction();
    }

    /** Publishes a charge, as the scheduler would. */
    void publish(Charge charge) {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(
                NAMES.full(Topics.CHARGES),
                null,
                0L,
                new EntityKey(charge.getCluster(), charge.getChargeId()).toBytes(),
                codec.encode(Topics.CHARGES, charge)));
        producer.commitTransaction();
    }

    /** Publishes a firing, as the scheduler would. */
    void publish(TriggerFiring firing) {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(
                NAMES.full(Topics.TRIGGER_FIRINGS),
                null,
                0L,
                new EntityKey(firing.getCluster(), firing.getTriggerId()).toBytes(),
                codec.encode(Topics.TRIGGER_FIRINGS, firing)));
        producer.commitTransaction();
    }

    /** Returns what the charges on the topic add up to; what gives back counts less. */
    BigDecimal charged() {
        return read(Topics.CHARGES).stream()
                .map(charge -> BigDecimal.valueOf(
                        charge.getKind().equals("refund") ? -charge.getAmountMillis() : charge.getAmountMillis(), 3))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /** Returns the charges on the topic. */
    List<Charge> charges() {
        return read(Topics.CHARGES);
    }

    /** Returns the notifications on the topic. */
    List<Notification> notifications() {
        return read(Topics.NOTIFICATIONS);
    }

    /** Returns how many requests there are. */
    int requests() {
        return read(Topics.REQUESTS).size();
    }

    /** Publishes bytes that are no notification. */
    void publishPoison(byte[] value) {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(
                NAMES.full(Topics.NOTIFICATIONS), new EntityKey("tiny", "poison").toBytes(), value));
        producer.commitTransaction();
    }

    /** Deletes the groups of the notifier, as their expiry does; returns when the broker has forgotten them. */
    void forgetPositions(Connection operator) throws Exception {
        try (Admin admin = Admin.create(operator.kafka())) {
            List<String> groups = admin.listGroups().all().get().stream()
                    .map(GroupListing::groupId)
                    .filter(group -> group.startsWith(NAMES.prefix() + "notifier."))
                    .toList();
            for (String group : groups) {
                admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
                        .all()
                        .get();
            }
            admin.deleteConsumerGroups(groups).all().get();
        }
    }

    /** Sets the position of {@code channel} as an operator may, while no notifier runs. */
    void setPosition(Connection operator, String channel, long offset) throws Exception {
        String group = KafkaClients.groupOfChannel(NAMES, channel);
        try (Admin admin = Admin.create(operator.kafka())) {
            admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
                    .all()
                    .get();
            TopicPartition partition = new TopicPartition(NAMES.full(Topics.NOTIFICATIONS), 0);
            admin.alterConsumerGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(offset)))
                    .all()
                    .get();
        }
    }

    /** Makes the topic of notifications anew, and puts the group of each of {@code channels} far behind its end. */
    void loseNotifications(Connection operator, String... channels) throws Exception {
        String topic = NAMES.full(Topics.NOTIFICATIONS);
        forgetPositions(operator);
        try (Admin admin = Admin.create(operator.kafka())) {
            admin.deleteTopics(List.of(topic)).all().get();
            Awaitility.await("the topic is gone")
                    .until(() -> !admin.listTopics().names().get().contains(topic));
            admin.createTopics(List.of(new NewTopic(topic, Optional.of(1), Optional.empty())))
                    .all()
                    .get();
            for (String channel : channels) {
                // A broker hears of a new topic a moment after the controller has made it.
                Awaitility.await("a position in the new topic")
                        .ignoreExceptionsMatching(e -> e.getCause() instanceof UnknownTopicOrPartitionException)
                        .until(() -> {
                            admin.alterConsumerGroupOffsets(
                                            KafkaClients.groupOfChannel(NAMES, channel),
                                            Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(1_000)))
                                    .all()
                                    .get();
                            return true;
                        });
            }
        }
    }

    List<DeliveryResult> results() {
        return read(Topics.DELIVERY_RESULTS);
    }

    List<DeadLetter> deadLetters() {
        return read(Topics.DEAD_LETTERS);
    }

    @Override
    public void close() {
        producer.close();
        codec.close();
    }

    /** Sends a notification with the key that the scheduler gives it: the id, which begins with the cluster. */
    private void send(String id, String event) {
        Notification notification = Notification.newBuilder()
                .setCluster("tiny")
                .setNotificationId(id)
                .setIteration(1)
                .setTime(Instant.EPOCH)
                .setSeverity(Severity.ERROR)
                .setEvent(event)
                .setObjectType("node")
                .setObjectId("n1")
                .setSubject(event)
                .setText(event)
                .build();
        producer.send(new ProducerRecord<>(
                NAMES.full(Topics.NOTIFICATIONS),
                null,
                0L,
                id.getBytes(StandardCharsets.UTF_8),
                codec.encode(Topics.NOTIFICATIONS, notification)));
    }

    /** Returns what is committed on {@code topic}, from its beginning. */
    private <T extends SpecificRecord> List<T> read(Topic<T> topic) {
        List<T> records = new ArrayList<>();
        Map<String, Object> settings = reader.kafka();
        settings.put("isolation.level", "read_committed");
        settings.put("enable.auto.commit", "false");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = List.of(new TopicPartition(NAMES.full(topic), 0));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long end = consumer.endOffsets(partitions).values().iterator().next();
            while (consumer.position(partitions.get(0)) < end) {
                consumer.poll(Duration.ofMillis(200))
                        .forEach(record -> records.add(codec.decode(topic, record.value())));
            }
        }
        return records;
    }
}
