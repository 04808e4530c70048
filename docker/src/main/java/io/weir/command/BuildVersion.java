package io.weir.command;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Which build this is: version and git commit, recorded by the build. */
final class BuildVersion implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        Properties build = new Properties();
        try (InputStream in = BuildVersion.class.getResourceAsStream("build.properties")) {
            if (in != null) {
                build.load(in);
            }
        }
        return new String[] {
            "weir " + build.getProperty("version", "(unknown version)") + ", commit "
                    + build.getProperty("commit", "unknown"),
            "Java " + Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }
}
