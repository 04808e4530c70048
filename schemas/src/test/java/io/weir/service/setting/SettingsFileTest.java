package io.weir.service.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsFileTest {
    @TempDir
    private Path directory;

    private Path file = Path.of("");

    @BeforeEach
    void chooseFile() {
        file = directory.resolve("site.properties");
    }

    @Test
    void shouldReadWhatEditorsWrite() throws IOException {
        Files.writeString(file, "\uFEFFnotifier.channels = ops \r\n\r\n# Gr\u00f6\u00dfe\r\na.b=\\u0041\tx");

        assertThat(SettingsFile.read(file)).isEqualTo(Map.of("notifier.channels", "ops", "a.b", "A\tx"));
    }

    @Test
    void shouldSayWhereAndWhyAFileIsNoPropertiesFile() throws IOException {
        String text = "a=b\nsecret=Gr\u00f6\u00dfe\n";
        write(text, StandardCharsets.ISO_8859_1);
        refused("site.properties:2 is not UTF-8 (byte 0xf6); convert the file, for example with iconv");
        write("\uFEFF" + text, StandardCharsets.UTF_16LE);
        refused("site.properties:1 is not UTF-8 (byte 0xff)");
        write("a=b\nsecret\0=c\n", StandardCharsets.UTF_8);
        refused("site.properties:2 has a null character");
        write("secret=C:\\users\n", StandardCharsets.UTF_8);
        refused("site.properties has a \\u that four hexadecimal digits do not follow; write \\\\ for a backslash");
        write("a=b\n".repeat(2 << 20), StandardCharsets.UTF_8);
        refused("site.properties has more than 4194304 bytes");
    }

    @Test
    void shouldSayWhyAFileCannotBeRead() throws IOException {
        refused("there is no file " + file);
        Files.createDirectory(file);
        refused("site.properties cannot be read: is a directory");
        Files.delete(file);
        Files.createSymbolicLink(file, file);
        refused("site.properties cannot be read");
    }

    private void write(String text, Charset charset) throws IOException {
        Files.write(file, text.getBytes(charset));
    }

    private void refused(String message) {
        assertThatIOException()
                .isThrownBy(() -> SettingsFile.read(file))
                .withMessageContaining(message)
                .withMessageNotContaining("users")
                .withMessageNotContaining("Gr");
    }
}
