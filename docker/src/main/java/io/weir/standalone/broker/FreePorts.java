package io.weir.standalone.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Ports of the loopback interface. What is free now may be taken a moment later: bind soon. */
public final class FreePorts {
    /** Where any free port is looked for: below the ports an operating system gives to outgoing connections. */
    private static final int FIRST = 20_000;

    private static final int LAST = 32_000;

    private FreePorts() {}

    /** Returns {@code port} when it is free, else any free one. */
    public static int prefer(int port) {
        try {
            return choose(port);
        } catch (UncheckedIOException e) {
            return any(1)[0];
        }
    }

    /** Returns {@code port}, or any free one for 0; fails when {@code port} is taken. */
    public static int choose(int port) {
        if (port == 0) {
            return any(1)[0];
        }
        try (ServerSocket socket = bind(port)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Port " + port + " of 127.0.0.1 cannot be used: choose another, or 0 for any free one", e);
        }
    }

    /** Returns {@code count} free ports, no two of them the same. */
    public static int[] any(int count) {
        int start = ThreadLocalRandom.current().nextInt(FIRST, LAST);
        int[] found = IntStream.range(0, LAST - FIRST)
                .map(step -> FIRST + (start - FIRST + step) % (LAST - FIRST))
                .filter(FreePorts::isFree)
                .limit(count)
                .toArray();
        if (found.length < count) {
            throw new IllegalStateException(
                    "No " + count + " free ports of 127.0.0.1 between " + FIRST + " and " + LAST);
        }
        return found;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = bind(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static ServerSocket bind(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
