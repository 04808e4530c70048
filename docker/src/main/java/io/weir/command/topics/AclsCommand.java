package io.weir.command.topics;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.weir.command.client.PrefixOption;
import io.weir.command.format.TextTable;
import io.weir.command.terminal.BadInputException;
import io.weir.command.terminal.ExitCode;
import io.weir.monitoring.source.MonitoringService;
import io.weir.scheduler.SchedulerConfig;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Grants;
import io.weir.topics.Grant;
import io.weir.topics.TlsListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir acls}: the minimal rights of each account on a broker. */
@Command(
        name = "acls",
        mixinStandardHelpOptions = true,
        description = {
            "Prints or applies the minimal rights of each of Weir's accounts on a Kafka broker.",
            "",
            "They are printed as commands for kafka-acls.sh. The launcher's own broker has them from the start.",
            "",
            "With these rights, services cannot create topics. An administrator does: weir topics --create."
        },
        footer = {
            "",
            "Example: weir acls --connector c1/rm --bootstrap-server kafka:9092 --command-config admin.properties",
            "         weir acls --connector c1/rm --principal weir-api=User:CN=api --format text"
        })
public final class AclsCommand implements Callable<Integer> {
    /** How the list is printed. */
    enum Format {
        /** Lines for a shell. */
        COMMANDS,
        /** A table. */
        TEXT,
        /** For programs. */
        JSON
    }

    private static final int CLUSTER_AND_ID = 2;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private PrefixOption prefix = new PrefixOption();

    @Option(
            names = "--application-id",
            paramLabel = "ID",
            description = "The scheduler's setting application.id (default: weir-scheduler).")
    private @Nullable String applicationId;

    @Option(
            names = "--connector",
            paramLabel = "CLUSTER/ID",
            description = "A connector: its settings cluster and connector.id. Repeatable; by default none.")
    private List<String> connectors = new ArrayList<>();

    @Option(
            names = "--monitoring-source",
            paramLabel = "CLUSTER/ID=TOPIC[,…]",
            description =
                    "A monitoring source: its settings cluster and source.id, and the topics of others that it reads, "
                            + "none if it has HTTP alone. Repeatable.")
    private Map<String, String> sources = new LinkedHashMap<>();

    @Option(
            names = "--registry-topic",
            paramLabel = "TOPIC",
            description = "Allow weir-registry what a schema registry on TOPIC needs, such as _schemas.")
    private @Nullable String registryTopic;

    @Option(
            names = "--principal",
            paramLabel = "ACCOUNT=PRINCIPAL",
            description = "The name that an account has on the broker (default: User:ACCOUNT). Repeatable.")
    private Map<String, String> principals = new LinkedHashMap<>();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "COMMANDS",
            description = "commands, text or json (default: commands).")
    private Format format = Format.COMMANDS;

    @Mixin
    private AdministratorOptions administrator = new AdministratorOptions();

    @Option(
            names = "--apply",
            description = "Apply the rights to the broker instead of printing them; none are revoked.")
    private boolean apply;

    @Override
    public Integer call() throws IOException {
        Map<String, List<Grant>> grants = grants();
        PrintWriter out = spec.commandLine().getOut();
        if (apply) {
            List<AclBinding> rules = bindings(grants);
            out.println(rules.size() + " access rules are in force on " + apply(rules));
        } else {
            switch (format) {
                case COMMANDS -> commands(grants).forEach(out::println);
                case TEXT ->
                    new TextTable("PRINCIPAL", "OPERATIONS", "ON", "NAME")
                            .rows(rows(grants))
                            .print(out);
                case JSON -> out.println(json(grants));
            }
        }
        out.flush();
        return ExitCode.FINE;
    }

    /** Returns the grants by principal. */
    private Map<String, List<Grant>> grants() {
        String application = applicationId == null
                ? String.valueOf(SchedulerConfig.definition().defaultValues().get("application.id"))
                : applicationId;
        Grants services = Grants.of(prefix.names(), application, connectors());
        for (Map.Entry<String, String> source : sources.entrySet()) {
            services = services.and(Grants.of(prefix.names(), source(source.getKey(), source.getValue())));
        }
        Map<Account, List<Grant>> accounts = new LinkedHashMap<>(services.accounts());
        if (registryTopic != null) {
            accounts.putAll(Grants.ofRegistry(registryTopic).accounts());
        }
        Map<String, String> unused = new TreeMap<>(principals);
        Map<String, List<Grant>> grants = new LinkedHashMap<>();
        accounts.forEach((account, granted) -> {
            String named = unused.remove(account.name());
            grants.computeIfAbsent(named == null ? account.principal() : named, unknown -> new ArrayList<>())
                    .addAll(granted);
        });
        if (!unused.isEmpty()) {
            throw new BadInputException("--principal names " + unused.keySet() + "; there are "
                    + accounts.keySet().stream().map(Account::name).toList());
        }
        return grants;
    }

    private List<Grants.Connector> connectors() {
        List<Grants.Connector> named = new ArrayList<>();
        for (String connector : connectors) {
            String[] words = clusterAndId("--connector", connector);
            named.add(new Grants.Connector(words[0], words[1]));
        }
        return named;
    }

    private static Grants.Source source(String name, String topics) {
        String[] words = clusterAndId("--monitoring-source", name);
        return new Grants.Source(
                words[0],
                words[1],
                topics.isBlank() ? List.of() : MonitoringService.topics(List.of(topics.split(",", -1))));
    }

    private static String[] clusterAndId(String option, String text) {
        String[] words = text.split("/", -1);
        if (words.length != CLUSTER_AND_ID || words[0].isBlank() || words[1].isBlank()) {
            throw new BadInputException(option + " is '" + text + "'; write CLUSTER/ID, such as c1/rm");
        }
        return words;
    }

    /** Returns the address of the broker. */
    private String apply(List<AclBinding> rules) {
        String bootstrapServer = administrator
                .bootstrapServer()
                .orElseThrow(() ->
                        new BadInputException("--apply needs --bootstrap-server, the broker to grant the rights on"));
        Map<String, Object> client = new HashMap<>(administrator.properties());
        client.put("bootstrap.servers", bootstrapServer);
        TlsListener.refuse(client);
        try (Admin admin = Admin.create(client)) {
            Grants.apply(admin, rules);
        }
        return bootstrapServer;
    }

    private static List<AclBinding> bindings(Map<String, List<Grant>> grants) {
        return grants.entrySet().stream()
                .flatMap(entry -> entry.getValue().stream().flatMap(grant -> grant.bindings(entry.getKey()).stream()))
                .distinct()
                .toList();
    }

    /** One command for all that a principal may do alike. */
    private List<String> commands(Map<String, List<Grant>> grants) {
        List<String> lines = new ArrayList<>();
        grants.forEach((principal, granted) -> alike(granted).forEach((kind, names) -> {
            StringBuilder line = new StringBuilder("kafka-acls.sh --bootstrap-server ")
                    .append(quoted(administrator.bootstrapServer().orElse("HOST:PORT")));
            administrator
                    .commandConfig()
                    .ifPresent(file -> line.append(" --command-config ").append(quoted(file.toString())));
            line.append(" --add --allow-principal ").append(quoted(principal));
            kind.operations().forEach(operation -> line.append(" --operation ").append(word(operation)));
            if (kind.pattern() == PatternType.PREFIXED) {
                line.append(" --resource-pattern-type prefixed");
            }
            String option = option(kind.type());
            names.forEach(name -> line.append(option).append(quoted(name)));
            lines.add(line.toString());
        }));
        return lines;
    }

    private static String option(ResourceType type) {
        return switch (type) {
            case TOPIC -> " --topic ";
            case GROUP -> " --group ";
            case TRANSACTIONAL_ID -> " --transactional-id ";
            case UNKNOWN, ANY, CLUSTER, DELEGATION_TOKEN, USER ->
                throw new IllegalStateException("Nothing is granted on " + type);
        };
    }

    private static List<List<String>> rows(Map<String, List<Grant>> grants) {
        List<List<String>> rows = new ArrayList<>();
        grants.forEach((principal, granted) -> alike(granted)
                .forEach((kind, names) -> names.forEach(name -> rows.add(List.of(
                        principal,
                        kind.operations().stream().map(AclsCommand::word).collect(Collectors.joining(", ")),
                        kind.type().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        name + (kind.pattern() == PatternType.PREFIXED ? "*" : ""))))));
        return rows;
    }

    private static String json(Map<String, List<Grant>> grants) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        ArrayNode array = mapper.createArrayNode();
        grants.forEach((principal, granted) -> alike(granted)
                .forEach((kind, names) -> names.forEach(name -> {
                    ArrayNode operations = array.addObject()
                            .put("principal", principal)
                            .put("resourceType", kind.type().name())
                            .put("patternType", kind.pattern().name())
                            .put("name", name)
                            .putArray("operations");
                    kind.operations().forEach(operation -> operations.add(operation.name()));
                })));
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(array);
    }

    /** What is done with several resources alike. */
    private record Kind(ResourceType type, PatternType pattern, TreeSet<AclOperation> operations) {}

    /** Puts together what is done with one resource, then the resources with which the same is done. */
    private static Map<Kind, List<String>> alike(List<Grant> granted) {
        Map<ResourcePattern, TreeSet<AclOperation>> operations = new LinkedHashMap<>();
        granted.forEach(grant -> operations
                .computeIfAbsent(grant.resource(), unknown -> new TreeSet<>())
                .addAll(grant.operations()));
        Map<Kind, List<String>> alike = new LinkedHashMap<>();
        operations.forEach((resource, done) -> alike.computeIfAbsent(
                        new Kind(resource.resourceType(), resource.patternType(), done), unknown -> new ArrayList<>())
                .add(resource.name()));
        return alike;
    }

    /** As kafka-acls.sh writes it: {@code DescribeConfigs}. */
    private static String word(AclOperation operation) {
        StringBuilder word = new StringBuilder();
        for (String part : operation.name().split("_", -1)) {
            word.append(part.charAt(0)).append(part.substring(1).toLowerCase(Locale.ROOT));
        }
        return word.toString();
    }

    /** For a shell; plain words stay as they are. */
    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9._:/@,=+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
