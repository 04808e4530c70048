package io.weir.notifier.exec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Reads a stream to its end on a thread of its own, keeps its first bytes and drops the rest. */
final class Capture implements Runnable {

    private final InputStream stream;
    private final int keep;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final Thread reader;

    private Capture(InputStream stream, int keep, String name) {
        this.stream = stream;
        this.keep = keep;
        this.reader = new Thread(this, name);
        reader.setDaemon(true);
    }

    /** Begins to read {@code stream}. */
    static Capture of(InputStream stream, int keep, String name) {
        Capture capture = new Capture(stream, keep, name);
        capture.reader.start();
        return capture;
    }

    @Override
    public void run() {
        byte[] buffer = new byte[8_192];
        try (stream) {
            for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                take(buffer, count);
            }
        } catch (IOException e) {
            // The process was killed: what was read is what there is.
        }
    }

    /** Waits for the end of the stream, {@code millis} at the longest, and returns what was kept. */
    String text(long millis) throws InterruptedException {
        reader.join(Math.max(millis, 1));
        return text();
    }

    private synchronized String text() {
        return kept.toString(StandardCharsets.UTF_8);
    }

    private synchronized void take(byte[] buffer, int count) {
        kept.write(buffer, 0, Math.min(keep - kept.size(), count));
    }
}
