package io.weir.scheduler.core.preemption;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.scheduler.BackfillPolicy;
import io.weir.scheduler.core.policy.scheduler.PreemptionPolicy;
import java.util.List;

/**
 * Which jobs may preempt others, and which may be preempted: those of a QoS with the flag PREEMPTOR or PREEMPTEE (QFLAGS), those
 * of a user, group, account or class with it (JOBFLAGS), and of the latter those that say so themselves, and those that overtook
 * others under BACKFILLPOLICY PREEMPT. Immutable.
 */
public final class PreemptionRights {
    private static final String PREEMPTOR = "PREEMPTOR";
    private static final String PREEMPTEE = "PREEMPTEE";

    private final SitePolicy policy;
    private final boolean enabled;
    private final boolean on;

    /** Reads who may preempt whom. */
    public PreemptionRights(SitePolicy policy) {
        this.policy = policy;
        enabled = policy.preemption().policy() != PreemptionPolicy.SUSPEND;
        on = enabled && anyPreemptor(policy);
    }

    private static boolean anyPreemptor(SitePolicy policy) {
        return policy.qos().values().stream().anyMatch(qos -> qos.flags().contains(PREEMPTOR))
                || policy.classes().values().stream()
                        .anyMatch(jobClass -> jobClass.jobFlags().contains(PREEMPTOR))
                || policy.users().values().stream()
                        .anyMatch(user -> user.jobFlags().contains(PREEMPTOR))
                || policy.groups().values().stream()
                        .anyMatch(group -> group.jobFlags().contains(PREEMPTOR))
                || policy.accounts().values().stream()
                        .anyMatch(account -> account.jobFlags().contains(PREEMPTOR));
    }

    /** Returns whether jobs are preempted at all. */
    public boolean enabled() {
        return enabled;
    }

    /** Returns whether there may be jobs that preempt others by their flags. */
    public boolean on() {
        return on;
    }

    /** Returns whether {@code job} may preempt others. */
    public boolean isPreemptor(Job job) {
        return on && flagged(job, PREEMPTOR);
    }

    /** Returns whether {@code job}, which runs, may be preempted. */
    public boolean isPreemptee(Job job) {
        return on
                && (flagged(job, PREEMPTEE)
                        || isListed(job.request().options().flags())
                        || (job.backfilled() && policy.backfill().policy() == BackfillPolicy.PREEMPT));
    }

    private static boolean isListed(List<String> flags) {
        for (String flag : flags) {
            if (flag.equalsIgnoreCase(PREEMPTEE)) {
                return true;
            }
        }
        return false;
    }

    private boolean flagged(Job job, String flag) {
        JobCredentials credentials = job.request().credentials();
        return policy.qos(job.qos()).flags().contains(flag)
                || policy.jobClass(credentials.jobClass()).jobFlags().contains(flag)
                || policy.user(credentials.user()).jobFlags().contains(flag)
                || policy.group(credentials.group()).jobFlags().contains(flag)
                || policy.account(credentials.account()).jobFlags().contains(flag);
    }
}
