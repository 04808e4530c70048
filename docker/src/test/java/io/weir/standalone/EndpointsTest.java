package io.weir.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndpointsTest {
    @TempDir
    Path directory;

    @Test
    void shouldReadWhatItWrote() {
        Path file = directory.resolve("endpoints.properties");
        Endpoints endpoints = new Endpoints("127.0.0.1:9092", "http://127.0.0.1:8081");

        endpoints.write(file);

        assertThat(Endpoints.read(file)).hasValue(endpoints);
        assertThat(directory).isDirectoryContaining(path -> path.equals(file));
        assertThat(Files.exists(directory.resolve("endpoints.properties.new"))).isFalse();
    }

    @Test
    void shouldSayWhenThereIsNone() {
        assertThat(Endpoints.read(directory.resolve("endpoints.properties"))).isEmpty();
    }

    @Test
    void shouldBeSettingsOfAService() {
        assertThat(new Endpoints("a:1", "http://b:2").settings())
                .containsEntry("kafka.bootstrap.servers", "a:1")
                .containsEntry("registry.url", "http://b:2");
    }
}
