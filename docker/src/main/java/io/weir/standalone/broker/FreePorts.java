package io.weir.standalone.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Ports of the loopback interface. What is free now may be taken a moment later: bind soon. */
public final class FreePorts {
    private FreePorts() {}

    /** Returns {@code port} when it is free, else any free one. */
    public static int prefer(int port) {
        try {
            return choose(port);
        } catch (UncheckedIOException e) {
            return choose(0);
        }
    }

    /** Returns {@code port}, or a free one for 0; fails when {@code port} is taken. */
    public static int choose(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Port " + port + " of 127.0.0.1 cannot be used: choose another, or 0 for any free one", e);
        }
    }
}
