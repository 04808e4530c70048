package io.weir.command.client;

import java.nio.file.Path;

/** Where a command keeps things when it is not told. */
public final class DefaultDirectory {
    private DefaultDirectory() {}

    /** The directory of {@code weir demo} and {@code weir standalone}. */
    public static Path demo() {
        return Path.of(System.getProperty("user.home"), ".weir", "demo");
    }
}
