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
        List<String> run = Files.readAllLines(Path.of("src/test/resources/slurm/options.tsv")).stream()
                .filter(line -> !line.startsWith("#") && line.contains("\t"))
                .map(line -> line.split("\t", -1))
                .map(fields -> fields[1] + " " + fields[2])
                .toList();
        String page = Files.readString(Path.of("../rm-connector/docs/slurm-options.md"));
        List<String> told =
                ROW.matcher(page).results().map(SlurmOptionsPageTest::command).toList();

        assertThat(told).containsExactlyElementsOf(run).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(60);
    }

    private static String command(MatchResult row) {
        return row.group(1).replace("\\|", "|");
    }
}
