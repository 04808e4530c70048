package io.weir.scheduler.query;

import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.service.setting.TextFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who holds which token, by a file of lines {@code principal token [level]}. A token may stand as {@code sha256:} and
 * its digest, so that the file gives nothing away; levels are 1 to 4 and {@code user}. The file is read again when it
 * changes. Thread-safe.
 */
final class AccessTokens {
    private static final Logger log = LoggerFactory.getLogger(AccessTokens.class);
    private static final String DIGEST = "sha256:";
    private static final int SHORTEST = 16;

    /** Leaves room for the id of a request behind it. */
    private static final int LONGEST_NAME = 127;

    private final Path file;
    private FileTime read;
    private List<Holder> holders;

    /**
     * Reads {@code file}.
     *
     * @throws ConfigException when it cannot be used; the message names file and line, never a token
     */
    AccessTokens(Path file) {
        this.file = file;
        try {
            this.read = Files.getLastModifiedTime(file);
            this.holders = parse();
        } catch (IOException e) {
            throw new ConfigException("api.tokens.file " + file + " cannot be read (" + e
                    + "); give a file of lines: principal token [level]");
        }
    }

    /** Who holds the token of a digest. */
    private record Holder(Principal principal, String digest) {
        boolean holds(byte[] other) {
            return MessageDigest.isEqual(digest.getBytes(StandardCharsets.US_ASCII), other);
        }
    }

    /** Returns the holder of {@code token}, after the same time whoever that is. */
    Optional<Principal> holder(String token) {
        byte[] digest = digest(token).getBytes(StandardCharsets.US_ASCII);
        Principal found = null;
        for (Holder each : current()) {
            found = each.holds(digest) ? each.principal() : found;
        }
        return Optional.ofNullable(found);
    }

    private synchronized List<Holder> current() {
        try {
            FileTime changed = Files.getLastModifiedTime(file);
            if (!changed.equals(read)) {
                read = changed;
                holders = parse();
                log.info("Tokens read again: file={} principals={}", file, holders.size());
            }
        } catch (IOException | ConfigException e) {
            log.warn("Tokens stay as they were: {}", e.toString());
        }
        return holders;
    }

    /** Warns where whoever is on this machine may use the tokens: a token in the clear as what it is, and any by adding one. */
    private void warnOfOthers(boolean inTheClear) throws IOException {
        if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
            return;
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        boolean read = inTheClear && permissions.contains(PosixFilePermission.OTHERS_READ);
        boolean written = permissions.contains(PosixFilePermission.OTHERS_WRITE);
        if (read || written) {
            log.warn(
                    "Every user of this machine can {} the tokens of the API: file={} permissions={}; take the rights of"
                            + " others away, as with chmod 600",
                    written ? "change" : "read",
                    file,
                    PosixFilePermissions.toString(permissions));
        }
    }

    private List<Holder> parse() throws IOException {
        boolean inTheClear = false;
        List<Holder> found = new ArrayList<>();
        Set<String> digests = new HashSet<>();
        int number = 0;
        for (String line : TextFile.read(file).split("\\R", -1)) {
            number++;
            String text = line.strip();
            if (!text.isEmpty() && !text.startsWith("#")) {
                String[] words = text.split("\\s+", -1);
                boolean sound = words.length <= 3
                        && words.length >= 2
                        && words[1].length() >= SHORTEST
                        && (words.length == 2 || AccessLevel.of(words[2]).isPresent());
                if (!sound) {
                    throw new ConfigException("api.tokens.file " + file + " line " + number
                            + ": expected principal, token of at least " + SHORTEST
                            + " characters and, if wanted, a level (1, 2, 3, 4 or user)");
                }
                if (words[0].length() > LONGEST_NAME || words[0].chars().anyMatch(Character::isISOControl)) {
                    throw new ConfigException("api.tokens.file " + file + " line " + number
                            + ": a principal has at most " + LONGEST_NAME + " characters, and no control characters");
                }
                inTheClear |= !words[1].startsWith(DIGEST);
                String digest = words[1].startsWith(DIGEST)
                        ? words[1].substring(DIGEST.length()).toLowerCase(Locale.ROOT)
                        : digest(words[1]);
                if (!digest.matches("[0-9a-f]{64}") || !digests.add(digest)) {
                    throw new ConfigException("api.tokens.file " + file + " line " + number
                            + ": the token stands in another line, too, or sha256: is not followed by 64"
                            + " hexadecimal digits");
                }
                Optional<AccessLevel> level = words.length == 2 ? Optional.empty() : AccessLevel.of(words[2]);
                found.add(new Holder(new Principal(words[0], level), digest));
            }
        }
        warnOfOthers(inTheClear);
        return List.copyOf(found);
    }

    private static String digest(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
