package io.weir.rm.runtime;

import io.weir.rm.runtime.command.CommandFeed;
import io.weir.rm.runtime.command.KafkaCommandFeed;
import io.weir.rm.runtime.fact.FactLog;
import io.weir.rm.runtime.fact.KafkaFactLog;
import io.weir.rm.runtime.fact.LogUnavailableException;
import io.weir.service.ProgressWatch;
import io.weir.service.ServiceConfig;
import io.weir.topics.AvroCodec;
import io.weir.topics.RecordSize;
import io.weir.topics.RegistryUnavailableException;
import org.apache.kafka.clients.admin.Admin;

/**
 * Connections to Kafka, as configured for this process.
 *
 * @param config properties of the clients
 * @param connector settings of the connector
 * @param codec closed by whoever made it
 * @param acknowledgements is told of facts that are sent and acknowledged
 */
record KafkaConnections(
        ServiceConfig config, ConnectorConfig connector, AvroCodec codec, ProgressWatch acknowledgements)
        implements LogConnections {

    /** Has every schema at hand before anything is said, so that nothing waits for a registry that fails later. */
    @Override
    public FactLog openFacts(boolean together) {
        try {
            codec.prepare(ConnectorService.WRITTEN);
            codec.learn(ConnectorService.READ);
        } catch (RegistryUnavailableException e) {
            throw new LogUnavailableException("the schema registry gives no usable answer: " + e.getMessage(), e);
        }
        return new KafkaFactLog(
                config.producer(RecordSize.LARGEST),
                together,
                codec,
                connector.names(),
                connector.runner().cluster(),
                acknowledgements);
    }

    @Override
    public CommandFeed openFeed(boolean iterations) {
        return new KafkaCommandFeed(
                config.consumer(),
                Admin.create(config.admin()),
                codec,
                connector.names(),
                connector.runner().cluster(),
                connector.runner().connector(),
                connector.schedulerGroup(),
                iterations);
    }
}
