package io.weir.standalone.access;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Properties;

/**
 * The credentials of a data directory, a file for each account, readable by their owner alone. They are made when they
 * are first needed; of several processes that need one at once, all get the same. Thread-safe.
 */
public final class Credentials {
    private static final String KAFKA_PASSWORD = "kafka.password";
    private static final String REGISTRY_PASSWORD = "registry.password";
    private static final int SECRET_BYTES = 32;

    private final Path directory;

    /** Credentials in {@code directory}; nothing is made yet. */
    public Credentials(Path directory) {
        this.directory = directory;
    }

    /** Where they lie. */
    public Path directory() {
        return directory;
    }

    /** Returns the credential of {@code account}, made now unless there is one. */
    public Credential ensure(Account account) {
        try {
            if (!Files.exists(file(account.name()))) {
                OwnerOnly.directory(directory);
                OwnerOnly.createOnce(
                        file(account.name()),
                        "# Whoever can read this file is " + account.name() + " to Weir's broker and registry.\n"
                                + KAFKA_PASSWORD + "=" + secret() + "\n" + REGISTRY_PASSWORD + "=" + secret() + "\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make " + file(account.name()), e);
        }
        return of(account);
    }

    /**
     * Returns the credential of {@code account}.
     *
     * @throws NotPermittedException when this user may not read it
     * @throws IllegalStateException when there is none
     */
    public Credential of(Account account) {
        try {
            return read(account.name());
        } catch (AccessDeniedException e) {
            throw NotPermittedException.unreadable(file(account.name()));
        } catch (NoSuchFileException e) {
            throw new IllegalStateException("There is no " + file(account.name())
                    + ": start the broker of this directory once with this release, which makes it");
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file(account.name()), e);
        }
    }

    /** Returns the credential of whoever calls himself {@code user}; empty when there is no such account. */
    public Optional<Credential> find(String user) {
        if (!Account.isLegal(user)) {
            return Optional.empty();
        }
        try {
            return Optional.of(read(user));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file(user), e);
        }
    }

    private Credential read(String user) throws IOException {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file(user), StandardCharsets.UTF_8)) {
            properties.load(in);
        }
        return new Credential(
                user, value(properties, user, KAFKA_PASSWORD), value(properties, user, REGISTRY_PASSWORD));
    }

    private String value(Properties properties, String user, String key) throws IOException {
        String value = properties.getProperty(key, "").strip();
        if (!value.matches("[A-Za-z0-9]{16,1000}")) {
            throw new IOException(file(user) + " has no usable " + key
                    + "; remove the file to have a new one made at the next start of the broker");
        }
        return value;
    }

    private Path file(String user) {
        return directory.resolve(user + ".properties");
    }

    private static String secret() {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }
}
