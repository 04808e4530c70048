package io.weir.standalone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class FreePortsTest {
    @RepeatedTest(5)
    void shouldNeverReturnOnePortTwice() {
        int[] ports = FreePorts.any(50);

        assertThat(Arrays.stream(ports).distinct()).hasSize(50);
    }

    @Test
    void shouldTakeAnotherPortThanTheTakenOne() throws IOException {
        int port = FreePorts.choose(0);
        try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(FreePorts.prefer(taken.getLocalPort())).isNotEqualTo(port);
            assertThatThrownBy(() -> FreePorts.choose(port)).hasMessageContaining(Integer.toString(port));
        }
    }
}
