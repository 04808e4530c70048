package io.weir.rm.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class StartFailureTest {
    @Test
    void shouldTellWhatPassesFromWhatDoesNot() {
        StartFailure missing = of("Cannot run program \"/x\": error=2, No such file or directory");
        StartFailure full = of("Cannot run program \"/x\": error=11, Resource temporarily unavailable");
        StartFailure unknown = StartFailure.of(new IOException());

        assertThat(missing.isUnusable()).isTrue();
        assertThat(full.isUnusable() || full.isTooLong()).isFalse();
        assertThat(unknown.isUnusable() || unknown.isTooLong()).isFalse();
    }

    private static StartFailure of(String message) {
        return StartFailure.of(new IOException(message));
    }
}
