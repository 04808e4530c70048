package io.weir.scheduler.core.request.form;

import io.weir.scheduler.core.priority.CredentialKind;
import io.weir.scheduler.core.request.form.RequestObjects.JobFacts;
import io.weir.schemas.RequestKind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may make which request. The API asks before it passes a request on, the core before it carries it out, by the policy
 * then in force; what the core says counts. Whether a request makes sense is not decided here.
 *
 * <p>Owners of jobs may do with them what their resource manager would let them do, and no more: hold and release by a user
 * hold, cancel, requeue, signal, shorten, and before the start choose nodes and quality of service.
 */
public final class Authorisation {
    /** What an owner may change of a job in any state, beside what is decided one by one. */
    private static final Set<String> OWNERS_CHANGES =
            Set.of("variable", "message", "resfailpolicy", "trigger", "untrigger");

    /** Terms of a reservation that a user may not give, as they reach beyond it. */
    private static final List<String> OPERATORS_TERMS = List.of("owner", "profile", "priority", "subtype", "trigger");

    /** Flags of a reservation that a user may give: they stand behind everything that is there already. */
    private static final Set<String> USERS_FLAGS =
            Set.of("byname", "spaceflex", "singleuse", "timeflex", "besteffort", "exclusive");

    private final SiteAccess access;
    private final RequestObjects objects;

    /** Decides by {@code access} about requests concerning {@code objects}. */
    public Authorisation(SiteAccess access, RequestObjects objects) {
        this.access = access;
        this.objects = objects;
    }

    /** Returns the level of a principal. */
    public AccessLevel level(Principal principal) {
        return access.level(principal);
    }

    /** Says why {@code principal} may not make {@code request}; empty when it may. */
    public Optional<String> refusal(Principal principal, NormalRequest request) {
        AccessLevel level = access.level(principal);
        Need need = need(principal, request);
        AccessLevel counted = RequestSubject.of(request.kind()).isQuestion() ? level : level.acting();
        return counted.reaches(need.level) ? Optional.empty() : Optional.of(need.refusal(principal, level));
    }

    /** The least level something takes. */
    private record Need(AccessLevel level, String what) {
        String refusal(Principal principal, AccessLevel has) {
            return Authorisation.refusal(what, level, principal, has);
        }
    }

    /** Returns the message that {@code what} takes more than the level {@code principal} has. */
    public static String refusal(String what, AccessLevel needed, Principal principal, AccessLevel has) {
        return what + " needs level " + needed.label() + "; " + principal.name() + " has "
                + (has == AccessLevel.USER ? "none" : "level " + has.label())
                + " (ADMINCFG and api.tokens.file give levels)";
    }

    private Need need(Principal principal, NormalRequest request) {
        boolean ofJob = request.kind().name().contains("JOB");
        String what = request.kind() + (ofJob ? " on job " : " on ") + request.objectId();
        JobFacts job = objects.job(request.objectId());
        boolean own = job != null && principal.name().equals(job.user());
        AccessLevel read = own ? AccessLevel.USER : AccessLevel.HELP_DESK;
        return switch (request.kind()) {
            case SHOW_BACKFILL -> new Need(AccessLevel.USER, what);
            case EXPLAIN_JOB, SHOW_START -> new Need(job == null ? AccessLevel.USER : read, what);
            case SHOW_PRIORITY, SHOW_NODE, SHOW_NODE_STATISTICS, SHOW_TRIGGERS, SHOW_EVENTS ->
                new Need(AccessLevel.HELP_DESK, what);
            case SHOW_CREDENTIAL_STATISTICS -> statistics(principal, request, what);
            case CANCEL_JOB -> new Need(read, what);
            case HOLD_JOB, RELEASE_JOB -> hold(own, request, what);
            case REQUEUE_JOB, SIGNAL_JOB -> new Need(own ? AccessLevel.USER : AccessLevel.OPERATOR, what);
            case MODIFY_JOB -> job != null && own ? change(job, request, what) : new Need(AccessLevel.OPERATOR, what);
            case SET_JOB_PRIORITY, SUSPEND_JOB, RESUME_JOB, MODIFY_NODE, ENABLE_RESERVATION, REBUILD_RESERVATION ->
                new Need(AccessLevel.OPERATOR, what);
            case CREATE_RESERVATION, MODIFY_RESERVATION, RELEASE_RESERVATION -> reservation(principal, request, what);
            case CONTROL_SCHEDULER -> control(request, what);
            case SHOW_NONSTOP, DRAIN_NODES -> new Need(AccessLevel.USER, what);
            case SHOW_JOB_FAILURES -> new Need(job == null ? AccessLevel.USER : read, what);
            case REPLACE_JOB_NODE, DROP_JOB_NODE, EXTEND_JOB, SUBSCRIBE_JOB, UNSUBSCRIBE_JOB ->
                new Need(own || job == null ? AccessLevel.USER : AccessLevel.OPERATOR, what);
            case MODIFY_CONFIG, UNKNOWN -> new Need(AccessLevel.ADMINISTRATOR, what);
        };
    }

    /** Everybody sees what is counted of the user one is. */
    private static Need statistics(Principal principal, NormalRequest request, String what) {
        CredentialKind kind = request.choice("kind", CredentialKind.class);
        boolean own = kind == CredentialKind.USER && principal.name().equals(request.objectId());
        return new Need(own ? AccessLevel.USER : AccessLevel.HELP_DESK, what);
    }

    private static Need hold(boolean own, NormalRequest request, String what) {
        HoldType type = request.choice("type", HoldType.class);
        if (!own) {
            return new Need(AccessLevel.HELP_DESK, what);
        }
        return type == null || type == HoldType.USER
                ? new Need(AccessLevel.USER, what)
                : new Need(AccessLevel.HELP_DESK, what + " other than a user hold");
    }

    /** What an owner has to be in order to change a job. */
    private static Need change(JobFacts job, NormalRequest request, String what) {
        for (String name : request.values().keySet()) {
            if (!isOwnersChange(job, name, request.text(name))) {
                return new Need(
                        AccessLevel.OPERATOR,
                        what + ": " + name + " '" + request.text(name) + "'"
                                + (job.active() ? " of a job that has its nodes" : ""));
            }
        }
        return new Need(AccessLevel.USER, what);
    }

    private static boolean isOwnersChange(JobFacts job, String name, String value) {
        return switch (name) {
            case "wclimit" -> shortens(job, value);
            case "hostlist" -> job.active() ? value.startsWith("-") : true;
            case "qos" -> !job.active();
            default -> OWNERS_CHANGES.contains(name) || name.startsWith(RequestSyntax.METRIC);
        };
    }

    /** Returns whether a job's limit would not grow; so it is, too, where the text is no limit. */
    private static boolean shortens(JobFacts job, String limit) {
        return WalltimeChange.seconds(limit, job.walltimeSeconds()) <= job.walltimeSeconds();
    }

    private Need reservation(Principal principal, NormalRequest request, String what) {
        if (request.has("accountable")) {
            return new Need(AccessLevel.ADMINISTRATOR, what + " with accountable credentials");
        }
        boolean own =
                access.usersReserve() && (request.kind() == RequestKind.CREATE_RESERVATION || owns(principal, request));
        String beyond = own ? beyondUsers(request) : null;
        if (beyond != null) {
            return new Need(AccessLevel.OPERATOR, what + " with " + beyond);
        }
        return new Need(own ? AccessLevel.USER : AccessLevel.OPERATOR, what);
    }

    /** Returns whether the request is about one reservation, which is the principal's. */
    private boolean owns(Principal principal, NormalRequest request) {
        boolean one = request.kind() == RequestKind.MODIFY_RESERVATION || !request.has("group");
        return one && ("USER:" + principal.name()).equals(objects.reservationOwner(request.objectId()));
    }

    /** Returns an argument that takes more than owning the reservation; null when there is none. */
    private static @Nullable String beyondUsers(NormalRequest request) {
        for (String term : OPERATORS_TERMS) {
            if (request.has(term)) {
                return term;
            }
        }
        for (String value : request.all("flags")) {
            String flags = value.startsWith("+=") || value.startsWith("-=") ? value.substring(2) : value;
            for (String flag : flags.split("[=,:|; ]", -1)) {
                if (!flag.isEmpty() && !USERS_FLAGS.contains(ArgumentForm.lower(flag))) {
                    return "flag " + flag;
                }
            }
        }
        return null;
    }

    private static Need control(NormalRequest request, String what) {
        SchedulerAction action = request.choice("action", SchedulerAction.class);
        boolean tells = action == SchedulerAction.MESSAGE
                || action == SchedulerAction.UNMESSAGE
                || action == SchedulerAction.GEVENT;
        return new Need(
                tells ? AccessLevel.OPERATOR : AccessLevel.ADMINISTRATOR,
                what + " (" + (action == null ? "no action" : request.text("action")) + ")");
    }
}
