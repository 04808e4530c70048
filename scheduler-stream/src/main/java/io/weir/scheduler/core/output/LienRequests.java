package io.weir.scheduler.core.output;

import io.weir.scheduler.core.charge.Lien;
import io.weir.scheduler.core.charge.LienAmount;
import io.weir.scheduler.core.charge.LienTable;
import io.weir.scheduler.core.job.Hold;
import io.weir.scheduler.core.job.Impossibility;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.scheduler.Funds;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.policy.scheduler.SchedulerSettings;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.NameValue;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Severity;
import io.weir.schemas.TriggerFiring;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asks the allocation manager, before a job starts, to set aside what it will cost, where FALLBACKACCOUNT or
 * DEFERJOBONFAILURE of AMCFG say what is done when it refuses. A question is an action that the notifier carries out, its
 * answer a fact; between the two the job keeps the nodes that it would have. Serves one iteration.
 */
public final class LienRequests {
    /** Type of the action that asks. */
    public static final String LIEN = "lien";

    /** Event that says that nothing can be heard of the allocation manager. */
    private static final String FAILURE = "amfailure";

    /** How much longer than its own time the allocation manager is waited for, seconds: its answer has a way to go. */
    private static final long GRACE_SECONDS = 30;

    /** Questions that may be open at a time; others wait. */
    private static final int MOST_OPEN = 1_000;

    /** The shortest time for which a job is deferred, seconds. */
    private static final long SHORTEST_DEFERRAL = 60;

    private static final int THOUSANDTHS = 3;
    private static final int LONGEST_ID = 256;

    private final ClusterState state;
    private final LienTable liens;
    private final IterationOutputs outputs;
    private final long now;

    /** Jobs of which nothing was heard in this iteration. */
    private final List<String> unheard = new ArrayList<>();

    /** For an iteration at {@code now}, epoch seconds. */
    public LienRequests(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.liens = state.liens;
        this.outputs = outputs;
        this.now = now;
    }

    /** Takes an answer, the first to a question that is open; returns whether it is one. */
    public static boolean answer(ClusterState state, DeliveryResult result) {
        Lien lien = state.liens.asking(result.getDeliveryId());
        if (lien == null) {
            return false;
        }
        Lien.State outcome = result.getOutcome() == DeliveryOutcome.DELIVERED
                ? Lien.State.GRANTED
                : result.getOutcome() == DeliveryOutcome.FAILED ? Lien.State.REFUSED : Lien.State.UNANSWERED;
        String said = result.getMessage();
        String words = outcome == Lien.State.UNANSWERED
                ? result.getOutcome() + (said == null ? "" : ": " + said)
                : said == null ? "" : said;
        state.liens.put(lien.answered(outcome, words, Math.max(state.clock, state.domain.now())));
        state.replan();
        return true;
    }

    /** Returns until when the first open question is waited for; {@link Job#NONE} when there is none. */
    public static long nextExpiry(ClusterState state) {
        long next = Job.NONE;
        if (state.liens.open() > 0) {
            for (Lien lien : state.liens.all()) {
                if (lien.state() == Lien.State.ASKED) {
                    next = next == Job.NONE ? lien.until() : Math.min(next, lien.until());
                }
            }
        }
        return next;
    }

    private Funds funds() {
        return state.domain.policy.charging().funds();
    }

    /** Does what the answers ask for, and forgets what no job waits for any more. */
    public void settle() {
        for (Lien lien : liens.all()) {
            state.work.on(QuarantineKind.JOB, lien.jobId());
            Job job = state.jobs.get(lien.jobId());
            if (job == null || !job.waiting() || !funds().asks()) {
                liens.remove(lien.jobId());
            } else {
                settle(lien, job);
            }
        }
        state.work.onNothing();
        if (!unheard.isEmpty()) {
            state.domain.notice(
                    Severity.WARNING,
                    FAILURE,
                    "scheduler",
                    state.cluster,
                    "the allocation manager does not say whether " + unheard.size() + " jobs can be paid for, such as "
                            + unheard.get(0) + "; they "
                            + (funds().defers() ? "are deferred" : "start at the cost of their own accounts")
                            + ". Set up action.lien.* in the notifier, and see that it can reach the allocation manager");
        }
    }

    private void settle(Lien lien, Job job) {
        boolean over = lien.until() <= now;
        switch (lien.state()) {
            case ASKED -> {
                if (over) {
                    unanswered(lien.answered(Lien.State.UNANSWERED, "no answer came in time", now), job);
                }
            }
            case GRANTED -> {
                if (over) {
                    liens.remove(job.id());
                }
            }
            case UNANSWERED -> unanswered(lien, job);
            case REFUSED -> refused(lien, job);
        }
    }

    private void unanswered(Lien lien, Job job) {
        state.replan();
        unheard.add(job.id() + " (" + lien.said() + ")");
        if (funds().defers()) {
            // That is not the job's fault: however often it happens, the job is not held.
            defer(lien, job, Integer.MAX_VALUE, "the allocation manager does not answer");
        } else {
            liens.put(lien.waived(lien.account(), now));
        }
    }

    private void refused(Lien lien, Job job) {
        state.replan();
        String fallback = funds().fallbackAccount();
        String payer = lien.account() == null ? "nobody" : "account " + lien.account();
        if (fallback != null && !fallback.equals(lien.account())) {
            String why = payer + " cannot pay for it, " + fallback + " is to: " + lien.said();
            state.emit(job.edit().ordered(job.overrides().account(fallback)).message(why));
            outputs.decision(DecisionKind.MODIFY, job, Job.NONE, Job.NONE, why);
            if (funds().defers()) {
                liens.remove(job.id());
            } else {
                liens.put(lien.waived(fallback, now));
            }
        } else if (funds().defers()) {
            defer(
                    lien,
                    job,
                    state.domain.policy.scheduler().deferCount(),
                    "the allocation manager refuses, " + payer + " cannot pay for it");
        } else {
            liens.put(lien.waived(lien.account(), now));
        }
    }

    private void defer(Lien lien, Job job, int most, String why) {
        liens.remove(job.id());
        SchedulerSettings scheduler = state.domain.policy.scheduler();
        long again = now + Math.max(SHORTEST_DEFERRAL, scheduler.deferSeconds());
        String reason = why + (lien.said().isEmpty() ? "" : ": " + lien.said());
        JobEdit edit = Impossibility.withdrawn(job.edit()).message(reason).deferred(again, most);
        state.emit(edit);
        boolean held = edit.holds().contains(Hold.BATCH);
        outputs.decision(
                held ? DecisionKind.HOLD : DecisionKind.DEFER,
                job,
                held ? Job.NONE : again,
                Job.NONE,
                reason + (held ? "; deferred too often" : ""));
        state.domain.notice(
                Severity.WARNING,
                held ? "jobhold" : "jobdefer",
                "job",
                job.id(),
                "job " + job.id() + (held ? " held: " : " deferred: ") + reason);
    }

    /**
     * Returns whether {@code job}, which fits now, has to wait for the allocation manager, who is asked if need be.
     *
     * @param shares where it would start; empty where processors are only counted
     */
    public boolean awaits(Job job, List<TaskShare> shares) {
        if (!funds().asks() || state.domain.policy.scheduler().mode() == Mode.MONITOR) {
            return false;
        }
        Lien known = liens.get(job.id());
        if (known != null && Objects.equals(known.account(), account(job))) {
            return known.state() != Lien.State.GRANTED;
        }
        if (known != null) {
            liens.remove(job.id());
        }
        if (liens.open() < MOST_OPEN) {
            ask(job, shares);
        }
        return true;
    }

    private static @Nullable String account(Job job) {
        return job.request().credentials().account();
    }

    private void ask(Job job, List<TaskShare> shares) {
        long seconds = funds().timeoutSeconds();
        JobCredentials credentials = job.request().credentials();
        List<NameValue> said = new ArrayList<>();
        add(said, "account", credentials.account());
        add(said, "user", credentials.user());
        add(said, "group", credentials.group());
        add(said, "qos", job.qos());
        add(said, "class", credentials.jobClass());
        LienAmount amount = LienAmount.of(
                state.domain.policy,
                state.nodes,
                job,
                shares.isEmpty()
                        ? List.of()
                        : state.placement.allocation(job, shares).nodes());
        add(
                said,
                "amount",
                BigDecimal.valueOf(amount.thousandths(), THOUSANDTHS).toPlainString());
        add(said, "unit", "processor-seconds");
        add(said, "tariff", state.domain.policy.charging().policy().name());
        add(said, "processors", Long.toString(amount.procs()));
        add(said, "seconds", Long.toString(job.limitSeconds()));
        String id = LIEN + "@job:" + job.id();
        String firing = outputs.firing(TriggerFiring.newBuilder()
                .setTriggerId(id.length() <= LONGEST_ID ? id : id.substring(0, LONGEST_ID))
                .setActionType(LIEN)
                .setAction("set aside the cost of job " + job.id())
                .setObjectType("job")
                .setObjectId(job.id())
                .setTimeoutMillis(seconds * 1_000)
                .setExpires(Instant.ofEpochSecond(now + seconds))
                .setSettings(said)
                .setSeverity(Severity.INFO)
                .setEvent(LIEN)
                .setOwner(credentials.user()));
        liens.put(
                new Lien(job.id(), credentials.account(), firing, now + seconds + GRACE_SECONDS, Lien.State.ASKED, ""));
    }

    private static void add(List<NameValue> said, String name, @Nullable String value) {
        if (value != null) {
            said.add(new NameValue(name, value));
        }
    }
}
