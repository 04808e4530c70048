package io.weir.command.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangeMarkTest {
    @TempDir
    Path directory;

    @Test
    void shouldTellTheTimeOfTheRestartOnceItIsKnown() {
        SiteFile file = new SiteFile(directory.resolve("weir-taken-over"));
        ChangeMark mark = new ChangeMark(file);
        assertThat(mark.exists()).isFalse();
        assertThat(mark.isOpen()).isFalse();
        assertThat(mark.time()).isEmpty();

        mark.open(1000);
        assertThat(mark.isOpen()).isTrue();
        assertThat(mark.time()).isEmpty();

        mark.close(1007);
        assertThat(mark.exists()).isTrue();
        assertThat(mark.isOpen()).isFalse();
        assertThat(mark.time()).hasValue(1007);
    }

    @Test
    void shouldTellWhenItWasOpenedWhereTheControllerRanOn() {
        ChangeMark mark = new ChangeMark(new SiteFile(directory.resolve("weir-taken-over")));
        mark.open(1000);

        mark.close(200);

        assertThat(mark.time()).hasValue(1000);
    }
}
