package io.weir.service.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names by which a server may be called. A page of a foreign site can point its own name at a server's address and so
 * have a browser speak to it; the name in the request then gives it away. Addresses and {@code localhost} are always
 * right, for no foreign site can be called so.
 *
 * @param names names in lower case; with {@code *} any name will do
 */
public record HostNames(Set<String> names) {
    private static final String ANY = "*";
    private static final Pattern ADDRESS =
            Pattern.compile("[0-9]+(\\.[0-9]+){3}|\\[[0-9a-fA-F:.%]+\\]|[0-9a-fA-F:]+:[0-9a-fA-F:.]*");

    /** Returns the names given, whatever case they are in. */
    public static HostNames of(Collection<String> names) {
        return new HostNames(names.stream().map(HostNames::plain).collect(Collectors.toUnmodifiableSet()));
    }

    /** Returns every name. */
    public static HostNames any() {
        return new HostNames(Set.of(ANY));
    }

    /** Returns the names of a server that nobody configured names for: its own on a loopback address, else every one. */
    public static HostNames ofAddress(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress() ? of(List.of(host)) : any();
        } catch (UnknownHostException e) {
            return of(List.of(host));
        }
    }

    /** Says whether a server may be called {@code host}, a name or an address without a port. */
    public boolean include(String host) {
        String plain = plain(host);
        return names.contains(ANY)
                || plain.equals("localhost")
                || names.contains(plain)
                || ADDRESS.matcher(plain).matches();
    }

    /** A name may be written with the dot of the root zone. */
    private static String plain(String name) {
        String lower = name.strip().toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }
}
