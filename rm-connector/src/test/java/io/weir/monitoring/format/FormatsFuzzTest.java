package io.weir.monitoring.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever arrives is read or counted: nothing is thrown, and nothing takes long. */
class FormatsFuzzTest {

    private static final Pattern BLOCK = Pattern.compile("```\\n(.*?)```", Pattern.DOTALL);

    @Test
    void shouldReadOrCountWhateverComes() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<byte[]> seeds = new ArrayList<>();
        BLOCK.matcher(Files.readString(Path.of("docs/monitoring-source.md")))
                .results()
                .filter(block -> !block.group(1).isBlank())
                .forEach(block -> {
                    seeds.add(block.group(1).getBytes(StandardCharsets.UTF_8));
                    if (block.group(1).matches("[A-Za-z0-9+/=\\s]{100,}")) {
                        seeds.add(Base64.getMimeDecoder().decode(block.group(1)));
                    }
                });
        for (int round = 0; round < 20_000; round++) {
            byte[] message = mutated(seeds.get(random.nextInt(seeds.size())), random);
            for (String name : Formats.names()) {
                try {
                    Formats.named(name).orElseThrow().read(message);
                } catch (RuntimeException | StackOverflowError e) {
                    throw new AssertionError(
                            "seed " + seed + " format " + name + ": " + new String(message, StandardCharsets.UTF_8), e);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[",
                "{",
                "{\"alerts\":[{\"alerts\":",
                "a,",
                "a\\",
                "a b=",
                "a b=\"",
                ",,,,,",
                "a=b ",
                "\\ \\,\\=",
                "\"",
                "{\"a\":1e999999999,"
            })
    void shouldReadEndlessRepetitionsInTime(String part) {
        byte[] message = part.repeat((1 << 20) / part.length()).getBytes(StandardCharsets.UTF_8);

        for (String name : Formats.names()) {
            Assertions.assertTimeoutPreemptively(
                    Duration.ofSeconds(20),
                    () -> Formats.named(name).orElseThrow().read(message),
                    name);
        }
    }

    @Test
    void shouldBoundWhatOneMessageBecomes() {
        Reading reading = Formats.named("influx")
                .orElseThrow()
                .read("a,host=n v=1\n".repeat(100_000).getBytes(StandardCharsets.UTF_8));

        assertThat(reading.observations()).hasSize(Reading.MOST);
        assertThat(reading.unreadable()).isEqualTo(50_000);
        assertThat(reading.firstReason()).contains("50000");
    }

    private static byte[] mutated(byte[] seed, Random random) {
        byte[] bytes = seed.clone();
        for (int i = random.nextInt(6); i >= 0; i--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes[at] = (byte) "{}[]\",=:\\ \n-e.0".charAt(random.nextInt(15));
                case 2 -> bytes = java.util.Arrays.copyOf(bytes, Math.max(1, at));
                default -> {
                    byte[] longer = java.util.Arrays.copyOf(bytes, bytes.length + at);
                    System.arraycopy(bytes, 0, longer, bytes.length, at);
                    bytes = longer;
                }
            }
        }
        return bytes;
    }
}
