package io.weir.notifier.runtime.handler;

import io.weir.schemas.Notification;
import io.weir.schemas.Severity;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/**
 * All routing rules together: a channel gets a delivery when any rule sends it there, once however many do. Without rules
 * every channel gets everything. Immutable.
 *
 * @param rules the rules, in the order of the configuration, which does not matter
 */
public record Routing(List<RoutingRule> rules) {

    private static final String CHANNELS = "channels";
    private static final String EVENTS = "events";
    private static final String SEVERITY = "severity";
    private static final String OBJECTS = "objects";
    private static final String OWNERS = "owners";

    public Routing {
        rules = List.copyOf(rules);
    }

    /** Says whether {@code channel} gets {@code notification}. */
    public boolean sends(Notification notification, String channel) {
        return rules.isEmpty() || rules.stream().anyMatch(rule -> rule.sends(notification, channel));
    }

    /** Returns the settings of one rule. */
    public static ConfigDef ruleDefinition() {
        return new ConfigDef()
                .define(
                        CHANNELS,
                        Type.LIST,
                        List.of(),
                        ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                        Importance.HIGH,
                        "Channels to send to; if empty, all.")
                .define(
                        EVENTS,
                        Type.LIST,
                        List.of(),
                        ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                        Importance.HIGH,
                        "Events that the rule matches, such as `nodedown`; `rm*` matches every event that begins with"
                                + " rm. If empty, all.")
                .define(
                        SEVERITY,
                        Type.STRING,
                        "info",
                        ConfigDef.CaseInsensitiveValidString.in("info", "warning", "error"),
                        Importance.HIGH,
                        "Lowest severity that the rule matches. An unknown severity matches every rule.")
                .define(
                        OBJECTS,
                        Type.LIST,
                        List.of(),
                        ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                        Importance.MEDIUM,
                        "Objects that the rule matches, by type and id: `node:gpu*`, `rm:*`. If empty, all.")
                .define(
                        OWNERS,
                        Type.LIST,
                        List.of(),
                        ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                        Importance.MEDIUM,
                        "Users whose objects the rule matches, such as `ann` or `proj-*`. If empty, all, including"
                                + " objects without an owner.");
    }

    /**
     * Reads the rule {@code name}.
     *
     * @throws ConfigException when it names a channel that is not among {@code channels}
     */
    public static RoutingRule rule(String name, AbstractConfig settings, Set<String> channels) {
        Set<String> to = new HashSet<>(settings.getList(CHANNELS));
        for (String channel : to) {
            if (!channels.contains(channel)) {
                throw new ConfigException(
                        CHANNELS, channel, "there is no such channel; notifier.channels names " + channels);
            }
        }
        return new RoutingRule(
                name,
                settings.getList(EVENTS),
                Severity.valueOf(settings.getString(SEVERITY).toUpperCase(Locale.ROOT)),
                settings.getList(OBJECTS),
                settings.getList(OWNERS),
                to);
    }
}
