package io.weir.standalone;

import io.weir.standalone.access.Account;
import io.weir.standalone.access.Credential;
import io.weir.standalone.access.Credentials;
import io.weir.standalone.access.OwnerOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Configurations of ordinary Kafka clients, ready to use, for accounts that belong to no service: one file for Java's
 * clients and one for librdkafka's, such as kcat. They hold passwords; only their owner can read them. Before 2.6.1
 * librdkafka's SCRAM does not work with brokers of Kafka 4, so readers get PLAIN there.
 */
final class ClientFiles {
    private static final List<Account> ACCOUNTS = List.of(Account.READER, Account.MONITORING, Account.ADMIN);

    private ClientFiles() {}

    /** Writes the files for the broker and registry at {@code endpoints}. */
    static void write(DataDirectory directory, Endpoints endpoints) {
        Credentials credentials = new Credentials(directory.credentials());
        try {
            OwnerOnly.directory(directory.clients());
            for (Account account : ACCOUNTS) {
                Credential credential = credentials.ensure(account);
                OwnerOnly.replace(directory.javaClient(account), javaClient(endpoints, credential));
                OwnerOnly.replace(directory.librdkafkaClient(account), librdkafka(endpoints, credential));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + directory.clients(), e);
        }
    }

    private static String javaClient(Endpoints endpoints, Credential credential) {
        Map<String, String> properties = new TreeMap<>(credential.clientProperties());
        properties.put("bootstrap.servers", endpoints.bootstrapServers());
        properties.put("schema.registry.url", endpoints.registryUrl());
        properties.put("group.id", credential.user());
        return lines("For Java's Kafka clients, and for Confluent's serializers and deserializers", properties);
    }

    private static String librdkafka(Endpoints endpoints, Credential credential) {
        boolean plain = credential.user().equals(Account.READER.name());
        Map<String, String> properties = new TreeMap<>();
        properties.put("bootstrap.servers", endpoints.bootstrapServers());
        properties.put("security.protocol", Credential.PROTOCOL);
        properties.put("sasl.mechanism", plain ? "PLAIN" : Credential.MECHANISM);
        properties.put("sasl.username", credential.user());
        properties.put("sasl.password", credential.kafkaPassword());
        return lines("For clients made with librdkafka" + (plain ? ": kcat -F FILE" : ", 2.6.1 or newer"), properties);
    }

    private static String lines(String use, Map<String, String> properties) {
        StringBuilder text = new StringBuilder("# " + use + ". Whoever has this file is this account.\n");
        properties.forEach(
                (key, value) -> text.append(key).append('=').append(value).append('\n'));
        return text.toString();
    }
}
