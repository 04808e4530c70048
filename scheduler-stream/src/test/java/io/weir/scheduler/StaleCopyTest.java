package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
class StaleCopyTest {
    @TempDir
    private Path directory;

    private Path state;

    @BeforeEach
    void store() throws IOException {
        state = Files.createDirectories(directory.resolve("weir-scheduler/0_0/rocksdb"))
                .getParent()
                .getParent();
    }

    @Test
    void shouldSetTheStateAsideOnceWhereATopicWasMadeAnewBeforeAStopThatWasNoneInGoodOrder() throws IOException {
        new StaleCopy(state).note();

        new StaleCopy(state).setAside();
        assertThat(state.resolve("0_0")).doesNotExist();

        Files.createDirectories(state.resolve("0_0"));
        new StaleCopy(state).setAside();
        assertThat(state.resolve("0_0")).exists();
    }

    @Test
    void shouldGoOnFromTheStateAfterAStopInGoodOrder() {
        new StaleCopy(state).note();
        new StaleCopy(state).forget();

        new StaleCopy(state).setAside();

        assertThat(state.resolve("0_0")).exists();
    }
}
