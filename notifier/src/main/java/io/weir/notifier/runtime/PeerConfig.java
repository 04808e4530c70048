package io.weir.notifier.runtime;

import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.notifier.spi.ChargePeer;
import io.weir.notifier.spi.ChargePeerProvider;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/**
 * One peer that charges are handed to, checked. Immutable.
 *
 * @param name its name
 * @param provider what it is opened with
 * @param settings the provider's settings and those that every peer has
 * @param retry when a charge is tried again
 */
record PeerConfig(String name, ChargePeerProvider provider, AbstractConfig settings, RetrySchedule retry) {

    /** Charges wait for a peer for weeks before they become dead letters. */
    private static final RetrySchedule PATIENT =
            new RetrySchedule(10_000, Duration.ofSeconds(10), 2, Duration.ofMinutes(5));

    private static final String TYPE = "type";

    /** Returns the settings of peers of every type. */
    static ConfigDef commonDefinition() {
        ConfigDef definition = new ConfigDef()
                .define(
                        TYPE,
                        Type.STRING,
                        ConfigDef.NO_DEFAULT_VALUE,
                        new ConfigDef.NonEmptyString(),
                        Importance.HIGH,
                        "Type of the peer: `exec`, `file`, `http` or `kafka`.");
        return RetrySchedule.define(definition, "", PATIENT);
    }

    /** Opens the peer; settings that cannot be used are said with their place. */
    ChargePeer open() {
        return Section.of("peer", name, TYPE).read(() -> provider.open(name, settings));
    }

    /** Reads the peer {@code name} from {@code given}, its settings without {@code peer.NAME.}. */
    static PeerConfig parse(String name, Map<String, String> given, Map<String, ChargePeerProvider> providers) {
        String type = given.getOrDefault(TYPE, "");
        ChargePeerProvider provider = providers.get(type);
        if (provider == null) {
            throw new ConfigException(TYPE, type, "there is no such kind of peer; there are " + providers.keySet());
        }
        ConfigDef definition = commonDefinition();
        provider.settings().configKeys().values().forEach(definition::define);
        AbstractConfig settings = Section.parse(definition, given);
        return new PeerConfig(name, provider, settings, RetrySchedule.from("", settings::getInt));
    }
}
