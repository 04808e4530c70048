package io.weir.notifier.mail;

import io.weir.notifier.spi.SecretFile;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * One mail channel's settings, checked. Immutable.
 *
 * @param host the mail server
 * @param port its port
 * @param security how the connection is protected
 * @param tls whom to trust, for the two kinds that are encrypted
 * @param user whom to authenticate as; empty for not at all
 * @param password that user's; present when the user is
 * @param from address of the sender
 * @param to recipients of deliveries that name none
 * @param domain appended to bare user names; empty for none
 * @param timeout of each exchange with the server
 */
record MailConfig(
        String host,
        int port,
        MailSecurity security,
        SSLContext tls,
        Optional<String> user,
        Optional<SecretFile> password,
        String from,
        List<String> to,
        String domain,
        Duration timeout) {

    MailConfig {
        to = List.copyOf(to);
    }
}
