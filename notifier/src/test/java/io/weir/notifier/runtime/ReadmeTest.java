package io.weir.notifier.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.notifier.runtime.handler.Routing;
import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.notifier.spi.ChargePeerProvider;
import io.weir.notifier.spi.NotifierProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;

/**
 * Holds the README's settings to those in the code. {@code mvn test -Dtest=ReadmeTest -Dweir.docs.update=true} writes
 * them.
 */
class ReadmeTest {

    private static final Path README = Path.of("README.md");
    private static final String BEGIN = "<!-- settings: begin; made by ReadmeTest from the code -->\n";
    private static final String END = "<!-- settings: end -->";

    @Test
    void shouldListEverySetting() throws IOException {
        String readme = Files.readString(README);
        int begin = readme.indexOf(BEGIN) + BEGIN.length();
        int end = readme.indexOf(END);
        String expected = readme.substring(0, begin) + settings() + readme.substring(end);
        if (Boolean.getBoolean("weir.docs.update")) {
            Files.writeString(README, expected);
        }

        assertThat(Files.readString(README))
                .as("stale: mvn test -pl notifier -Dtest=ReadmeTest -Dweir.docs.update=true")
                .isEqualTo(expected);
    }

    private static String settings() {
        StringBuilder text = new StringBuilder();
        text.append(table("Setting", "", NotifierConfig.define(new ConfigDef())));
        text.append(table("Every channel", "channel.NAME.", ChannelConfig.commonDefinition(RetrySchedule.DEFAULT)));
        Map<String, NotifierProvider> providers = new TreeMap<>();
        ServiceLoader.load(NotifierProvider.class).forEach(provider -> providers.put(provider.type(), provider));
        providers.forEach((type, provider) ->
                text.append(table("Channel of type `" + type + "`", "channel.NAME.", provider.settings())));
        text.append(table("Every route", "route.NAME.", Routing.ruleDefinition()));
        text.append(table("Every peer", "peer.NAME.", PeerConfig.commonDefinition()));
        Map<String, ChargePeerProvider> peers = new TreeMap<>();
        ServiceLoader.load(ChargePeerProvider.class).forEach(provider -> peers.put(provider.type(), provider));
        peers.forEach((type, provider) ->
                text.append(table("Peer of type `" + type + "`", "peer.NAME.", provider.settings())));
        return text.append('\n').toString();
    }

    private static String table(String title, String prefix, ConfigDef definition) {
        StringBuilder table = new StringBuilder("\n| " + title + " | default | meaning |\n|---|---|---|\n");
        definition
                .configKeys()
                .values()
                .forEach(key -> table.append("| `")
                        .append(prefix)
                        .append(key.name)
                        .append("` | ")
                        .append(
                                prefix.startsWith("channel") && key.name.startsWith("retry.")
                                        ? "as `notifier." + key.name + "`"
                                        : defaultOf(key))
                        .append(" | ")
                        .append(key.documentation)
                        .append(" |\n"));
        return table.toString();
    }

    private static String defaultOf(ConfigDef.ConfigKey key) {
        if (!key.hasDefault()) {
            return "required";
        }
        String value = ConfigDef.convertToString(key.defaultValue, key.type);
        return value == null || value.isEmpty() ? "none" : "`" + value + "`";
    }
}
