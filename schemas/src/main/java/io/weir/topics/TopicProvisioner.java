package io.weir.topics;

import io.weir.topics.Topic.Role;
import io.weir.topics.TopicSettings.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the topics of the catalogue, or only checks them, and reports all that is wrong at once. Existing topics are never
 * changed. Safe to run in several processes at the same time; blocks for the broker.
 */
public final class TopicProvisioner {

    private static final Logger log = LoggerFactory.getLogger(TopicProvisioner.class);

    private static final Duration VISIBLE_LIMIT = Duration.ofSeconds(20);
    private static final Duration VISIBLE_PAUSE = Duration.ofMillis(20);

    private static final String CHANGELOG_SUFFIX = "-changelog";
    private static final String FOR_EVER = "-1";
    private static final String CREATE_TIME = "CreateTime";

    private final Admin admin;
    private final TopicSettings settings;

    /** Uses {@code admin}, which the caller closes. */
    public TopicProvisioner(Admin admin, TopicSettings settings) {
        this.admin = admin;
        this.settings = settings;
    }

    /**
     * Makes what is missing, if so set, and verifies the rest; warns of what is not wrong but risky.
     *
     * @throws UnfitBrokerException naming every topic that is missing or not as the scheduler needs it
     */
    public void provision(Collection<? extends Topic<?>> topics) {
        if (settings.mode() == Mode.CREATE) {
            create(topics);
        }
        refuse(problems(topics, log::warn));
    }

    /**
     * Verifies {@code topics} and makes none.
     *
     * @throws UnfitBrokerException naming every topic that is missing or not as the scheduler needs it
     */
    public void verify(Collection<? extends Topic<?>> topics) {
        refuse(problems(topics, warning -> {}));
    }

    /**
     * Verifies the changelogs of the application {@code applicationId}, as far as Kafka Streams has made them.
     *
     * @throws UnfitBrokerException naming every one that does not keep what the scheduler needs
     */
    public void verifyChangelogs(String applicationId) {
        refuse(changelogProblems(applicationId, log::warn));
    }

    /**
     * Returns what is wrong now with {@code topics} and the changelogs of the application {@code applicationId}, one sentence or
     * two each; empty when all is as the scheduler needs it.
     *
     * @param made names of the changelogs that Kafka Streams has made by now
     */
    public List<String> problems(Collection<? extends Topic<?>> topics, String applicationId, Collection<String> made) {
        List<String> problems = problems(topics, warning -> {});
        Set<String> existing = existingNames();
        made.stream()
                .filter(name -> !existing.contains(name))
                .forEach(name -> problems.add("Topic " + name + ", which keeps the state of " + applicationId
                        + ", is missing, or this account may not see it: nothing can be committed. Make it anew while this"
                        + " service runs, which has the state, and goes on at once: kafka-topics.sh --bootstrap-server"
                        + " HOST:PORT --create --topic " + name + changelogOptions()
                        + ". Do not restart the service before"));
        problems.addAll(changelogProblems(applicationId, warning -> {}));
        return problems;
    }

    private String changelogOptions() {
        StringBuilder options = new StringBuilder(" --partitions " + settings.partitions());
        settings.replication()
                .ifPresent(replicas -> options.append(" --replication-factor ").append(replicas));
        changelogConfig()
                .forEach((key, value) ->
                        options.append(" --config ").append(key).append('=').append(value));
        return options.toString();
    }

    private static Map<String, String> changelogConfig() {
        return new TreeMap<>(Map.of(
                TopicConfig.CLEANUP_POLICY_CONFIG,
                Topic.Cleanup.COMPACT.policy(),
                TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                CREATE_TIME,
                TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
                String.valueOf(Long.MAX_VALUE),
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                String.valueOf(RecordSize.LARGEST)));
    }

    /**
     * Makes those of the changelogs {@code names} that are missing. Kafka Streams makes them only with an assignment by the leader of
     * its group, which an instance that comes back does without.
     */
    public void provisionChangelogs(Collection<String> names, int partitions) {
        Set<String> existing = existingNames();
        List<NewTopic> missing = names.stream()
                .filter(name -> !existing.contains(name))
                .map(name ->
                        new NewTopic(name, Optional.of(partitions), settings.replication()).configs(changelogConfig()))
                .toList();
        admin.createTopics(missing)
                .values()
                .forEach((name, created) -> KafkaFutures.get(created, "topic " + name + " made"));
        awaitVisible(missing.stream().map(NewTopic::name).collect(Collectors.toSet()));
    }

    private List<String> changelogProblems(String applicationId, Consumer<String> warnings) {
        Map<String, TopicNeeds> changelogs = new TreeMap<>();
        for (String name : existingNames()) {
            if (isChangelog(name, applicationId)) {
                changelogs.put(name, TopicNeeds.ofChangelog(settings));
            }
        }
        return inspect(changelogs, descriptions(changelogs.keySet()), warnings);
    }

    private static void refuse(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new UnfitBrokerException(problems);
        }
    }

    /** Says whether the topic {@code name} is a changelog of the application {@code applicationId}. */
    public static boolean isChangelog(String name, String applicationId) {
        return name.startsWith(applicationId + "-") && name.endsWith(CHANGELOG_SUFFIX);
    }

    /** Returns the configuration with which {@code topic} is made. */
    public Map<String, String> configOf(Topic<?> topic) {
        Map<String, String> config = new TreeMap<>();
        config.put(TopicConfig.CLEANUP_POLICY_CONFIG, topic.cleanup().policy());
        config.put(
                TopicConfig.RETENTION_MS_CONFIG,
                settings.retentionOf(topic)
                        .map(Duration::toMillis)
                        .map(String::valueOf)
                        .orElse(FOR_EVER));
        config.put(TopicConfig.RETENTION_BYTES_CONFIG, FOR_EVER);
        config.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, CREATE_TIME);
        // Virtual time: neither a trace of 1996 nor one of 2096 is out of bounds.
        config.put(TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG, String.valueOf(Long.MAX_VALUE));
        config.put(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, String.valueOf(Long.MAX_VALUE));
        config.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(RecordSize.most(topic)));
        if (TopicNeeds.isWrittenByOthers(topic)) {
            config.put(TopicConfig.COMPRESSION_TYPE_CONFIG, TopicNeeds.UNCOMPRESSED);
        }
        return config;
    }

    private void create(Collection<? extends Topic<?>> topics) {
        Set<String> existing = existingNames();
        List<NewTopic> missing = topics.stream()
                .filter(topic -> !existing.contains(settings.names().full(topic)))
                .map(topic -> new NewTopic(
                                settings.names().full(topic),
                                Optional.of(settings.partitions()),
                                settings.replication())
                        .configs(configOf(topic)))
                .toList();
        Map<String, String> failures = new TreeMap<>();
        admin.createTopics(missing).values().forEach((name, created) -> {
            try {
                KafkaFutures.get(created, "topic " + name + " made");
                log.info("Made topic {} with {} partitions", name, settings.partitions());
            } catch (KafkaException e) {
                if (!(e.getCause() instanceof TopicExistsException)) {
                    failures.put(name, String.valueOf(e.getMessage()));
                }
            }
        });
        if (!failures.isEmpty()) {
            throw new UnfitBrokerException(failures.values().stream()
                    .map(message -> message.replaceFirst("[.\\s]+$", "")
                            + ". Have an account that may do so run 'weir topics --create', and 'weir acls --apply' for the"
                            + " rights on them, as after an upgrade that brings new topics; or grant Create")
                    .toList());
        }
        awaitVisible(missing.stream().map(NewTopic::name).collect(Collectors.toSet()));
    }

    /** A broker other than the one that made a topic learns of it a little later. */
    private void awaitVisible(Set<String> names) {
        long deadline = System.nanoTime() + VISIBLE_LIMIT.toNanos();
        while (!existingNames().containsAll(names) && System.nanoTime() < deadline) {
            LockSupport.parkNanos(VISIBLE_PAUSE.toNanos());
        }
    }

    private List<String> problems(Collection<? extends Topic<?>> topics, Consumer<String> warnings) {
        Map<String, Topic<?>> expected = new LinkedHashMap<>();
        topics.forEach(topic -> expected.put(settings.names().full(topic), topic));
        Set<String> existing = existingNames();
        List<String> problems = new ArrayList<>();
        expected.keySet().stream()
                .filter(name -> !existing.contains(name))
                .forEach(name -> problems.add("Topic " + name
                        + " is missing, or this account may not see it. Make it, or set topics.mode=create ('weir topics' shows"
                        + " how it should be), or grant the account what 'weir acls' says"));
        expected.keySet().retainAll(existing);
        Map<String, TopicDescription> found = descriptions(expected.keySet());
        problems.addAll(partitionProblems(expected, found));
        outputsApart(expected, found).ifPresent(warnings);
        Map<String, TopicNeeds> needs = new LinkedHashMap<>();
        expected.forEach((name, topic) -> needs.put(name, TopicNeeds.of(topic, settings)));
        problems.addAll(inspect(needs, found, warnings));
        return problems;
    }

    /** Returns what is wrong with the topics {@code found}, and warns of the rest. */
    private List<String> inspect(
            Map<String, TopicNeeds> needs, Map<String, TopicDescription> found, Consumer<String> warnings) {
        TopicInspection inspection = new TopicInspection();
        Map<String, Config> configs = configs(needs.keySet());
        needs.forEach((name, needed) -> {
            TopicDescription topic = found.get(name);
            Config config = configs.get(name);
            if (topic != null && config != null) {
                inspection.inspect(needed, topic, config);
            }
        });
        inspection.warnings().forEach(warnings);
        return inspection.problems();
    }

    private Map<String, TopicDescription> descriptions(Set<String> names) {
        return KafkaFutures.get(admin.describeTopics(names).allTopicNames(), "descriptions of topics");
    }

    /** One cluster has to be on the same partition of everything the scheduler reads, and of its journal. */
    private static List<String> partitionProblems(Map<String, Topic<?>> expected, Map<String, TopicDescription> found) {
        Map<String, Integer> counts = new TreeMap<>();
        found.forEach((name, description) -> {
            Topic<?> topic = expected.get(name);
            if (topic != null && isOnSchedulersPartition(topic)) {
                counts.put(name, description.partitions().size());
            }
        });
        return Set.copyOf(counts.values()).size() <= 1
                ? List.of()
                : List.of("The scheduler's inputs and its journal differ in their numbers of partitions: " + counts
                        + ". Partitions were added, which moves clusters away from their history, and none can be taken"
                        + " away. Restore the topic from a backup with its former number. Or bring all to the same number"
                        + " under another topics.prefix and application.id, which begins anew: journal, statistics,"
                        + " reservations and requests stay behind, and what resource managers know comes with their first"
                        + " poll. An input that has one partition otherwise can be made anew in its place: see"
                        + " scheduler-stream/docs/trouble.md");
    }

    /**
     * Services read what the scheduler puts out for a cluster from the partition that the cluster has by the number there is. One
     * topic that has another number than the scheduler's inputs had partitions added; measurements have as many as they need.
     */
    private static Optional<String> outputsApart(Map<String, Topic<?>> expected, Map<String, TopicDescription> found) {
        Set<Integer> ofInputs = new TreeSet<>();
        Map<String, Integer> outputs = new TreeMap<>();
        found.forEach((name, description) -> {
            Topic<?> topic = expected.get(name);
            int partitions = description.partitions().size();
            if (topic != null && isOnSchedulersPartition(topic)) {
                ofInputs.add(partitions);
            } else if (topic != null && topic.role() != Role.MEASUREMENT) {
                outputs.put(name, partitions);
            }
        });
        outputs.values().removeIf(partitions -> ofInputs.isEmpty() || ofInputs.contains(partitions));
        return outputs.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "Topics have another number of partitions than the scheduler's inputs, which have " + ofInputs
                                + ": " + outputs
                                + ". If partitions were added, clusters have moved away from what was written before;"
                                + " restart the services that read these topics");
    }

    private static boolean isOnSchedulersPartition(Topic<?> topic) {
        return topic.role().isSchedulerInput() || topic.role() == Role.JOURNAL;
    }

    private Set<String> existingNames() {
        return KafkaFutures.get(admin.listTopics().names(), "names of topics");
    }

    private Map<String, Config> configs(Set<String> names) {
        List<ConfigResource> resources = names.stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        return KafkaFutures.get(admin.describeConfigs(resources).all(), "configurations of topics").entrySet().stream()
                .collect(Collectors.toMap(
                        entry -> entry.getKey().name(), Map.Entry::getValue, (one, other) -> one, TreeMap::new));
    }
}
