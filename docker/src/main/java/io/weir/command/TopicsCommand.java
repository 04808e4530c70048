package io.weir.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir topics}: the catalogue. */
@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the topics: name, key, Avro record, how long records are kept, and what for.",
            "",
            "Records are Avro in Confluent's wire format under the subject <topic>-value. This is the catalogue this",
            "build brings along; no broker is asked."
        })
final class TopicsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            defaultValue = TopicNames.DEFAULT_PREFIX,
            description = "What stands before every name (default: ${DEFAULT-VALUE}).")
    private String prefix = TopicNames.DEFAULT_PREFIX;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "TEXT",
            description = "text or json (default: text).")
    private OutputFormat format = OutputFormat.TEXT;

    @Override
    public Integer call() throws IOException {
        TopicNames names = new TopicNames(prefix);
        if (format == OutputFormat.JSON) {
            json(names);
        } else {
            text(names);
        }
        return ExitCode.FINE;
    }

    private void text(TopicNames names) {
        List<List<String>> rows = new ArrayList<>();
        for (Topic<?> topic : Topics.all()) {
            rows.add(List.of(
                    names.full(topic), topic.key(), topic.type().getSimpleName(), kept(topic), topic.description()));
        }
        new TextTable("topic", "key", "record", "kept", "what it holds")
                .print(rows, spec.commandLine().getOut());
    }

    private void json(TopicNames names) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        ArrayNode array = mapper.createArrayNode();
        for (Topic<?> topic : Topics.all()) {
            array.addObject()
                    .put("topic", names.full(topic))
                    .put("key", topic.key())
                    .put("record", topic.type().getName())
                    .put("subject", names.full(topic) + "-value")
                    .put("cleanup", topic.cleanup().policy())
                    .put(
                            "retentionMs",
                            topic.retention().map(Duration::toMillis).orElse(-1L))
                    .put("role", topic.role().name())
                    .put("description", topic.description());
        }
        spec.commandLine()
                .getOut()
                .println(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(array));
    }

    private static String kept(Topic<?> topic) {
        Optional<Duration> retention = topic.retention();
        if (topic.cleanup() == Topic.Cleanup.COMPACT) {
            return "latest per key";
        }
        return retention
                .map(time -> time.toDays() == 1 ? "1 day" : time.toDays() + " days")
                .orElse("for ever");
    }
}
