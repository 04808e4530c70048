package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FormerStateTest {
    @TempDir
    Path root;

    @Test
    void shouldKeepWhatIsMovedAwayEachTime() throws Exception {
        Path state = root.resolve("weir-scheduler");
        FormerState.setAside(state);
        assertThat(root).isEmptyDirectory();

        for (String content : new String[] {"first", "second"}) {
            Files.createDirectories(state.resolve("0_0"));
            Files.writeString(state.resolve("0_0/store"), content);
            FormerState.setAside(state);
        }

        assertThat(state).doesNotExist();
        assertThat(root.resolve("weir-scheduler.former-1/0_0/store")).hasContent("first");
        assertThat(root.resolve("weir-scheduler.former-2/0_0/store")).hasContent("second");
    }
}
