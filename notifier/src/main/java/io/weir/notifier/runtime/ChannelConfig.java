package io.weir.notifier.runtime;

import io.weir.notifier.runtime.handler.Pace;
import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierProvider;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/**
 * One channel's settings, checked. Immutable.
 *
 * @param name its name
 * @param provider what it is opened with
 * @param settings the provider's settings and those that every channel has
 * @param retry when its deliveries are tried again
 * @param pace when it may speak
 */
record ChannelConfig(String name, NotifierProvider provider, AbstractConfig settings, RetrySchedule retry, Pace pace) {

    static final String TYPE = "type";

    /** Returns the settings of channels of every type; what is unset is as {@code defaults} says. */
    static ConfigDef commonDefinition(RetrySchedule defaults) {
        ConfigDef definition = new ConfigDef()
                .define(
                        TYPE,
                        Type.STRING,
                        ConfigDef.NO_DEFAULT_VALUE,
                        new ConfigDef.NonEmptyString(),
                        Importance.HIGH,
                        "Type of the channel.");
        return Pace.define(RetrySchedule.define(definition, "", defaults));
    }

    /** Opens the channel; settings that cannot be used are said with their place. */
    Notifier open() {
        return Section.of("channel", name, TYPE).read(() -> provider.open(name, settings));
    }

    /**
     * Reads the channel {@code name}.
     *
     * @param given its settings, without {@code channel.NAME.}
     * @param providers the providers there are, by type
     * @param defaults schedule of a channel that says nothing else
     */
    static ChannelConfig parse(
            String name, Map<String, String> given, Map<String, NotifierProvider> providers, RetrySchedule defaults) {
        String type = given.getOrDefault(TYPE, "");
        NotifierProvider provider = providers.get(type);
        if (provider == null) {
            throw new ConfigException(TYPE, type, "there is no such kind of channel; there are " + providers.keySet());
        }
        ConfigDef definition = commonDefinition(defaults);
        provider.settings().configKeys().values().forEach(definition::define);
        AbstractConfig settings = Section.parse(definition, given);
        return new ChannelConfig(
                name, provider, settings, RetrySchedule.from("", settings::getInt), Pace.from(settings));
    }
}
