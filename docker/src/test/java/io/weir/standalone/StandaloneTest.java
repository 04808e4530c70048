package io.weir.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.topics.UnfitBrokerException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(50)
class StandaloneTest {
    /** What a listener with TLS says to bytes that are no handshake. */
    private static final byte[] ALERT = {0x15, 3, 3, 0, 2, 2, 10};

    @TempDir
    private Path directory;

    /** Waiting for the broker is the same for a part of the launcher as for a service; only so it asks in clear text first. */
    @Test
    void shouldAskForTheBrokerOfItsDirectoryAsServicesDo() throws IOException {
        DataDirectory data = new DataDirectory(directory.resolve("site"));
        data.prepare();
        try (ServerSocket broker = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> answer(broker));
            answering.setDaemon(true);
            answering.start();
            new Endpoints("127.0.0.1:" + broker.getLocalPort(), "http://127.0.0.1:1").write(data.endpoints());
            StandaloneConfig config = new StandaloneConfig(data, 0, 0, Map.of(), Map.of("cluster", "c1"));

            assertThatExceptionOfType(UnfitBrokerException.class)
                    .isThrownBy(() -> Standalone.start(config, EnumSet.of(Component.NOTIFIER)));
        }
    }

    /** A service would take it for another one's; here are all of them. */
    @Test
    void shouldNameSettingsThatNoServiceKnows() {
        DataDirectory data = new DataDirectory(directory.resolve("site"));
        Map<String, String> settings = Map.of("cluster", "c1", "notifer.channels", "ops", "clustres", "c1");
        StandaloneConfig config = new StandaloneConfig(data, 0, 0, Map.of(), settings);

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> Standalone.start(config, EnumSet.of(Component.BROKER)))
                .withMessageContaining("No service knows the settings [clustres, notifer.channels]");
        assertThat(data.root()).doesNotExist();
    }

    private static void answer(ServerSocket broker) {
        while (!broker.isClosed()) {
            try (Socket client = broker.accept()) {
                client.getOutputStream().write(ALERT);
                client.getOutputStream().flush();
                client.getInputStream().readAllBytes();
            } catch (IOException e) {
                // The next one is answered.
            }
        }
    }
}
