package io.weir.scheduler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The tests of features, of all modules, by the numbers of their features. They are read from the source text: a module does
 * not see the compiled tests of those that are built after it.
 */
final class FeatureTests {
    private static final Pattern FEATURE =
            Pattern.compile("(?m)^    @Feature\\(\\s*(?:\\{([^}]*)}|(\"[^\"]*\"))\\s*\\)");
    private static final Pattern NUMBER = Pattern.compile("\"([^\"]+)\"");
    private static final Pattern METHOD = Pattern.compile("(?m)^    (?:public )?void (\\w+)\\(");

    private FeatureTests() {}

    /** Returns {@code Class.method} of each test below {@code project}, by feature. */
    static SortedMap<String, SortedSet<String>> below(Path project) throws IOException {
        SortedMap<String, SortedSet<String>> tests = new TreeMap<>();
        for (Path file : sources(project)) {
            read(String.valueOf(file.getFileName()).replace(".java", ""), Files.readString(file), tests);
        }
        return tests;
    }

    private static List<Path> sources(Path project) throws IOException {
        try (Stream<Path> modules = Files.list(project)) {
            List<Path> roots = modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList();
            TreeSet<Path> files = new TreeSet<>();
            for (Path root : roots) {
                try (Stream<Path> found = Files.walk(root)) {
                    found.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
                }
            }
            return List.copyOf(files);
        }
    }

    static void read(String type, String text, SortedMap<String, SortedSet<String>> into) {
        Matcher feature = FEATURE.matcher(text);
        Matcher method = METHOD.matcher(text);
        while (feature.find()) {
            if (!method.find(feature.end())) {
                throw new IllegalStateException("No method follows " + feature.group() + " in " + type);
            }
            Matcher number = NUMBER.matcher(feature.group());
            while (number.find()) {
                into.computeIfAbsent(number.group(1), id -> new TreeSet<>()).add(type + "." + method.group(1));
            }
        }
    }
}
