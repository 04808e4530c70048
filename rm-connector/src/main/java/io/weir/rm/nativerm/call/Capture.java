package io.weir.rm.nativerm.call;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * Reads a stream to its end on a thread of its own and keeps the first bytes of it. The thread ends with the stream.
 */
final class Capture implements Runnable {
    private final InputStream stream;
    private final int keep;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final CompletableFuture<Void> overflow = new CompletableFuture<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private Capture(InputStream stream, int keep) {
        this.stream = stream;
        this.keep = keep;
    }

    /** Begins to read {@code stream} and keeps {@code keep} bytes. */
    static Capture of(InputStream stream, int keep, String thread) {
        Capture capture = new Capture(stream, keep);
        Thread reader = new Thread(capture, thread);
        reader.setDaemon(true);
        reader.start();
        return capture;
    }

    @Override
    public void run() {
        byte[] buffer = new byte[8_192];
        try (stream) {
            for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                if (take(buffer, count)) {
                    overflow.complete(null);
                }
            }
        } catch (IOException e) {
            // The process was killed, or its output closed: what was read is what there is.
        }
        end.complete(null);
    }

    private synchronized boolean take(byte[] buffer, int count) {
        int room = keep - kept.size();
        kept.write(buffer, 0, Math.min(room, count));
        return count > room;
    }

    /** Completes when more came than is kept. */
    CompletableFuture<Void> overflow() {
        return overflow;
    }

    /** Completes when the stream has ended. */
    CompletableFuture<Void> end() {
        return end;
    }

    synchronized String text() {
        return kept.toString(StandardCharsets.UTF_8);
    }
}
