package io.weir.notifier.snmp;

import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.ActorProvider;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/**
 * Actions of type {@code snmp}: notifications to a receiver that the settings list, with the credentials that they name;
 * the community in the action is not used, since a topic is no place for it. Stateless.
 */
public final class SnmpActorProvider implements ActorProvider {

    static final String HOSTS = "hosts";

    private static final int USUAL_PORT = 162;

    private final SnmpProvider provider = new SnmpProvider();

    @Override
    public String actionType() {
        return "snmp";
    }

    @Override
    public ConfigDef settings() {
        return provider.settings()
                .define(
                        HOSTS,
                        Type.LIST,
                        List.of(),
                        ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                        Importance.MEDIUM,
                        "Receivers besides `host` that triggers may name, `name` or `name:port`; any other is refused.");
    }

    @Override
    public Actor open(AbstractConfig settings) {
        Map<String, Actor> receivers = new LinkedHashMap<>();
        String host = settings.getString(SnmpProvider.HOST).toLowerCase(Locale.ROOT);
        Actor usual = actor(settings, host, settings.getInt(SnmpProvider.PORT));
        receivers.put(host, usual);
        receivers.put(host + ":" + settings.getInt(SnmpProvider.PORT), usual);
        for (String listed : settings.getList(HOSTS)) {
            String name = listed.toLowerCase(Locale.ROOT);
            int colon = name.lastIndexOf(':');
            receivers.putIfAbsent(
                    name,
                    colon < 0
                            ? actor(settings, name, USUAL_PORT)
                            : actor(settings, name.substring(0, colon), port(listed, name.substring(colon + 1))));
        }
        return new SnmpActor(receivers);
    }

    private static Actor actor(AbstractConfig settings, String host, int port) {
        return new TrapSender(SnmpProvider.open("snmp", settings, host, port));
    }

    private static int port(String listed, String digits) {
        int port = digits.matches("[0-9]{1,5}") ? Integer.parseInt(digits) : 0;
        if (port < 1 || port > 65_535) {
            throw new ConfigException(HOSTS, listed, "must be a name, or a name and a port");
        }
        return port;
    }
}
