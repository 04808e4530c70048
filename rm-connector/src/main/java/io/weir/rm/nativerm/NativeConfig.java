package io.weir.rm.nativerm;

import static org.apache.kafka.common.config.ConfigDef.Range.between;

import io.weir.rm.nativerm.call.CallLimits;
import io.weir.rm.nativerm.call.Endpoint;
import io.weir.rm.spi.RmException;
import io.weir.service.setting.FilePath;
import io.weir.service.setting.TextFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settings of native resource managers, below {@code rm.native.}, checked on reading. The first resource manager has the
 * cluster: its queries say which nodes and jobs there are, and it takes the commands. Others only add to what is known of
 * those nodes and jobs. Settings outside RMCFG lines are about the first and come before its lines.
 *
 * @param first the resource manager of the cluster
 * @param others those that add to it, in order
 * @param downAfter how many failures in a row make a resource manager count as down
 * @param detectTime age of a node's last heartbeat from which the node is reported down; zero for never
 * @param listTime how long a node may go unlisted before it is reported down; zero takes it away at once
 * @param actionsAtOnce how many actions are carried out at once
 */
record NativeConfig(
        RmDefinition first,
        List<RmDefinition> others,
        int downAfter,
        Duration detectTime,
        Duration listTime,
        int actionsAtOnce) {
    private static final Logger log = LoggerFactory.getLogger(NativeConfig.class);

    private static final String RMCFG = "rmcfg";
    private static final String RMCFG_FILE = "rmcfg.file";
    private static final String TIMEOUT = "timeout.seconds";
    private static final String ENVIRONMENT = "environment";
    private static final String MAX_OUTPUT = "max.output.bytes";
    private static final String DOWN_AFTER = "down.after.polls";
    private static final String DETECT_TIME = "node.detect.seconds";

    private static final String LIST_TIME = "node.list.seconds";
    private static final String ACTIONS_AT_ONCE = "actions.at.once";

    private static final String UNNAMED = "native";
    private static final long DEFAULT_TIMEOUT = 30;
    private static final long LONGEST_TIMEOUT = 3_600;
    private static final String DEFAULT_DETECT_TIME = "60";
    private static final String DEFAULT_LIST_TIME = "300";
    private static final long LONGEST_TIME = 86_400;

    /** Lines of a scheduler's configuration that hold unless the connector has settings of its own. */
    private static final String DETECT_TIME_LINE = "NODEFAILDETECTTIME";

    private static final String LIST_TIME_LINE = "NODEPOLLTIMEOUT";

    /** A comma before the next URL of a list; commas within a URL stay. */
    private static final Pattern BETWEEN_URLS = Pattern.compile("\\s*,\\s*(?=[A-Za-z]+://)");

    private static final Pattern VARIABLE_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** Names of TYPE whose lines are served here. */
    private static final Set<String> TYPES = Set.of("NATIVE", "SLURM", "PBS");

    /** Attributes of an RMCFG line that other parts of the product, or the connector's own settings, answer for. */
    static final Set<String> ELSEWHERE =
            Set.of("POLLINTERVAL", "FLAGS", "NODEFAILURERSVPROFILE", "NODESTATEPOLICY", "TRIGGER");

    /** The keys, without their prefix, with defaults, ranges and what they mean. */
    static final ConfigDef DEFINITION = definition();

    private static ConfigDef definition() {
        ConfigDef definition = new ConfigDef()
                .define(
                        RMCFG,
                        Type.STRING,
                        "",
                        Importance.HIGH,
                        "RMCFG[name] lines, as in a scheduler's configuration.")
                .define(
                        RMCFG_FILE,
                        Type.STRING,
                        "",
                        new FilePath(),
                        Importance.HIGH,
                        "File with RMCFG[name] lines; other lines are skipped.")
                .define(
                        TIMEOUT,
                        Type.STRING,
                        "",
                        Importance.MEDIUM,
                        "Longest time of one call, in seconds, 1 to 3600; empty takes TIMEOUT of the RMCFG line, else 30.")
                .define(
                        ENVIRONMENT,
                        Type.STRING,
                        "",
                        Importance.MEDIUM,
                        "Variables for programs: NAME=value, separated by semicolons; added to ENV of the RMCFG line.")
                .define(
                        MAX_OUTPUT,
                        Type.INT,
                        64 << 20,
                        between(1_024, 1 << 30),
                        Importance.LOW,
                        "Longest output of one call, in bytes.")
                .define(
                        DOWN_AFTER,
                        Type.INT,
                        3,
                        between(1, 1_000),
                        Importance.LOW,
                        "Consecutive failures after which a resource manager counts as down.")
                .define(
                        DETECT_TIME,
                        Type.STRING,
                        "",
                        Importance.MEDIUM,
                        "Age of a node's UPDATETIME from which the node counts as down, in seconds, 0 (never) to"
                                + " 86400; empty takes NODEFAILDETECTTIME of rmcfg.file, else 60.")
                .define(
                        LIST_TIME,
                        Type.STRING,
                        "",
                        Importance.MEDIUM,
                        "How long polls may not list a node before it is down, in seconds, 0 (it is gone at once) to 86400;"
                                + " empty takes NODEPOLLTIMEOUT of rmcfg.file, else 300.")
                .define(
                        ACTIONS_AT_ONCE,
                        Type.INT,
                        1,
                        between(1, 256),
                        Importance.MEDIUM,
                        "How many actions are carried out at once; those about one job or node always one after the other.");
        for (NativeUrl url : NativeUrl.values()) {
            definition.define(url.key(), Type.STRING, "", Importance.MEDIUM, url.description());
        }
        return definition;
    }

    /**
     * Reads the settings.
     *
     * @param environment value of a variable of the process; null when there is none
     * @throws RmException if something is wrong with them; the message has all of it
     */
    static NativeConfig read(Map<String, String> settings, UnaryOperator<@Nullable String> environment) {
        List<String> problems = new ArrayList<>();
        for (String key : settings.keySet()) {
            if (!DEFINITION.names().contains(key)) {
                problems.add("rm.native." + key + " is not a setting; there are " + DEFINITION.names());
            }
        }
        try {
            AbstractConfig config = new AbstractConfig(DEFINITION, settings, false);
            String file = text(config, problems);
            Map<String, Map<String, String>> managers = managers(config, file, problems);
            List<RmDefinition> definitions = new ArrayList<>();
            managers.forEach((name, attributes) -> definitions.add(
                    new Reading(name, attributes, environment, problems).definition(config.getInt(MAX_OUTPUT))));
            check(definitions, problems);
            Duration detectTime =
                    time(config, DETECT_TIME, new TimeLine(DETECT_TIME_LINE, file, DEFAULT_DETECT_TIME), problems);
            Duration listTime =
                    time(config, LIST_TIME, new TimeLine(LIST_TIME_LINE, file, DEFAULT_LIST_TIME), problems);
            if (problems.isEmpty()) {
                return new NativeConfig(
                        definitions.get(0),
                        List.copyOf(definitions.subList(1, definitions.size())),
                        config.getInt(DOWN_AFTER),
                        detectTime,
                        listTime,
                        config.getInt(ACTIONS_AT_ONCE));
            }
        } catch (ConfigException e) {
            problems.add("rm.native: " + e.getMessage());
        }
        throw new RmException(String.join("\n", problems));
    }

    /** Returns the text of the file with RMCFG lines; empty when there is none. */
    private static String text(AbstractConfig config, List<String> problems) {
        String file = config.getString(RMCFG_FILE);
        if (!file.isEmpty()) {
            try {
                return TextFile.read(Path.of(file));
            } catch (IOException e) {
                problems.add("rm.native.rmcfg.file: " + e.getMessage());
            }
        }
        return "";
    }

    /**
     * A line of a configuration.
     *
     * @param name name of the parameter
     * @param file text of the configuration
     * @param otherwise what holds where it does not state the parameter
     */
    private record TimeLine(String name, String file, String otherwise) {
        String last() {
            Matcher lines = Pattern.compile(
                            "^[ \\t]*" + name + "[ \\t=]+([^\\s#]+)", Pattern.CASE_INSENSITIVE | Pattern.MULTILINE)
                    .matcher(file);
            String text = otherwise;
            while (lines.find()) {
                text = lines.group(1);
            }
            return text;
        }
    }

    /** Returns the time of the connector's setting {@code key}, else of the last such line. */
    private static Duration time(AbstractConfig config, String key, TimeLine line, List<String> problems) {
        String own = config.getString(key);
        String text = own.isEmpty() ? line.last() : own;
        long seconds = seconds(text);
        if (seconds < 0 || seconds > LONGEST_TIME) {
            problems.add(line.name() + " (rm.native." + key + "): " + text + " is not a time of 0 to " + LONGEST_TIME
                    + " seconds");
            return Duration.ZERO;
        }
        return Duration.ofSeconds(seconds);
    }

    /** Returns the seconds of {@code [[HH:]MM:]SS}; -1 when the text is no such time. */
    private static long seconds(String text) {
        try {
            long seconds = 0;
            for (String field : text.split(":", -1)) {
                seconds = Math.addExact(Math.multiplyExact(seconds, 60), Integer.parseUnsignedInt(field));
            }
            return seconds;
        } catch (NumberFormatException | ArithmeticException e) {
            return -1;
        }
    }

    /** Returns the attributes of each resource manager, settings of the first among them. */
    private static Map<String, Map<String, String>> managers(
            AbstractConfig config, String file, List<String> problems) {
        Map<String, Map<String, String>> managers =
                new LinkedHashMap<>(RmcfgLines.read(config.getString(RMCFG_FILE), file, problems));
        RmcfgLines.read("rm.native.rmcfg", config.getString(RMCFG), problems)
                .forEach((name, attributes) -> managers.computeIfAbsent(name, key -> new LinkedHashMap<>())
                        .putAll(attributes));
        if (managers.isEmpty()) {
            managers.put(UNNAMED, new LinkedHashMap<>());
        }
        Map<String, String> first = managers.values().iterator().next();
        for (NativeUrl url : NativeUrl.values()) {
            set(first, url.attribute(), config.getString(url.key()));
        }
        set(first, "TIMEOUT", config.getString(TIMEOUT));
        String variables = config.getString(ENVIRONMENT);
        if (!variables.isEmpty()) {
            first.merge("ENV", variables, (line, more) -> line + ";" + more);
        }
        return managers;
    }

    private static void set(Map<String, String> attributes, String name, String value) {
        if (!value.isEmpty()) {
            attributes.put(name, value);
        }
    }

    private static void check(List<RmDefinition> definitions, List<String> problems) {
        RmDefinition first = definitions.get(0);
        if (problems.isEmpty()
                && (first.all(NativeUrl.CLUSTER_QUERY).isEmpty()
                        || first.all(NativeUrl.WORKLOAD_QUERY).isEmpty())) {
            problems.add("RMCFG[" + first.name() + "] needs CLUSTERQUERYURL and WORKLOADQUERYURL"
                    + " (rm.native.cluster.query.url, rm.native.workload.query.url)");
        }
        for (RmDefinition other : definitions.subList(1, definitions.size())) {
            for (NativeUrl url : NativeUrl.values()) {
                if (!url.isList() && !other.all(url).isEmpty()) {
                    problems.add(
                            "RMCFG[" + other.name() + "] " + url.attribute() + ": only the first resource manager, "
                                    + first.name() + ", takes commands; give this one to a connector of its own");
                }
            }
        }
    }

    /** Reads the attributes of one resource manager. */
    private record Reading(
            String name,
            Map<String, String> attributes,
            UnaryOperator<@Nullable String> environment,
            List<String> problems) {

        RmDefinition definition(int maxOutput) {
            Map<String, String> variables = variables(attributes.getOrDefault("ENV", ""));
            Map<NativeUrl, List<Endpoint>> endpoints = new EnumMap<>(NativeUrl.class);
            attributes.forEach((attribute, value) -> {
                if (value.isEmpty()) {
                    problem(attribute, "has no value");
                    return;
                }
                NativeUrl.ofAttribute(attribute)
                        .ifPresentOrElse(
                                url -> endpoints.put(url, endpoints(url, value, variables)),
                                () -> other(attribute, value));
            });
            Duration timeout = Duration.ofSeconds(timeout(attributes.getOrDefault("TIMEOUT", "")));
            return new RmDefinition(name, endpoints, new CallLimits(timeout, maxOutput), variables);
        }

        private List<Endpoint> endpoints(NativeUrl url, String value, Map<String, String> variables) {
            List<Endpoint> endpoints = new ArrayList<>();
            for (String text : url.isList() ? BETWEEN_URLS.split(value) : new String[] {value}) {
                try {
                    Endpoint endpoint = Endpoint.parse(text.strip(), variable -> {
                        @Nullable String own = variables.get(variable);
                        return own != null ? own : environment.apply(variable);
                    });
                    if (endpoint instanceof Endpoint.File && !url.isQuery()) {
                        problem(url.attribute(), "a file cannot carry out anything: use exec:// or http://");
                    }
                    endpoints.add(endpoint);
                } catch (IllegalArgumentException e) {
                    problem(url.attribute(), String.valueOf(e.getMessage()));
                }
            }
            return List.copyOf(endpoints);
        }

        private void other(String attribute, String value) {
            if (attribute.equals("TYPE")) {
                String type = value.replaceFirst(":.*", "").toUpperCase(Locale.ROOT);
                if (!TYPES.contains(type)) {
                    problem(attribute, value + " is not NATIVE");
                }
            } else if (ELSEWHERE.contains(attribute)) {
                log.warn("RMCFG[{}] {}={} has no effect on this connector", name, attribute, value);
            } else if (!attribute.equals("TIMEOUT") && !attribute.equals("ENV")) {
                problem(attribute, "is not an attribute of a resource manager");
            }
        }

        private long timeout(String text) {
            if (text.isEmpty()) {
                return DEFAULT_TIMEOUT;
            }
            long seconds = seconds(text);
            if (seconds >= 1 && seconds <= LONGEST_TIMEOUT) {
                return seconds;
            }
            problem("TIMEOUT", text + " is not a time of 1 to " + LONGEST_TIMEOUT + " seconds");
            return DEFAULT_TIMEOUT;
        }

        private Map<String, String> variables(String text) {
            Map<String, String> variables = new TreeMap<>();
            for (String item : text.split(";", -1)) {
                int mark = item.indexOf('=');
                if (item.isBlank()) {
                    continue;
                }
                String variable = mark < 0 ? "" : item.substring(0, mark).strip();
                if (VARIABLE_NAME.matcher(variable).matches()) {
                    variables.put(variable, item.substring(mark + 1));
                } else {
                    problem("ENV", "'" + item + "' is not NAME=value");
                }
            }
            return variables;
        }

        private void problem(String attribute, String text) {
            problems.add("RMCFG[" + name + "] " + attribute + ": " + text);
        }
    }
}
