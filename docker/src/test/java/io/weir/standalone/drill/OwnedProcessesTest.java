package io.weir.standalone.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OwnedProcessesTest {
    @Test
    void shouldKillWhatWasStartedAndStartNothingMoreAtTheEnd() throws Exception {
        OwnedProcesses owned = new OwnedProcesses();
        Process sleeper = owned.start(new ProcessBuilder("sleep", "600"));

        owned.end();

        assertThat(sleeper.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThatIllegalStateException()
                .isThrownBy(() -> owned.start(new ProcessBuilder("sleep", "600")))
                .withMessageContaining("ending");
    }
}
