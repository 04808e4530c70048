package io.weir.notifier.mail;

/** How the connection to the mail server is protected. */
enum MailSecurity {
    /** Not at all; for a server on this host. */
    NONE(25),
    /** Begun in the clear and encrypted before anything is said; a server that cannot is refused. */
    STARTTLS(587),
    /** Encrypted from the first byte. */
    TLS(465);

    private final int port;

    MailSecurity(int port) {
        this.port = port;
    }

    /** The port of servers that work this way. */
    int port() {
        return port;
    }
}
