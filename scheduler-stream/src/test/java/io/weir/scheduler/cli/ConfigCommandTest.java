package io.weir.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.scheduler.Feature;
import io.weir.schemas.bound.Limit;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ConfigCommandTest {
    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = directory.resolve("site.cfg");
        Files.createDirectories(directory.resolve("nodes"));
        Files.writeString(file, """
                # the site
                RESERVATIONDEPTH 4
                INCLUDE nodes/rack1.cfg   # its nodes
                RESDEPTH 5
                BACKFILPOLICY NONE
                MAILPROGRAM DEFAULT
                """);
        Files.writeString(directory.resolve("nodes/rack1.cfg"), """

                NODECFG[n1] RCPROC=8 \\
                            MAXLOAD=high
                NODECFG[n2] RCPROC=16
                """);
    }

    @Test
    @Feature("CFG-1")
    void shouldGiveAVerdictOnEachLine() {
        int code = run("check", file.toString());

        assertThat(code).isEqualTo(1);
        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ").strip()))
                .containsExactly(
                        "site.cfg:2 applied RESERVATIONDEPTH 4",
                        "nodes/rack1.cfg:2 bad value NODECFG[n1] RCPROC=8 MAXLOAD=high",
                        "ERROR NODECFG[n1] MAXLOAD: 'high' is not a number from 0.0 to 1.0E12",
                        "nodes/rack1.cfg:4 applied NODECFG[n2] RCPROC=16",
                        "site.cfg:4 deprecated RESDEPTH 5",
                        "WARNING RESDEPTH: old name, accepted; write RESERVATIONDEPTH",
                        "WARNING RESERVATIONDEPTH: set before on site.cfg:2; this line wins",
                        "site.cfg:5 unknown BACKFILPOLICY NONE",
                        "WARNING BACKFILPOLICY: unknown parameter, ignored; did you mean BACKFILLPOLICY?",
                        "site.cfg:6 no effect yet MAILPROGRAM DEFAULT",
                        "INFO MAILPROGRAM: accepted, has no effect yet; set up a channel of type mail in the notifier",
                        "6 lines: 1 errors, 3 warnings, 1 without effect yet");
    }

    @Test
    void shouldGiveVerdictsDespiteFilesThatIncludeOneAnother() throws IOException {
        Files.writeString(file, "RESERVATIONDEPTH 4\nINCLUDE nodes/rack1.cfg\nINCLUDE none.cfg\nBACKFILLDEPTH 5\n");
        Files.writeString(directory.resolve("nodes/rack1.cfg"), "INCLUDE ../site.cfg\nNODECFG[n2] RCPROC=16\n");

        assertThat(run("check", file.toString())).isEqualTo(1);

        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ").strip()))
                .containsExactly(
                        "site.cfg:1 applied RESERVATIONDEPTH 4",
                        "nodes/rack1.cfg:1 bad value INCLUDE ../site.cfg",
                        "ERROR INCLUDE ../site.cfg: the files include one another,"
                                + " site.cfg:2 -> nodes/rack1.cfg:1 -> ../site.cfg; remove one of these INCLUDEs",
                        "nodes/rack1.cfg:2 applied NODECFG[n2] RCPROC=16",
                        "site.cfg:3 bad value INCLUDE none.cfg",
                        "ERROR INCLUDE none.cfg: there is no readable file " + directory.resolve("none.cfg"),
                        "site.cfg:4 applied BACKFILLDEPTH 5",
                        "5 lines: 2 errors, 0 warnings, 0 without effect yet");

        err.getBuffer().setLength(0);
        assertThat(run("show", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("nodes/rack1.cfg:1: INCLUDE ../site.cfg: the files include one another");
    }

    /** Eight files, each of which includes the next one a hundred times, would be more lines than anything holds. */
    @Test
    void shouldEndWhereFilesIncludeOthersOverAndOver() throws IOException {
        for (int i = 0; i < 8; i++) {
            Files.writeString(directory.resolve("f" + i), ("INCLUDE f" + (i + 1) + "\n").repeat(100));
        }
        Files.writeString(directory.resolve("f8"), "BACKFILLDEPTH 5\n");
        Files.writeString(file, "INCLUDE f0\n");

        assertThat(run("check", file.toString())).isEqualTo(1);
        assertThat(out.toString()).contains("the files included so far are 1000 with ");
        assertThat(run("show", file.toString())).isEqualTo(2);
    }

    @Test
    void shouldIncludeOrdinaryFilesOnly() throws IOException {
        Files.writeString(file, "INCLUDE /dev/zero\nINCLUDE nodes\nINCLUDE a\0b\nBACKFILLDEPTH 5\n");

        assertThat(run("check", file.toString())).isEqualTo(1);
        assertThat(out.toString())
                .contains("/dev/zero is no ordinary file")
                .contains("nodes is no ordinary file")
                .contains("is no path: Nul character not allowed")
                .contains("applied");

        err.getBuffer().setLength(0);
        Files.writeString(file, "# \n".repeat(1_000_000));
        assertThat(run("check", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("site.cfg has more than 2000000 bytes");
    }

    @Test
    void shouldSayWhatHasNoEffectBesideItsValue() throws IOException {
        Files.writeString(file, "MAILPROGRAM DEFAULT\nRESERVATIONDEPTH 4\nSRCFG[a] FLAGS=PREEMPTEE\n");

        assertThat(run("show", "--set", file.toString())).isZero();

        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ").strip()))
                .contains(
                        "MAILPROGRAM DEFAULT site.cfg:1; has no effect yet; set up a channel of type mail in the notifier",
                        "RESERVATIONDEPTH[DEFAULT] 4 site.cfg:2",
                        "SRCFG[a] FLAGS PREEMPTEE site.cfg:3; PREEMPTEE has no effect yet; no reservation gives way to"
                                + " others; who may be preempted is said of jobs");
    }

    @Test
    void shouldShowWhatIsWrongWithAValueThatIsSet() throws IOException {
        Files.writeString(file, "SRCFG[a] STARTTIME=1:06:00:00 PERIOD=DAY\nSRCFG[b] STARTTIME=6:00:00\n");

        assertThat(run("show", "--set", file.toString())).isZero();

        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ").strip()))
                .contains(
                        "SRCFG[a] STARTTIME 1:06:00:00 site.cfg:1; lies behind the end of the DAY; ignored",
                        "SRCFG[b] STARTTIME 06:00:00 site.cfg:2");
    }

    @Test
    void shouldFindNamesInReservationsThatCannotBe() throws IOException {
        Files.writeString(
                file,
                "CLASSCFG[batch] PRIORITY=1\nSRCFG[a] HOSTLIST=n1 CLASSLIST=bach USERLIST='jo hn'\n"
                        + "SRCFG[b] HOSTLIST=n1 CLASSLIST=batch- USERLIST=!john\n");

        assertThat(run("check", "--problems", file.toString())).isEqualTo(1);

        assertThat(out.toString())
                .contains("SRCFG[a] CLASSLIST: 'bach': there is no CLASSCFG[bach]")
                .contains("SRCFG[a] USERLIST: 'jo hn' has ' ' in it, which no name has")
                .doesNotContain("SRCFG[b]");
    }

    @Test
    @Feature("CFG-1")
    void shouldNotTakeMoreThanAConfigurationMayHave() throws IOException {
        Path big = directory.resolve("big.cfg");
        Files.writeString(big, "# nothing but words\n".repeat(26_000));

        assertThatThrownBy(() -> PolicyFile.read(big))
                .isInstanceOf(IOException.class)
                .hasMessageMatching("big.cfg has 5\\d{5} characters with what it includes; a configuration has at most"
                        + " 500000");
    }

    /** What is added to say where lines are from is none of the site's characters. */
    @Test
    @Feature("CFG-1")
    void shouldTakeAsMuchAsAConfigurationMayHave() throws IOException {
        Files.writeString(file, "RESERVATIONDEPTH 4\n# " + "x".repeat(Limit.POLICY_LENGTH - 21));
        String most = PolicyFile.publishable(file);
        assertThat(most).startsWith("RESERVATIONDEPTH 4\n# x").hasSize(Limit.POLICY_LENGTH);

        Files.writeString(file, "RESERVATIONDEPTH 4\n# " + "x".repeat(Limit.POLICY_LENGTH - 20));
        assertThatIOException()
                .isThrownBy(() -> PolicyFile.publishable(file))
                .withMessageStartingWith("site.cfg has 500001 characters");
    }

    /** As what a script left that could not write the file. */
    @Test
    void shouldPublishNothingInPlaceOfAConfigurationUnlessItSaysSomething() throws IOException {
        for (String empty : List.of("", "\n", " \r\n\t\n", "\uFEFF")) {
            Files.writeString(file, empty);
            assertThatIOException()
                    .isThrownBy(() -> PolicyFile.publishable(file))
                    .withMessageContaining(
                            "site.cfg is empty, and nothing would be left of the configuration in force");
        }
        Files.writeString(file, "# the defaults\n");
        assertThat(PolicyFile.publishable(file)).contains("# the defaults");
    }

    @Test
    @Feature("CFG-1")
    void shouldReadWhatAWindowsEditorWrote() throws IOException {
        Files.writeString(
                file, "\uFEFFRESERVATIONDEPTH 4\r\n\r\nNODECFG[n1] RCPROC=8 \\\r\n  MAXLOAD=2\r\nBACKFILLDEPTH 5 \\");

        int code = run("check", file.toString());

        assertThat(code).isZero();
        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ").strip()))
                .containsExactly(
                        "site.cfg:1 applied RESERVATIONDEPTH 4",
                        "site.cfg:3 applied NODECFG[n1] RCPROC=8 MAXLOAD=2",
                        "site.cfg:5 applied BACKFILLDEPTH 5",
                        "3 lines: 0 errors, 0 warnings, 0 without effect yet");
    }

    @Test
    @Feature("CFG-1")
    void shouldSayWhereAFileCannotBeRead() throws IOException {
        Files.write(file, "RESERVATIONDEPTH 4\n# Gr\u00f6\u00dfe\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(run("check", file.toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith("site.cfg:2 is not UTF-8 (byte 0xf6); convert the file");

        err.getBuffer().setLength(0);
        Files.writeString(file, "RESERVATIONDEPTH 4\n\u0000\u0001\n");
        assertThatIOException()
                .isThrownBy(() -> PolicyFile.read(file))
                .withMessageStartingWith("site.cfg:2 has the control character U+0000");
        assertThat(run("check", file.toString())).isNotZero();

        err.getBuffer().setLength(0);
        Files.writeString(file, "\n\nINCLUDE nodes/rack9.cfg\n");
        assertThat(run("show", file.toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith("site.cfg:3: INCLUDE nodes/rack9.cfg: there is no readable file /");

        err.getBuffer().setLength(0);
        assertThat(run("show", directory.resolve("none.cfg").toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith("There is no file ").contains("none.cfg");
    }

    @Test
    @Feature("CFG-1")
    void shouldSayWhatAConnectorReads() throws IOException {
        Files.writeString(file, "RMCFG[temp] TYPE=NATIVE CLUSTERQUERYURL=file:///sensors\n");

        int code = run("check", file.toString());

        assertThat(code).isZero();
        assertThat(out.toString())
                .contains("elsewhere", "RMCFG[temp] CLUSTERQUERYURL: read by the native connector")
                .doesNotContain("no effect");
    }

    @Test
    @Feature("CFG-1")
    void shouldGiveVerdictsToPrograms() throws IOException {
        run("check", "--format", "json", file.toString());

        JsonNode root = new ObjectMapper().readTree(out.toString());
        assertThat(root.get("errors").asInt()).isEqualTo(1);
        assertThat(root.get("lines").get(1).get("verdict").asText()).isEqualTo("BAD_VALUE");
        assertThat(root.get("lines").get(1).get("file").asText()).isEqualTo("nodes/rack1.cfg");
        assertThat(root.get("lines").get(1).get("line").asInt()).isEqualTo(2);
    }

    @Test
    @Feature("CFG-1")
    void shouldShowValuesAndWhereTheyComeFrom() {
        int code = run("show", file.toString());

        assertThat(code).isZero();
        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ").strip()))
                .contains(
                        "RESERVATIONDEPTH[DEFAULT] 5 site.cfg:4",
                        "BACKFILLPOLICY FIRSTFIT default",
                        "NODECFG[n2] RCPROC 16 nodes/rack1.cfg:4");
    }

    @Test
    void shouldNameAMissingFile() {
        assertThat(run("check", directory.resolve("none.cfg").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("There is no file").contains("none.cfg");
    }

    @Test
    void shouldShowDefaultsWithoutAFile() {
        assertThat(run("show", "--format", "json")).isZero();
        assertThat(out.toString()).contains("\"NODEALLOCATIONPOLICY\"").contains("LASTAVAILABLE");
    }

    private int run(String... args) {
        CommandLine command = ConfigCommand.with(data -> {
                    throw new IOException("no topics in " + data);
                })
                .setCaseInsensitiveEnumValuesAllowed(true);
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(args);
    }
}
