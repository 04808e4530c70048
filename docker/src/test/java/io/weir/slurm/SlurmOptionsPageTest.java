package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of the options says of each line that is run under both schedulers what came of it, and of no other. */
class SlurmOptionsPageTest {
    private static final Pattern ROW =
            Pattern.compile("^\\| `((?:sbatch|salloc|srun) .*?)` \\| (.+) \\|$", Pattern.MULTILINE);

    @Test
    void shouldTellOfEveryLineThatIsRun() throws IOException {
        String[] tables = Files.readString(Path.of("../rm-connector/docs/slurm-options.md"))
                .split("\n## Cores with several threads\n", -1);

        assertThat(tables).hasSize(2);
        assertThat(told(tables[0]))
                .containsExactlyElementsOf(run("options.tsv"))
                .doesNotHaveDuplicates()
                .hasSizeGreaterThanOrEqualTo(60);
        assertThat(told(tables[1]))
                .containsExactlyElementsOf(run("options.threads.tsv"))
                .doesNotHaveDuplicates();
    }

    private static List<String> run(String file) throws IOException {
        return Files.readAllLines(Path.of("src/test/resources/slurm").resolve(file)).stream()
                .filter(line -> !line.startsWith("#") && line.contains("\t"))
                .map(line -> line.split("\t", -1))
                .map(fields -> fields[1] + " " + fields[2])
                .toList();
    }

    private static List<String> told(String table) {
        return ROW.matcher(table).results().map(SlurmOptionsPageTest::command).toList();
    }

    private static String command(MatchResult row) {
        return row.group(1).replace("\\|", "|");
    }
}
