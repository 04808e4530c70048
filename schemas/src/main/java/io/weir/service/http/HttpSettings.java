package io.weir.service.http;

import java.time.Duration;
import java.util.Optional;

/**
 * How one address is served.
 *
 * @param name prefix of the threads' names
 * @param host address to bind to
 * @param port port to bind to; 0 takes a free one
 * @param hosts names by which clients may call it
 * @param tls certificate; empty serves in clear text
 * @param threads threads that read requests and write answers, at least 4
 * @param maxConnections open connections; one more closes one that waits for its client
 * @param maxBody longest body of a request, bytes
 * @param patience time in which a client has to deliver a request, and again its body
 * @param idle time after which a connection is closed on which nothing moves, answers that nobody takes in included; longer
 *     than an answer may take
 */
public record HttpSettings(
        String name,
        String host,
        int port,
        HostNames hosts,
        Optional<TlsFiles> tls,
        int threads,
        int maxConnections,
        int maxBody,
        Duration patience,
        Duration idle) {
    private static final int FEW = 4;
    private static final int CONNECTIONS = 256;
    private static final int SMALL = 1 << 16;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Returns what suits a small service in clear text. */
    public static HttpSettings small(String name, String host, int port) {
        return new HttpSettings(
                name, host, port, HostNames.any(), Optional.empty(), FEW, CONNECTIONS, SMALL, PATIENCE, PATIENCE);
    }

    /** Returns these settings with other names. */
    public HttpSettings calledBy(HostNames names) {
        return new HttpSettings(name, host, port, names, tls, threads, maxConnections, maxBody, patience, idle);
    }

    /** Returns these settings with a certificate. */
    public HttpSettings with(Optional<TlsFiles> certificate) {
        return new HttpSettings(name, host, port, hosts, certificate, threads, maxConnections, maxBody, patience, idle);
    }

    /** Returns these settings with another limit on bodies. */
    public HttpSettings withBodies(int bytes) {
        return new HttpSettings(name, host, port, hosts, tls, threads, maxConnections, bytes, patience, idle);
    }
}
