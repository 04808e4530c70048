package io.weir.notifier.spi;

import java.util.List;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/** A type of actions, found with {@link java.util.ServiceLoader}. Stateless. */
public interface ActorProvider {

    /** The action type it is for, as triggers name it. */
    String actionType();

    /**
     * Into how many lanes its actions are divided, 1 or more: those of one lane are carried out one after another, by an
     * actor of its own, and lanes do not wait for each other. More than one is for actions that take as long as those who
     * wrote their programs or services please. The number of a type stays as it is: positions belong to lanes.
     */
    default int lanes() {
        return 1;
    }

    /** Its settings, named without any prefix; documented, as the manual prints them. */
    ConfigDef settings();

    /** Its settings with those whose names are chosen by the names {@code given}; none more unless it says so. */
    default ConfigDef settings(Set<String> given) {
        return settings();
    }

    /** Topics of others that its actions may write to, as {@code settings} list them; Weir's own are refused. */
    default List<String> topics(AbstractConfig settings) {
        return List.of();
    }

    /**
     * Opens the actor; it does not need the receivers to be there.
     *
     * @throws org.apache.kafka.common.config.ConfigException when a setting cannot be used: value, place, what to do
     */
    Actor open(AbstractConfig settings);
}
