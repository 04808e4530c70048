package io.weir.standalone;

import io.weir.standalone.access.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The API of the scheduler that runs on a data directory. Whoever starts a launcher gets a token of level 1 in a file
 * that nobody else can read; more lines, {@code principal token [level]}, can be added by hand.
 */
public final class ApiAccess {
    private static final int TOKEN_BYTES = 24;

    private ApiAccess() {}

    /** Makes the file of tokens unless there is one; of several processes that try, the first one makes it. */
    static void grantOwner(DataDirectory directory) throws IOException {
        if (Files.exists(directory.tokens())) {
            return;
        }
        byte[] secret = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(secret);
        String name = System.getProperty("user.name", "operator").replaceAll("\\s", "_");
        OwnerOnly.createOnce(
                directory.tokens(),
                "# Who may use the API of this directory's scheduler: principal token [level 1-4 or user]\n" + name
                        + " " + HexFormat.of().formatHex(secret) + " 1\n");
    }

    /** Returns where the API of the directory's scheduler is, or was when it was killed. */
    public static Optional<String> url(DataDirectory directory) {
        return Files.exists(directory.api())
                ? Optional.ofNullable(PropertiesFile.read(directory.api()).get("api.url"))
                : Optional.empty();
    }

    /** Returns the first token of the directory, if this user may read it. */
    public static Optional<String> token(DataDirectory directory) {
        try {
            return Files.readAllLines(directory.tokens()).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .map(line -> line.split("\\s+", -1))
                    .filter(words -> words.length > 1)
                    .map(words -> words[1])
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
