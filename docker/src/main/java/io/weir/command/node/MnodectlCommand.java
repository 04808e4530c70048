package io.weir.command.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.client.AttributeChange;
import io.weir.command.client.ClientException;
import io.weir.command.client.ClusterClient;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestCommand;
import io.weir.command.client.Views;
import io.weir.command.format.FieldText;
import io.weir.command.terminal.BadInputException;
import io.weir.command.terminal.ExitCode;
import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.scheduler.core.request.form.MessageTerms;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir mnodectl}: changes nodes. */
@Command(
        name = "mnodectl",
        description = {
            "Changes nodes, or shows one attribute of them.",
            "",
            "  weir mnodectl -m state=Drained n0001 n0002",
            "  weir mnodectl -m features+=fast n0001",
            "  weir mnodectl -m variable=owner=chemistry -m message='fan is loud' n0001",
            "  weir mnodectl -m message:5:12:00:00='fan is replaced at noon' n0001",
            "  weir mnodectl -d message:1 n0001",
            "  weir mnodectl -q state n0001",
            "  weir mnodectl -m state=Drained 'n[0010-0020]'",
            "  weir mnodectl -c message ALL",
            "",
            "State, features, power, partition and os are passed on to the resource manager, which may refuse",
            "them. The others are stored by the scheduler and stay, whatever the resource manager reports;",
            "but its own metrics take precedence.",
            "",
            "PRIORITY, a whole number, says how much a message matters; the default is 0. After EXPIRY,",
            "[[[DD:]HH:]MM:]SS from now, the message is gone; without it, it stays until it is cleared."
        })
public final class MnodectlCommand extends RequestCommand {
    /** Begins the setting of the variable that gives a node a category. */
    private static final String CATEGORY_VARIABLE = "NODECATEGORY=";

    private static final Set<String> STATES = Set.of("drained", "draining", "idle", "down", "up");

    @ArgGroup(exclusive = true, multiplicity = "1")
    private Action action = new Action();

    @Parameters(
            arity = "1..*",
            paramLabel = "NODE",
            description = "Nodes: names, n[1-3,7] or r:n1-n3 by number, a regular expression of the whole name (also"
                    + " behind x:), or ALL.")
    private List<String> nodes = List.of();

    private NodeChoice choice = new NodeChoice(List.of());

    /** What to do; one of these. */
    static final class Action {
        @Option(
                names = "-m",
                paramLabel = "ATTR=VALUE",
                description = "Change: state (Drained, Idle, Down), features, power, partition, os;"
                        + " message[:PRIORITY[:EXPIRY]], variable=NAME[=VALUE], gmetric[NAME], gevent=NAME:'TEXT', category, failing; =, += or -=; may be"
                        + " repeated.")
        private @Nullable List<String> modify;

        @Option(
                names = "-c",
                paramLabel = "WHAT",
                description = "Clear: gmetric, gevent, gevent:NAME, message, variable, category or stats.")
        private @Nullable String clear;

        @Option(
                names = "-d",
                paramLabel = "WHAT",
                description = "Delete: message:INDEX, variable:NAME, gmetric:NAME or gevent:NAME.")
        private @Nullable String delete;

        @Option(names = "-q", paramLabel = "ATTR", description = "Show this attribute.")
        private @Nullable String query;
    }

    @Override
    protected void check() {
        try {
            choice = NodeChoice.of(nodes);
        } catch (BadInputException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
        if (action.modify == null) {
            return;
        }
        for (String text : action.modify) {
            AttributeChange change = AttributeChange.parse(text)
                    .orElseThrow(() -> usage("-m " + text + " is not understood; give ATTR=VALUE"));
            if (change.name().equals("state") && !STATES.contains(change.value().toLowerCase(Locale.ROOT))) {
                throw usage("state " + change.value() + " cannot be set; give Drained, Idle or Down");
            }
            if (MessageTerms.isMessage(change.name()) && MessageTerms.parse(change.name()) == null) {
                throw usage("-m " + text + " is not understood; give " + MessageTerms.FORM);
            }
            String category = change.name().equals("category")
                    ? change.value()
                    : change.name().equals("variable") && change.value().startsWith(CATEGORY_VARIABLE)
                            ? change.value().substring(CATEGORY_VARIABLE.length())
                            : "";
            if (!isCategory(category)) {
                throw usage("category " + category + " is not known; there are " + NodeCategory.legal());
            }
        }
    }

    @Override
    protected int run(ClusterClient client) throws IOException {
        String cluster = options().cluster(client);
        if (action.query != null) {
            return query(client, cluster, action.query);
        }
        List<OperatorRequest> requests = new ArrayList<>();
        for (String node : choice.among(new Views(client, cluster)).keySet()) {
            OperatorRequest request = OperatorRequest.about(RequestKind.MODIFY_NODE, node);
            if (action.modify != null) {
                for (String text : action.modify) {
                    request = AttributeChange.parse(text).orElseThrow().addTo(request);
                }
            } else {
                request = request.withOptional("clear", action.clear).withOptional("delete", action.delete);
            }
            requests.add(request);
        }
        return ask(client, cluster, requests);
    }

    private static boolean isCategory(String text) {
        return text.isEmpty() || text.equalsIgnoreCase("NONE") || NodeCategory.named(text) != null;
    }

    private int query(ClusterClient client, String cluster, String attribute) throws IOException {
        for (Map.Entry<String, JsonNode> chosen :
                choice.among(new Views(client, cluster)).entrySet()) {
            String node = chosen.getKey();
            JsonNode view =
                    chosen.getValue().isMissingNode() ? one(client, cluster, "nodes", node, "node") : chosen.getValue();
            JsonNode value = view.path(attribute);
            if (value.isMissingNode()) {
                List<String> known = new ArrayList<>();
                view.fieldNames().forEachRemaining(known::add);
                throw new ClientException(ExitCode.BAD_INPUT, "A node has no '" + attribute + "'; it has " + known);
            }
            if (options().structured()) {
                print(value);
            } else {
                out().printf(
                                "%s %s=%s%n",
                                node,
                                attribute,
                                value.isContainerNode() ? FieldText.list(view, attribute) : value.asText());
            }
        }
        return ExitCode.FINE;
    }

    @Override
    protected String done(OperatorRequest request) {
        return "node '" + request.objectId() + "' modified";
    }

    @Override
    protected String failed(OperatorRequest request) {
        return "node '" + request.objectId() + "' not changed";
    }
}
