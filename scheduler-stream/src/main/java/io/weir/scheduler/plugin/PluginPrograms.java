package io.weir.scheduler.plugin;

import com.sun.security.auth.module.UnixSystem;
import io.weir.service.setting.FilePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;

/**
 * The programs that plug-ins may be in this process: what its own settings list. A configuration names one of them by its
 * name or by the path listed here; what is started is always the path listed. A program may be started as long as only
 * root and the user of this process can change it, or a directory above it. Immutable.
 */
public final class PluginPrograms {
    /** No program at all. */
    public static final PluginPrograms NONE = new PluginPrograms(Map.of(), List.of());

    private static final String SCHEME = "exec://";
    private static final int WRITABLE_BY_OTHERS = 0022;
    private static final int STICKY = 01000;
    private static final int ROOT = 0;
    private static final int SHOWN = 200;

    private final Map<String, Path> named;
    private final List<Path> directories;

    private PluginPrograms(Map<String, Path> named, List<Path> directories) {
        this.named = Map.copyOf(named);
        this.directories = List.copyOf(directories);
    }

    /**
     * Reads entries {@code NAME=/path/of/program}, and {@code /path/of/directory} for every program directly in it.
     *
     * @throws ConfigException when an entry is neither
     */
    public static PluginPrograms of(List<String> entries) {
        Map<String, Path> named = new LinkedHashMap<>();
        List<Path> directories = new ArrayList<>();
        for (String entry : entries) {
            int equals = entry.indexOf('=');
            String place = entry.substring(equals + 1).strip();
            new FilePath().ensureValid("plugin.programs", place);
            Path path = Path.of(place);
            String name = equals < 0 ? "" : entry.substring(0, equals).strip();
            if (!path.isAbsolute() || !path.equals(path.normalize()) || equals == 0 || name.indexOf('/') >= 0) {
                throw new ConfigException("plugin.programs has '" + entry
                        + "'; write NAME=/path/of/a/program, or /path/of/a/directory, without . and ..");
            }
            if (equals < 0) {
                directories.add(path);
            } else if (named.put(name, path) != null) {
                throw new ConfigException("plugin.programs has two programs called '" + name + "'; rename one");
            }
        }
        return new PluginPrograms(named, directories);
    }

    /** Returns the program that a configuration calls {@code wanted}, if it may be started. */
    Path find(String wanted) throws PluginFailure {
        String text = wanted.startsWith(SCHEME) ? wanted.substring(SCHEME.length()) : wanted;
        Path program = listed(text)
                .orElseThrow(() -> new PluginFailure("program " + shown(text)
                        + " is not in plugin.programs of this service; list it there as NAME=/path"));
        try {
            requireProgram(program);
            for (Path path = program; path != null; path = path.getParent()) {
                requireTrusted(path);
            }
        } catch (IOException e) {
            throw new PluginFailure(program + " cannot be started: " + e, e);
        }
        return program;
    }

    private Optional<Path> listed(String text) {
        Path known = named.get(text);
        if (known != null) {
            return Optional.of(known);
        }
        return named.values().stream()
                .filter(path -> path.toString().equals(text))
                .findFirst()
                .or(() -> inDirectory(text));
    }

    /** Compares text only: nothing that a configuration says is looked up on the disk before it is found here. */
    private Optional<Path> inDirectory(String text) {
        for (Path directory : directories) {
            String prefix = directory + "/";
            String name = text.startsWith(prefix) ? text.substring(prefix.length()) : text;
            boolean plain = !name.isEmpty()
                    && name.indexOf('/') < 0
                    && name.indexOf('\0') < 0
                    && !name.equals(".")
                    && !name.equals("..");
            if (plain && Files.isRegularFile(directory.resolve(name))) {
                return Optional.of(directory.resolve(name));
            }
        }
        return Optional.empty();
    }

    private static void requireProgram(Path program) throws IOException, PluginFailure {
        if (!Files.isRegularFile(program) || !Files.isExecutable(program)) {
            throw new PluginFailure(program + " cannot be started: there is no such program");
        }
        if (!program.toRealPath().equals(program)) {
            throw new PluginFailure(program + " is reached by a symbolic link; list " + program.toRealPath());
        }
    }

    private static void requireTrusted(Path path) throws IOException, PluginFailure {
        if (!Files.getFileStore(path).supportsFileAttributeView("unix")) {
            return;
        }
        int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        int owner = (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        // In a sticky directory, such as /tmp, nobody can replace what another one owns.
        boolean shared = (mode & WRITABLE_BY_OTHERS) != 0 && !(Files.isDirectory(path) && (mode & STICKY) != 0);
        if (shared || (owner != ROOT && owner != new UnixSystem().getUid())) {
            throw new PluginFailure(
                    path + " can be changed by others: it has to belong to root or to the service's user,"
                            + " and be writable by nobody else (chmod go-w)");
        }
    }

    private static String shown(String text) {
        return "'" + (text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text) + "'";
    }
}
