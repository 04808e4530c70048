package io.weir.service;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Opens HTTP servers that send an answer at once. By default the JDK's writes head and body of an answer one after the
 * other on a socket that waits for the first to be acknowledged, which takes the other side 40 ms.
 */
public final class HttpListener {
    static {
        // Read once, when the first server of a process is made; a user's own word stands.
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
    }

    private HttpListener() {}

    /** Binds a server to {@code address}, not started yet. */
    public static HttpServer bind(InetSocketAddress address) throws IOException {
        return HttpServer.create(address, 0);
    }
}
