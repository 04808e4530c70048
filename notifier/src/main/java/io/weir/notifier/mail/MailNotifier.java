package io.weir.notifier.mail;

import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.OneLine;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.notifier.spi.TimeLimit;
import jakarta.mail.Address;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends each delivery as one mail over a connection of its own, or as several when it has more recipients than every
 * server takes at once. A server's 4xx may succeed later, its 5xx never will. Where a server takes some recipients and puts
 * off others, the next attempt is for those others alone.
 */
final class MailNotifier implements Notifier {
    private static final Logger log = LoggerFactory.getLogger(MailNotifier.class);

    /** Recipients that every server has to take (RFC 5321, 4.5.3.1.8). */
    private static final int MOST_RECIPIENTS = 100;

    /** Answers to a letter besides those to its recipients: greeting, EHLO twice, STARTTLS, AUTH, MAIL, DATA and its end. */
    private static final int OTHER_ANSWERS = 8;

    /** Deliveries to be gone on with; of one that was given up nobody tells. */
    private static final int MOST_OUTSTANDING = 1_000;

    private final MailConfig config;
    private final InternetAddress from;

    /** Deliveries that some of their recipients may have already, and the rest of these. */
    private final Map<String, Set<InternetAddress>> outstanding = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Set<InternetAddress>> eldest) {
            return size() > MOST_OUTSTANDING;
        }
    };

    MailNotifier(MailConfig config) {
        this.config = config;
        try {
            this.from = MailAddresses.one(config.from(), config.domain());
        } catch (AddressException e) {
            throw new IllegalArgumentException("checked before", e);
        }
    }

    @Override
    public Receipt deliver(Delivery delivery) throws DeliveryException, InterruptedException {
        MailAddresses addresses = MailAddresses.of(
                delivery.recipients().isEmpty() ? config.to() : delivery.recipients(), config.domain());
        if (addresses.usable().isEmpty() && !config.to().isEmpty()) {
            // Rather the channel's own recipients than nobody.
            addresses = new MailAddresses(
                    MailAddresses.of(config.to(), config.domain()).usable(), addresses.unusable());
        }
        if (addresses.usable().isEmpty()) {
            throw new DeliveryException("no recipient can be addressed: "
                    + OneLine.of(addresses.unusable().toString())
                    + "; set domain for bare names, and to for deliveries without recipients");
        }
        Set<InternetAddress> left =
                new LinkedHashSet<>(outstanding.getOrDefault(delivery.id(), new LinkedHashSet<>(addresses.usable())));
        int sent = 0;
        StringBuilder refused = new StringBuilder();
        @Nullable DeliveryException refusal = null;
        while (!left.isEmpty()) {
            List<InternetAddress> recipients =
                    left.stream().limit(MOST_RECIPIENTS).toList();
            recipients.forEach(left::remove);
            try {
                Sent some = send(delivery, recipients, left);
                refused.append(some.refused());
                sent += some.count();
            } catch (RetriableDeliveryException e) {
                throw e;
            } catch (DeliveryException e) {
                refused.append("; refused: ").append(e.getMessage());
                refusal = e;
            }
        }
        outstanding.remove(delivery.id());
        if (refusal != null && sent == 0) {
            throw refusal;
        }
        String skipped = addresses.unusable().isEmpty() ? "" : "; no addresses: " + addresses.unusable();
        return new Receipt(OneLine.of(
                "sent to " + sent + " of " + addresses.usable().size() + " by " + server() + refused + skipped));
    }

    @Override
    public boolean recognisesRepetitions() {
        return false;
    }

    @Override
    public void close() {
        // Each attempt closes its own connection.
    }

    /**
     * What came of a letter.
     *
     * @param count to how many recipients it was sent
     * @param refused which recipients were refused, and why; empty for none
     */
    private record Sent(int count, String refused) {}

    /** Sends to {@code recipients}; {@code behind} are those who follow, and are still to be served when it fails. */
    @SuppressWarnings("try") // the limit is there to end the attempt, not to be used
    private Sent send(Delivery delivery, List<InternetAddress> recipients, Set<InternetAddress> behind)
            throws DeliveryException {
        remain(delivery, recipients, behind);
        boolean begun = false;
        LetterSockets sockets = new LetterSockets(config.timeout());
        Session session = Session.getInstance(properties(config, sockets));
        // An answer that comes an octet at a time never meets the timeout of the connection.
        Duration longest = config.timeout().multipliedBy(OTHER_ANSWERS + recipients.size());
        try (TimeLimit limit = TimeLimit.of(sockets, longest);
                QuietlyClosed connection = new QuietlyClosed(
                        session.getTransport(config.security() == MailSecurity.TLS ? "smtps" : "smtp"))) {
            Transport transport = connection.transport();
            if (config.user().isPresent() && config.password().isPresent()) {
                transport.connect(
                        config.host(),
                        config.port(),
                        config.user().get(),
                        config.password().get().read());
            } else {
                transport.connect(config.host(), config.port(), null, null);
            }
            MailLetter letter = MailLetter.of(session, delivery, from, recipients);
            begun = true;
            transport.sendMessage(letter, recipients.toArray(InternetAddress[]::new));
            return new Sent(recipients.size(), "");
        } catch (AuthenticationFailedException e) {
            throw new RetriableDeliveryException(server() + " refused the user or the password: " + said(e), e);
        } catch (SendFailedException e) {
            return afterRefusal(delivery, e, behind);
        } catch (MessagingException e) {
            String message = server() + ": " + said(e);
            throw begun ? RetriableDeliveryException.inDoubt(message, e) : new RetriableDeliveryException(message, e);
        } catch (IOException e) {
            throw new RetriableDeliveryException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Some recipients, or the letter itself, were refused. */
    private Sent afterRefusal(Delivery delivery, SendFailedException e, Set<InternetAddress> behind)
            throws DeliveryException {
        Address[] sent = e.getValidSentAddresses();
        List<InternetAddress> later = putOff(e);
        if (sent != null && sent.length > 0) {
            if (later.isEmpty()) {
                String refused = refused(e) + ": " + said(e);
                log.warn("deliveryId={}: {} refused {}", delivery.id(), server(), OneLine.of(refused));
                return new Sent(sent.length, "; refused: " + refused);
            }
            remain(delivery, later, behind);
        }
        String message = server() + ": " + said(e);
        if (later.isEmpty() && isUnanswered(e)) {
            throw RetriableDeliveryException.inDoubt(message, e);
        }
        if (!later.isEmpty()) {
            throw RetriableDeliveryException.putOff(message, e);
        }
        if (isTemporary(e)) {
            throw new RetriableDeliveryException(message, e);
        }
        throw new DeliveryException(message, e);
    }

    private void remain(Delivery delivery, Collection<InternetAddress> first, Collection<InternetAddress> behind) {
        Set<InternetAddress> rest = new LinkedHashSet<>(first);
        rest.addAll(behind);
        outstanding.put(delivery.id(), rest);
    }

    /** Names the recipients to whom nothing was sent. */
    private static String refused(SendFailedException failure) {
        return Stream.of(failure.getInvalidAddresses(), failure.getValidUnsentAddresses())
                .filter(Objects::nonNull)
                .flatMap(Stream::of)
                .map(Address::toString)
                .collect(Collectors.joining(","));
    }

    /** A connection whose end tells nothing: what the server has taken, it has taken. */
    private record QuietlyClosed(Transport transport) implements AutoCloseable {
        @Override
        public void close() {
            try {
                transport.close();
            } catch (MessagingException e) {
                log.debug("the connection was not ended in good order", e);
            }
        }
    }

    private static List<InternetAddress> putOff(SendFailedException failure) {
        List<InternetAddress> later = new ArrayList<>();
        for (@Nullable Exception next = failure.getNextException(); next != null; next = next(next)) {
            if (next instanceof SMTPAddressFailedException refused && isTemporary(refused.getReturnCode())) {
                later.add(refused.getAddress());
            }
        }
        return later;
    }

    /** Returns whether the connection broke before the server said what became of the letter, which it may have taken. */
    private static boolean isUnanswered(SendFailedException failure) {
        return failure instanceof SMTPSendFailedException broken
                ? broken.getReturnCode() < 0
                : failure.getNextException() instanceof IOException;
    }

    private static boolean isTemporary(SendFailedException failure) {
        return failure instanceof SMTPSendFailedException refused && isTemporary(refused.getReturnCode());
    }

    private static boolean isTemporary(int code) {
        return code >= 400 && code < 500;
    }

    private static @Nullable Exception next(Exception e) {
        return e instanceof MessagingException messaging ? messaging.getNextException() : null;
    }

    /** The words of the server and of what lies beneath them, on one line. */
    private static String said(MessagingException failure) {
        List<String> words = new ArrayList<>();
        for (@Nullable Exception e = failure; e != null && words.size() < 4; e = next(e)) {
            words.add(e instanceof MessagingException ? String.valueOf(e.getMessage()) : e.toString());
        }
        return OneLine.of(String.join(" | ", words));
    }

    private String server() {
        return config.host() + ":" + config.port();
    }

    private static Properties properties(MailConfig config, LetterSockets sockets) {
        String protocol = config.security() == MailSecurity.TLS ? "mail.smtps." : "mail.smtp.";
        String timeout = String.valueOf(config.timeout().toMillis());
        Properties properties = new Properties();
        properties.put(protocol + "connectiontimeout", timeout);
        properties.put(protocol + "timeout", timeout);
        properties.put(protocol + "writetimeout", timeout);
        properties.put(protocol + "sendpartial", "true");
        properties.put(protocol + "auth", String.valueOf(config.user().isPresent()));
        properties.put(protocol + "allow8bitmime", "true");
        properties.put(protocol + "quitwait", "false");
        if (config.security() != MailSecurity.TLS) {
            properties.put(protocol + "socketFactory", sockets.plain());
            properties.put(protocol + "socketFactory.fallback", "false");
        }
        if (config.security() != MailSecurity.NONE) {
            properties.put(protocol + "ssl.checkserveridentity", "true");
            properties.put(
                    protocol + "ssl.socketFactory",
                    sockets.encrypted(config.tls().getSocketFactory()));
            properties.put(protocol + "ssl.protocols", "TLSv1.2 TLSv1.3");
        }
        if (config.security() == MailSecurity.STARTTLS) {
            properties.put(protocol + "starttls.enable", "true");
            properties.put(protocol + "starttls.required", "true");
        }
        return properties;
    }
}
