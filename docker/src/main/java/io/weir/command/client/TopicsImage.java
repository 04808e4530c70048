package io.weir.command.client;

import io.weir.scheduler.query.image.ClusterImage;
import io.weir.scheduler.query.image.ClusterImageFeed;
import io.weir.standalone.Connection;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;

/** What the state topics hold at one moment. */
public final class TopicsImage {
    private TopicsImage() {}

    /** Reads them from their beginning to their end. */
    public static ClusterImage read(Connection connection, TopicNames names) {
        try (AvroCodec codec = new AvroCodec(names, connection.registry());
                ClusterImageFeed feed = new ClusterImageFeed(connection.kafka(), names, codec)) {
            return feed.catchUp();
        }
    }
}
