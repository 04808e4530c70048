package io.weir.rm.runtime;

import static org.apache.kafka.common.config.ConfigDef.Range.between;

import io.weir.rm.spi.ResourceManagerProvider;
import io.weir.rm.spi.RmSetting;
import io.weir.service.ServiceConfig;
import io.weir.service.setting.FilePath;
import io.weir.topics.BrokerName;
import io.weir.topics.PlainName;
import io.weir.topics.TopicNames;
import io.weir.topics.TopicSettings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a connector process, beside those every service has.
 *
 * @param runner what the runner has to know
 * @param rmType which provider to use
 * @param rmSettings its settings, without prefix
 * @param dataDirectory directory of this connector's own files
 * @param schedulerGroup group in which the scheduler keeps its positions
 * @param topics how the topics are called and made
 * @param pokeFile file that is written to when it is time to poll; null for none
 * @param pokeAddress where a datagram means the same; null for nowhere
 */
record ConnectorConfig(
        RunnerConfig runner,
        String rmType,
        Map<String, String> rmSettings,
        Path dataDirectory,
        String schedulerGroup,
        TopicSettings topics,
        @Nullable Path pokeFile,
        @Nullable InetSocketAddress pokeAddress) {
    private static final String CLUSTER = "cluster";
    private static final String CONNECTOR_ID = "connector.id";
    private static final String DATA_DIRECTORY = "connector.data.dir";
    private static final String APPLICATION_ID = "application.id";
    private static final String RM_TYPE = "rm.type";
    private static final String POLL_INTERVAL = "connector.poll.interval.ms";
    private static final String AUTO = "auto";
    private static final String POKE_FILE = "connector.poke.file";
    private static final String POKE_HOST = "connector.poke.host";
    private static final String POKE_PORT = "connector.poke.port";
    private static final String RETRY_FIRST = "connector.retry.first.ms";
    private static final String RETRY_LONGEST = "connector.retry.longest.ms";
    private static final long DAY_MS = 86_400_000;

    /** Returns the definition of all keys, those of {@code providers} included. */
    static ConfigDef definition(Collection<ResourceManagerProvider> providers) {
        ConfigDef definition = TopicSettings.define(ServiceConfig.baseDefinition())
                .define(
                        CLUSTER,
                        Type.STRING,
                        ConfigDef.NO_DEFAULT_VALUE,
                        new PlainName(),
                        Importance.HIGH,
                        "Name of the cluster, which is one scheduling domain; without '/'.")
                .define(
                        CONNECTOR_ID,
                        Type.STRING,
                        "rm",
                        new PlainName(),
                        Importance.HIGH,
                        "Id of this connector, unique in the cluster. A second connector with the same id replaces the"
                                + " first.")
                .define(
                        DATA_DIRECTORY,
                        Type.STRING,
                        "rm-connector-data",
                        ConfigDef.CompositeValidator.of(new NonEmptyString(), new FilePath()),
                        Importance.MEDIUM,
                        "Directory for the connector's files; created if missing.")
                .define(
                        RM_TYPE,
                        Type.STRING,
                        ConfigDef.NO_DEFAULT_VALUE,
                        new NonEmptyString(),
                        Importance.HIGH,
                        "Type of resource manager; its own settings begin with rm. and this name.")
                .define(
                        POLL_INTERVAL,
                        Type.LONG,
                        1_000L,
                        between(10, DAY_MS),
                        Importance.MEDIUM,
                        "Time between two polls, in milliseconds; up to 10 s while the scheduler has not taken in what"
                                + " earlier polls said. Ignored in lock step.")
                .define(
                        APPLICATION_ID,
                        Type.STRING,
                        "weir-scheduler",
                        new BrokerName(1),
                        Importance.LOW,
                        "The scheduler's setting of this name: its consumer group, whose offsets tell how far it is.")
                .define(
                        POKE_FILE,
                        Type.STRING,
                        AUTO,
                        new FilePath(),
                        Importance.LOW,
                        "File to watch: a write to it triggers a poll, a line `job NUMBER` at its end a look at that job."
                                + " Created if missing; empty for none; auto for"
                                + " the file that the resource manager's scripts write, if it can be created (Slurm:"
                                + " /run/weir/poke).")
                .define(
                        POKE_HOST,
                        Type.STRING,
                        "127.0.0.1",
                        Importance.LOW,
                        "Address of this host on which UDP pokes are received.")
                .define(
                        POKE_PORT,
                        Type.INT,
                        0,
                        between(0, 65_535),
                        Importance.LOW,
                        "UDP port: a datagram triggers a poll, one of `job NUMBER` a look at that job; 0 for none.")
                .define(
                        RETRY_FIRST,
                        Type.LONG,
                        Backoff.DEFAULT.first().toMillis(),
                        between(1, DAY_MS),
                        Importance.LOW,
                        "Pause after the first failure, in milliseconds; it doubles with each further failure.")
                .define(
                        RETRY_LONGEST,
                        Type.LONG,
                        Backoff.DEFAULT.longest().toMillis(),
                        between(1, DAY_MS),
                        Importance.LOW,
                        "Longest pause after failures, in milliseconds.");
        for (ResourceManagerProvider provider : providers) {
            for (RmSetting setting : provider.settings()) {
                definition.define(
                        prefix(provider.type()) + setting.key(),
                        Type.STRING,
                        setting.defaultValue(),
                        Importance.MEDIUM,
                        setting.description());
            }
        }
        return definition;
    }

    /** Takes the settings out of {@code config}, for the provider that it names. */
    static ConnectorConfig from(ServiceConfig config, ResourceManagerProvider provider) {
        Map<String, String> rmSettings = new TreeMap<>();
        for (RmSetting setting : provider.settings()) {
            rmSettings.put(setting.key(), config.text(prefix(provider.type()) + setting.key()));
        }
        return new ConnectorConfig(
                new RunnerConfig(
                        config.text(CLUSTER),
                        config.text(CONNECTOR_ID),
                        Duration.ofMillis(config.number(POLL_INTERVAL)),
                        new Backoff(
                                Duration.ofMillis(config.number(RETRY_FIRST)),
                                Duration.ofMillis(config.number(RETRY_LONGEST)))),
                provider.type(),
                rmSettings,
                Path.of(config.text(DATA_DIRECTORY)),
                config.text(APPLICATION_ID),
                TopicSettings.from(config),
                pokeFile(config.text(POKE_FILE), provider),
                config.number(POKE_PORT) == 0
                        ? null
                        : new InetSocketAddress(config.text(POKE_HOST), (int) config.number(POKE_PORT)));
    }

    private static @Nullable Path pokeFile(String text, ResourceManagerProvider provider) {
        if (text.equals(AUTO)) {
            return provider.pokeFile().filter(PollTrigger::canWatch).orElse(null);
        }
        return text.isEmpty() ? null : Path.of(text);
    }

    /** Returns the type of the provider that {@code config} names. */
    static String rmType(ServiceConfig config) {
        return config.text(RM_TYPE);
    }

    TopicNames names() {
        return topics.names();
    }

    private static String prefix(String type) {
        return "rm." + type + ".";
    }
}
