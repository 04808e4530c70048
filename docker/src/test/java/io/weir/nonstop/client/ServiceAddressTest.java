package io.weir.nonstop.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Feature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients read the file that the scheduler reads, and understand the same by it. */
@NullUnmarked
class ServiceAddressTest {
    @TempDir
    Path directory;

    private ServiceAddress read(String text) throws IOException {
        return ServiceAddress.read(Files.writeString(directory.resolve("nonstop.conf"), text));
    }

    @ParameterizedTest
    @Feature({"SMD-31", "SMD-32", "SMD-36"})
    @ValueSource(
            strings = {
                "ControlAddr=head1\nBackupAddr=head2\nPort=9114",
                "ControlAddr=\"head1\"\nBackupAddr='head2'\nPort=\"9114\"",
                "\uFEFFControlAddr=head1\nBackupAddr=head2\nPort=9114",
                "ControlAddr head1\nBackupAddr   head2\nPort 9114",
                "  CONTROLADDR = head1 # primary\n\tbackupaddr =head2\nport= 9114\n# Port=1",
                "ControlAddr=old\nControlAddr=head1\nBackupAddr=head2\nPort=1\nPort=9114",
                "ControlAddr=head1\r\nBackupAddr=head2\r\nPort=9114\r\n"
            })
    void shouldReadWhatTheSchedulerReads(String text) throws IOException {
        assertThat(read(text).urls()).containsExactly("http://head1:9114", "http://head2:9114");
    }

    @Test
    void shouldKnowItsDefaults() throws IOException {
        assertThat(read("ControlAddr=::1"))
                .isEqualTo(new ServiceAddress(
                        java.util.List.of("http://[::1]:6820"), Duration.ofSeconds(10), Duration.ofSeconds(10)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Port=0",
                "Port=65536",
                "Port=-1",
                "Port=http",
                "Port=",
                "ReadTimeout=0",
                "ReadTimeout=-5",
                "WriteTimeout=3600001",
                "WriteTimeout=99999999999999999999"
            })
    void shouldSayWhichNumberIsNone(String line) {
        assertThatThrownBy(() -> read("ControlAddr=head1\n" + line))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(line)
                .hasMessageContaining("a number from 1 to");
    }

    @ParameterizedTest
    @Feature("SMD-32")
    @ValueSource(strings = {"Port=9114", "ControlAddr=", "ControlAddr=\"\"", "#ControlAddr=head1", ""})
    void shouldRefuseAFileWithoutAnAddress(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(IOException.class).hasMessageContaining("ControlAddr");
    }
}
