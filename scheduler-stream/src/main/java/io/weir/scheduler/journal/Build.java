package io.weir.scheduler.journal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Which build of Weir this is: its version and, where it was made in a git checkout, the commit. */
public final class Build {
    private static final String UNKNOWN = "unknown";

    /** What the build recorded; such as {@code 1.0.0+1a2b3c4d5e6f}. */
    private static final String CURRENT = read();

    private Build() {}

    /** Returns the name of this build, which every iteration records. */
    public static String current() {
        return CURRENT;
    }

    private static String read() {
        Properties build = new Properties();
        try (InputStream in = Build.class.getResourceAsStream("build.properties")) {
            if (in != null) {
                build.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String version = build.getProperty("version", "development");
        String commit = build.getProperty("commit", UNKNOWN);
        return commit.equals(UNKNOWN) ? version : version + "+" + commit;
    }
}
