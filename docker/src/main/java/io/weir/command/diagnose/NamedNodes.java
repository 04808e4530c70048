package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.command.client.Views;
import io.weir.command.node.NodeExpression;
import io.weir.command.terminal.BadInputException;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.policy.language.ObjectSettings;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.language.value.PolicyValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * The nodes and partitions that a configuration names, held against those that resource managers report: a name that is
 * nobody's has no effect, and nothing else would say so. While no node is known, nothing is wrong.
 */
final class NamedNodes {
    private static final String HOSTS = "HOSTLIST";

    /** What a node's name looks like; any other text is an expression. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    /** Names with a meaning of their own. */
    private static final Set<String> RESERVED = Set.of("GLOBAL", "DEFAULT");

    private static final Pattern INDEXES = Pattern.compile("(?i)r:(\\d{1,9})-(\\d{1,9})");

    private final Set<String> nodes = new TreeSet<>();
    private final Set<Integer> indexes = new TreeSet<>();
    private final Set<String> partitions = new TreeSet<>();

    /** Classes that some node takes. */
    private final Set<String> classes = new TreeSet<>();

    private boolean someTakeAny;

    NamedNodes(JsonNode view) {
        for (JsonNode node : view) {
            nodes.add(node.path("nodeId").asText());
            indexes.add(node.path("index").asInt());
            partitions.add(node.path("partition").asText());
            node.path("classes").fieldNames().forEachRemaining(classes::add);
            someTakeAny |= node.path("classes").isEmpty()
                    && !node.path("nodeId").asText().equals(EffectiveNode.GLOBAL);
        }
    }

    /** Returns what the configuration in force names in vain, for people: that of one parameter, or of one object of it. */
    static ArrayNode warnings(Views views, String parameter, @Nullable String id) {
        PolicySettings settings =
                PolicySettings.read(views.all("policy").path("text").asText());
        String start = parameter + "[" + (id == null ? "" : id + "]");
        ArrayNode warnings = JsonNodeFactory.instance.arrayNode();
        new NamedNodes(views.all("nodes"))
                .problems(settings).stream()
                        .filter(problem -> problem.parameter().startsWith(start))
                        .forEach(problem -> warnings.add(problem.parameter() + ": " + problem.message()));
        return warnings;
    }

    /** Returns what is named in vain, in the order written. */
    List<PolicyProblem> problems(PolicySettings settings) {
        List<PolicyProblem> problems = new ArrayList<>();
        if (nodes.isEmpty()) {
            return problems;
        }
        objects(settings, "NODECFG", nodes::contains, "no node has this name", problems);
        objects(settings, "PARCFG", partitions::contains, "no node is in this partition", problems);
        new NonstopNames(groups(settings)).problems(settings, problems);
        for (ObjectSettings named : settings.objects("CLASSCFG")) {
            hosts("CLASSCFG", named, item -> nodes.contains(item) || (!isName(item) && isFound(item)), "", problems);
        }
        for (String parameter : List.of("SRCFG", "RSVPROFILE")) {
            for (ObjectSettings named : settings.objects(parameter)) {
                boolean alone = items(named.value(HOSTS)).size() == 1;
                hosts(
                        parameter,
                        named,
                        item -> nodes.contains(item) || (alone && (isSpecial(item) || isFound(item))),
                        "; without it the reservation has none",
                        problems);
            }
        }
        return problems;
    }

    /** Returns the partitions in which there are nodes, and the classes that nodes take: those configured where one takes any. */
    private Set<String> groups(PolicySettings settings) {
        Set<String> groups = new TreeSet<>(partitions);
        groups.addAll(classes);
        if (someTakeAny) {
            settings.objects("CLASSCFG").forEach(named -> groups.add(named.id()));
        }
        return groups;
    }

    private static void objects(
            PolicySettings settings,
            String parameter,
            Predicate<String> known,
            String message,
            List<PolicyProblem> into) {
        for (ObjectSettings object : settings.objects(parameter)) {
            if (!known.test(object.id()) && !RESERVED.contains(object.id())) {
                Origin origin = object.writtenNames().stream()
                        .findFirst()
                        .map(object::origin)
                        .orElse(new Origin("", 0));
                into.add(new PolicyProblem(
                        PolicyProblem.Kind.DOUBTFUL, origin, parameter + "[" + object.id() + "]", message));
            }
        }
    }

    private void hosts(
            String parameter,
            ObjectSettings object,
            Predicate<String> known,
            String consequence,
            List<PolicyProblem> into) {
        Origin origin = object.origin(HOSTS);
        for (String item : items(object.value(HOSTS))) {
            if (origin != null && !known.test(item)) {
                into.add(new PolicyProblem(
                        PolicyProblem.Kind.DOUBTFUL,
                        origin,
                        parameter + "[" + object.id() + "] " + HOSTS,
                        "'" + item + "' is none of the " + nodes.size() + " nodes" + consequence));
            }
        }
    }

    private static List<String> items(@Nullable PolicyValue value) {
        return value == null
                ? List.of()
                : value instanceof PolicyValue.Items list ? list.items() : List.of(value.text());
    }

    private static boolean isName(String item) {
        return NAME.matcher(item).matches();
    }

    /** Says whether {@code item} means nodes otherwise than by name or expression, and there are some. */
    private boolean isSpecial(String item) {
        String lower = item.toLowerCase(Locale.ROOT);
        if (lower.startsWith("class:")) {
            return someTakeAny || classes.contains(item.substring("class:".length()));
        }
        return lower.equals("all") || lower.equals("*") || (lower.startsWith("r:") && isInRange(item));
    }

    private boolean isInRange(String item) {
        Matcher range = INDEXES.matcher(item);
        if (range.matches()) {
            int first = Integer.parseInt(range.group(1));
            int last = Integer.parseInt(range.group(2));
            return indexes.stream().anyMatch(index -> index >= first && index <= last);
        }
        try {
            return nodes.stream().anyMatch(NodeExpression.of(item).meant());
        } catch (BadInputException e) {
            return false;
        }
    }

    /** Says whether some node's name has in it what the expression describes. */
    private boolean isFound(String expression) {
        try {
            return nodes.stream().anyMatch(Pattern.compile(expression).asPredicate());
        } catch (PatternSyntaxException e) {
            return false;
        }
    }
}
