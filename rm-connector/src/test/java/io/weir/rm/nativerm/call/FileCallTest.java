package io.weir.rm.nativerm.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCallTest {
    private static final CallLimits LIMITS = new CallLimits(Duration.ofSeconds(1), 20);

    @TempDir
    Path directory;

    @Test
    void shouldReadAFile() throws Exception {
        assertThat(FileCall.call(file("n1 STATE=Idle\n"), LIMITS)).isEqualTo(new Reply(true, "n1 STATE=Idle\n", ""));
    }

    @Test
    void shouldRefuseWhatIsNotAFileOrTooLarge() throws IOException {
        Endpoint.File large = file("x".repeat(21));

        assertThatThrownBy(() -> FileCall.call(large, LIMITS)).hasMessageContaining("larger than 20 bytes");
        assertThatThrownBy(() -> FileCall.call(new Endpoint.File(directory), LIMITS))
                .hasMessageContaining("not a file");
        assertThatThrownBy(() -> FileCall.call(new Endpoint.File(directory.resolve("none")), LIMITS))
                .hasMessageContaining("none is not a file");
        assertThatThrownBy(() -> FileCall.call(new Endpoint.File(Path.of("/dev/zero")), LIMITS))
                .hasMessageContaining("/dev/zero is not a file");
    }

    private Endpoint.File file(String text) throws IOException {
        return new Endpoint.File(Files.writeString(directory.resolve("nodes"), text));
    }
}
