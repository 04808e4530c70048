package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/** A way to the clusters of a site, open until closed. Its failures are {@link SiteException}s. */
interface Site extends AutoCloseable {
    /** Returns the names of the clusters. */
    List<String> clusters();

    /** Returns a view of {@link io.weir.scheduler.query.ClusterViews}; empty when the entity is not there. */
    Optional<JsonNode> view(String cluster, String view, String id);

    /** Hands a request to the scheduler and returns its answer, a {@code RequestResult}. */
    JsonNode ask(String cluster, Wish wish);

    /** Puts a configuration in force and returns its version, a {@code PolicyVersion} without its text. */
    JsonNode publish(String cluster, String text, String source);

    @Override
    void close();
}
