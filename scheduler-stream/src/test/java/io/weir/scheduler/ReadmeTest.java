package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        String expected = readme.substring(0, begin) + settings() + readme.substring(readme.indexOf(END));
        if (Boolean.getBoolean("weir.docs.update")) {
            Files.writeString(README, expected);
        }

        assertThat(Files.readString(README))
                .as("stale: mvn test -pl scheduler-stream -am -Dtest=ReadmeTest -Dweir.docs.update=true")
                .isEqualTo(expected);
    }

    private static String settings() {
        StringBuilder table = new StringBuilder("| setting | default | meaning |\n|---|---|---|\n");
        for (ConfigDef.ConfigKey key :
                new TreeMap<>(SchedulerConfig.definition().configKeys()).values()) {
            String value = key.hasDefault() ? String.valueOf(key.defaultValue) : "required";
            table.append("| `%s` | %s | %s |\n"
                    .formatted(key.name, value.isEmpty() ? "empty" : "`" + value + "`", key.documentation));
        }
        return table.toString();
    }
}
