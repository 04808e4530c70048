package io.weir.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Passes connections on to another port of this machine, until it is cut. */
final class CutLine implements AutoCloseable {
    private final ServerSocket server;
    private final int target;
    private final Queue<Socket> ends = new ConcurrentLinkedQueue<>();

    /** Begins to pass on to {@code target}. */
    CutLine(int target) throws IOException {
        this.server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        this.target = target;
        daemon(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Refuses connections from now on, and breaks those that are open. */
    void cut() throws IOException {
        server.close();
        for (Socket end : ends) {
            end.close();
        }
    }

    @Override
    public void close() throws IOException {
        cut();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket near = server.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                ends.add(near);
                ends.add(far);
                daemon(() -> pass(near, far));
                daemon(() -> pass(far, near));
            } catch (IOException e) {
                if (!server.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private static void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One end is gone, and so is the other.
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "line");
        thread.setDaemon(true);
        thread.start();
    }
}
