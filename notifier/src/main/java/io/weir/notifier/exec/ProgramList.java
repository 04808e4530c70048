package io.weir.notifier.exec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;

/**
 * The programs that may be run: nothing that a topic says can add to them. Immutable.
 *
 * @param programs absolute paths, normalised
 */
record ProgramList(List<Path> programs) {

    private static final Set<PosixFilePermission> FOR_ALL = Set.of(PosixFilePermission.OTHERS_WRITE);

    ProgramList {
        programs = List.copyOf(programs);
    }

    /** Reads the paths that the setting {@code key} lists. */
    static ProgramList parse(String key, List<String> texts) {
        return new ProgramList(texts.stream().map(text -> path(key, text)).toList());
    }

    /** Returns the path of {@code text} if it is one of the programs; compared as written, without {@code .} and {@code ..}. */
    Optional<Path> find(String text) {
        try {
            Path path = Path.of(text);
            return programs.stream()
                    .filter(program -> path.isAbsolute() && program.equals(path))
                    .findFirst();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Returns why {@code program} cannot be run now; empty when it can. */
    static Optional<String> obstacle(Path program) {
        if (!Files.isRegularFile(program)) {
            return Optional.of(program + " does not exist, or is no file");
        }
        if (!Files.isExecutable(program)) {
            return Optional.of(program + " may not be executed");
        }
        try {
            if (Files.getFileStore(program).supportsFileAttributeView("posix")
                    && Files.getPosixFilePermissions(program).stream().anyMatch(FOR_ALL::contains)) {
                return Optional.of(program + " may be written by everybody; chmod o-w it");
            }
        } catch (IOException e) {
            return Optional.of(program + " cannot be examined: " + e);
        }
        return Optional.empty();
    }

    private static Path path(String key, String text) {
        try {
            Path path = Path.of(text);
            if (!path.isAbsolute() || !path.equals(path.normalize())) {
                throw new ConfigException(key, text, "must be an absolute path without . and ..");
            }
            return path;
        } catch (InvalidPathException e) {
            throw new ConfigException(key, text, "is not a path: " + e.getReason());
        }
    }
}
