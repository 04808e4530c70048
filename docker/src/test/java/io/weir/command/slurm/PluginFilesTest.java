package io.weir.command.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.command.slurm.Step.Action;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginFilesTest {
    private static final String PLUGIN = "job_submit.lua";

    @TempDir
    Path directory;

    private SlurmConf conf;
    private PluginFiles files;

    @BeforeEach
    void takeOver() throws IOException {
        Path file = directory.resolve("slurm.conf");
        Files.writeString(file, "ClusterName=c1\n");
        conf = new SlurmConf(file);
        files = new PluginFiles(
                conf,
                new ChangeMark(new SiteFile(directory.resolve("weir-taken-over"))),
                InstantSource.fixed(Instant.parse("2026-02-03T12:00:00Z")));
    }

    private List<String> carryOut(List<Action> actions) {
        actions.forEach(action -> action.deed().out());
        return actions.stream().map(Action::words).toList();
    }

    private void install() {
        carryOut(files.installing());
        conf.write(conf.taken());
    }

    private String content(String name) throws IOException {
        return Files.readString(directory.resolve(name));
    }

    private List<Path> copies() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> file.getFileName().toString().startsWith(PLUGIN + ".replaced-2026-02-0"))
                    .toList();
        }
    }

    @Test
    void shouldKeepWhatTheSiteAddedToAPluginOfWeirs() throws IOException {
        install();
        String weirs = content(PLUGIN);
        Files.writeString(directory.resolve(PLUGIN), weirs + "-- a rule of the site\n");

        List<String> said = carryOut(files.installing());

        assertThat(said).hasSize(2).first().asString().contains("dofile(", "weir-" + PLUGIN);
        assertThat(content(PLUGIN)).isEqualTo(weirs);
        assertThat(copies())
                .singleElement()
                .satisfies(copy -> assertThat(copy).hasContent(weirs + "-- a rule of the site\n"));
        assertThat(files.installing()).isEmpty();
    }

    @Test
    void shouldReplaceThatOfAnEarlierBuildWithoutACopy() throws IOException {
        install();
        String weirs = content(PLUGIN);
        Files.writeString(directory.resolve(PLUGIN), PluginMark.on("-- of an earlier build\n"));

        assertThat(carryOut(files.installing())).containsExactly("write " + directory.resolve(PLUGIN));

        assertThat(content(PLUGIN)).isEqualTo(weirs);
        assertThat(copies()).isEmpty();
    }

    @Test
    void shouldKeepWhatTheSiteAddedWhenItsOwnIsPutBack() throws IOException {
        Files.writeString(directory.resolve(PLUGIN), "-- the site's\n");
        install();
        Files.writeString(directory.resolve(PLUGIN), "-- changed since\n");

        carryOut(files.removing());

        assertThat(content(PLUGIN)).isEqualTo("-- the site's\n");
        assertThat(copies()).singleElement().satisfies(copy -> assertThat(copy).hasContent("-- changed since\n"));
        assertThat(directory.resolve("cli_filter.lua")).doesNotExist();
    }

    @Test
    void shouldReplaceWhatAPluginOfTheSitesCalls() throws IOException {
        install();
        String weirs = content(PLUGIN);
        String own = "dofile(\"" + directory.resolve("weir-" + PLUGIN) + "\")\n";
        Files.writeString(directory.resolve(PLUGIN), own);

        carryOut(files.installing());

        assertThat(content(PLUGIN)).isEqualTo(own);
        assertThat(content("weir-" + PLUGIN)).isEqualTo(weirs);
        assertThat(copies()).isEmpty();
        assertThat(files.installing()).isEmpty();
    }
}
