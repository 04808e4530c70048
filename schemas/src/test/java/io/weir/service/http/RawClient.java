package io.weir.service.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends bytes to a port of the loopback interface and returns those that come back. */
public final class RawClient implements AutoCloseable {
    private static final int PATIENCE_MS = 20_000;

    private final Socket socket;

    public RawClient(int port) throws IOException {
        this(port, "127.0.0.1");
    }

    /** Connects from {@code address}, one of the loopback interface's. */
    public RawClient(int port, String address) throws IOException {
        socket = new Socket("127.0.0.1", port, InetAddress.getByName(address), 0);
        socket.setSoTimeout(PATIENCE_MS);
        socket.setTcpNoDelay(true);
    }

    /** Sends {@code bytes}, in ISO 8859-1, and nothing more for the time being. */
    public RawClient send(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    /** Says that nothing more comes. */
    public RawClient end() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Returns everything up to the end of the connection. */
    public String all() throws IOException {
        StringBuilder answer = new StringBuilder();
        try {
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[8_192];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                answer.append(new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
            }
        } catch (java.net.SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            // A reset: the server has closed while bytes of ours were on their way.
            return answer.toString();
        }
        return answer.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
