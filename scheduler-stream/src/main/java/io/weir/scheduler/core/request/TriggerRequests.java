package io.weir.scheduler.core.request;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.TriggerWatch;
import io.weir.scheduler.core.trigger.ObjectKey;
import io.weir.scheduler.core.trigger.TriggerMetric;
import io.weir.scheduler.core.trigger.TriggerSpec;
import io.weir.scheduler.core.trigger.TriggerText;
import io.weir.scheduler.core.trigger.TriggerThreshold;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Requests about triggers: {@code trigger} attaches one to a node or a job, {@code untrigger} takes one away by its id.
 * Owners may give their jobs triggers that do not reach beyond them.
 */
final class TriggerRequests {
    static final String ATTACH = "trigger";
    static final String DETACH = "untrigger";

    private final ClusterState state;
    private final IterationOutputs outputs;

    TriggerRequests(ClusterState state, IterationOutputs outputs) {
        this.state = state;
        this.outputs = outputs;
    }

    /** Returns whether a request is about triggers of a node or a job. */
    static boolean concern(AuthorisedRequest request) {
        return (request.kind() == RequestKind.MODIFY_NODE || request.kind() == RequestKind.MODIFY_JOB)
                && (request.form().has(ATTACH) || request.form().has(DETACH));
    }

    void carryOut(AuthorisedRequest request) {
        boolean node = request.kind() == RequestKind.MODIFY_NODE;
        Job job = node ? null : state.jobs.get(request.objectId());
        if (node ? state.nodes.get(request.objectId()) == null : job == null || job.finished()) {
            outputs.refused(request, "no " + (node ? "node " : "job that has not ended ") + request.objectId());
            return;
        }
        if (request.arguments().stream()
                .anyMatch(argument -> !argument.getName().equals(ATTACH)
                        && !argument.getName().equals(DETACH))) {
            outputs.refused(request, "triggers cannot be changed together with something else; ask for that apart");
            return;
        }
        ObjectKey key = new ObjectKey(node ? "node" : "job", request.objectId());
        String owner = job == null ? null : job.request().credentials().user();
        boolean operator = request.level().acting().reaches(AccessLevel.OPERATOR);
        for (String text : request.form().all(ATTACH)) {
            String problem = problem(text, key.type(), operator, request);
            if (problem != null) {
                outputs.refused(request, "trigger '" + text + "': " + problem);
                return;
            }
        }
        Set<String> fewer = new TreeSet<>(request.form().all(DETACH));
        for (String id : fewer) {
            if (!state.triggers.isAttached(key, id)) {
                outputs.refused(
                        request,
                        "no trigger " + id + " was attached to " + key.type() + " " + key.id()
                                + "; those of the configuration are taken away there");
                return;
            }
        }
        String full = state.triggers.refusal(key, fewer, request.form().all(ATTACH));
        if (full != null) {
            outputs.refused(request, full);
            return;
        }
        List<String> done = new ArrayList<>();
        for (String id : fewer) {
            state.triggers.detach(key, id);
            done.add("trigger " + id + " taken away");
        }
        for (String text : request.form().all(ATTACH)) {
            String id = state.triggers.attach(
                    key,
                    owner,
                    text,
                    request.principal(),
                    operator ? request.level().number() : null);
            done.add("trigger " + id + " attached");
            TriggerSpec spec = TriggerText.read(text).spec();
            if (spec != null) {
                done.addAll(spec.remarks(key.type()));
                TriggerThreshold threshold = spec.threshold();
                if (threshold != null && threshold.metric() == TriggerMetric.GMETRIC) {
                    done.add("it is measured where the resource manager reports " + threshold.name()
                            + ", or GMETRICCFG[" + threshold.name() + "] has it told");
                }
            }
        }
        Node measured = node ? state.nodes.get(key.id()) : null;
        if (measured != null) {
            state.watch.attached(measured);
        }
        outputs.accepted(request, String.join(", ", done));
    }

    private static @Nullable String problem(
            String text, String objectType, boolean operator, AuthorisedRequest request) {
        TriggerText.Reading reading = TriggerText.read(text);
        TriggerSpec spec = reading.spec();
        if (spec == null) {
            return reading.problem();
        }
        String misfit = spec.misfit(objectType);
        if (misfit != null) {
            return misfit;
        }
        if (!operator) {
            return spec.beyondOwner();
        }
        return request.level() == AccessLevel.ADMINISTRATOR ? null : spec.beyond(request.principal());
    }

    /** Attaches the triggers that a reservation was asked for with. */
    static void attach(ClusterState state, AuthorisedRequest request, @Nullable String reservationId) {
        AdministrativeReservation reservation =
                reservationId == null ? null : state.administrativeReservations.get(reservationId);
        if (reservation == null) {
            return;
        }
        for (String text : request.form().all(ATTACH)) {
            state.triggers.attach(
                    new ObjectKey("rsv", reservation.id()),
                    TriggerWatch.owner(reservation),
                    text,
                    request.principal(),
                    request.level().number());
        }
        state.watch.attached(reservation);
    }
}
