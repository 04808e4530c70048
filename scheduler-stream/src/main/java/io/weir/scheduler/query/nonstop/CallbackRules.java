package io.weir.scheduler.query.nonstop;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which addresses applications may be called back at: {@code host}, {@code *.domain}, an address, or a network such as
 * {@code 10.1.0.0/16}, each with a port or ports behind a colon if only those are meant: {@code [10.1.0.0/16]:9000-9999}.
 * No rule allows nothing. Immutable.
 */
public final class CallbackRules {
    private static final int HIGHEST_PORT = 65_535;
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    /** What is an address, not a name, and so asks no name service. */
    private static final Pattern ADDRESS =
            Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private final List<Rule> rules;

    private record Rule(String name, @Nullable InetAddress network, int bits, int fromPort, int toPort) {
        boolean isNetwork() {
            return network != null;
        }

        boolean hasPort(int port) {
            return fromPort <= port && port <= toPort;
        }

        boolean names(String host) {
            return !isNetwork() && (name.startsWith("*.") ? host.endsWith(name.substring(1)) : host.equals(name));
        }

        boolean holds(InetAddress address) {
            if (network == null) {
                return false;
            }
            byte[] own = network.getAddress();
            byte[] other = address.getAddress();
            if (own.length != other.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> (bit % 8);
                if ((own[bit / 8] & mask) != (other[bit / 8] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }

    private CallbackRules(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    /**
     * Reads rules.
     *
     * @throws IllegalArgumentException when one cannot be understood; the message names it
     */
    public static CallbackRules of(List<String> texts) {
        List<Rule> rules = new ArrayList<>();
        for (String text : texts) {
            if (!text.isBlank()) {
                rules.add(rule(text.strip().toLowerCase(Locale.ROOT)));
            }
        }
        return new CallbackRules(rules);
    }

    private static Rule rule(String text) {
        String host = text;
        String ports = "";
        int bracket = text.indexOf(']');
        int colon = text.lastIndexOf(':');
        if (text.startsWith("[") && bracket > 0) {
            host = text.substring(1, bracket);
            ports = text.substring(bracket + 1).replaceFirst("^:", "");
        } else if (colon >= 0 && colon == text.indexOf(':')) {
            host = text.substring(0, colon);
            ports = text.substring(colon + 1);
        }
        try {
            String[] range = ports.split("-", 2);
            int from = ports.isEmpty() ? 1 : Integer.parseInt(range[0]);
            int to = ports.isEmpty() ? HIGHEST_PORT : Integer.parseInt(range[range.length - 1]);
            String[] parts = host.split("/", 2);
            if (from < 1 || to > HIGHEST_PORT || from > to || host.isEmpty()) {
                throw illegal(text);
            } else if (!ADDRESS.matcher(parts[0]).matches()) {
                if (!host.matches("(\\*\\.)?[a-z0-9._-]+")) {
                    throw illegal(text);
                }
                return new Rule(host, null, 0, from, to);
            }
            InetAddress network = InetAddress.getByName(parts[0]);
            int most = network.getAddress().length * 8;
            int bits = parts.length < 2 ? most : Integer.parseInt(parts[1]);
            if (bits < 0 || bits > most) {
                throw illegal(text);
            }
            return new Rule(host, network, bits, from, to);
        } catch (NumberFormatException | UnknownHostException e) {
            throw illegal(text);
        }
    }

    private static IllegalArgumentException illegal(String text) {
        return new IllegalArgumentException("'" + text
                + "' is no rule for callbacks; HOST, *.DOMAIN, ADDRESS or NETWORK/BITS is, with :PORT or :FROM-TO behind it"
                + " where only those ports are meant");
    }

    /** Returns whether {@code endpoint} may be allowed; asks no name service, so a name in a network may still be refused. */
    public boolean mayAllow(String endpoint) {
        Optional<URI> uri = parse(endpoint);
        if (uri.isEmpty()) {
            return false;
        }
        String host = host(uri.get());
        int port = port(uri.get());
        boolean named = isName(host);
        return rules.stream()
                .filter(rule -> rule.hasPort(port))
                .anyMatch(rule -> rule.names(host)
                        || (rule.isNetwork()
                                && (named
                                        ? isPlain(uri.get())
                                        : holds(rule, host).isPresent())));
    }

    /**
     * Returns where to connect to for {@code endpoint}; empty when that is not allowed. A name that is allowed for its
     * network is replaced by the address that was looked at, so that it cannot lead elsewhere a moment later. May ask a
     * name service, and wait for it.
     */
    Optional<URI> resolve(String endpoint) {
        Optional<URI> uri = parse(endpoint);
        if (uri.isEmpty()) {
            return Optional.empty();
        }
        String host = host(uri.get());
        int port = port(uri.get());
        for (Rule rule : rules) {
            if (rule.hasPort(port) && rule.names(host)) {
                return uri;
            } else if (rule.hasPort(port) && rule.isNetwork() && (!isName(host) || isPlain(uri.get()))) {
                Optional<InetAddress> address = holds(rule, host);
                if (address.isPresent()) {
                    return Optional.of(at(uri.get(), address.get(), port));
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<InetAddress> holds(Rule rule, String host) {
        try {
            InetAddress address = InetAddress.getByName(host);
            return rule.holds(address) ? Optional.of(address) : Optional.empty();
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    private static URI at(URI uri, InetAddress address, int port) {
        String literal = address.getHostAddress().replaceFirst("%.*", "");
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return URI.create(uri.getScheme() + "://" + (literal.indexOf(':') >= 0 ? "[" + literal + "]" : literal) + ":"
                + port + path + query);
    }

    private static Optional<URI> parse(String endpoint) {
        try {
            URI uri = URI.create(endpoint);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            boolean web = scheme.equals("http") || scheme.equals("https");
            return web && uri.getHost() != null && uri.getUserInfo() == null ? Optional.of(uri) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static boolean isPlain(URI uri) {
        return uri.getScheme().equalsIgnoreCase("http");
    }

    private static boolean isName(String host) {
        return !ADDRESS.matcher(host).matches();
    }

    private static String host(URI uri) {
        return uri.getHost().toLowerCase(Locale.ROOT).replaceAll("[\\[\\]]", "");
    }

    private static int port(URI uri) {
        return uri.getPort() > 0 ? uri.getPort() : isPlain(uri) ? HTTP : HTTPS;
    }
}
