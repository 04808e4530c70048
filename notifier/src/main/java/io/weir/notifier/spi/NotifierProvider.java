package io.weir.notifier.spi;

import java.util.List;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * A kind of channel, found with {@link java.util.ServiceLoader}: it describes the settings of its channels and opens them.
 * Stateless; {@code type} and {@code settings} may be called on any thread.
 */
public interface NotifierProvider {

    /** Name by which the configuration asks for this kind of channel: lower case, never changed once released. */
    String type();

    /** The settings of one channel, named without any prefix; documented, as the manual prints them. */
    ConfigDef settings();

    /** Topics of others that it writes to, as {@code settings} name them; Weir's own are refused. */
    default List<String> topics(AbstractConfig settings) {
        return List.of();
    }

    /**
     * Opens a channel, before any thread of the runner starts. It checks what can be checked without the receiver, but
     * does not need the receiver to be there.
     *
     * @param channel name of the channel, for messages
     * @param settings what {@link #settings()} made of the configuration
     * @throws org.apache.kafka.common.config.ConfigException when a setting cannot be used: value, place, what to do
     */
    Notifier open(String channel, AbstractConfig settings);
}
