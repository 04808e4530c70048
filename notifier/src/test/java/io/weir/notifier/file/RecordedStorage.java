package io.weir.notifier.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Keeps account of what is forced to the disk. */
final class RecordedStorage extends StableStorage {

    private final List<String> forced = new ArrayList<>();

    /** Returns what was forced since the last call: {@code file}, {@code directory}. */
    List<String> forced() {
        List<String> since = List.copyOf(forced);
        forced.clear();
        return since;
    }

    @Override
    void forceContent(FileChannel file) throws IOException {
        super.forceContent(file);
        forced.add("file");
    }

    @Override
    void forceDirectory(Path directory) throws IOException {
        super.forceDirectory(directory);
        forced.add("directory");
    }
}
