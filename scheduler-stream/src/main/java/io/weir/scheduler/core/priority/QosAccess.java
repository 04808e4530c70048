package io.weir.scheduler.core.priority;

import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.policy.SitePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides which quality of service a job gets. Where the site gives neither lists (QLIST) nor defaults (QDEF) to anybody,
 * every quality of service is open. Everywhere else a job may use what its user, group, account and class give it: their
 * lists, each with the default beside it, add up; one marked {@code &} has to contain the name besides, one marked
 * {@code ^} counts alone. A job that may not use what it asks for, or asks for nothing, gets the first default in the order
 * user, group, account, class.
 */
public final class QosAccess {
    private static final List<CredentialKind> KINDS =
            List.of(CredentialKind.USER, CredentialKind.GROUP, CredentialKind.ACCOUNT, CredentialKind.CLASS);

    /** QFLAGS by which the jobs of a QoS may have triggers of their own. */
    private static final String TRIGGERS = "TRIGGER";

    private static final String IDLE = "trig is ignored: the job has no QOS with QFLAGS=" + TRIGGERS;

    private final SitePolicy site;
    private final CredentialPolicy policy;

    /** Whether the site leaves every quality of service to everybody. */
    private final boolean open;

    /** Reads who may use what. */
    public QosAccess(SitePolicy site) {
        this.site = site;
        policy = new CredentialPolicy(site);
        open = site.users().values().stream().allMatch(c -> c.qosList().isEmpty() && c.qosDefault() == null)
                && site.groups().values().stream().allMatch(c -> c.qosList().isEmpty() && c.qosDefault() == null)
                && site.accounts().values().stream().allMatch(c -> c.qosList().isEmpty() && c.qosDefault() == null)
                && site.classes().values().stream().allMatch(c -> c.qosList().isEmpty() && c.qosDefault() == null);
    }

    /**
     * Settles the quality of service of a job in the making; says so on the job when it gets another than asked for, and when
     * its triggers do not fire because of what it gets.
     */
    public void settle(JobEdit edit) {
        String qos = choose(edit);
        edit.effectiveQos(qos);
        if (edit.hasTriggers()) {
            if (site.qos(qos).flags().contains(TRIGGERS)) {
                edit.withdrawn(IDLE);
            } else {
                edit.message(IDLE);
            }
        }
    }

    private @Nullable String choose(JobEdit edit) {
        String asked = edit.askedQos();
        if (open) {
            return asked;
        }
        JobCredentials credentials = edit.credentials();
        String standard = standard(credentials);
        if (asked == null || allows(credentials, asked)) {
            return asked == null ? standard : asked;
        }
        edit.message("may not use QOS " + asked + (standard == null ? "; has none" : "; uses " + standard));
        return standard;
    }

    /** Returns whether a job of these names may use {@code qos}. */
    public boolean allows(JobCredentials credentials, String qos) {
        if (open || qos.equals(standard(credentials))) {
            return true;
        }
        Set<String> listed = new TreeSet<>();
        List<Set<String>> alone = new ArrayList<>();
        List<Set<String>> besides = new ArrayList<>();
        for (CredentialKind kind : KINDS) {
            List<String> list = given(kind, name(kind, credentials));
            Set<String> names = list.stream().map(QosAccess::bare).collect(Collectors.toSet());
            if (marked(list, '^')) {
                alone.add(names);
            } else if (marked(list, '&')) {
                besides.add(names);
            } else {
                listed.addAll(names);
            }
        }
        if (!alone.isEmpty()) {
            return alone.stream().allMatch(names -> names.contains(qos));
        }
        boolean admitted = listed.contains(qos) || (listed.isEmpty() && !besides.isEmpty());
        return admitted && besides.stream().allMatch(names -> names.contains(qos));
    }

    /** Returns what a credential may use: its list, with the marks, and its default. */
    private List<String> given(CredentialKind kind, @Nullable String name) {
        List<String> list = policy.qosList(kind, name);
        String standard = policy.qosDefault(kind, name);
        List<String> given = list == null ? new ArrayList<>() : new ArrayList<>(list);
        if (standard != null) {
            given.add(bare(standard));
        }
        return given;
    }

    private @Nullable String standard(JobCredentials credentials) {
        for (CredentialKind kind : KINDS) {
            String standard = policy.qosDefault(kind, name(kind, credentials));
            if (standard != null) {
                return bare(standard);
            }
        }
        return null;
    }

    private static @Nullable String name(CredentialKind kind, JobCredentials credentials) {
        return switch (kind) {
            case USER -> credentials.user();
            case GROUP -> credentials.group();
            case ACCOUNT -> credentials.account();
            case CLASS -> credentials.jobClass();
            case QOS -> credentials.qos();
        };
    }

    private static boolean marked(List<String> list, char mark) {
        return list.stream().anyMatch(entry -> !entry.isEmpty() && entry.charAt(entry.length() - 1) == mark);
    }

    private static String bare(String entry) {
        int end = entry.length();
        while (end > 0 && (entry.charAt(end - 1) == '&' || entry.charAt(end - 1) == '^')) {
            end--;
        }
        return entry.substring(0, end);
    }
}
