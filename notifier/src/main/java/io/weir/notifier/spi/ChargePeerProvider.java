package io.weir.notifier.spi;

import java.util.List;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/** A kind of peers that charges are handed to, found with {@link java.util.ServiceLoader}. Stateless. */
public interface ChargePeerProvider {

    /** Name by which the configuration asks for this kind of peer. */
    String type();

    /** The settings of one peer, named without any prefix. */
    ConfigDef settings();

    /** Topics of others that it writes to, as {@code settings} name them; Weir's own are refused. */
    default List<String> topics(AbstractConfig settings) {
        return List.of();
    }

    /**
     * Opens the peer that the configuration calls {@code peer}. It checks what can be checked without the receiver, but does not
     * need the receiver to be there.
     *
     * @throws org.apache.kafka.common.config.ConfigException when a setting cannot be used
     */
    ChargePeer open(String peer, AbstractConfig settings);
}
