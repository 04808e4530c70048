package io.weir.command.client;

import io.weir.scheduler.query.image.ClusterImage;
import io.weir.schemas.Heartbeat;
import io.weir.standalone.Connection;
import io.weir.topics.TopicNames;
import java.util.NavigableSet;
import java.util.TreeSet;

/** The clusters that a scheduler or a connector has written of. */
public final class KnownClusters {
    private KnownClusters() {}

    /** Reads them from the topics. */
    public static NavigableSet<String> read(Connection connection, TopicNames names) {
        ClusterImage image = TopicsImage.read(connection, names);
        NavigableSet<String> known = new TreeSet<>(image.clusters());
        image.heartbeats().values().stream().map(Heartbeat::getCluster).forEach(known::add);
        return known;
    }
}
