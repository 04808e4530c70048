package io.weir.scheduler.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.scheduler.audit.PoliciesInForce;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.PolicySettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir config show}: the values a configuration puts in force, and where each comes from. */
@Command(
        name = "show",
        description = {
            "Show the values in force and where each comes from.",
            "",
            "They are those of a file, those of a cluster with the changes made at run time, or, with neither,",
            "those of an empty configuration."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples: weir config show site.cfg",
            "          weir config show --bootstrap-server broker:9092 --set",
            "",
            "Exit codes: 0 fine, 1 there is no such policy, 2 bad usage or an unreadable file."
        })
final class ConfigShowCommand implements Callable<Integer> {
    @Parameters(index = "0", arity = "0..1", paramLabel = "FILE", description = "Site configuration in Moab syntax.")
    private @Nullable Path file;

    @ArgGroup(exclusive = false, multiplicity = "0..1", heading = "Where the configuration of a cluster is read:%n")
    private @Nullable TopicsOptions topics;

    @Option(
            names = "--cluster",
            paramLabel = "NAME",
            description = "Cluster whose policy is shown; may be left out when there is one.")
    private @Nullable String cluster;

    @Option(names = "--set", description = "Only the values that are set, no defaults.")
    private boolean setOnly;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "TEXT",
            description = "text or json; default ${DEFAULT-VALUE}.")
    private ConfigCommand.Format format = ConfigCommand.Format.TEXT;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final BrokerAccess.OfDirectory directories;

    ConfigShowCommand(BrokerAccess.OfDirectory directories) {
        this.directories = directories;
    }

    /**
     * A text and what it is called.
     *
     * @param name for people
     * @param text the configuration
     */
    private record Source(String name, String text) {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try {
            Source source = source();
            if (source == null) {
                spec.commandLine()
                        .getErr()
                        .println("weir: no policy was published" + (cluster == null ? "" : " for cluster " + cluster));
                return 1;
            }
            PolicySettings settings = SitePolicy.read(source.text()).settings();
            List<PolicySettings.Effective> values = settings.effective().stream()
                    .filter(value -> !setOnly || value.origin() != null)
                    .toList();
            if (format == ConfigCommand.Format.JSON) {
                out.println(json(source, values));
            } else {
                print(source, values, settings.problems(), out);
            }
            out.flush();
            return 0;
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private @Nullable Source source() throws IOException {
        TopicsOptions from = topics;
        Path read = file;
        if (read != null && from != null) {
            throw new ParameterException(spec.commandLine(), "Give a file or a place to read topics, not both");
        }
        if (read != null) {
            return new Source(read.toString(), PolicyFile.read(read));
        }
        return from == null ? new Source("an empty configuration", "") : published(from);
    }

    private @Nullable Source published(TopicsOptions from) throws IOException {
        SortedMap<String, PoliciesInForce.InForce> policies;
        try (TopicsOptions.Topics open = from.open(directories)) {
            policies = PoliciesInForce.of(open.log(), open.names(), open.decoder());
        }
        if (cluster == null && policies.size() > 1) {
            throw new ParameterException(
                    spec.commandLine(), "Say which --cluster: one of " + String.join(", ", policies.keySet()));
        }
        PoliciesInForce.InForce found = cluster != null
                ? policies.get(cluster)
                : policies.values().stream().findFirst().orElse(null);
        return found == null ? null : new Source(found.description(), found.text());
    }

    private static void print(
            Source source, List<PolicySettings.Effective> values, List<PolicyProblem> problems, PrintWriter out) {
        out.println("# " + source.name());
        int name =
                width(values.stream().map(PolicySettings.Effective::parameter).toList());
        int value = Math.min(
                60, width(values.stream().map(PolicySettings.Effective::text).toList()));
        for (PolicySettings.Effective line : values) {
            out.printf(
                    Locale.ROOT,
                    "%-" + name + "s  %-" + value + "s  %s%n",
                    line.parameter(),
                    line.text(),
                    line.source());
        }
        long errors = problems.stream()
                .filter(problem -> problem.level() == PolicyProblem.Level.ERROR)
                .count();
        if (errors > 0) {
            out.println("# " + errors + " errors: weir config check names them");
        }
    }

    private static int width(List<String> texts) {
        return Math.max(1, texts.stream().mapToInt(String::length).max().orElse(1));
    }

    private static String json(Source source, List<PolicySettings.Effective> values) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode root = mapper.createObjectNode();
        root.put("source", source.name());
        ArrayNode array = root.putArray("values");
        for (PolicySettings.Effective value : values) {
            ObjectNode node = array.addObject();
            node.put("parameter", value.parameter());
            node.put("value", value.text());
            if (!value.note().isEmpty()) {
                node.put("note", value.note());
            }
            Origin origin = value.origin();
            if (origin != null) {
                node.put("file", origin.file());
                node.put("line", origin.line());
            }
        }
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    }
}
