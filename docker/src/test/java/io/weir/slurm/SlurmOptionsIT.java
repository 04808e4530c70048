package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.standalone.Standalone;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every line of {@code slurm/options.tsv} under Slurm's own scheduler and under Weir, on two clusters of one description:
 * the same job, or a refusal that says why, or words that say what the job waits for. {@code -Dslurm.options=all} takes all lines, not the short ones alone;
 * {@code -Dslurm.options.page=FILE} writes what was seen as a table, {@code -Dslurm.options.file=FILE} reads other lines,
 * {@code -Dslurm.options.site=threads} takes nodes with several threads a core, and the lines of their file,
 * {@code -Dslurm.options.extra=SelectTypeParameters=CR_CPU} adds lines to slurm.conf, parted by semicolons.
 */
class SlurmOptionsIT {
    private static final boolean ALL = "all".equals(System.getProperty("slurm.options"));
    private static final String DESCRIBED = System.getProperty("slurm.options.site", "mixed");
    private static final String FILE = System.getProperty(
            "slurm.options.file",
            "src/test/resources/slurm/options" + (DESCRIBED.equals("mixed") ? "" : "." + DESCRIBED) + ".tsv");
    private static final Map<String, String> SITE = Map.of(
            "SLURM_NODES",
            "8",
            "SLURM_SITE",
            DESCRIBED,
            "SLURM_MIN_JOB_AGE",
            "3600",
            "SLURM_EXTRA",
            System.getProperty("slurm.options.extra", "").replace(';', '\n'));

    @TempDir
    Path data;

    private record Row(String command, String options, String verdict, Set<String> differing, String why) {
        static Row of(String[] fields) {
            return new Row(
                    fields[1],
                    fields[2],
                    fields[3],
                    fields.length > 4 ? new HashSet<>(List.of(fields[4].split(" ", -1))) : Set.of(),
                    fields.length > 5 ? fields[5] : "");
        }

        String line() {
            return command + " " + options;
        }
    }

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(FILE))) {
            String[] fields = line.split("\t", -1);
            if (!line.startsWith("#") && fields.length > 3 && (ALL || fields[0].equals("short"))) {
                rows.add(Row.of(fields));
            }
        }
        return rows;
    }

    @Test
    void shouldMeanTheSameOrBeRefusedWithTheReason() throws IOException {
        List<String> problems = new ArrayList<>();
        List<String> page = new ArrayList<>();
        Map<String, String> own = new HashMap<>(SITE);
        own.put("SLURM_HOLD", "0");
        own.put("SLURM_SCHEDULER", "sched/backfill");
        try (SlurmSite slurms = open(own);
                SlurmSite weirs = open(SITE);
                Standalone weir = weirs.startWeir(data, Map.of("connector.poll.interval.ms", "250"))) {
            assertThat(weir.isHealthy()).isTrue();
            for (Row row : rows()) {
                CompletableFuture<OptionRun> there = CompletableFuture.supplyAsync(
                        () -> OptionRun.of(slurms.directory(), row.command(), row.options()));
                OptionRun here = OptionRun.of(weirs.directory(), row.command(), row.options());
                String problem = judge(row, there.join(), here);
                if (!problem.isEmpty()) {
                    problems.add(row.line() + ": " + problem);
                    cancelAll(weirs);
                }
                if (!there.join().hasEnded()) {
                    cancelAll(slurms);
                }
                page.add(entry(row, here));
            }
        }
        String file = System.getProperty("slurm.options.page");
        if (file != null) {
            Files.write(Path.of(file), page);
        }
        assertThat(problems).isEmpty();
    }

    /** What is left would be in the way of the next; whether it could be ended shows there. */
    private static void cancelAll(SlurmSite site) throws IOException {
        site.run(List.of("sh", "-c", "scancel --user=nobody || true"));
    }

    private static SlurmSite open(Map<String, String> settings) throws IOException {
        SlurmSite site = SlurmSite.start(settings);
        Path log = Files.createDirectory(site.directory().resolve("options"));
        Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rwxrwxrwx"));
        return site;
    }

    /** Returns what is wrong; empty when nothing is. */
    private static String judge(Row row, OptionRun slurm, OptionRun weir) {
        return switch (row.verdict()) {
            case "refused" ->
                weir.id().isEmpty() && weir.said().contains("on this cluster")
                                || weir.id().isEmpty() && weir.said().contains("asked for; the partition has")
                        ? ""
                        : "was not refused with a reason, but said " + weir;
            case "invalid" ->
                weir.id().isEmpty() && slurm.id().isEmpty() ? "" : "Slurm said " + slurm + ", Weir " + weir;
            case "doubted" ->
                slurm.id().isEmpty() && !weir.id().isEmpty() && weir.said().contains(OptionRun.DOUBT)
                        ? ""
                        : "Slurm said " + slurm + ", Weir " + weir;
            case "same", "differs" -> differences(row, slurm, weir);
            default -> throw new IllegalArgumentException(row.toString());
        };
    }

    private static String differences(Row row, OptionRun slurm, OptionRun weir) {
        if (slurm.id().isEmpty() || weir.id().isEmpty()) {
            return "Slurm said " + slurm.said() + ", Weir " + weir.said();
        }
        if (!slurm.hasEnded() || !weir.hasEnded()) {
            return "Slurm said " + slurm.seen() + ", Weir " + weir.seen() + ": not every job came to its end";
        }
        List<String> differences = new ArrayList<>();
        TreeSet<String> names = new TreeSet<>(slurm.seen().keySet());
        names.addAll(weir.seen().keySet());
        names.removeAll(row.differing());
        for (String name : names) {
            String there = slurm.seen().get(name);
            String here = weir.seen().get(name);
            if (there == null || !there.equals(here)) {
                differences.add(name + " " + there + " but " + here);
            }
        }
        return String.join(", ", differences);
    }

    private static String entry(Row row, OptionRun weir) {
        String verdict = switch (row.verdict()) {
            case "refused" ->
                "refused: " + weir.said().lines().findFirst().orElse("").replaceFirst("^\\w+: error: (lua: )?", "");
            case "doubted" ->
                "waits, after the words: "
                        + weir.said().lines().findFirst().orElse("").replaceFirst("^\\w+: (lua: )?", "");
            case "invalid" -> "refused by Slurm itself";
            case "differs" -> row.why();
            default -> "the same";
        };
        return "| `" + row.line().replace("|", "\\|") + "` | " + verdict.replace("|", "\\|") + " |";
    }
}
