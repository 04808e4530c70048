package io.weir.command.letters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.command.terminal.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LetterFilterTest {
    @Test
    void shouldRefuseACauseThatNoLetterHas() {
        assertThatThrownBy(() -> filter("--cause=nosuch").test(InstantSource.system()))
                .isInstanceOf(BadInputException.class)
                .hasMessageStartingWith(
                        "--cause nosuch is no cause of a dead letter; there are QUARANTINED, NOT_RESTORED,");
        assertThat(filter("--cause=undecodable").test(InstantSource.system())).isNotNull();
    }

    @Test
    void shouldKnowTheCausesOfTheHandbook() throws IOException {
        Set<String> documented = new TreeSet<>();
        for (String line : Files.readAllLines(Path.of("../scheduler-stream/docs/trouble.md"))) {
            Matcher code = Pattern.compile("`([A-Z_]+)`")
                    .matcher(line.split("\\|", 3).length < 3 ? "" : line.split("\\|", 3)[1]);
            while (code.find()) {
                documented.add(code.group(1));
            }
        }
        assertThat(documented).containsAll(LetterFilter.CAUSES);
        documented.remove("REDRIVEN");
        assertThat(LetterFilter.CAUSES)
                .containsAll(documented.stream()
                        .filter(cause -> !cause.startsWith("SMD_"))
                        .toList());
    }

    private static LetterFilter filter(String... options) {
        return CommandLine.populateCommand(new LetterFilter(), options);
    }
}
