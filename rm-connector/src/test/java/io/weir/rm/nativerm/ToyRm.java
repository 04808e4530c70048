package io.weir.rm.nativerm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A resource manager in a directory, with a script in front: real processes, and state that outlives them. */
final class ToyRm {
    /** The verb of the script behind each address. */
    static final Map<NativeUrl, String> VERBS = Map.of(
            NativeUrl.CLUSTER_QUERY, "cluster",
            NativeUrl.WORKLOAD_QUERY, "workload",
            NativeUrl.SYSTEM_QUERY, "system",
            NativeUrl.JOB_START, "start",
            NativeUrl.JOB_CANCEL, "cancel",
            NativeUrl.JOB_REQUEUE, "requeue",
            NativeUrl.JOB_SUSPEND, "suspend",
            NativeUrl.JOB_RESUME, "resume",
            NativeUrl.JOB_MODIFY, "modify",
            NativeUrl.NODE_MODIFY, "nodemodify");

    private final Path directory;
    private final Path script;

    private ToyRm(Path directory) {
        this.directory = directory;
        this.script = directory.resolve("toy.sh");
    }

    /** Returns the toy in {@code directory}, made there with two nodes and two jobs if there is none yet. */
    static ToyRm in(Path directory) {
        ToyRm toy = new ToyRm(directory);
        if (!Files.exists(toy.script)) {
            toy.make();
        }
        return toy;
    }

    private void make() {
        try {
            Files.createDirectories(directory.resolve("nodes"));
            Files.createDirectories(directory.resolve("jobs"));
            Files.copy(Path.of(ToyRm.class.getResource("/toy-rm/toy.sh").toURI()), script);
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
            for (String node : List.of("n1", "n2")) {
                write("nodes/" + node, "STATE=Idle\nCPROC=4\nCMEMORY=8192\n");
            }
            for (String job : List.of("1", "2")) {
                write(
                        "jobs/" + job,
                        "STATE=Idle\nUPDATETIME=1700000000\nQUEUETIME=1700000000\nWCLIMIT=100000\nTASKS=1\n"
                                + "UNAME=ann\nGNAME=users\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    void write(String file, String text) {
        try {
            Files.writeString(directory.resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void remove(String file) {
        try {
            Files.deleteIfExists(directory.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what had an effect, in order: the job of each. */
    List<String> effects() {
        try {
            Path file = directory.resolve("effects");
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path script() {
        return script;
    }

    Path directory() {
        return directory;
    }

    /** Returns settings that call the script. */
    Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>();
        VERBS.forEach((url, verb) -> settings.put(url.key(), "exec://" + script + " " + verb));
        settings.put("environment", "TOY_DIR=" + directory);
        settings.put("timeout.seconds", "20");
        return settings;
    }
}
