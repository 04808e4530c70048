package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.weir.scheduler.CapturedLog;
import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.Principal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class AccessTokensTest {
    /** SHA-256 of abc. */
    private static final String DIGEST = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @TempDir
    Path directory;

    @RegisterExtension
    final CapturedLog log = new CapturedLog(AccessTokens.class, Level.WARN);

    @Test
    void shouldKnowHoldersByTokenAndByDigest() throws IOException {
        AccessTokens tokens = tokens("# who\nanna 0123456789abcdef 2\n\nbob sha256:" + DIGEST + "\n");

        assertThat(tokens.holder("0123456789abcdef"))
                .contains(new Principal("anna", Optional.of(AccessLevel.OPERATOR)));
        assertThat(tokens.holder("abc")).contains(new Principal("bob", Optional.empty()));
        assertThat(tokens.holder("sha256:" + DIGEST)).isEmpty();
        assertThat(tokens.holder("")).isEmpty();
    }

    @Test
    void shouldReadTheFileAgainAndKeepWhatItHadWhenItIsBad() throws IOException {
        AccessTokens tokens = tokens("anna 0123456789abcdef\n");

        change("anna fedcba9876543210\n", 10);
        assertThat(tokens.holder("0123456789abcdef")).isEmpty();
        assertThat(tokens.holder("fedcba9876543210")).isPresent();

        change("anna\n", 20);
        assertThat(tokens.holder("fedcba9876543210")).isPresent();
    }

    @Test
    void shouldNameTheLineAndNoToken() {
        assertThatThrownBy(() -> tokens("anna 0123456789abcdef\nbob topsecretsecretsecret 5\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 2")
                .hasMessageNotContaining("topsecret");
        assertThatThrownBy(() -> tokens("a".repeat(128) + " 0123456789abcdef\n"))
                .hasMessageContaining("line 1")
                .hasMessageContaining("127 characters");
        assertThatThrownBy(() -> tokens("anna\u0007 0123456789abcdef\n")).hasMessageContaining("control characters");
        assertThatThrownBy(() -> tokens("anna short\n")).hasMessageContaining("16");
    }

    @Test
    void shouldWarnWhenOthersCanReadOrChangeTheTokens() throws IOException {
        AccessTokens tokens = tokens("anna 0123456789abcdef 1\n", "rw-------");
        assertThat(log.events()).isEmpty();

        permit("rw-r--r--");
        change("anna fedcba9876543210 1\n", 10);
        assertThat(tokens.holder("fedcba9876543210")).isPresent();
        assertThat(log.events()).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getFormattedMessage())
                    .startsWith("Every user of this machine can read the tokens")
                    .contains("rw-r--r--", "chmod 600")
                    .doesNotContain("fedcba9876543210");
        });

        log.clear();
        tokens("anna sha256:" + DIGEST + " 1\n", "rw-r--r--");
        assertThat(log.events()).as("digests give nothing away").isEmpty();
        tokens("anna sha256:" + DIGEST + " 1\n", "rw-rw-rw-");
        assertThat(log.lines())
                .singleElement()
                .asString()
                .startsWith("Every user of this machine can change the tokens");
    }

    private AccessTokens tokens(String text, String permissions) throws IOException {
        Files.writeString(directory.resolve("tokens"), text);
        permit(permissions);
        return new AccessTokens(directory.resolve("tokens"));
    }

    private void permit(String permissions) throws IOException {
        Files.setPosixFilePermissions(directory.resolve("tokens"), PosixFilePermissions.fromString(permissions));
    }

    private AccessTokens tokens(String text) throws IOException {
        return new AccessTokens(Files.writeString(directory.resolve("tokens"), text));
    }

    private void change(String text, int seconds) throws IOException {
        Path file = Files.writeString(directory.resolve("tokens"), text);
        Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis() + seconds * 1000L));
    }
}
