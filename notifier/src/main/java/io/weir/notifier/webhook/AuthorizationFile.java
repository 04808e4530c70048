package io.weir.notifier.webhook;

import io.weir.notifier.spi.SecretFile;
import java.io.IOException;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;

/**
 * File that holds the value of the header {@code Authorization}. Immutable.
 *
 * @param secret the file
 */
record AuthorizationFile(SecretFile secret) {

    /**
     * Returns the file that the settings name; empty when they name none.
     *
     * @throws ConfigException when it cannot be read, or holds what no header can
     */
    static Optional<AuthorizationFile> of(AbstractConfig settings) {
        Optional<AuthorizationFile> file =
                SecretFile.of(settings, WebhookProvider.AUTHORIZATION_FILE).map(AuthorizationFile::new);
        if (file.isPresent()) {
            try {
                file.get().read();
            } catch (IOException e) {
                throw new ConfigException(
                        WebhookProvider.AUTHORIZATION_FILE, file.get().secret().path(), String.valueOf(e.getMessage()));
            }
        }
        return file;
    }

    /** Returns the value; the message of the exception names the file alone. */
    String read() throws IOException {
        String value = secret.read();
        if (!isHeaderValue(value)) {
            throw new IOException(
                    "the secret in " + secret.path() + " is not printable ASCII, which a header has to be");
        }
        return value;
    }

    /** Says whether a header can hold {@code value}: a client that is given another says so with the value itself. */
    static boolean isHeaderValue(String value) {
        return value.chars().allMatch(c -> c >= ' ' && c <= '~');
    }
}
