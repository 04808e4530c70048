package io.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the page about metrics to the meters that the services register, by the names that Prometheus sees. */
class MetricsPageTest {
    private static final Path PAGE = Path.of("docs", "metrics.md");
    private static final List<String> SERVICES = List.of("scheduler-stream", "rm-connector", "notifier");

    private static final Pattern METER = Pattern.compile(
            "(Counter\\.builder|Timer\\.builder|Gauge\\.builder|\\.gauge|\\.counter)\\(\\s*\"(weir\\.[a-z.]+)\"((?s:.*?))(?:register\\(|\\);)");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| [A-Za-z]+ \\| `(\\w+)` \\|");

    @Test
    void shouldListEveryMetricThereIs() throws IOException {
        Set<String> registered = new TreeSet<>();
        for (String service : SERVICES) {
            try (Stream<Path> files = Files.walk(Path.of("..", service, "src", "main", "java"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    METER.matcher(Files.readString(file))
                            .results()
                            .forEach(meter -> registered.add(name(meter.group(1), meter.group(2), meter.group(3))));
                }
            }
        }

        assertThat(registered).as("meters found in the sources").hasSizeGreaterThan(25);
        assertThat(listed()).isEqualTo(registered);
    }

    private static Set<String> listed() throws IOException {
        Set<String> names = new TreeSet<>();
        Matcher row = ROW.matcher(Files.readString(PAGE));
        while (row.find()) {
            names.add(row.group(1));
        }
        return names;
    }

    private static String name(String kind, String meter, String rest) {
        String name = meter.replace('.', '_');
        if (kind.startsWith("Timer") || rest.contains("baseUnit(\"seconds\")")) {
            return name + "_seconds";
        }
        return kind.toLowerCase(Locale.ROOT).contains("counter") ? name + "_total" : name;
    }
}
