package io.weir.command.topics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.command.Main;
import io.weir.command.terminal.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class AclsCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldPrintCommandsForAShell() {
        assertThat(run(
                        "--connector=c1/rm",
                        "--bootstrap-server=kafka:9092",
                        "--command-config=/etc/weir/admin.properties",
                        "--principal=weir-api=User:CN=api, OU=hpc"))
                .as(err.toString())
                .isEqualTo(ExitCode.FINE);

        assertThat(out.toString().lines())
                .allMatch(line -> line.startsWith("kafka-acls.sh --bootstrap-server kafka:9092"
                        + " --command-config /etc/weir/admin.properties --add --allow-principal "))
                .anyMatch(line -> line.contains("'User:CN=api, OU=hpc' --operation Write --operation DescribeConfigs"
                                + " --topic weir.policy --topic weir.requests")
                        || line.contains("--operation Read --operation Write --operation DescribeConfigs"
                                + " --topic weir.requests --topic weir.policy"))
                .anyMatch(line -> line.contains("User:weir-scheduler --operation Write --resource-pattern-type prefixed"
                        + " --transactional-id weir-scheduler/"))
                .anyMatch(line -> line.endsWith("--operation Read --group weir.rm-connector.c1.rm"))
                .noneMatch(line -> line.contains("User:weir-api"));
    }

    @Test
    void shouldNotApplyWithoutABroker() {
        assertThat(run("--apply")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(err.toString()).contains("--apply needs --bootstrap-server");
    }

    @Test
    void shouldPrintATable() {
        assertThat(run("--prefix=site.", "--format=text", "--registry-topic=_schemas"))
                .isEqualTo(ExitCode.FINE);

        assertThat(out.toString())
                .contains("User:weir-reader", "site.journal", "weir-scheduler-*", "User:weir-registry", "_schemas")
                .doesNotContain("weir.journal", "weir-connector");
    }

    @Test
    void shouldPrintForPrograms() throws IOException {
        assertThat(run("--format=json", "--connector=c1/rm")).isEqualTo(ExitCode.FINE);

        JsonNode list = new ObjectMapper().readTree(out.toString());
        assertThat(list).anySatisfy(entry -> {
            assertThat(entry.path("principal").asText()).isEqualTo("User:weir-connector.c1.rm");
            assertThat(entry.path("name").asText()).isEqualTo("weir.rm.jobs");
            assertThat(entry.path("operations").toString()).isEqualTo("[\"WRITE\",\"DESCRIBE_CONFIGS\"]");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--connector=c1",
                "--connector=c1/",
                "--connector=a/b/c",
                "--principal=nobody=User:x",
                "--format=xml",
                "--apply --command-config=/nowhere/admin.properties"
            })
    void shouldSayWhatCannotBeUsed(String words) {
        assertThat(run(words.split(" "))).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(err.toString().lines().reduce("", (before, line) -> line))
                .as("the last line")
                .startsWith("weir: ");
    }

    private int run(String... words) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        String[] all = new String[words.length + 1];
        all[0] = "acls";
        System.arraycopy(words, 0, all, 1, words.length);
        return command.execute(all);
    }
}
