package io.weir.scheduler.core.request;

import com.google.re2j.Pattern;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.placement.Feasibility;
import io.weir.scheduler.core.placement.RejectionReason;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Requests to give a running job more nodes or to take some away: {@code +n3:4,n4} and {@code -n3}. A
 * node that is added has to go with the job like one on which it is placed, but for the hosts that it asked for. It is the
 * job's from the moment it is asked for, a node that is taken away until the resource manager says that it is free. What
 * became of a refused one is asked of the resource manager, not assumed.
 */
final class JobResizing {
    private static final Pattern PROCS = Pattern.compile("[1-9]\\d{0,6}");

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;

    JobResizing(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
    }

    void carryOut(AuthorisedRequest request, Job job, String hosts) {
        boolean more = hosts.startsWith("+");
        SortedMap<String, Integer> named = more || hosts.startsWith("-") ? named(job, withoutSign(hosts)) : null;
        String objection = named == null
                ? "hostlist is '" + hosts + "'; +NODE[:PROCS],... or -NODE,... is needed"
                : objection(request, job, named, more);
        if (named == null || objection != null) {
            outputs.refused(request, String.valueOf(objection));
            return;
        }
        List<NodeAllocation> nodes = named.entrySet().stream()
                .map(node -> new NodeAllocation(node.getKey(), node.getValue()))
                .toList();
        CommandKind kind = more ? CommandKind.ADD_NODES : CommandKind.REMOVE_NODES;
        String reason = (more ? "add " : "remove ") + String.join(",", named.keySet()) + ", requested by "
                + request.principal();
        if (!outputs.resize(job, kind, nodes, now, reason)) {
            outputs.refused(request, "no connector answers for job " + job.id());
            return;
        }
        List<NodeAllocation> all = new ArrayList<>(job.allocation());
        if (more) {
            all.addAll(nodes);
        }
        state.emit(job.edit()
                .running(job.state(), job.start(), all)
                .placed(more ? List.of() : job.placements())
                .commanded(kind, outputs.lastNumber(job)));
        outputs.accepted(request, "sent to the resource manager");
    }

    private @Nullable String objection(
            AuthorisedRequest request, Job job, SortedMap<String, Integer> named, boolean more) {
        if (request.arguments().size() > 1) {
            return "hostlist is changed alone, not together with other attributes";
        } else if (job.state() != JobState.RUNNING) {
            return "job " + job.id() + " is not running but " + job.state();
        } else if (state.domain.policy.scheduler().mode() == Mode.MONITOR) {
            return "MODE MONITOR carries out no commands";
        } else if (job.pending() != null) {
            return "job " + job.id() + " has to be done with " + job.pending() + " first";
        }
        for (var node : named.entrySet()) {
            String objection = more ? cannotAdd(job, node.getKey(), node.getValue()) : cannotRemove(job, node.getKey());
            if (objection != null) {
                return objection;
            }
        }
        return !more && named.size() == job.allocation().size()
                ? "job " + job.id() + " would be left without a node"
                : null;
    }

    private @Nullable String cannotAdd(Job job, String id, int procs) {
        Node node = state.nodes.get(id);
        if (node == null || id.equals(EffectiveNode.GLOBAL)) {
            return "no node " + id;
        } else if (has(job, id)) {
            return "job " + job.id() + " has node " + id + " already";
        } else if (!node.isUp()) {
            return "node " + id + " is " + node.state();
        } else if (node.isFailing()) {
            return "node " + id + " is failing";
        } else if (node.isCleaning()) {
            return "node " + id + " is being cleaned up";
        } else if (!node.accepting()) {
            return "node " + id + " is " + node.state();
        } else if (!node.attributes().powered()) {
            return "node " + id + " is switched off";
        }
        int position = state.nodes.position(id);
        String partition = partition(job);
        if (partition != null && !partition.equals(state.nodes.at(position).partition())) {
            return "node " + id + " is in partition " + state.nodes.at(position).partition() + ", job " + job.id()
                    + " in " + partition;
        }
        int free = state.nodes.freeAt(position);
        if (procs > free) {
            return "node " + id + " has " + free + " processors free, not " + procs;
        }
        RejectionReason reason = unfit(job, position, procs);
        if (reason != null) {
            return "node " + id + " cannot take " + procs + " processors of job " + job.id() + " (" + reason.label()
                    + ")";
        }
        for (AdministrativeReservation reservation : state.administrativeReservations.on(id)) {
            if (reservation.overlaps(now, job.limitEnd()) && !state.access.mayUse(job, reservation)) {
                return "node " + id + " is kept for others by reservation " + reservation.id();
            }
        }
        return null;
    }

    /** Returns why none of the job's requirements goes with the node at {@code position}, by the first; null when one does. */
    private @Nullable RejectionReason unfit(Job job, int position, int procs) {
        Feasibility feasibility = state.placement.feasibility();
        feasibility.configure(state.domain.policy);
        RejectionReason first = null;
        for (Requirement requirement : job.request().requirements()) {
            int each = Math.max(1, requirement.resources().procs());
            int tasks = (procs + each - 1) / each;
            RejectionReason reason = feasibility.reason(job, requirement, position, tasks);
            if (reason == null) {
                reason = state.placement
                        .availability()
                        .objection(state.domain.policy, position, job, requirement, tasks);
            }
            if (reason == null) {
                return null;
            }
            first = first == null ? reason : first;
        }
        return first;
    }

    /** Returns the partition of the nodes that the job has; null when none of them is known. */
    private @Nullable String partition(Job job) {
        for (NodeAllocation part : job.allocation()) {
            EffectiveNode known = state.nodes.effective(part.getNodeId());
            if (known != null) {
                return known.partition();
            }
        }
        return null;
    }

    private static @Nullable String cannotRemove(Job job, String id) {
        return has(job, id) ? null : "job " + job.id() + " has no node " + id;
    }

    private static boolean has(Job job, String id) {
        return job.allocation().stream().anyMatch(node -> node.getNodeId().equals(id));
    }

    /** Returns the processors by node; where none are given, as many as the job has on its first. Null when unreadable. */
    private static @Nullable SortedMap<String, Integer> named(Job job, String text) {
        SortedMap<String, Integer> named = new TreeMap<>();
        int usual = job.allocation().isEmpty() ? 1 : job.allocation().get(0).getProcs();
        for (String word : text.split(",", -1)) {
            int colon = word.lastIndexOf(':');
            String procs = colon < 0 ? "" : word.substring(colon + 1);
            String name = colon < 0 ? word : word.substring(0, colon);
            if (name.isEmpty() || (colon >= 0 && !PROCS.matcher(procs).matches())) {
                return null;
            }
            named.put(name, colon < 0 ? usual : Integer.parseInt(procs));
        }
        return named;
    }

    /** Returns the list behind {@code +}, {@code -}, {@code +=} or {@code -=}. */
    private static String withoutSign(String hosts) {
        return hosts.substring(hosts.startsWith("=", 1) ? 2 : 1);
    }
}
