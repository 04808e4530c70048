package io.weir.command.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.terminal.ExitCode;
import io.weir.scheduler.query.image.ClusterImage;
import io.weir.scheduler.query.image.UnreadableRecords;
import io.weir.scheduler.query.view.ClusterViews;
import io.weir.scheduler.query.view.JobSelection;
import io.weir.service.http.HttpRefusal;
import io.weir.standalone.Connection;
import io.weir.topics.TopicNames;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads the state topics once, when it is opened. It answers views; requests fail, as there is no scheduler. */
final class TopicsClusterClient implements ClusterClient {
    private final ClusterImage image;
    private final String refusal;
    private final UnreadableRecords unreadable = new UnreadableRecords();

    /** Reads the topics; {@code refusal} is what a request is told. */
    TopicsClusterClient(Connection connection, TopicNames names, String refusal) {
        this.refusal = refusal;
        image = TopicsImage.read(connection, names, unreadable);
    }

    @Override
    public List<String> clusters() {
        return List.copyOf(image.clusters());
    }

    @Override
    public Optional<JsonNode> view(String cluster, String view, String id) {
        return new ClusterViews(image, cluster, Instant.now()).view(view, id);
    }

    @Override
    public Optional<JsonNode> jobs(String cluster, String view, JobQuery query) {
        try {
            JobSelection selection = JobSelection.of(view, query.parameters());
            return new ClusterViews(image, cluster, Instant.now(), selection).view(view, "");
        } catch (HttpRefusal e) {
            throw new ClientException(ExitCode.BAD_INPUT, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public JsonNode ask(String cluster, OperatorRequest request) {
        throw noScheduler();
    }

    @Override
    public JsonNode publish(String cluster, String text, String source) {
        throw noScheduler();
    }

    @Override
    public Optional<String> warning() {
        return unreadable.warning();
    }

    private ClientException noScheduler() {
        return new ClientException(ExitCode.UNREACHABLE, refusal);
    }

    @Override
    public void close() {
        // Everything was read at once.
    }
}
