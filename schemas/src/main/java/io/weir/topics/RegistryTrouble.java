package io.weir.topics;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.net.UnknownHostException;
import java.security.cert.CertificateExpiredException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Says in words why a registry gives no usable answer, and where it is looked for: what its client throws names neither the address nor
 * what is wrong with it.
 *
 * @param place the addresses, without logins
 */
record RegistryTrouble(String place) {
    private static final int DEEPEST_CAUSE = 20;

    /** What is thrown, in lower case, where the other side hangs up, as one that speaks TLS does when it is spoken to without. */
    private static final List<String> HUNG_UP = List.of(
            "unexpected end of file",
            "invalid http response",
            "error writing to server",
            "connection reset",
            "broken pipe");

    /** Describes troubles with the registries at {@code urls}. */
    static RegistryTrouble at(List<String> urls) {
        return new RegistryTrouble(
                urls.stream().map(url -> url.replaceFirst("//[^/@]*@", "//")).collect(Collectors.joining(", ")));
    }

    /** Returns {@code words}, which say what is wrong, with where it is. */
    String placed(String words) {
        return words + " (schema registry " + place + ")";
    }

    /** Returns what to say about a failure to ask or to read the answer. */
    String describe(Throwable failure) {
        List<Throwable> causes = causes(failure);
        return placed(words(causes, causes.get(causes.size() - 1), rootMessage(failure)));
    }

    /** Returns what the first cause of {@code failure} says, or else what it is. */
    static String rootMessage(Throwable failure) {
        List<Throwable> causes = causes(failure);
        Throwable root = causes.get(causes.size() - 1);
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    private String words(List<Throwable> causes, Throwable root, String said) {
        String lower = said.toLowerCase(Locale.ROOT);
        if (causes.stream().anyMatch(JsonProcessingException.class::isInstance)) {
            return "what answers there is no schema registry, or stands before one: it gives no JSON; see registry.url";
        } else if (root instanceof UnknownHostException) {
            return "there is no host " + said + "; see registry.url";
        } else if (lower.contains("unrecognized ssl message")) {
            return "it speaks no TLS; see registry.url, which begins with http:// then";
        } else if (lower.contains("certification path")) {
            return "its certificate is not trusted; name what vouches for it with registry.ssl.truststore.location";
        } else if (root instanceof CertificateExpiredException) {
            return "its certificate has expired (" + said + ")";
        } else if (lower.contains("subject alternative") || lower.contains("no name matching")) {
            return "its certificate is that of another host (" + said + "); use the name that is in it";
        } else if (HUNG_UP.stream().anyMatch(lower::contains)) {
            return said + "; if it speaks TLS, registry.url begins with https://";
        }
        return said;
    }

    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>(List.of(failure));
        Throwable cause = failure.getCause();
        while (cause != null && causes.size() < DEEPEST_CAUSE) {
            causes.add(cause);
            cause = cause.getCause();
        }
        return causes;
    }
}
