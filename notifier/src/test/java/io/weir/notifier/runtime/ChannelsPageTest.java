package io.weir.notifier.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.notifier.spi.ActorProvider;
import io.weir.notifier.spi.NotifierProvider;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of the page on channels use settings that there are, and there is one of each type. */
class ChannelsPageTest {

    private static final Pattern BLOCK = Pattern.compile("```properties\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PLACE = Pattern.compile("(channel|action)\\.([a-z-]+)\\.(.+)");

    @Test
    void shouldUseSettingsThatThereAre() throws IOException {
        Map<String, NotifierProvider> channels = new TreeMap<>();
        ServiceLoader.load(NotifierProvider.class).forEach(provider -> channels.put(provider.type(), provider));
        Map<String, ActorProvider> actors = new TreeMap<>();
        ServiceLoader.load(ActorProvider.class).forEach(provider -> actors.put(provider.actionType(), provider));
        Set<String> shown = new TreeSet<>(Set.of("file"));

        for (Map<String, Map<String, String>> block : blocks()) {
            block.forEach((place, settings) -> {
                String name = place.substring(place.indexOf(' ') + 1);
                if (place.startsWith("action")) {
                    assertThat(ActorConfig.parse(name, settings, actors).type()).isEqualTo(name);
                } else {
                    settings.putIfAbsent(ChannelConfig.TYPE, "file");
                    if (settings.get(ChannelConfig.TYPE).equals("file")) {
                        settings.put("path", "/tmp/x");
                    }
                    ChannelConfig config = ChannelConfig.parse(name, settings, channels, RetrySchedule.DEFAULT);
                    shown.add(config.provider().type());
                }
            });
        }

        assertThat(shown).isEqualTo(channels.keySet());
    }

    private static Iterable<Map<String, Map<String, String>>> blocks() throws IOException {
        return BLOCK.matcher(Files.readString(Path.of("docs/channels.md")))
                .results()
                .map(block -> places(block.group(1)))::iterator;
    }

    private static Map<String, Map<String, String>> places(String text) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        Map<String, Map<String, String>> places = new TreeMap<>();
        properties.forEach((key, value) -> {
            var match = PLACE.matcher(key.toString());
            if (match.matches()) {
                places.computeIfAbsent(match.group(1) + " " + match.group(2), place -> new HashMap<>())
                        .put(match.group(3), value.toString());
            }
        });
        return places;
    }
}
