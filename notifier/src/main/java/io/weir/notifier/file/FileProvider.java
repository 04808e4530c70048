package io.weir.notifier.file;

import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierProvider;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** Channels of type {@code file}: every delivery is a line of JSON at the end of a file. Stateless. */
public final class FileProvider implements NotifierProvider {

    static final String PATH = "path";
    static final String TAIL_BYTES = "tail.bytes";

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(
                    PATH,
                    ConfigDef.Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    ConfigDef.Importance.HIGH,
                    "File to append to. It is created if missing, but its directory is not. The file may be moved away"
                            + " at any time. Give each channel a file of its own.")
            .define(
                    TAIL_BYTES,
                    ConfigDef.Type.INT,
                    1 << 20,
                    ConfigDef.Range.between(1 << 10, 1 << 28),
                    ConfigDef.Importance.LOW,
                    "How many bytes at the end of the file are read to recognise deliveries that it already contains.");

    @Override
    public String type() {
        return "file";
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public Notifier open(String channel, AbstractConfig settings) {
        Path path = pathOf(settings.getString(PATH));
        Path directory = path.getParent();
        if (directory != null && !Files.isDirectory(directory)) {
            throw new ConfigException(PATH, path, "directory " + directory + " does not exist; make it");
        }
        if (Files.isDirectory(path)) {
            throw new ConfigException(PATH, path, "is a directory; name a file in it");
        }
        return new FileNotifier(path, settings.getInt(TAIL_BYTES), new StableStorage());
    }

    /** Returns the path that the setting names; refuses what is none. */
    static Path pathOf(String text) {
        try {
            return Path.of(text).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw new ConfigException(PATH, text, "is not a path: " + e.getReason());
        }
    }
}
