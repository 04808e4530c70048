package io.weir.notifier.syslog;

/** How messages reach the server. */
enum SyslogTransport {
    /** One datagram each (RFC 5426); nobody says whether it arrived. */
    UDP(514),
    /** A stream with counted octets (RFC 6587). */
    TCP(514),
    /** The same, encrypted (RFC 5425). */
    TLS(6514);

    private final int port;

    SyslogTransport(int port) {
        this.port = port;
    }

    /** The usual port. */
    int port() {
        return port;
    }
}
