package io.weir.scheduler.query.request;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/** Opens the Kafka clients of a {@link RequestClient}. Whoever asks for one closes it. */
public interface RequestClientConnections {

    /** Opens a consumer of committed records that is in no group. */
    Consumer<byte[], byte[]> answers();

    /** Opens a producer that writes nothing twice by itself. */
    Producer<byte[], byte[]> requests();

    /** Opens an admin client. */
    Admin admin();
}
