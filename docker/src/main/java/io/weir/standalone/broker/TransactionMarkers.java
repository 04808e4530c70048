package io.weir.standalone.broker;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.NetworkClientUtils;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.Selectable;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest.TxnMarkerEntry;
import org.apache.kafka.common.requests.WriteTxnMarkersResponse;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * Writes the ends of transactions onto partitions, as coordinators do. Kafka's public client can only abort; the classes used
 * here are internal to it, so an upgrade of Kafka may have to change this class. Blocks for the broker. One thread.
 */
final class TransactionMarkers implements AutoCloseable {
    private static final String NAME = "weir-transaction-markers";
    private static final int ANSWER_MILLIS = 10_000;
    private static final int RECONNECT_MILLIS = 50;
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final Metrics metrics = new Metrics();
    private final NetworkClient client;

    /** Uses a client with these {@code properties}, whose account must be allowed to do what brokers do. */
    TransactionMarkers(Map<String, Object> properties) {
        LogContext context = new LogContext();
        Selector selector = new Selector(
                IDLE.toMillis(),
                metrics,
                Time.SYSTEM,
                NAME,
                ClientUtils.createChannelBuilder(new AdminClientConfig(properties), Time.SYSTEM, context),
                context);
        client = new NetworkClient(
                selector,
                new ManualMetadataUpdater(),
                NAME,
                1,
                RECONNECT_MILLIS,
                RECONNECT_MILLIS,
                Selectable.USE_DEFAULT_BUFFER_SIZE,
                Selectable.USE_DEFAULT_BUFFER_SIZE,
                ANSWER_MILLIS,
                ANSWER_MILLIS,
                ANSWER_MILLIS,
                Time.SYSTEM,
                true,
                new ApiVersions(),
                context,
                MetadataRecoveryStrategy.NONE);
    }

    /**
     * Ends the transaction {@code open} with {@code result}. The broker refuses it where the producer has gone on there
     * meanwhile.
     */
    Errors write(Node leader, OpenTransaction open, TransactionResult result) throws IOException {
        TxnMarkerEntry marker = new TxnMarkerEntry(
                open.producerId(),
                (short) (open.epoch() + 1),
                open.coordinatorEpoch(),
                result,
                List.of(open.partition()),
                TransactionVersion.TV_2.featureLevel());
        if (!NetworkClientUtils.awaitReady(client, leader, Time.SYSTEM, ANSWER_MILLIS)) {
            throw new IOException("Cannot connect to " + leader);
        }
        ClientResponse answer = NetworkClientUtils.sendAndReceive(
                client,
                client.newClientRequest(
                        leader.idString(),
                        new WriteTxnMarkersRequest.Builder(List.of(marker)),
                        Time.SYSTEM.milliseconds(),
                        true),
                Time.SYSTEM);
        Map<TopicPartition, Errors> errors = ((WriteTxnMarkersResponse) answer.responseBody())
                .errorsByProducerId()
                .getOrDefault(open.producerId(), Map.of());
        return errors.getOrDefault(open.partition(), Errors.UNKNOWN_SERVER_ERROR);
    }

    @Override
    public void close() {
        client.close();
        metrics.close();
    }
}
