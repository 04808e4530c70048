package io.weir.scheduler.core.category;

import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeEvent;
import io.weir.scheduler.core.node.ReportedCategory;
import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.scheduler.core.policy.node.CategorySettings;
import io.weir.schemas.CategorySource;
import io.weir.schemas.NodeState;
import io.weir.schemas.bound.Bound;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Derives the category of a node from what is known of it at one instant. What people said comes first: the subtype of an
 * active reservation, then a category given by an operator or the resource manager. Then a failure, its cause found in the
 * texts about the node; then jobs and what reservations stand for. Owned by one thread.
 */
public final class NodeCategorizer {
    /** Texts about a node that are looked at. */
    private static final int MOST_TEXTS = 32;

    /** What reservations stand for by their kind. */
    private static final Set<NodeCategory> KINDS = Collections.unmodifiableSet(EnumSet.of(
            NodeCategory.PERSONAL_RESERVATION,
            NodeCategory.STANDING_RESERVATION,
            NodeCategory.USER_RESERVATION,
            NodeCategory.JOB_RESERVATION));

    private static final Bound.Prose CAUSE = new Bound.Prose(256, true);

    private final CauseRules rules;

    /** Prepares to derive by {@code settings}. */
    public NodeCategorizer(CategorySettings settings) {
        rules = new CauseRules(settings);
    }

    /**
     * Returns the category of {@code node}, on which jobs are active if {@code busy}, and on which the reservations of
     * {@code claims}, in any order, are active.
     */
    public CategoryFinding of(Node node, boolean busy, Collection<ReservationClaim> claims) {
        List<ReservationClaim> sorted = new ArrayList<>(claims);
        sorted.sort(ReservationClaim.EARLIEST);
        CategoryFinding found = subtype(sorted);
        if (found == null) {
            found = explicit(node);
        }
        if (found == null) {
            found = failure(node);
        }
        if (found == null) {
            found = lowest(sorted, true, KINDS::contains);
        }
        if (found == null && healthy(node)) {
            found = working(busy, sorted);
        }
        return found != null
                ? found
                : CategoryFinding.of(NodeCategory.OTHER, CategorySource.STATE, described(node, sorted));
    }

    private static @Nullable CategoryFinding subtype(List<ReservationClaim> claims) {
        CategoryFinding ranked = lowest(claims, true, NodeCategorizer::leads);
        return ranked != null
                ? ranked
                : lowest(claims, true, category -> !leads(category) && !KINDS.contains(category));
    }

    /** Returns whether a subtype ranks before all others. */
    private static boolean leads(NodeCategory category) {
        return category.compareTo(NodeCategory.SITE8) <= 0;
    }

    private interface Choice {
        boolean takes(NodeCategory category);
    }

    /** Returns the category of lowest rank that some claim stands for; of several of one rank, that of the earliest. */
    private static @Nullable CategoryFinding lowest(List<ReservationClaim> claims, boolean explicit, Choice choice) {
        NodeCategory first = null;
        ReservationClaim by = null;
        for (ReservationClaim claim : claims) {
            NodeCategory category = explicit ? claim.subtype() : claim.kind();
            if (category != null && choice.takes(category) && (first == null || rank(category) < rank(first))) {
                first = category;
                by = claim;
            }
        }
        return first == null || by == null
                ? null
                : CategoryFinding.of(
                        first, CategorySource.RESERVATION, cut((explicit ? "subtype of " : "") + by.described()));
    }

    /** Returns the rank among categories that reservations may have; those with one rank are equals. */
    private static int rank(NodeCategory category) {
        return switch (category) {
            case EMERGENCY_MAINTENANCE -> 1;
            case HARDWARE_MAINTENANCE -> 2;
            case SOFTWARE_MAINTENANCE -> 3;
            case BENCHMARK -> 4;
            case SITE1, SITE2, SITE3, SITE4, SITE5, SITE6, SITE7, SITE8 -> 5;
            case HARDWARE_FAILURE,
                    NETWORK_FAILURE,
                    STORAGE_FAILURE,
                    SOFTWARE_FAILURE,
                    BATCH_FAILURE,
                    OTHER_FAILURE,
                    ACTIVE,
                    IDLE,
                    OTHER -> 6;
            case PERSONAL_RESERVATION -> 13;
            case STANDING_RESERVATION -> 14;
            case USER_RESERVATION -> 15;
            case JOB_RESERVATION -> 16;
        };
    }

    private static @Nullable CategoryFinding explicit(Node node) {
        String marked = node.annotations().category();
        NodeCategory byOperator = marked == null ? null : NodeCategory.of(marked);
        if (byOperator != null) {
            return CategoryFinding.of(byOperator, CategorySource.OPERATOR, "set by an operator");
        }
        String variable = node.attributes().variables().get(ReportedCategory.VARIABLE);
        NodeCategory byVariable = variable == null ? null : NodeCategory.of(variable);
        if (byVariable != null) {
            boolean operators = node.annotations().named().variables().containsKey(ReportedCategory.VARIABLE);
            return CategoryFinding.of(
                    byVariable,
                    operators ? CategorySource.OPERATOR : CategorySource.RESOURCE_MANAGER,
                    "variable " + ReportedCategory.VARIABLE);
        }
        String reported = node.attributes().category();
        NodeCategory byResourceManager = reported == null ? null : NodeCategory.of(reported);
        return byResourceManager == null
                ? null
                : CategoryFinding.of(
                        byResourceManager, CategorySource.RESOURCE_MANAGER, "reported by the resource manager");
    }

    /** Returns the failure of a node that is down or whose health is reported as bad; null for none. */
    private @Nullable CategoryFinding failure(Node node) {
        boolean down = node.state() == NodeState.DOWN;
        String reason = node.reason();
        if (down && reason != null && reason.startsWith(Node.NOT_REPORTING)) {
            return CategoryFinding.of(NodeCategory.BATCH_FAILURE, CategorySource.SILENCE, cut(reason));
        }
        CategoryFinding worst = null;
        String unexplained = null;
        for (String text : texts(node)) {
            if (down || Node.isError(text)) {
                Optional<CauseRules.Verdict> verdict = rules.judge(text);
                if (verdict.isPresent()) {
                    NodeCategory category = verdict.get().category();
                    if (worst == null || category.compareTo(worst.category()) < 0) {
                        worst = new CategoryFinding(
                                category,
                                CategorySource.RULE,
                                cut(text),
                                verdict.get().rule());
                    }
                } else if (unexplained == null) {
                    unexplained = text;
                }
            }
        }
        if (worst != null || (!down && unexplained == null)) {
            return worst;
        }
        return CategoryFinding.of(
                NodeCategory.OTHER_FAILURE,
                CategorySource.STATE,
                cut((down ? "down" : "")
                        + (down && unexplained != null ? ": " : "")
                        + (unexplained == null ? "" : unexplained)));
    }

    /** Returns what is said about a node, the reason for its state first. */
    private static List<String> texts(Node node) {
        List<String> texts = new ArrayList<>();
        String reason = node.reason();
        if (reason != null && !reason.isBlank()) {
            texts.add(reason);
        }
        for (String message : node.attributes().messages()) {
            if (texts.size() < MOST_TEXTS && !ReportedCategory.isWarning(message)) {
                texts.add(message);
            }
        }
        for (NodeEvent event : node.eventHistory().events().values()) {
            // That a node went down, or failed, is no cause of it; its text is the reason again.
            if (event.active() && !Node.isStateEvent(event.name()) && texts.size() < MOST_TEXTS) {
                texts.add(event.text().isEmpty() ? event.name() : event.text());
            }
        }
        return texts;
    }

    private static boolean healthy(Node node) {
        boolean up = switch (node.state()) {
            case IDLE, RUNNING, BUSY -> true;
            case UNKNOWN, DRAINING, DRAINED, DOWN, REMOVED -> false;
        };
        return up && !node.isFailing() && node.attributes().powered();
    }

    private static @Nullable CategoryFinding working(boolean busy, List<ReservationClaim> claims) {
        if (busy) {
            return CategoryFinding.of(NodeCategory.ACTIVE, CategorySource.JOBS, "jobs run on it");
        }
        if (claims.isEmpty()) {
            return CategoryFinding.of(NodeCategory.IDLE, CategorySource.STATE, "nothing runs on it");
        }
        return lowest(claims, false, category -> true);
    }

    private static String described(Node node, List<ReservationClaim> claims) {
        if (healthy(node) && !claims.isEmpty()) {
            return cut(claims.get(0).described());
        }
        String state =
                node.isFailing() ? "failing" : node.attributes().powered() ? "state " + node.state() : "switched off";
        String reason = node.isFailing() ? node.failingReason() : node.reason();
        return cut(reason == null || reason.isBlank() ? state : state + ": " + reason);
    }

    private static String cut(String text) {
        return CAUSE.cut(text);
    }
}
