package io.weir.command.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Access to the clusters that one scheduler service manages. Every failure is a {@link ClientException}. */
public interface ClusterClient extends AutoCloseable {
    /** Returns the names of the clusters. */
    List<String> clusters();

    /** Returns a view of {@link io.weir.scheduler.query.view.ClusterViews}; empty when the entity is not there. */
    Optional<JsonNode> view(String cluster, String view, String id);

    /** Returns the view {@code queue} or {@code jobs}, with those jobs that {@code query} chooses. */
    Optional<JsonNode> jobs(String cluster, String view, JobQuery query);

    /** Hands a request to the scheduler and returns its answer, a {@code RequestResult}. */
    JsonNode ask(String cluster, OperatorRequest request);

    /** Hands requests to the scheduler in their order, and {@code told} the answer to each in the same order. */
    default void ask(String cluster, List<OperatorRequest> requests, BiConsumer<OperatorRequest, JsonNode> told) {
        requests.forEach(request -> told.accept(request, ask(cluster, request)));
    }

    /** Puts a configuration in force and returns its version, a {@code PolicyVersion} without its text. */
    JsonNode publish(String cluster, String text, String source);

    /** Returns what whoever asked should know besides the last answer. */
    Optional<String> warning();

    @Override
    void close();
}
