package io.weir.notifier.mail;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;

/** Makes the connections of one letter, which bring no more than a limit, and closes them all when told to. Thread-safe. */
final class LetterSockets implements Closeable {

    private final Duration writing;
    private final List<Socket> made = new ArrayList<>();
    private boolean closed;

    /**
     * Makes none yet.
     *
     * @param writing how long a write may take
     */
    LetterSockets(Duration writing) {
        this.writing = writing;
    }

    /** Makes connections without encryption, on which STARTTLS may put it. */
    SocketFactory plain() {
        return new Plain();
    }

    /** Puts TLS on connections as {@code factory} does. The mail library makes those itself that have it from the first byte. */
    SSLSocketFactory encrypted(SSLSocketFactory factory) {
        return new Encrypted(factory);
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

    private Socket limited(Socket socket) throws IOException {
        return kept(new LimitedSocket(socket, writing));
    }

    private final class Plain extends SocketFactory {

        @Override
        public Socket createSocket() throws IOException {
            return limited(new Socket());
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return limited(new Socket(host, port));
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
            return limited(new Socket(host, port, local, localPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return limited(new Socket(host, port));
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
            return limited(new Socket(host, port, local, localPort));
        }
    }

    /** Keeps the connections beneath: one with TLS may wait for what is being read from it when it is closed. */
    private final class Encrypted extends SSLSocketFactory {
        private final SSLSocketFactory factory;

        private Encrypted(SSLSocketFactory factory) {
            this.factory = factory;
        }

        @Override
        public Socket createSocket(Socket beneath, String host, int port, boolean autoClose) throws IOException {
            return factory.createSocket(limited(beneath), host, port, autoClose);
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return factory.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return factory.getSupportedCipherSuites();
        }

        @Override
        public Socket createSocket() throws IOException {
            return kept(factory.createSocket());
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return kept(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
            return kept(factory.createSocket(host, port, local, localPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return kept(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
            return kept(factory.createSocket(host, port, local, localPort));
        }
    }
}
