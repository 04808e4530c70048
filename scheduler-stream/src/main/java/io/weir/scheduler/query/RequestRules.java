package io.weir.scheduler.query;

import io.weir.schemas.JobStatus;
import io.weir.schemas.NameValue;
import io.weir.schemas.Request;
import io.weir.schemas.ReservationStatus;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which level a request or a view needs. Who asks about a job of their own needs none; what makes sense is for the
 * scheduler to say.
 */
final class RequestRules {
    private static final List<String> ANYONES_VIEWS =
            List.of("queue", "reservations", "jobs", "explanations", "waits", "scheduler");

    private final ClusterImage image;
    private final String cluster;
    private final SiteAccess access;

    RequestRules(ClusterImage image, String cluster) {
        this.image = image;
        this.cluster = cluster;
        this.access = SiteAccess.of(image.policyText(cluster));
    }

    AccessLevel level(Principal principal) {
        return access.level(principal);
    }

    /** Refuses a view that {@code principal} may not see. */
    void checkView(Principal principal, String view, String id) {
        AccessLevel level = level(principal);
        if (view.equals("policy")) {
            need(AccessLevel.AUDITOR, level, principal, "reading the configuration");
        } else if (!ANYONES_VIEWS.contains(view)) {
            need(AccessLevel.HELP_DESK, level, principal, "reading " + view);
        } else if ((view.equals("jobs") || view.equals("explanations")) && !id.isEmpty() && !owns(principal, id)) {
            need(AccessLevel.HELP_DESK, level, principal, "reading job " + id + ", which is someone else's,");
        }
    }

    /** Says whether {@code principal} sees only what is its own. */
    boolean seesOwnOnly(Principal principal) {
        return level(principal) == AccessLevel.USER;
    }

    /** Refuses a request that {@code principal} may not make. */
    void checkRequest(Principal principal, Request request) {
        AccessLevel level = level(principal);
        String what = request.getKind() + " on " + request.getObjectId();
        switch (request.getKind()) {
            case SHOW_BACKFILL -> {}
            case EXPLAIN_JOB, SHOW_START -> {
                if (known(request.getObjectId()) && !owns(principal, request.getObjectId())) {
                    need(AccessLevel.HELP_DESK, level, principal, what);
                }
            }
            case SHOW_PRIORITY, SHOW_NODE -> need(AccessLevel.HELP_DESK, level, principal, what);
            case CANCEL_JOB -> needUnlessOwn(AccessLevel.HELP_DESK, level, principal, request);
            case HOLD_JOB, RELEASE_JOB -> {
                if (owns(principal, request.getObjectId()) && level == AccessLevel.USER && !isUserHold(request)) {
                    need(AccessLevel.HELP_DESK, level, principal, what + " other than a user hold");
                }
                needUnlessOwn(AccessLevel.HELP_DESK, level, principal, request);
            }
            case REQUEUE_JOB, MODIFY_JOB, SIGNAL_JOB -> needUnlessOwn(AccessLevel.OPERATOR, level, principal, request);
            case SET_JOB_PRIORITY, SUSPEND_JOB, RESUME_JOB, MODIFY_NODE, ENABLE_RESERVATION, REBUILD_RESERVATION ->
                need(AccessLevel.OPERATOR, level, principal, what);
            case CREATE_RESERVATION, MODIFY_RESERVATION, RELEASE_RESERVATION ->
                reservation(level, principal, request, what);
            case CONTROL_SCHEDULER ->
                need(
                        isMessage(request) ? AccessLevel.OPERATOR : AccessLevel.ADMINISTRATOR,
                        level,
                        principal,
                        what + " (" + argument(request, "action") + ")");
            case MODIFY_CONFIG -> need(AccessLevel.ADMINISTRATOR, level, principal, what);
            case UNKNOWN -> throw new ApiException(ApiException.BAD_REQUEST, "kind is not one a request can have");
        }
    }

    /** Refuses a configuration that {@code principal} may not put in force. */
    void checkPolicy(Principal principal) {
        need(AccessLevel.ADMINISTRATOR, level(principal), principal, "changing the configuration");
    }

    private void reservation(AccessLevel level, Principal principal, Request request, String what) {
        if (argument(request, "accountable") != null) {
            need(AccessLevel.ADMINISTRATOR, level, principal, what + " with accountable credentials");
        }
        boolean own = access.usersReserve()
                && switch (request.getKind()) {
                    case CREATE_RESERVATION -> true;
                    default -> ownsReservation(principal, request.getObjectId());
                };
        if (!own) {
            need(AccessLevel.OPERATOR, level, principal, what);
        }
    }

    private void needUnlessOwn(AccessLevel least, AccessLevel level, Principal principal, Request request) {
        if (!owns(principal, request.getObjectId())) {
            // Level 3 stands above 4 and only reads.
            AccessLevel acting = level == AccessLevel.AUDITOR ? AccessLevel.USER : level;
            String what = request.getKind() + " on job " + request.getObjectId();
            if (!acting.reaches(least)) {
                throw refusal(least, level, principal, what);
            }
        }
    }

    private static void need(AccessLevel least, AccessLevel level, Principal principal, String what) {
        if (!level.reaches(least)) {
            throw refusal(least, level, principal, what);
        }
    }

    private static ApiException refusal(AccessLevel least, AccessLevel level, Principal principal, String what) {
        return new ApiException(
                ApiException.FORBIDDEN,
                what + " needs level " + least.label() + "; " + principal.name() + " has "
                        + (level == AccessLevel.USER ? "none" : "level " + level.label())
                        + " (ADMINCFG and api.tokens.file give levels)");
    }

    private boolean known(String jobId) {
        return ClusterImage.find(cluster, jobId, image.jobs()) != null;
    }

    private boolean owns(Principal principal, String jobId) {
        JobStatus job = ClusterImage.find(cluster, jobId, image.jobs());
        return job != null && principal.name().equals(job.getUser());
    }

    private boolean ownsReservation(Principal principal, String id) {
        ReservationStatus reservation = ClusterImage.find(cluster, id, image.reservations());
        return reservation != null && isOwner(principal, reservation);
    }

    private static boolean isOwner(Principal principal, ReservationStatus reservation) {
        String owner = reservation.getOwner();
        return owner != null && owner.equalsIgnoreCase("USER:" + principal.name());
    }

    private static boolean isMessage(Request request) {
        String action = argument(request, "action");
        return action != null && action.endsWith("message");
    }

    private static boolean isUserHold(Request request) {
        String type = argument(request, "type");
        return type == null || type.toUpperCase(Locale.ROOT).equals("USER");
    }

    private static @Nullable String argument(Request request, String name) {
        Optional<NameValue> found = request.getArguments().stream()
                .filter(argument -> argument.getName().equals(name))
                .findFirst();
        return found.isEmpty() ? null : found.get().getValue();
    }
}
