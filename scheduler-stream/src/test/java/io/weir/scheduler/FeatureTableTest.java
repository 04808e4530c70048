package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every feature has a test, and the table that says which is up to date. */
class FeatureTableTest {
    private static final Path TABLE = Path.of("docs/features.md");

    @Test
    void shouldHaveATestForEveryFeature() throws IOException {
        Map<String, String> features = features();
        SortedMap<String, SortedSet<String>> tests = tests();

        assertThat(features.keySet()).containsAll(tests.keySet());
        assertThat(features.keySet().stream().filter(id -> !tests.containsKey(id)))
                .as("features without a test")
                .isEmpty();
    }

    @Test
    void shouldShowTheTestsInTheTable() throws IOException {
        String expected = table(features(), tests());
        if (Boolean.getBoolean("weir.docs.update")) {
            Files.writeString(TABLE, expected);
        }
        assertThat(TABLE)
                .as("run again with -Dweir.docs.update=true to write it")
                .hasContent(expected);
    }

    private static Map<String, String> features() throws IOException {
        Map<String, String> features = new LinkedHashMap<>();
        try (InputStream in =
                Objects.requireNonNull(FeatureTableTest.class.getResourceAsStream("/features.tsv"), "features.tsv")) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(line -> {
                String[] parts = line.split("\t", 2);
                features.put(parts[0], parts[1]);
            });
        }
        return features;
    }

    private static SortedMap<String, SortedSet<String>> tests() throws IOException {
        return FeatureTests.below(Path.of("..").toRealPath());
    }

    /** Tests that the compiler knows and the reading of the text does not would be missed without a word. */
    @Test
    void shouldReadEveryTestOfThisModule() throws IOException {
        SortedMap<String, SortedSet<String>> read = tests();
        JavaClasses classes = new ClassFileImporter().importPath(Path.of("target/test-classes"));
        classes.forEach(type -> type.getMethods().stream()
                .filter(method -> method.isAnnotatedWith(Feature.class))
                .forEach(method -> {
                    for (String id : method.getAnnotationOfType(Feature.class).value()) {
                        assertThat(read.get(id)).as(id).contains(type.getSimpleName() + "." + method.getName());
                    }
                }));
    }

    private static String table(Map<String, String> features, SortedMap<String, SortedSet<String>> tests) {
        StringBuilder table = new StringBuilder("""
            # Features and their tests

            Made by `FeatureTableTest`, which fails when a feature has no test or this table is not up to date.

            | feature | what it does | tests |
            |---|---|---|
            """);
        features.forEach((id, title) -> table.append("| ")
                .append(id)
                .append(" | ")
                .append(title)
                .append(" | ")
                .append(String.join(", ", tests.getOrDefault(id, new TreeSet<>())))
                .append(" |\n"));
        return table.toString();
    }
}
