package io.weir.notifier.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.notifier.spi.ActorProvider;
import io.weir.notifier.spi.ChargePeerProvider;
import io.weir.notifier.spi.NotifierProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every setting of every kind of channel, action and peer with values at and beyond what it may be: either it is taken, or
 * it is refused as a setting. Anything else thrown would end the notifier without a word about its settings.
 */
class HostileSettingsTest {
    private static final List<String> VALUES = List.of(
            "",
            " ",
            "x",
            "0",
            "1",
            "-1",
            "-0",
            "1.5",
            "NaN",
            "2147483647",
            "2147483648",
            "-9223372036854775808",
            "9".repeat(40),
            "true",
            ",",
            "a,,b",
            "/",
            "/nowhere/at/all",
            "a\nb",
            "\uD800",
            "%",
            "${x}",
            "$",
            "http://",
            "http://h:99999/",
            "http://h:-1/",
            "http://[::1",
            "https://user:secret@h/",
            "file:///etc/passwd",
            "jdbc:",
            "jdbc:x:y",
            ":",
            "@",
            "a@b@c",
            "(a+)+$",
            "[",
            "h:99999",
            "x".repeat(70_000));

    @TempDir
    Path directory;

    /** One thing that is opened with settings. */
    @FunctionalInterface
    private interface Opening {
        AutoCloseable open(AbstractConfig settings);
    }

    @Test
    void shouldTakeOrRefuseEveryValueOfEverySetting() throws IOException {
        List<String> faults = new ArrayList<>();
        int taken = 0;
        for (NotifierProvider provider : ServiceLoader.load(NotifierProvider.class)) {
            taken += tryAll(
                    "channel " + provider.type(),
                    provider.settings(),
                    settings -> provider.open("ops", settings),
                    faults);
        }
        for (ActorProvider provider : ServiceLoader.load(ActorProvider.class)) {
            taken += tryAll("action " + provider.actionType(), provider.settings(), provider::open, faults);
        }
        for (ChargePeerProvider provider : ServiceLoader.load(ChargePeerProvider.class)) {
            taken += tryAll(
                    "peer " + provider.type(),
                    provider.settings(),
                    settings -> provider.open("accounts", settings),
                    faults);
        }

        assertThat(faults).isEmpty();
        assertThat(taken).as("values taken").isGreaterThan(100);
    }

    private int tryAll(String what, ConfigDef definition, Opening opening, List<String> faults) throws IOException {
        int taken = 0;
        for (String key : definition.names()) {
            for (String value : VALUES) {
                Map<String, String> given = new HashMap<>(usable(definition));
                given.put(key, value);
                try {
                    AutoCloseable opened = opening.open(Section.parse(definition, given));
                    taken++;
                    opened.close();
                } catch (ConfigException e) {
                    assertThat(e.getMessage()).as("%s %s", what, key).isNotBlank();
                } catch (Exception e) {
                    faults.add(what + " " + key + "=" + shown(value) + ": " + shown(e.toString()));
                }
            }
        }
        return taken;
    }

    /** Values for what has no default, such as will do. */
    private Map<String, String> usable(ConfigDef definition) throws IOException {
        Path program = directory.resolve("program");
        if (Files.notExists(program)) {
            Files.writeString(program, "#!/bin/sh\n");
            assertThat(program.toFile().setExecutable(true)).isTrue();
        }
        Map<String, String> given = new HashMap<>();
        definition.configKeys().forEach((key, setting) -> {
            if (!setting.hasDefault() || key.equals("path") || key.equals("url")) {
                given.put(
                        key,
                        switch (key) {
                            case "url" ->
                                String.valueOf(setting.defaultValue).startsWith("jdbc:")
                                        ? "jdbc:sqlite:" + directory.resolve("db")
                                        : "http://127.0.0.1:9/";
                            case "path" -> directory.resolve("notices").toString();
                            case "program", "programs" -> program.toString();
                            case "from", "to" -> "ann@site.example";
                            case "bootstrap.servers" -> "127.0.0.1:9";
                            default -> "x";
                        });
            }
        });
        return given;
    }

    private static String shown(String text) {
        String plain = String.valueOf(text).replaceAll("\\p{Cntrl}", "?");
        return plain.length() < 160 ? plain : plain.substring(0, 160) + "...";
    }
}
