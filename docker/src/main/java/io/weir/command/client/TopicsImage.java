package io.weir.command.client;

import io.weir.scheduler.query.image.ClusterImage;
import io.weir.scheduler.query.image.ClusterImageFeed;
import io.weir.scheduler.query.image.UnreadableRecords;
import io.weir.standalone.Connection;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;

/** What the state topics hold at one moment. */
public final class TopicsImage {
    private TopicsImage() {}

    /** Reads them from their beginning to their end. */
    public static ClusterImage read(Connection connection, TopicNames names) {
        return read(connection, names, new UnreadableRecords());
    }

    /** Reads them so, and tells {@code unreadable} what is left out. */
    static ClusterImage read(Connection connection, TopicNames names, UnreadableRecords unreadable) {
        try (AvroCodec codec = new AvroCodec(names, connection.registry());
                ClusterImageFeed feed = new ClusterImageFeed(connection.kafka(), names, codec, unreadable)) {
            return feed.catchUp();
        }
    }
}
