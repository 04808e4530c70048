package io.weir.standalone.access;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Somebody the broker and the registry know. Every service has an account of its own, so that each can do what it is for
 * and no more.
 *
 * @param name user name, and name of the file with the credential
 */
public record Account(String name) {
    /** Stands first: the accounts below are checked with it. */
    private static final Pattern LEGAL = Pattern.compile("[A-Za-z][A-Za-z0-9._%-]{0,199}");

    /** The broker itself, towards itself and its controller; may do everything. */
    public static final Account BROKER = new Account("weir-broker");

    /** Whoever administers the installation; may do everything. */
    public static final Account ADMIN = new Account("weir-admin");

    /** The schema registry. */
    public static final Account REGISTRY = new Account("weir-registry");

    /** The scheduler's stream and its desk for plug-ins. */
    public static final Account SCHEDULER = new Account("weir-scheduler");

    /** The reduction of metrics. */
    public static final Account REDUCTION = new Account("weir-reduction");

    /** The scheduler's HTTP API: alone writes requests and policies. */
    public static final Account API = new Account("weir-api");

    /** The notifier. */
    public static final Account NOTIFIER = new Account("weir-notifier");

    /** Whatever publishes measurements and events of nodes. */
    public static final Account MONITORING = new Account("weir-monitoring");

    /** Readers: consumers of the topics, dashboards, audits. */
    public static final Account READER = new Account("weir-reader");

    /** Audits that keep what they have verified: alone writes snapshots. */
    public static final Account AUDIT = new Account("weir-audit");

    /** Refuses what cannot be the name of a file. */
    public Account {
        if (!isLegal(name)) {
            throw new IllegalArgumentException(
                    "'" + name + "' is no name of an account; use at most 200 letters, digits, '.', '_' and '-'");
        }
    }

    /** Returns the account of a connector; behind the last dot stands its id. */
    public static Account connector(String cluster, String id) {
        return new Account("weir-connector." + encoded(cluster) + "." + withoutDots(encoded(id)));
    }

    /** Returns the account of a monitoring source; behind the last dot stands its id. */
    public static Account monitoringSource(String cluster, String id) {
        return new Account("weir-monitoring-source." + encoded(cluster) + "." + withoutDots(encoded(id)));
    }

    /** Says whether {@code name}, which a stranger may have chosen, can be the name of an account. */
    static boolean isLegal(String name) {
        return LEGAL.matcher(name).matches();
    }

    /** Returns it as the broker's authorizer knows it. */
    public String principal() {
        return "User:" + name;
    }

    private static String withoutDots(String encoded) {
        return encoded.replace(".", "%2E");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
    }
}
