package io.weir.rm.nativerm.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Random texts; the seed is in the message of a failure and can be set by the property {@code weir.seed}. */
class TextFuzzTest {
    private final long seed = Long.getLong("weir.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void shouldReadBackWhatWasEscaped() {
        for (int round = 0; round < 2_000; round++) {
            Map<String, String> variables = new TreeMap<>();
            StringBuilder line = new StringBuilder("n1");
            for (int i = random.nextInt(5); i >= 0; i--) {
                String value = text(random.nextInt(12));
                variables.put("v" + i, value);
                line.append(random.nextBoolean() ? " " : ";")
                        .append("VARIABLE=v")
                        .append(i)
                        .append('=');
                line.append(written(value));
            }
            if (line.charAt(2) == ';') {
                line.setCharAt(2, ' ');
            }
            Problems problems = new Problems();
            TextReader reader = new TextReader(NodeTextAttributes.VOCABULARY, problems);
            reader.read("fuzz", line + "\n");

            assertThat(problems.first()).as("seed %d: %s", seed, line).isEmpty();
            assertThat(reader.objects().iterator().next().get(NodeTextAttributes.VARIABLE))
                    .as("seed %d: %s", seed, line)
                    .isEqualTo(variables);
        }
    }

    @Test
    void shouldSurviveAnyBytes() {
        for (int round = 0; round < 500; round++) {
            byte[] bytes = new byte[random.nextInt(2_000)];
            random.nextBytes(bytes);
            read(new String(bytes, StandardCharsets.UTF_8));
        }
    }

    @Test
    void shouldSurviveDamagedLines() {
        List<String> pieces = List.of(
                "n1",
                " ",
                ";",
                "=",
                "STATE",
                "Idle",
                "GMETRIC[",
                "]",
                "'",
                "\"",
                "\\",
                "#",
                ":",
                ",",
                "CCLASS",
                "[batch:4]",
                "GEVENT[x:1]",
                "CRES=gpu:2,",
                "99999999999999999999",
                "-",
                "\n",
                "\r",
                "\t",
                "STATE=Down:",
                "+Fail",
                "é");
        for (int round = 0; round < 5_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(40); i >= 0; i--) {
                text.append(pieces.get(random.nextInt(pieces.size())));
            }
            read(text.toString());
        }
    }

    private void read(String text) {
        for (Vocabulary vocabulary :
                List.of(NodeTextAttributes.VOCABULARY, JobTextAttributes.VOCABULARY, SystemTextAttributes.VOCABULARY)) {
            Problems problems = new Problems();
            TextReader reader = new TextReader(vocabulary, problems);
            try {
                TextReader.Reading reading = reader.read("fuzz", text);
                assertThat(reading.understood()).isBetween(reader.objects().size(), reading.lines());
                assertThat(problems.count()).isGreaterThanOrEqualTo(reading.lines() - reading.understood());
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + " on <" + text + ">", e);
            }
        }
    }

    private String text(int length) {
        String letters = "ab Z09;:#'\"\\=,[]()<>&|$\tü€";
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString();
    }

    /** Writes a value in one of the three ways. */
    private String written(String value) {
        return switch (random.nextInt(3)) {
            case 0 -> value.replaceAll("(?s)(.)", "\\\\$1");
            case 1 -> '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
            default -> value.contains("'") ? written(value) : "'" + value + "'";
        };
    }
}
