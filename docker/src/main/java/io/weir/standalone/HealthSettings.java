package io.weir.standalone;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;

/**
 * Where the services of one process serve their health and metrics. What {@code health.*} says holds for all of them,
 * {@code SERVICE.health.*} for one. One {@code health.port} for several is the first one's; the others follow it in the order
 * in which {@link Component} declares them.
 */
final class HealthSettings {
    private static final Pattern OF_SERVICE = Pattern.compile("([^.]+)\\.(health\\..+)");
    private static final String PORT = "health.port";
    private static final int HIGHEST_PORT = 65_535;

    private final Map<String, String> chosen;

    /**
     * Takes what {@code chosen} says of them.
     *
     * @throws ConfigException when it speaks of a service that there is not
     */
    HealthSettings(Map<String, String> chosen) {
        this.chosen = chosen;
        for (String key : chosen.keySet()) {
            Matcher matcher = OF_SERVICE.matcher(key);
            if (matcher.matches() && service(matcher.group(1)).isEmpty()) {
                throw new ConfigException(
                        "The setting '" + key + "' is of no service of the launcher; they are " + names());
            }
        }
    }

    /** Returns whether the launcher alone knows the setting {@code key}. */
    static boolean isOfService(String key) {
        return OF_SERVICE.matcher(key).matches();
    }

    /** Returns the settings of {@code service}, one of those that run in this process. */
    Map<String, String> of(Component service, Set<Component> running) {
        Map<String, String> settings = new HashMap<>();
        shared(service, running).ifPresent(port -> settings.put(PORT, port));
        chosen.forEach((key, value) -> {
            Matcher matcher = OF_SERVICE.matcher(key);
            if (matcher.matches() && service(matcher.group(1)).equals(Optional.of(service))) {
                settings.put(matcher.group(2), value);
            }
        });
        return settings;
    }

    /** Leaves out services with a port of their own, and what is no port: the service itself refuses that. */
    private Optional<String> shared(Component service, Set<Component> running) {
        String text = chosen.getOrDefault(PORT, "").strip();
        if (!text.matches("[1-9]\\d{0,4}") || chosen.containsKey(name(service) + "." + PORT)) {
            return Optional.empty();
        }
        int port = Integer.parseInt(text);
        for (Component before : EnumSet.copyOf(running)) {
            if (before.compareTo(service) < 0
                    && before != Component.BROKER
                    && !chosen.containsKey(name(before) + "." + PORT)) {
                port++;
            }
        }
        if (port > HIGHEST_PORT) {
            throw new ConfigException(PORT, text, "leaves no port for the " + name(service) + "; choose a lower one");
        }
        return Optional.of(String.valueOf(port));
    }

    private static Optional<Component> service(String name) {
        for (Component component : Component.values()) {
            if (component != Component.BROKER && name(component).equals(name)) {
                return Optional.of(component);
            }
        }
        return Optional.empty();
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>();
        for (Component component : Component.values()) {
            if (component != Component.BROKER) {
                names.add(name(component));
            }
        }
        return names;
    }

    private static String name(Component component) {
        return component.name().toLowerCase(Locale.ROOT);
    }
}
