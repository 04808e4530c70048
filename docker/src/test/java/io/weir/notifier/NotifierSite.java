package io.weir.notifier;

import io.weir.notifier.runtime.NotifierMain;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.KafkaEnvironment;
import io.weir.standalone.Standalone;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Grants;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;

/** A broker with access control, and notifiers in processes of their own, which can be killed. For one test and its thread. */
final class NotifierSite implements AutoCloseable {
    private final Path directory;
    private final Map<String, String> settings;
    private final KafkaEnvironment environment;
    private final NotifierTopics topics;
    private final Map<String, Process> processes = new HashMap<>();

    /** Starts the broker below {@code directory}; notifiers get {@code settings} besides those of the broker. */
    NotifierSite(Path directory, Map<String, String> settings) throws IOException {
        this.directory = directory;
        this.settings = settings;
        environment = KafkaEnvironment.start(new DataDirectory(directory.resolve("site")), 0, 0);
        try (Admin admin = Admin.create(environment.connection(Account.ADMIN).kafka())) {
            Grants.of(new TopicNames(TopicNames.DEFAULT_PREFIX), "weir-scheduler", List.of())
                    .apply(admin);
        }
        Standalone.provision(environment.connection(Account.ADMIN).settings());
        topics = new NotifierTopics(environment.connection(Account.SCHEDULER), environment.connection(Account.READER));
    }

    /** Returns the scheduler's side of the topics. */
    NotifierTopics topics() {
        return topics;
    }

    /** Returns the notifiers that have a partition of the topic that {@code reader} reads, sorted. */
    List<String> readersOf(String reader) throws Exception {
        String group = new TopicNames(TopicNames.DEFAULT_PREFIX).prefix() + "notifier." + reader;
        try (Admin admin = Admin.create(environment.connection(Account.ADMIN).kafka())) {
            return admin.describeConsumerGroups(List.of(group)).all().get().get(group).members().stream()
                    .filter(member -> !member.assignment().topicPartitions().isEmpty())
                    .map(member -> member.groupInstanceId().orElseThrow().substring(group.length() + 1))
                    .sorted()
                    .toList();
        }
    }

    /** Starts the process of a notifier called {@code instance}. */
    Process start(String instance) throws IOException {
        Properties all = new Properties();
        all.putAll(environment.connection(Account.NOTIFIER).settings());
        all.putAll(settings);
        all.put("notifier.instance", instance);
        Path file = directory.resolve(instance + ".properties");
        try (Writer out = Files.newBufferedWriter(file)) {
            all.store(out, null);
        }
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        NotifierMain.class.getName(),
                        "--config",
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve(instance + ".log").toFile()))
                .start();
        processes.put(instance, process);
        return process;
    }

    @Override
    public void close() throws InterruptedException, IOException {
        for (Process process : processes.values()) {
            process.destroyForcibly().waitFor();
        }
        topics.close();
        environment.close();
    }
}
