package io.weir.notifier.spi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * A secret, known by the file that holds it. It is read anew each time it is used, so that it may be replaced while the
 * process runs; what it says is in no setting, message or {@code toString}. Immutable.
 *
 * @param path the file: UTF-8, one secret, a line end behind it is not part of it, nor is the mark that editors put before it
 */
public record SecretFile(Path path) {

    private static final int LONGEST_BYTES = 4_096;

    /**
     * Returns the secret that the setting {@code key} names; empty when it is unset.
     *
     * @throws ConfigException when the file cannot be read or holds nothing that could be a secret
     */
    public static Optional<SecretFile> of(AbstractConfig settings, String key) {
        String text = settings.getString(key);
        if (text == null || text.isBlank()) {
            return Optional.empty();
        }
        try {
            SecretFile file = new SecretFile(Path.of(text).toAbsolutePath());
            file.read();
            return Optional.of(file);
        } catch (InvalidPathException e) {
            throw new ConfigException(key, text, "is not a path: " + e.getReason());
        } catch (IOException e) {
            throw new ConfigException(key, text, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the secret; the message of the exception names the file alone. */
    public String read() throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(path)) {
            bytes = in.readNBytes(LONGEST_BYTES + 1);
        } catch (IOException e) {
            throw new IOException("the secret in " + path + " cannot be read: " + reason(e), e);
        }
        if (bytes.length > LONGEST_BYTES) {
            throw new IOException("the secret in " + path + " is longer than " + LONGEST_BYTES + " bytes");
        }
        String secret = decode(bytes).replaceFirst("\\A\uFEFF", "").replaceFirst("\\R\\z", "");
        if (secret.isEmpty()) {
            throw new IOException("the secret in " + path + " is empty");
        }
        if (secret.chars().anyMatch(Character::isISOControl)) {
            throw new IOException("the secret in " + path + " is more than one line of text");
        }
        return secret;
    }

    private String decode(byte[] bytes) throws IOException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IOException("the secret in " + path + " is not UTF-8");
        }
    }

    private static @Nullable String reason(IOException e) {
        return e.getClass().getSimpleName().replace("Exception", "");
    }
}
