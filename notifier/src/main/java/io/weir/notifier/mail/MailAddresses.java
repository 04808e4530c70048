package io.weir.notifier.mail;

import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Recipients, told apart by whether mail can be addressed to them. What is not exactly one address, or holds anything that
 * could end a header or a command, is not an address. Neither is what holds anything but ASCII: it goes to servers octet by
 * octet, so that they would refuse it, and the letter with it, or read another address. Immutable.
 *
 * @param usable addresses, in the order given, each once
 * @param unusable what is no address
 */
record MailAddresses(List<InternetAddress> usable, List<String> unusable) {

    private static final int LONGEST = 320;

    MailAddresses {
        usable = List.copyOf(usable);
        unusable = List.copyOf(unusable);
    }

    /** Reads {@code recipients}; {@code domain} is appended to bare names. */
    static MailAddresses of(List<String> recipients, String domain) {
        Set<InternetAddress> usable = new LinkedHashSet<>();
        List<String> unusable = new ArrayList<>();
        for (String recipient : recipients) {
            try {
                usable.add(one(recipient.strip(), domain));
            } catch (AddressException e) {
                unusable.add(recipient);
            }
        }
        return new MailAddresses(List.copyOf(usable), unusable);
    }

    /** Reads one address; {@code domain} is appended to a bare name. */
    static InternetAddress one(String recipient, String domain) throws AddressException {
        String text = recipient.indexOf('@') < 0 && !domain.isEmpty() ? recipient + "@" + domain : recipient;
        if (text.length() > LONGEST
                || !text.chars().allMatch(c -> c > ' ' && c <= '~' && "<>()[],;:\\\"".indexOf(c) < 0)) {
            throw new AddressException("not a plain address of ASCII");
        }
        InternetAddress address = new InternetAddress(text, true);
        address.validate();
        if (text.indexOf('@') < 1) {
            throw new AddressException("no domain");
        }
        return address;
    }
}
