package io.weir.notifier.mail;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import javax.net.SocketFactory;

/** Makes the connections of one letter and closes them all when told to. Thread-safe. */
final class LetterSockets implements Closeable {

    private final List<Socket> made = new ArrayList<>();
    private boolean closed;

    /** Makes connections without encryption, on which STARTTLS may put it. */
    SocketFactory plain() {
        return new Plain();
    }

    @Override
    public void close() throws IOException {
        List<Socket> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(made);
        }
        for (Socket socket : open) {
            socket.close();
        }
    }

    private synchronized Socket kept(Socket socket) throws IOException {
        if (closed) {
            socket.close();
        }
        made.add(socket);
        return socket;
    }

    private final class Plain extends SocketFactory {

        @Override
        public Socket createSocket() throws IOException {
            return kept(new Socket());
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return kept(new Socket(host, port));
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
            return kept(new Socket(host, port, local, localPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return kept(new Socket(host, port));
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
            return kept(new Socket(host, port, local, localPort));
        }
    }
}
