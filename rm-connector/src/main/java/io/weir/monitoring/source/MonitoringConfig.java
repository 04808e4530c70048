package io.weir.monitoring.source;

import io.weir.monitoring.format.Format;
import io.weir.monitoring.format.Formats;
import io.weir.service.ServiceConfig;
import io.weir.service.setting.FilePath;
import io.weir.topics.PlainName;
import io.weir.topics.TopicSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/**
 * The monitoring source's settings, checked. Immutable.
 *
 * @param cluster the cluster whose facts it writes
 * @param id its name among the sources of the cluster
 * @param topics topics of others to read, each with its format
 * @param format of what comes over HTTP without saying its format
 * @param nodes how nodes are named
 * @param metricRules which measurements are taken
 * @param eventRules which alerts are taken
 * @param http where it listens; empty for nowhere
 */
record MonitoringConfig(
        String cluster,
        String id,
        Map<String, Format> topics,
        Format format,
        NodeNames nodes,
        NameRules metricRules,
        NameRules eventRules,
        Optional<Listen> http) {

    static final String CLUSTER = "cluster";
    static final String ID = "source.id";
    static final String TOPICS = "source.topics";
    static final String FORMAT = "source.format";
    static final String METRICS = "source.metrics";
    static final String EVENTS = "source.events";
    static final String NODE_LABELS = "source.node.labels";
    static final String KEEP_DOMAIN = "source.node.keep.domain";
    static final String HTTP_HOST = "source.http.host";
    static final String HTTP_PORT = "source.http.port";
    private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
    static final String HTTP_TOKEN_FILE = "source.http.token.file";

    /**
     * Where it listens.
     *
     * @param host address of this host
     * @param port TCP port
     * @param token file that holds what clients have to show
     */
    record Listen(String host, int port, Path token) {}

    /** Returns the definition of all settings. */
    static ConfigDef definition() {
        return TopicSettings.define(ServiceConfig.baseDefinition())
                .define(
                        CLUSTER,
                        Type.STRING,
                        ConfigDef.NO_DEFAULT_VALUE,
                        new PlainName(),
                        Importance.HIGH,
                        "Name of the cluster whose nodes are measured; without '/'.")
                .define(
                        ID,
                        Type.STRING,
                        "monitoring",
                        new PlainName(),
                        Importance.MEDIUM,
                        "Name of this source: of its consumer group, and in the events it writes.")
                .define(
                        TOPICS,
                        Type.LIST,
                        List.of(),
                        ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                        Importance.HIGH,
                        "Topics of others to read, `topic` or `topic:format`.")
                .define(
                        FORMAT,
                        Type.STRING,
                        "auto",
                        ConfigDef.ValidString.in(Formats.names().toArray(String[]::new)),
                        Importance.HIGH,
                        "Format where none is named. `auto` tells Influx lines, Telegraf, LDMS and Alertmanager apart.")
                .define(
                        METRICS,
                        Type.LIST,
                        List.of(),
                        ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                        Importance.HIGH,
                        "Measurements to take: `name`, `name=gmetric` or `beginning*`, with labels `name{label=value}` and"
                                + " `name=gmetric_{label}`. All, as they are, when empty.")
                .define(
                        EVENTS,
                        Type.LIST,
                        List.of(),
                        ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                        Importance.HIGH,
                        "Alerts to take: `name`, `name=gevent` or `beginning*`, with labels `name{label=value}` and"
                                + " `name=gevent_{label}`. All, as they are, when empty.")
                .define(
                        NODE_LABELS,
                        Type.LIST,
                        List.of("host", "hostname", "instance"),
                        ConfigDef.ValidList.anyNonDuplicateValues(false, false),
                        Importance.MEDIUM,
                        "Labels that name the node; the first there is counts.")
                .define(
                        KEEP_DOMAIN,
                        Type.BOOLEAN,
                        false,
                        Importance.MEDIUM,
                        "Whether the domain is part of node names; a port never is.")
                .define(
                        HTTP_HOST,
                        Type.STRING,
                        "127.0.0.1",
                        Importance.MEDIUM,
                        "Address at which messages are received over HTTP.")
                .define(
                        HTTP_PORT,
                        Type.INT,
                        0,
                        ConfigDef.Range.between(0, 65_535),
                        Importance.MEDIUM,
                        "Its port; 0 for no HTTP.")
                .define(
                        HTTP_TOKEN_FILE,
                        Type.STRING,
                        "",
                        new FilePath(),
                        Importance.MEDIUM,
                        "File that holds the token which clients show as `Authorization: Bearer`; needed with a port.");
    }

    /** Reads the settings; what cannot be used is said with its place. */
    static MonitoringConfig from(ServiceConfig config) {
        Format usual = format(FORMAT, config.text(FORMAT));
        Map<String, Format> topics = new LinkedHashMap<>();
        for (String text : config.list(TOPICS)) {
            int colon = text.indexOf(':');
            String topic = colon < 0 ? text : text.substring(0, colon);
            if (!TOPIC.matcher(topic).matches() || topics.containsKey(topic)) {
                throw new ConfigException(
                        TOPICS, text, "must name a topic, once: up to 249 letters, digits, '.', '_' and '-'");
            }
            topics.put(topic, colon < 0 ? usual : format(TOPICS, text.substring(colon + 1)));
        }
        Optional<Listen> http = listen(config);
        if (topics.isEmpty() && http.isEmpty()) {
            throw new ConfigException(
                    "neither " + TOPICS + " nor " + HTTP_PORT + " is set: there is nothing to receive");
        }
        return new MonitoringConfig(
                config.text(CLUSTER),
                config.text(ID),
                topics,
                usual,
                new NodeNames(config.list(NODE_LABELS), config.flag(KEEP_DOMAIN)),
                NameRules.parse(METRICS, config.list(METRICS)),
                NameRules.parse(EVENTS, config.list(EVENTS)),
                http);
    }

    private static Optional<Listen> listen(ServiceConfig config) {
        int port = (int) config.number(HTTP_PORT);
        if (port == 0) {
            return Optional.empty();
        }
        Path token = Path.of(config.text(HTTP_TOKEN_FILE));
        if (config.text(HTTP_TOKEN_FILE).isBlank() || !Files.isReadable(token)) {
            throw new ConfigException(
                    HTTP_TOKEN_FILE,
                    config.text(HTTP_TOKEN_FILE),
                    "must name a readable file when " + HTTP_PORT + " is set");
        }
        return Optional.of(new Listen(config.text(HTTP_HOST), port, token));
    }

    private static Format format(String key, String name) {
        return Formats.named(name)
                .orElseThrow(() -> new ConfigException(key, name, "is no format; there are " + Formats.names()));
    }
}
