package io.weir.command.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.command.Main;
import io.weir.command.terminal.ExitCode;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Credentials;
import io.weir.standalone.broker.EmbeddedBroker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** An administrator prepares a broker that nobody may use yet. */
class AclsIT {
    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();

    @Test
    void shouldPrepareABrokerWithTwoCommands() throws Exception {
        Credentials credentials = new Credentials(directory.resolve("credentials"));
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory.resolve("broker"), credentials, 0)) {
            String admin = client(credentials, Account.ADMIN);

            assertThat(run(broker, admin, "topics", "--create", "--set=topics.retention=*=forever"))
                    .as(out.toString())
                    .isEqualTo(ExitCode.FINE);
            assertThat(run(broker, admin, "acls", "--apply", "--connector=c1/rm"))
                    .as(out.toString())
                    .isEqualTo(ExitCode.FINE);
            assertThat(run(broker, admin, "acls", "--apply", "--connector=c1/rm"))
                    .as("once more: " + out)
                    .isEqualTo(ExitCode.FINE);

            assertThat(run(broker, admin, "topics", "--end-transactions"))
                    .as(out.toString())
                    .isEqualTo(ExitCode.FINE);
            assertThat(out.toString()).contains("No transaction hangs");

            try (KafkaProducer<byte[], byte[]> site = inTransaction(settings(broker, credentials, Account.ADMIN))) {
                assertThat(run(broker, admin, "topics", "--end-transactions"))
                        .as(out.toString())
                        .isEqualTo(ExitCode.FINE);
                assertThat(out.toString()).contains("the transaction of 'site-app' on [weir.requests-0]", "for 900 s");
                site.abortTransaction();
            }

            try (Admin reader = Admin.create(settings(broker, credentials, Account.READER))) {
                assertThat(reader.listTopics().names().get()).contains("weir.requests", "weir.journal");
            }
            write(settings(broker, credentials, Account.API));
            assertThatThrownBy(() -> write(settings(broker, credentials, Account.SCHEDULER)))
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
        }
    }

    /** Returns a producer with a transaction that it has not ended. */
    private static KafkaProducer<byte[], byte[]> inTransaction(Map<String, Object> settings) throws Exception {
        settings.putAll(Map.of("transactional.id", "site-app", "transaction.timeout.ms", 900_000));
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("weir.requests", new byte[0])).get();
        return producer;
    }

    private static void write(Map<String, Object> settings) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>("weir.requests", new byte[0])).get();
        }
    }

    private static Map<String, Object> settings(EmbeddedBroker broker, Credentials credentials, Account account) {
        Map<String, Object> settings = new HashMap<>(credentials.ensure(account).clientProperties());
        settings.put("bootstrap.servers", broker.bootstrapServers());
        return settings;
    }

    private String client(Credentials credentials, Account account) throws IOException {
        StringBuilder text = new StringBuilder();
        credentials
                .ensure(account)
                .clientProperties()
                .forEach((key, value) ->
                        text.append(key).append('=').append(value).append('\n'));
        return Files.writeString(directory.resolve("admin.properties"), text).toString();
    }

    private int run(EmbeddedBroker broker, String config, String... words) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(out, true));
        String[] all = new String[words.length + 2];
        System.arraycopy(words, 0, all, 0, words.length);
        all[words.length] = "--bootstrap-server=" + broker.bootstrapServers();
        all[words.length + 1] = "--command-config=" + config;
        return command.execute(all);
    }
}
