package io.weir.command.topics;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.weir.command.client.PrefixOption;
import io.weir.command.format.FormatOption;
import io.weir.command.format.TextTable;
import io.weir.command.terminal.BadInputException;
import io.weir.command.terminal.ExitCode;
import io.weir.standalone.ForeignTopics;
import io.weir.standalone.Standalone;
import io.weir.standalone.broker.HangingTransactions;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            "Records are Avro in Confluent's wire format under the subject <topic>-value. The list is part of",
            "this build; no broker is contacted. --create creates the topics that are missing on a broker and",
            "checks the others.",
            "",
            "--end-transactions ends transactions that lie open on partitions of a broker although their",
            "coordinator has ended them, as brokers of Kafka 4.3 leave them behind when they are killed. Each is",
            "committed or aborted as the coordinator decided. The account has to be a super user of the brokers."
        },
        footer = {
            "",
            "Example: weir topics --create --bootstrap-server kafka:9092 --command-config admin.properties \\",
            "             --set topics.replication=3"
        })
public final class TopicsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private PrefixOption prefix = new PrefixOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Option(names = "--create", description = "Create the topics that are missing on --bootstrap-server.")
    private boolean create;

    @Option(
            names = "--end-transactions",
            description = "End the transactions that hang on --bootstrap-server, each as its coordinator did.")
    private boolean endTransactions;

    @Mixin
    private AdministratorOptions administrator = new AdministratorOptions();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description =
                    "Settings of the topics: topics.partitions, topics.replication, topics.retention." + " Repeatable.")
    private Map<String, String> set = new LinkedHashMap<>();

    @Option(
            names = "--foreign",
            paramLabel = "TOPIC",
            split = ",",
            description = "With --create, also make this topic of the site's monitoring; kept for a day. Repeatable.")
    private List<String> foreign = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        TopicNames names = prefix.names();
        if (create) {
            create();
            return ExitCode.FINE;
        }
        if (endTransactions) {
            endTransactions();
            return ExitCode.FINE;
        }
        if (format.isJson()) {
            json(names);
        } else {
            text(names);
        }
        return ExitCode.FINE;
    }

    private void endTransactions() {
        Map<String, Object> client = client(administrator
                .bootstrapServer()
                .orElseThrow(() -> new BadInputException(
                        "--end-transactions needs --bootstrap-server, the broker to end transactions on")));
        PrintWriter out = spec.commandLine().getOut();
        HangingTransactions transactions = new HangingTransactions(client);
        List<HangingTransactions.Ended> ended = transactions.end();
        ended.forEach(each -> out.println(each.partition() + " from offset " + each.start() + ": "
                + (each.committed() ? "committed" : "aborted")));
        out.println(ended.isEmpty() ? "No transaction hangs" : ended.size() + " ended");
        transactions
                .underWay()
                .forEach(each -> out.println("Under way for " + each.age().toSeconds()
                        + " s: the transaction of '" + each.id() + "' on " + each.partitions()
                        + ". Readers wait until its program ends it, or for "
                        + each.longest().toSeconds()
                        + " s. If that program is gone, start it again: that aborts it"));
        out.flush();
    }

    private Map<String, Object> client(String bootstrapServer) {
        Map<String, Object> client = new HashMap<>(administrator.properties());
        client.put("bootstrap.servers", bootstrapServer);
        return client;
    }

    private void create() {
        String bootstrapServer = administrator
                .bootstrapServer()
                .orElseThrow(() ->
                        new BadInputException("--create needs --bootstrap-server, the broker to make the topics on"));
        Map<String, String> settings = new HashMap<>(set);
        administrator.properties().forEach((key, value) -> settings.put("kafka." + key, value));
        settings.put("kafka.bootstrap.servers", bootstrapServer);
        settings.put("registry.url", "none");
        settings.put("topics.prefix", prefix.prefix());
        Standalone.provision(settings);
        ForeignTopics.make(foreign, client(bootstrapServer));
        spec.commandLine()
                .getOut()
                .println(Topics.all().size() + " topics are on " + bootstrapServer + " as they should be");
        spec.commandLine().getOut().flush();
    }

    private void text(TopicNames names) {
        List<List<String>> rows = new ArrayList<>();
        for (Topic<?> topic : Topics.all()) {
            rows.add(List.of(
                    names.full(topic), topic.key(), topic.type().getSimpleName(), kept(topic), topic.description()));
        }
        new TextTable("TOPIC", "KEY", "RECORD", "KEPT", "WHAT IT HOLDS")
                .rows(rows)
                .print(spec.commandLine().getOut());
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
