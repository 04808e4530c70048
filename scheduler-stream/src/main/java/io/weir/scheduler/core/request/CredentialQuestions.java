package io.weir.scheduler.core.request;

import io.weir.scheduler.core.category.CategorySums;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.job.FairshareTarget;
import io.weir.scheduler.core.priority.CredentialKind;
import io.weir.scheduler.core.priority.CredentialPolicy;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.statistics.CredentialUse;
import io.weir.scheduler.core.statistics.JobTotals;
import io.weir.schemas.NameValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/**
 * Answers what the jobs of credentials did: {@code total}, all jobs together, and with {@code kind} one row for the
 * credential that is named, or {@code ALL} of that kind. A label of NODECATCREDLIST is a credential of each kind: a row
 * {@code credit} says what node time was charged to it. Each is a row of {@code key=value}; times are in seconds.
 */
final class CredentialQuestions {
    /** Asks for all credentials of a kind, or about none. */
    private static final String ALL = "ALL";

    /** Credentials that one answer tells of. */
    private static final int MOST_ROWS = 1_000;

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;

    CredentialQuestions(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
    }

    /** Answers, and returns what that cost, in looks at nodes. */
    long answer(AuthorisedRequest request) {
        CredentialKind kind = request.form().choice("kind", CredentialKind.class);
        boolean every = request.objectId().equalsIgnoreCase(ALL);
        if (kind == null && !every) {
            outputs.refused(request, "kind is missing; user, group, account, qos or class is needed with a name");
            return 1;
        }
        List<Job> active = List.copyOf(state.jobs.active());
        List<NameValue> rows = new ArrayList<>();
        NameValue total = row("total", state.statistics.all(active, now));
        rows.add(new NameValue(
                total.getName(), total.getValue() + " upProcSeconds=" + state.statistics.upProcSeconds(now)));
        if (kind == null) {
            outputs.answered(request, "all jobs", rows);
            return 1L + active.size();
        }
        String called = kind.name().toLowerCase(Locale.ROOT);
        SortedMap<String, CredentialUse> uses = state.statistics.of(kind, active, now);
        long cost = 1L + active.size() + uses.size();
        SortedMap<String, CategorySums.Amount> credits = state.categories.credits(now);
        if (!every) {
            CredentialUse use = uses.get(request.objectId());
            CategorySums.Amount credit = credits.get(request.objectId());
            if (use != null && !use.name().isEmpty()) {
                rows.add(row(kind, use));
            }
            if (credit != null) {
                rows.add(credit(request.objectId(), credit));
            }
            if (rows.size() == 1) {
                outputs.refused(
                        request,
                        "no job of " + called + " " + request.objectId() + " ran since " + since()
                                + (uses.containsKey("") ? ", or it counts with the others" : ""));
            } else {
                outputs.answered(request, called + " " + request.objectId(), rows);
            }
            return cost;
        }
        all(kind, uses, rows);
        credits.forEach((label, credit) -> rows.add(credit(label, credit)));
        outputs.answered(request, uses.size() + " rows by " + called, rows);
        return cost;
    }

    /** Adds a row for each credential, that of most use first, and one for the others of the kind. */
    private void all(CredentialKind kind, SortedMap<String, CredentialUse> uses, List<NameValue> rows) {
        List<CredentialUse> named = new ArrayList<>(uses.tailMap("\0").values());
        named.sort(
                Comparator.comparingLong(CredentialUse::procSeconds).reversed().thenComparing(CredentialUse::name));
        named.stream().limit(MOST_ROWS).forEach(use -> rows.add(row(kind, use)));
        CredentialUse others = uses.get("");
        if (others != null) {
            rows.add(row("others", others));
        }
        if (named.size() > MOST_ROWS) {
            rows.add(new NameValue(
                    "line", "… and " + (named.size() - MOST_ROWS) + " more with less use; name one to see it"));
        }
    }

    /** Nodes are followed since another instant than jobs: statistics of usage may be cleared. */
    private NameValue credit(String label, CategorySums.Amount credit) {
        return new NameValue(
                "credit",
                "label=" + label + " since="
                        + Instant.ofEpochSecond(state.categories.sums().since()) + " nodeSeconds="
                        + credit.nodeSeconds() + " procSeconds=" + credit.procSeconds());
    }

    private Instant since() {
        return Instant.ofEpochSecond(Math.max(0, state.statistics.since()));
    }

    /** Returns the row of a credential, with {@code fsTarget}, FSTARGET as it is configured, where there is one. */
    private NameValue row(CredentialKind kind, CredentialUse use) {
        NameValue row = row(kind.name().toLowerCase(Locale.ROOT) + " " + use.name(), use);
        FairshareTarget target = new CredentialPolicy(state.domain.policy).target(kind, use.name());
        return target == null ? row : new NameValue(row.getName(), row.getValue() + " fsTarget=" + target.text());
    }

    private NameValue row(String name, CredentialUse use) {
        JobTotals totals = use.totals();
        return new NameValue(
                name,
                "since=" + since()
                        + " activeJobs=" + use.activeJobs()
                        + " activeProcs=" + use.activeProcs()
                        + " started=" + totals.started()
                        + " ended=" + totals.ended()
                        + " succeeded=" + totals.succeeded()
                        + " procSeconds=" + use.procSeconds()
                        + " requestedProcSeconds=" + totals.requestedProcSeconds()
                        + " averageQueueSeconds=" + totals.averageQueueSeconds()
                        + " longestQueueSeconds=" + totals.longestQueueSeconds()
                        + " averageExpansionMillis=" + totals.averageExpansionMillis()
                        + " largestExpansionMillis=" + totals.largestExpansionMillis()
                        + " usedSeconds=" + totals.usedSeconds()
                        + " limitSeconds=" + totals.limitSeconds());
    }
}
