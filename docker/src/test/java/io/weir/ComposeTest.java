package io.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the compose file opens to whom. */
class ComposeTest {
    private static final Path FILE = Path.of("compose/compose.yaml");

    @Test
    void shouldPublishOnTheLoopbackAddressOnly() throws IOException {
        Matcher ports = Pattern.compile("(?m)^ {4}ports:\\n((?: {6}- .*\\n)+)").matcher(Files.readString(FILE));
        int published = 0;
        while (ports.find()) {
            for (String port : ports.group(1).strip().split("\\n", -1)) {
                assertThat(port.strip()).startsWith("- \"127.0.0.1:");
                published++;
            }
        }
        assertThat(published).isGreaterThan(4);
    }

    @Test
    void shouldServeTheApiWithTokens() throws IOException {
        assertThat(Files.readString(FILE))
                .contains("WEIR_API_HOST: 0.0.0.0", "WEIR_API_PORT: \"8095\"", "- \"127.0.0.1:8095:8095\"")
                .contains("WEIR_API_TOKENS_FILE: /var/lib/weir/api.tokens");
    }

    @Test
    void shouldMakeATokenOnce(@TempDir Path directory) throws Exception {
        run(script(), directory);
        List<String> tokens = Files.readAllLines(directory.resolve("api.tokens"));
        run(script(), directory);

        assertThat(Files.readAllLines(directory.resolve("api.tokens"))).isEqualTo(tokens);
        String token = Files.readString(directory.resolve("api.token")).strip();
        assertThat(token).matches("[0-9a-f]{48}");
        assertThat(tokens).containsExactly("operator " + token + " 1");
        assertThat(Files.getPosixFilePermissions(directory.resolve("api.tokens")))
                .as("who may read it")
                .hasSize(2);
    }

    /** The command of the service that makes the token, as the shell gets it. */
    private static String script() throws IOException {
        Matcher block = Pattern.compile("(?m)^ {4}command:\\n {6}- \\|\\n((?: {8}.*\\n)+)")
                .matcher(Files.readString(FILE));
        assertThat(block.find()).isTrue();
        return block.group(1).replace("$$", "$");
    }

    private static void run(String script, Path directory) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-euc", script)
                .directory(directory.toFile())
                .inheritIO()
                .start();
        assertThat(shell.waitFor()).isZero();
    }
}
