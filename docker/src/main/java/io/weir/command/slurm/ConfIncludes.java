package io.weir.command.slurm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files that slurm.conf includes, and that those include. Their names are relative to the file that includes them; {@code %c} in
 * them is the name of the cluster.
 *
 * @param file slurm.conf
 */
record ConfIncludes(Path file) {
    private static final Pattern INCLUDE = Pattern.compile("(?i)\\s*include\\s+([^\\s=#]\\S*).*");
    private static final Pattern CLUSTER = Pattern.compile("(?i)\\s*ClusterName\\s*=\\s*(\\S+).*");

    /** Files include each other no deeper than this. */
    private static final int DEEPEST = 8;

    /** Returns lines of slurm.conf with those of the files that they include in their places. */
    List<String> with(List<String> lines) {
        List<String> all = new ArrayList<>();
        add(lines, file, clusterIn(lines), DEEPEST, all, new ArrayList<>());
        return all;
    }

    /** Returns the files that such lines include and that cannot be read. */
    List<Path> unreadable(List<String> lines) {
        List<Path> missing = new ArrayList<>();
        add(lines, file, clusterIn(lines), DEEPEST, new ArrayList<>(), missing);
        return missing;
    }

    private static void add(
            List<String> lines, Path of, String cluster, int levels, List<String> all, List<Path> missing) {
        for (String line : lines) {
            Matcher include = INCLUDE.matcher(line);
            if (!include.matches()) {
                all.add(line);
                continue;
            }
            Path included = of.resolveSibling(include.group(1).replace("%c", cluster));
            if (levels > 1 && Files.isRegularFile(included) && Files.isReadable(included)) {
                add(new SiteFile(included).content().lines().toList(), included, cluster, levels - 1, all, missing);
            } else {
                missing.add(included);
            }
        }
    }

    private static String clusterIn(List<String> lines) {
        return lines.stream()
                .map(CLUSTER::matcher)
                .filter(Matcher::matches)
                .map(cluster -> cluster.group(1).toLowerCase(Locale.ROOT))
                .findFirst()
                .orElse("");
    }
}
