package io.weir.scheduler.core.trigger.action;

import com.google.re2j.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * AType snmp: {@code host[:port] community oid [text]}. Immutable.
 *
 * @param host receiver, with its port if one is written
 * @param community community
 * @param oid object identifier of the trap
 * @param text what it says, variables as written; null for none
 */
public record Trap(
        String host, String community, String oid, @Nullable String text) {
    private static final Pattern OID = Pattern.compile("\\.?[0-9]+(\\.[0-9]+)+");

    /** Reads {@code action}. */
    public static Trap read(String action) throws UnfitActionException {
        String[] parts = action.strip().split(" ", 4);
        if (parts.length < 3 || !OID.matcher(parts[2]).matches()) {
            throw new UnfitActionException("snmp is '" + action
                    + "'; host[:port] community oid [text] is needed, the oid as in 1.3.6.1.4.1.8072");
        }
        return new Trap(parts[0], parts[1], parts[2], parts.length > 3 ? parts[3] : null);
    }
}
