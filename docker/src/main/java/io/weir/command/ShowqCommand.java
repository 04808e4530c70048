package io.weir.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.weir.command.queue.ClusterImage;
import io.weir.command.queue.ClusterImageFeed;
import io.weir.command.queue.QueueJson;
import io.weir.command.queue.QueueListing;
import io.weir.command.queue.QueueText;
import io.weir.topics.AvroCodec;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir showq}: the queue, from the state topics. */
@Command(
        name = "showq",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the queue: active jobs by earliest completion, eligible jobs in queue order, blocked jobs.",
            "",
            "Reads the state topics, committed records only: what is shown is what the scheduler decided. Times are",
            "UTC, on the clock the cluster is scheduled by."
        })
final class ShowqCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private TopicsAccess topics = new TopicsAccess();

    @Option(names = "--cluster", paramLabel = "NAME", description = "Only this cluster (default: all).")
    private @Nullable String cluster;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "TEXT",
            description = "text or json (default: text).")
    private OutputFormat format = OutputFormat.TEXT;

    @Override
    public Integer call() throws IOException {
        ClusterImage image;
        try (TopicsAccess.Opened access = topics.open();
                AvroCodec codec = new AvroCodec(
                        topics.names(),
                        Map.of("schema.registry.url", access.endpoints().registryUrl()));
                ClusterImageFeed feed = new ClusterImageFeed(
                        Map.of("bootstrap.servers", access.endpoints().bootstrapServers()), topics.names(), codec)) {
            image = feed.catchUp();
        }
        String only = cluster;
        if (only != null && !image.clusters().contains(only)) {
            throw new BadInputException("There is no cluster '" + only + "'; there are " + image.clusters());
        }
        Collection<String> shown = only == null ? image.clusters() : List.of(only);
        List<QueueListing> listings = shown.stream()
                .map(name -> QueueListing.of(image, name, image.now(name).orElseGet(Instant::now)))
                .toList();
        print(listings);
        return ExitCode.FINE;
    }

    private void print(List<QueueListing> listings) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (format == OutputFormat.JSON) {
            ObjectMapper mapper = new ObjectMapper();
            ArrayNode array = mapper.createArrayNode();
            listings.forEach(queue -> array.add(QueueJson.of(queue)));
            out.println(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(array));
        } else {
            QueueText text = new QueueText(out);
            listings.forEach(text::print);
        }
        out.flush();
    }
}
