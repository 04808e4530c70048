package io.weir.standalone.access;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How an account shows that it is itself: a password for the broker, which is never sent (SCRAM), and another one for
 * the registry, which is.
 *
 * @param user name of the account
 * @param kafkaPassword letters and digits
 * @param registryPassword letters and digits
 */
public record Credential(String user, String kafkaPassword, String registryPassword) {
    /** How the embedded broker's listeners are secured. */
    public static final String PROTOCOL = "SASL_PLAINTEXT";

    /**
     * The only mechanism of the embedded broker: a listener that stole its port would learn no password. SHA-512 would make
     * each login four times as slow, and a random password no harder to guess.
     */
    public static final String MECHANISM = "SCRAM-SHA-256";

    /** Returns the properties of a Kafka client and of Confluent's registry client. */
    public Map<String, String> clientProperties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("security.protocol", PROTOCOL);
        properties.put("sasl.mechanism", MECHANISM);
        properties.put("sasl.jaas.config", jaas());
        properties.put("basic.auth.credentials.source", "USER_INFO");
        properties.put("basic.auth.user.info", user + ":" + registryPassword);
        return properties;
    }

    /** Returns the login of a client, or of a broker towards others, in JAAS's syntax. */
    public String jaas() {
        return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"" + user + "\" password=\""
                + kafkaPassword + "\";";
    }

    /** Tells nobody the passwords. */
    @Override
    public String toString() {
        return "Credential[" + user + "]";
    }
}
