package io.weir.notifier.exec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Takes what a program has written to one of its streams, keeps its first bytes and drops the rest. Never waits for more:
 * what the program left behind may hold the stream open for as long as it likes. Owned by the thread that runs the program.
 */
final class Capture {

    /** Most that is taken at once, so that a program which writes without end is still looked at. */
    private static final int MOST_AT_ONCE = 1 << 20;

    private final InputStream stream;
    private final int keep;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final byte[] buffer = new byte[1 << 16];

    Capture(InputStream stream, int keep) {
        this.stream = stream;
        this.keep = keep;
    }

    /** Takes what is there; returns whether there was anything. */
    boolean take() {
        int taken = 0;
        try {
            for (int there = stream.available(); there > 0 && taken < MOST_AT_ONCE; there = stream.available()) {
                int count = stream.read(buffer, 0, Math.min(there, buffer.length));
                if (count < 0) {
                    break;
                }
                kept.write(buffer, 0, Math.min(keep - kept.size(), count));
                taken += count;
            }
        } catch (IOException e) {
            // The process was killed: what was read is what there is.
        }
        return taken > 0;
    }

    /** Returns what was kept. */
    String text() {
        return kept.toString(StandardCharsets.UTF_8);
    }
}
