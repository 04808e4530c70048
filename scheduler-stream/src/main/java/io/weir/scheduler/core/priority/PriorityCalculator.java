package io.weir.scheduler.core.priority;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobRanking;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.job.AccrualPolicy;
import io.weir.scheduler.core.policy.job.FairshareTarget;
import io.weir.scheduler.core.policy.job.PrioritySettings;
import io.weir.scheduler.core.policy.job.PriorityWeight;
import io.weir.scheduler.core.policy.job.QosConfig;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Works out job priorities under one policy on a cluster of one size. A priority is the sum of weighted terms, each exact
 * to a millionth; the sum is cut toward zero, bounded, and raised to 1 unless the site allows less or the job's owner puts it
 * behind others. A priority set by an administrator ranks above all of them.
 *
 * <p>What does not change with time is summed up once per version of a job, and fairshare once per credential and
 * instant, so that ranking a job costs a few additions.
 */
public final class PriorityCalculator implements JobRanking {
    /** No computed priority is further from 0. */
    public static final long BOUND = 1_000_000_000;

    /** So many shares are kept whoever has them. */
    private static final int LEAST_SHARES = 1_000;

    /** Rank of system priority 0. */
    private static final long SYSTEM = 1L << 40;

    private final PrioritySettings settings;
    private final CredentialPolicy credentials;
    private final ClusterCapacity capacity;
    private final FairshareLedger ledger;
    private final TermValues values;
    private final PriorityTerm[] terms = PriorityTerm.values();

    /** Weight of each term within its component. */
    private final EnumMap<PriorityTerm, Long> termWeights = new EnumMap<>(PriorityTerm.class);

    private final EnumMap<PriorityComponent, Long> componentWeights = new EnumMap<>(PriorityComponent.class);

    private final boolean uniform;
    private final boolean sized;
    private final boolean credentialsWeigh;
    private final boolean resourcesWeigh;
    private final boolean targetsWeigh;

    /** Weights for jobs without a quality of service. */
    private final long plainQueueWeight;

    private final long plainXfactorWeight;
    private final boolean fairshare;

    /** By kind and name of a credential, those of the waiting jobs, and some that no job has asked for lately. */
    private final SortedMap<String, Share> shares = new TreeMap<>();

    /** Counts what was charged to the ledger. */
    private long charges;

    /** So many shares are kept before those that no waiting job has are dropped. */
    private int mostShares = LEAST_SHARES;

    /** Prepares for {@code policy} on a cluster of {@code capacity}. */
    public PriorityCalculator(SitePolicy policy, ClusterCapacity capacity, FairshareLedger ledger) {
        this.settings = policy.priority();
        this.credentials = new CredentialPolicy(policy);
        this.capacity = capacity;
        this.ledger = ledger;
        for (PriorityTerm term : terms) {
            termWeights.put(term, settings.weight(term.weight()));
            componentWeights.put(
                    term.component(), settings.weight(term.component().weight()));
        }
        this.values = new TermValues(settings, credentials, capacity, ledger);
        this.sized = weight(PriorityTerm.PROC_EQUIVALENTS) != 0;
        this.credentialsWeigh = weighs(PriorityComponent.CRED);
        this.resourcesWeigh = weighs(PriorityComponent.RES);
        this.targetsWeigh = weighs(PriorityComponent.TARGET);
        this.plainQueueWeight = outerWeight(PriorityTerm.QUEUE_TIME, QosConfig.NONE);
        this.plainXfactorWeight = outerWeight(PriorityTerm.XFACTOR, QosConfig.NONE);
        this.fairshare = policy.fairshare().enabled() && weighs(PriorityComponent.FS);
        this.uniform = !fairshare && onlyQueueTimeCounts(policy);
    }

    /** Returns whether the size of the cluster matters for any rank. */
    public boolean dependsOnCapacity() {
        return sized;
    }

    /** Returns the size of the cluster it works with. */
    public ClusterCapacity capacity() {
        return capacity;
    }

    @Override
    public boolean uniform() {
        return uniform;
    }

    @Override
    public Standing of(Job job) {
        Integer system = job.systemPriority();
        if (system != null) {
            long rank = SYSTEM + system;
            return now -> rank;
        }
        return new Timed(job);
    }

    /** Returns the computed priority of {@code job} at {@code now}, whatever an administrator set. */
    public long priority(Job job, long now) {
        return new Timed(job).at(now);
    }

    /** Returns how {@code job} comes by its priority at {@code now}. */
    public PriorityBreakdown breakdown(Job job, long now) {
        List<PriorityBreakdown.Line> lines = new ArrayList<>();
        QosConfig qos = credentials.qos(job.qos());
        for (PriorityTerm term : terms) {
            long weight = innerWeight(term, qos);
            long outer = settings.weight(term.component().weight());
            if (weight != 0 && outer != 0 && shows(term, job)) {
                long value = values.of(term, job, qos, now);
                lines.add(new PriorityBreakdown.Line(
                        term, value, weight, contribution(term, outer * weight, value, job, now)));
            }
        }
        List<PriorityBreakdown.Sum> sums = new ArrayList<>();
        long total = 0;
        for (PriorityComponent component : PriorityComponent.values()) {
            long sum = 0;
            boolean any = false;
            for (PriorityBreakdown.Line line : lines) {
                if (line.term().component() == component) {
                    sum += line.contribution();
                    any = true;
                }
            }
            if (any) {
                sum = capped(component, sum);
                sums.add(new PriorityBreakdown.Sum(component, sum));
                total += sum;
            }
        }
        return new PriorityBreakdown(
                job.id(),
                bounded(total, contribution(PriorityTerm.USER_PRIORITY, job, qos) < 0),
                job.systemPriority(),
                lines,
                sums);
    }

    /** Says whether a term means anything for a job. */
    private static boolean shows(PriorityTerm term, Job job) {
        return switch (term) {
            case CONSUMED -> job.active();
            case USER_PRIORITY -> job.request().options().userPriority() != 0;
            default -> true;
        };
    }

    /** The priority of one version of a job as a function of time. */
    private final class Timed implements Standing {
        private final Job job;
        private final QosConfig qos;
        private final boolean active;
        private final long accrued;
        private final long since;
        private final long length;
        private final long ofOwner;
        private final long fixed;
        private final long queueWeight;
        private final long xfactorWeight;
        private final boolean timedOtherwise;
        private final Share @Nullable [] owned;

        Timed(Job job) {
            this.job = job;
            this.qos = credentials.qos(job.qos());
            this.active = job.active();
            boolean always = settings.accrual() == AccrualPolicy.ALWAYS;
            this.accrued = always ? 0 : job.accruedSeconds();
            this.since = always ? job.request().submit() : job.eligibleSince();
            this.length = values.length(job.request());
            boolean plain = qos.equals(QosConfig.NONE);
            this.queueWeight = plain ? plainQueueWeight : outerWeight(PriorityTerm.QUEUE_TIME, qos);
            this.xfactorWeight = plain ? plainXfactorWeight : outerWeight(PriorityTerm.XFACTOR, qos);
            this.ofOwner = contribution(PriorityTerm.USER_PRIORITY, job, qos);
            this.fixed = (credentialsWeigh ? sum(PriorityComponent.CRED, job, qos) : 0)
                    + (resourcesWeigh ? sum(PriorityComponent.RES, job, qos) : 0)
                    + contribution(PriorityTerm.BYPASS, job, qos)
                    + ofOwner;
            this.timedOtherwise = targetsWeigh || (job.active() && outerWeight(PriorityTerm.CONSUMED, qos) != 0);
            this.owned = fairshare ? sharesOf(job) : null;
        }

        @Override
        public long at(long now) {
            long seconds = active
                    ? job.effectiveQueueSeconds(settings.accrual(), now)
                    : accrued + (since == Job.NONE ? 0 : Math.max(0, now - since));
            long sum = fixed;
            if (queueWeight != 0) {
                sum += values.queueTime(queueWeight, seconds);
            }
            if (xfactorWeight != 0) {
                sum += values.xfactor(xfactorWeight, seconds, length);
            }
            if (owned != null) {
                long fs = 0;
                for (Share share : owned) {
                    fs += share.at(now);
                }
                sum += capped(PriorityComponent.FS, fs);
            }
            if (timedOtherwise) {
                sum += timed(PriorityTerm.TARGET_QUEUE_TIME, now)
                        + timed(PriorityTerm.TARGET_XFACTOR, now)
                        + (job.active() ? timed(PriorityTerm.CONSUMED, now) : 0);
            }
            return bounded(sum, ofOwner < 0);
        }

        private long timed(PriorityTerm term, long now) {
            return contribution(term, outerWeight(term, qos), values.of(term, job, qos, now), job, now);
        }
    }

    /** What a credential's fairshare adds to the priority of each of its jobs, before the cap. */
    private final class Share {
        private final CredentialKind kind;
        private final String name;
        private final FairshareTarget target;
        private final long weight;
        private long worked = Job.NONE;

        /** {@link #charges} when it was asked for last. */
        private long asked = -1;

        private long contribution;

        Share(CredentialKind kind, String name, FairshareTarget target, long weight) {
            this.kind = kind;
            this.name = name;
            this.target = target;
            this.weight = weight;
        }

        long at(long now) {
            if (worked != now || asked != charges) {
                contribution = Micros.times(weight, ledger.difference(target, kind, name, now));
                worked = now;
                asked = charges;
            }
            return contribution;
        }
    }

    /**
     * Forgets what was worked out from the ledger; to be called when it was charged, before all waiting jobs are ranked. A share
     * that was not asked for since it was charged the last time is no waiting job's.
     */
    public void charged() {
        if (shares.size() > mostShares) {
            shares.values().removeIf(share -> share.asked < charges);
            mostShares = Math.max(LEAST_SHARES, 2 * shares.size());
        }
        charges++;
    }

    /** Returns how many shares of credentials it keeps. */
    int shares() {
        return shares.size();
    }

    private Share[] sharesOf(Job job) {
        List<Share> owned = new ArrayList<>();
        for (CredentialKind kind : CredentialKind.values()) {
            String name = kind.of(job);
            FairshareTarget target = credentials.target(kind, name);
            long weight = outerWeight(fairshareTerm(kind), QosConfig.NONE);
            if (name != null && target != null && weight != 0) {
                owned.add(shares.computeIfAbsent(kind + "/" + name, id -> new Share(kind, name, target, weight)));
            }
        }
        return owned.toArray(new Share[0]);
    }

    private long sum(PriorityComponent component, Job job, QosConfig qos) {
        long sum = 0;
        for (PriorityTerm term : terms) {
            if (term.component() == component) {
                sum += contribution(term, job, qos);
            }
        }
        return capped(component, sum);
    }

    /** Returns what a term that does not change with time contributes. */
    private long contribution(PriorityTerm term, Job job, QosConfig qos) {
        long weight = outerWeight(term, qos);
        return weight == 0 ? 0 : Micros.times(weight, values.of(term, job, qos, Job.NONE));
    }

    /** Returns what a term contributes at {@code now}; times in the queue are weighted before they are rounded. */
    private long contribution(PriorityTerm term, long weight, long value, Job job, long now) {
        return switch (term) {
            case QUEUE_TIME -> values.queueTime(weight, job.effectiveQueueSeconds(settings.accrual(), now));
            case XFACTOR ->
                values.xfactor(
                        weight, job.effectiveQueueSeconds(settings.accrual(), now), values.length(job.request()));
            case USER,
                    GROUP,
                    ACCOUNT,
                    QOS,
                    CLASS,
                    FS_USER,
                    FS_GROUP,
                    FS_ACCOUNT,
                    FS_QOS,
                    FS_CLASS,
                    NODES,
                    PROCS,
                    MEMORY,
                    SWAP,
                    DISK,
                    PROC_SECONDS,
                    PROC_EQUIVALENTS,
                    WALLTIME,
                    BYPASS,
                    USER_PRIORITY,
                    TARGET_QUEUE_TIME,
                    TARGET_XFACTOR,
                    CONSUMED -> Micros.times(weight, value);
        };
    }

    /** Returns the weight of a term within its component, that of the quality of service included. */
    private long innerWeight(PriorityTerm term, QosConfig qos) {
        long own = term == PriorityTerm.QUEUE_TIME
                ? qos.queueTimeWeight()
                : term == PriorityTerm.XFACTOR ? qos.xfactorWeight() : 0;
        return term == PriorityTerm.CONSUMED ? 1 : weight(term) + own;
    }

    private long outerWeight(PriorityTerm term, QosConfig qos) {
        return componentWeights.getOrDefault(term.component(), 0L) * innerWeight(term, qos);
    }

    private long weight(PriorityTerm term) {
        return termWeights.getOrDefault(term, 0L);
    }

    private boolean weighs(PriorityComponent component) {
        boolean any = false;
        for (PriorityTerm term : terms) {
            any |= term.component() == component && weight(term) != 0;
        }
        return any && settings.weight(component.weight()) != 0;
    }

    /** Bounds the sum of a component; the cap is on the sum before the component's weight. */
    private long capped(PriorityComponent component, long contribution) {
        double cap = component == PriorityComponent.RES
                ? settings.resourceCap()
                : component == PriorityComponent.FS ? settings.fairshareCap() : 0;
        if (cap <= 0) {
            return contribution;
        }
        long most = Math.abs(Micros.times(settings.weight(component.weight()), Micros.of(cap)));
        return Math.max(-most, Math.min(most, contribution));
    }

    private long bounded(long micros, boolean putBehind) {
        long priority = Math.max(-BOUND, Math.min(BOUND, micros / Micros.ONE));
        return settings.negative() || putBehind ? priority : Math.max(1, priority);
    }

    /** Says whether an older ordinary job never ranks below a younger one, whoever they belong to. */
    private boolean onlyQueueTimeCounts(SitePolicy policy) {
        for (PriorityTerm term : terms) {
            boolean harmless = term == PriorityTerm.QUEUE_TIME
                    || term == PriorityTerm.USER_PRIORITY
                    || term.component() == PriorityComponent.FS
                    || term.component() == PriorityComponent.USAGE
                    || term.component() == PriorityComponent.CRED
                    || (term.component() == PriorityComponent.TARGET && noTargets(policy));
            if (!harmless
                    && weight(term) != 0
                    && settings.weight(term.component().weight()) != 0) {
                return false;
            }
        }
        boolean credentialsCount = settings.weight(PriorityWeight.CREDWEIGHT) != 0
                && (policy.users().values().stream().anyMatch(c -> c.priority() != null)
                        || policy.groups().values().stream().anyMatch(c -> c.priority() != null)
                        || policy.accounts().values().stream().anyMatch(c -> c.priority() != null)
                        || policy.qos().values().stream().anyMatch(c -> c.priority() != null)
                        || policy.classes().values().stream().anyMatch(c -> c.priority() != null));
        boolean qosCounts =
                policy.qos().values().stream().anyMatch(c -> c.queueTimeWeight() != 0 || c.xfactorWeight() != 0);
        boolean olderFirst = outerWeight(PriorityTerm.QUEUE_TIME, QosConfig.NONE) >= 0;
        return olderFirst && !credentialsCount && !qosCounts;
    }

    private static boolean noTargets(SitePolicy policy) {
        return policy.qos().values().stream()
                .allMatch(c -> c.queueTimeTargetSeconds() == null && c.xfactorTarget() == null);
    }

    /** Returns the term by which use of a kind of credential counts. */
    private static PriorityTerm fairshareTerm(CredentialKind kind) {
        return switch (kind) {
            case USER -> PriorityTerm.FS_USER;
            case GROUP -> PriorityTerm.FS_GROUP;
            case ACCOUNT -> PriorityTerm.FS_ACCOUNT;
            case QOS -> PriorityTerm.FS_QOS;
            case CLASS -> PriorityTerm.FS_CLASS;
        };
    }
}
