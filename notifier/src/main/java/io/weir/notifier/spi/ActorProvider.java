package io.weir.notifier.spi;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/** A type of actions, found with {@link java.util.ServiceLoader}. Stateless. */
public interface ActorProvider {

    /** The action type it is for, as triggers name it. */
    String actionType();

    /** Its settings, named without any prefix; documented, as the manual prints them. */
    ConfigDef settings();

    /**
     * Opens the actor; it does not need the receivers to be there.
     *
     * @throws org.apache.kafka.common.config.ConfigException when a setting cannot be used: value, place, what to do
     */
    Actor open(AbstractConfig settings);
}
