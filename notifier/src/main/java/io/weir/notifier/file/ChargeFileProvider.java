package io.weir.notifier.file;

import io.weir.notifier.spi.ChargePeer;
import io.weir.notifier.spi.ChargePeerProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** Peers of type {@code file}: every charge is a line at the end of a file. Stateless. */
public final class ChargeFileProvider implements ChargePeerProvider {

    private static final String PATH = "path";
    private static final String TAIL_BYTES = "tail.bytes";

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(
                    PATH,
                    ConfigDef.Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    ConfigDef.Importance.HIGH,
                    "File to append to; a leading `$HOME` stands for the home directory. It is created if missing, but"
                            + " its directory is not.")
            .define(
                    TAIL_BYTES,
                    ConfigDef.Type.INT,
                    1 << 18,
                    ConfigDef.Range.between(1 << 12, 1 << 26),
                    ConfigDef.Importance.LOW,
                    "How many bytes at the end of the file are read to recognise charges that it already contains.");

    @Override
    public String type() {
        return "file";
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public ChargePeer open(String peer, AbstractConfig settings) {
        String text = settings.getString(PATH);
        String home = System.getProperty("user.home", "");
        Path path = FileProvider.pathOf(text.startsWith("$HOME/") ? home + text.substring("$HOME".length()) : text);
        Path directory = path.getParent();
        if (directory == null || !Files.isDirectory(directory) || Files.isDirectory(path)) {
            throw new ConfigException(PATH, text, "must be a file in a directory that exists");
        }
        return new ChargeFile(path, settings.getInt(TAIL_BYTES), new StableStorage());
    }
}
