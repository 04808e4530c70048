package io.weir.notifier.mail;

import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.ActorProvider;
import io.weir.notifier.spi.NotifyingActor;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/** Actions of type {@code mail}: with the settings of a channel of that type. Stateless. */
public final class MailActorProvider implements ActorProvider {

    private final MailProvider provider = new MailProvider();

    @Override
    public String actionType() {
        return "mail";
    }

    @Override
    public ConfigDef settings() {
        return provider.settings();
    }

    @Override
    public Actor open(AbstractConfig settings) {
        return new NotifyingActor(provider.open("mail", settings), "Weir update");
    }
}
