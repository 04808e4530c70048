package io.weir.notifier.mail;

import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.OneLine;
import io.weir.schemas.Severity;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;

/**
 * Writes a delivery as a mail: its text as the body, its subject and id as headers of one line each, and a Message-ID that
 * is made from the delivery's id, so that mail systems which know a letter by it keep one.
 */
final class MailLetter extends MimeMessage {

    private static final int LONGEST_SUBJECT_BYTES = 400;
    private static final int LONGEST_HEADER_BYTES = 400;

    private final String messageId;

    private MailLetter(Session session, String messageId) {
        super(session);
        this.messageId = messageId;
    }

    /** Returns {@code delivery} as a mail from {@code from} to {@code recipients}. */
    static MailLetter of(Session session, Delivery delivery, InternetAddress from, List<InternetAddress> recipients)
            throws MessagingException {
        MailLetter letter = new MailLetter(session, messageId(delivery.id(), from));
        letter.setFrom(from);
        letter.setRecipients(Message.RecipientType.TO, recipients.toArray(InternetAddress[]::new));
        letter.setSubject(subject(delivery), StandardCharsets.UTF_8.name());
        letter.setSentDate(Date.from(delivery.time()));
        letter.setText(delivery.text(), StandardCharsets.UTF_8.name());
        letter.setHeader("Auto-Submitted", "auto-generated");
        letter.setHeader("X-Weir-Delivery", header(delivery.id()));
        letter.setHeader("X-Weir-Cluster", header(delivery.cluster()));
        letter.setHeader("X-Weir-Event", header(delivery.event()));
        letter.setHeader("X-Weir-Object", header(delivery.objectType() + ":" + delivery.objectId()));
        if (delivery.severity() == Severity.ERROR) {
            letter.setHeader("X-Priority", "2");
        }
        if (delivery.possibleDuplicate()) {
            letter.setHeader("X-Weir-Possible-Duplicate", "yes");
        }
        letter.saveChanges();
        return letter;
    }

    @Override
    protected void updateMessageID() throws MessagingException {
        setHeader("Message-ID", messageId);
    }

    private static String subject(Delivery delivery) {
        String subject = OneLine.cut(OneLine.of(delivery.subject()), LONGEST_SUBJECT_BYTES);
        return delivery.possibleDuplicate() ? subject + " (possibly sent before)" : subject;
    }

    private static String messageId(String id, InternetAddress from) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            String domain = from.getAddress().substring(from.getAddress().lastIndexOf('@') + 1);
            return "<" + HexFormat.of().formatHex(digest, 0, 16) + ".weir@" + domain + ">";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /** Printable ASCII on one line; anything else becomes %XX of its UTF-8. */
    private static String header(String text) {
        StringBuilder value = new StringBuilder();
        for (byte b : OneLine.cut(text, LONGEST_HEADER_BYTES).getBytes(StandardCharsets.UTF_8)) {
            if (b >= ' ' && b <= '~') {
                value.append((char) b);
            } else {
                value.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return value.toString();
    }
}
