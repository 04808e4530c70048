package io.weir.scheduler.core.automation.response;

import io.weir.scheduler.core.automation.AutomaticRequests;
import io.weir.scheduler.core.automation.NodeOrders;
import io.weir.scheduler.core.automation.Recipients;
import io.weir.scheduler.core.event.EventRule;
import io.weir.scheduler.core.event.EventTable;
import io.weir.scheduler.core.event.ObjectEvent;
import io.weir.scheduler.core.failure.TransientFailures;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.Severity;
import io.weir.schemas.bound.Bound;
import io.weir.schemas.bound.Limit;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The actions that change the object of an event, or the jobs on it: DISABLE, FAILING, RESERVE, OFF, ON, RESET, PREEMPT, SIGNAL and
 * OBJECTMESSAGE. Each is a request, made with the rights of an administrator, who wrote the configuration; RESERVE is done
 * like the reservation of a node that failed.
 */
final class ChangeObject {
    /** In whose name the requests are made. */
    static final String PRINCIPAL = "gevent";

    /** Event that says that an action does not fit its object. */
    private static final String FAILED = "eventactionfailed";

    private static final Integer ADMINISTRATOR = 1;
    private static final long DAY_SECONDS = 86_400;
    private static final Bound.Prose NOTE = new Bound.Prose(Limit.NOTE_LENGTH, true);

    private final ClusterState state;
    private final AutomaticRequests requests;
    private final NodeOrders nodes;
    private final Recipients recipients;
    private final TransientFailures failures;

    ChangeObject(
            ClusterState state,
            AutomaticRequests requests,
            NodeOrders nodes,
            Recipients recipients,
            TransientFailures failures) {
        this.state = state;
        this.requests = requests;
        this.nodes = nodes;
        this.recipients = recipients;
        this.failures = failures;
    }

    /** The node, or the one that the argument names as {@code node:ID}, takes no jobs until the event is over. */
    void disable(Occasion occasion) {
        String node = named(occasion);
        if (node != null && !drainedByOthers(node)) {
            nodes.state(PRINCIPAL, ADMINISTRATOR, node, "Drained");
            EventTable events = state.domain.events;
            events.disabled(occasion.event());
        }
    }

    /** The node takes no further jobs, and the jobs on it are told, until an operator resumes it. */
    void failing(Occasion occasion) {
        String node = node(occasion);
        if (node != null) {
            String why = occasion.text();
            nodes.modify(PRINCIPAL, ADMINISTRATOR, node, "failing", "=" + NOTE.cut(why));
        }
    }

    /** The event is over: what it disabled may take jobs again, unless another event lasts, or somebody else drained it. */
    void enable(ObjectEvent event) {
        EventRule rule = state.domain.events.rule(event.key().event());
        SortedSet<String> disabled = rule != null
                ? rule.disabled(event.key())
                : new TreeSet<>(
                        event.key().objectType().equals("node")
                                ? List.of(event.key().objectId())
                                : List.of());
        for (String node : disabled) {
            if (state.nodes.get(node) != null && !state.domain.events.disables(node) && !drainedByOthers(node)) {
                nodes.state(PRINCIPAL, ADMINISTRATOR, node, "Idle");
            }
        }
    }

    /** Returns whether a node is out of service for a reason that is not of events. */
    private boolean drainedByOthers(String id) {
        Node node = state.nodes.get(id);
        String reason = node == null ? null : node.reason();
        return node != null
                && reason != null
                && (node.state() == NodeState.DRAINED || node.state() == NodeState.DRAINING)
                && !reason.contains("requested by " + PRINCIPAL);
    }

    /** The node is reserved as after a failure, but for the time that the action says, else for a day. */
    void reserve(Occasion occasion) {
        String node = node(occasion);
        if (node != null) {
            long asked = PolicyTime.seconds(occasion.action().argument());
            failures.reserve(node, asked > 0 ? asked : DAY_SECONDS, occasion.text());
        }
    }

    void power(Occasion occasion, String wanted) {
        String node = node(occasion);
        if (node != null) {
            nodes.modify(PRINCIPAL, ADMINISTRATOR, node, "power", wanted);
        }
    }

    void preempt(Occasion occasion) {
        RequestKind kind = switch (occasion.action().argument().toUpperCase(Locale.ROOT)) {
            case "SUSPEND" -> RequestKind.SUSPEND_JOB;
            case "CANCEL" -> RequestKind.CANCEL_JOB;
            default -> RequestKind.REQUEUE_JOB;
        };
        toJobs(occasion, kind, List.of());
    }

    void signal(Occasion occasion) {
        String signal = occasion.action().argument();
        toJobs(occasion, RequestKind.SIGNAL_JOB, List.of(new NameValue("signal", signal.isEmpty() ? "TERM" : signal)));
    }

    private void toJobs(Occasion occasion, RequestKind kind, List<NameValue> arguments) {
        List<Job> jobs = recipients.jobs(occasion.objectType(), occasion.objectId());
        if (requests.makeEach(PRINCIPAL, ADMINISTRATOR, kind, jobs, arguments).isEmpty()) {
            failed(occasion, "is not carried out: " + AutomaticRequests.tooMany(jobs));
        }
    }

    void message(Occasion occasion) {
        NameValue message = new NameValue("message", occasion.text());
        switch (occasion.objectType()) {
            case "node" ->
                requests.make(PRINCIPAL, ADMINISTRATOR, RequestKind.MODIFY_NODE, occasion.objectId(), List.of(message));
            case "job" ->
                requests.make(PRINCIPAL, ADMINISTRATOR, RequestKind.MODIFY_JOB, occasion.objectId(), List.of(message));
            case "rsv" ->
                requests.make(
                        PRINCIPAL,
                        ADMINISTRATOR,
                        RequestKind.MODIFY_RESERVATION,
                        occasion.objectId(),
                        List.of(message));
            default -> doesNotFit(occasion);
        }
    }

    private @Nullable String named(Occasion occasion) {
        String id = occasion.action().namedNode();
        if (id != null) {
            return state.nodes.get(id) == null ? doesNotFit(occasion) : id;
        }
        return node(occasion);
    }

    private @Nullable String node(Occasion occasion) {
        boolean there = occasion.objectType().equals("node") && state.nodes.get(occasion.objectId()) != null;
        return there ? occasion.objectId() : doesNotFit(occasion);
    }

    private @Nullable String doesNotFit(Occasion occasion) {
        failed(occasion, "does not fit " + occasion.objectType() + " " + occasion.objectId());
        return null;
    }

    private void failed(Occasion occasion, String why) {
        if (!occasion.name().equals(FAILED)) {
            state.domain.notice(
                    Severity.WARNING,
                    FAILED,
                    occasion.objectType(),
                    occasion.objectId(),
                    "action " + occasion.action().kind() + " of event " + occasion.name() + " " + why);
        }
    }
}
