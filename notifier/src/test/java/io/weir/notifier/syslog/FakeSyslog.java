package io.weir.notifier.syslog;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A syslog server that counts octets and closes a connection once it has read all of it. Thread-safe. */
public final class FakeSyslog {

    private final int port;
    private final List<String> messages = new ArrayList<>();
    private ServerSocket server;
    private Thread thread;

    public FakeSyslog(int port) {
        this.port = port;
        start();
    }

    public int port() {
        return port;
    }

    public synchronized List<String> messages() {
        return List.copyOf(messages);
    }

    void start() {
        try {
            server = new ServerSocket(port, 10, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ServerSocket mine = server;
        thread = new Thread(() -> serve(mine), "fake-syslog");
        thread.setDaemon(true);
        thread.start();
    }

    public void stop() {
        try {
            server.close();
            // A thread that still accepts keeps the socket open.
            thread.join(1_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void serve(ServerSocket mine) {
        while (!mine.isClosed()) {
            try (Socket socket = mine.accept()) {
                read(socket.getInputStream());
            } catch (IOException e) {
                // Closed, or a connection that broke.
            }
        }
    }

    private void read(InputStream in) throws IOException {
        for (int c = in.read(); c >= 0; c = in.read()) {
            ByteArrayOutputStream count = new ByteArrayOutputStream();
            for (; c != ' '; c = in.read()) {
                count.write(c);
            }
            byte[] message = in.readNBytes(Integer.parseInt(count.toString(StandardCharsets.US_ASCII)));
            synchronized (this) {
                messages.add(new String(message, StandardCharsets.UTF_8));
            }
        }
    }
}
