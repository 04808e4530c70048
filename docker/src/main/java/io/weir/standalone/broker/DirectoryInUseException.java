package io.weir.standalone.broker;

import java.nio.file.Path;

/** A data directory cannot be used: another process holds it, or what lies there is not ours. */
public final class DirectoryInUseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DirectoryInUseException(Path directory, String problem) {
        super(directory + ": " + problem);
    }
}
