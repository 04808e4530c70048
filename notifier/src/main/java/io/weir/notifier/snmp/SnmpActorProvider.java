package io.weir.notifier.snmp;

import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.ActorProvider;
import io.weir.notifier.spi.NotifyingActor;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * Actions of type {@code snmp}: notifications to the receiver, and with the credentials, that the settings name; those in
 * the action are not used, since a topic is no place for them. Stateless.
 */
public final class SnmpActorProvider implements ActorProvider {

    private final SnmpProvider provider = new SnmpProvider();

    @Override
    public String actionType() {
        return "snmp";
    }

    @Override
    public ConfigDef settings() {
        return provider.settings();
    }

    @Override
    public Actor open(AbstractConfig settings) {
        return new NotifyingActor(provider.open("snmp", settings), "Weir update");
    }
}
