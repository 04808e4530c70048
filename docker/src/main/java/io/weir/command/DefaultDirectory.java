package io.weir.command;

import java.nio.file.Path;

/** Where a command keeps things when it is not told. */
final class DefaultDirectory {
    private DefaultDirectory() {}

    /** The directory of {@code weir demo} and {@code weir standalone}. */
    static Path demo() {
        return Path.of(System.getProperty("user.home"), ".weir", "demo");
    }
}
