package io.weir.scheduler.query;

import java.util.List;

/**
 * Where a client calls from: an address of IP version 4, or the upper half of one of version 6, for one client has all of
 * the lower half.
 *
 * @param name the address, or the first four groups of one of version 6
 */
record ClientNetwork(String name) {
    private static final int GROUPS = 8;

    /** Returns the network of {@code address}, as {@link java.net.InetAddress#getHostAddress} writes it. */
    static ClientNetwork of(String address) {
        String[] groups = address.split(":", -1);
        return new ClientNetwork(
                groups.length < GROUPS
                        ? address
                        : String.join(":", List.of(groups).subList(0, GROUPS / 2)));
    }
}
