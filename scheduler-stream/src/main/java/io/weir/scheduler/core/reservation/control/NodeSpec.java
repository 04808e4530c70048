package io.weir.scheduler.core.reservation.control;

import com.google.re2j.Pattern;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.ReservationFlag;
import io.weir.scheduler.core.reservation.ReservationTerms;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.scheduler.core.reservation.TermsEdit;
import io.weir.schemas.NodeAllocation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the nodes and tasks that a request names and finds nodes for them, or says why there are none. Serves one
 * iteration.
 */
final class NodeSpec {
    private static final String HOSTS = "hostexp";
    private static final String TASKS = "tasks";

    private final NodeTable nodes;
    private final JobTable jobs;
    private final SitePolicy policy;
    private final ReservationNodeSelector choice;
    private final TimeFlex flex;

    NodeSpec(NodeTable nodes, JobTable jobs, SitePolicy policy, ReservationNodeSelector choice, TimeFlex flex) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.policy = policy;
        this.choice = choice;
        this.flex = flex;
    }

    /** Says whether {@code ask} names nodes or a number of tasks. */
    static boolean has(ReservationRequest ask) {
        return ask.last(HOSTS) != null || ask.last(TASKS) != null;
    }

    /** Takes over what {@code ask} says of nodes and tasks into the terms of a new reservation. */
    static void read(ReservationRequest ask, TermsEdit edit) throws Refusal {
        String hosts = ask.last(HOSTS);
        String count = ask.last(TASKS);
        if (hosts != null) {
            edit.hosts(Operand.of(hosts).text());
        }
        if (count != null) {
            edit.tasks(TermsReader.tasks(Operand.of(count).text()));
        }
    }

    /** Takes over what {@code ask} changes of the nodes and tasks of {@code reservation}: others, more or fewer. */
    void change(ReservationRequest ask, AdministrativeReservation reservation, TermsEdit edit) throws Refusal {
        String hosts = ask.last(HOSTS);
        String count = ask.last(TASKS);
        if (hosts != null) {
            edit.hosts(hosts(reservation, Operand.of(hosts)));
        }
        if (count != null) {
            edit.tasks(count(reservation, Operand.of(count)));
        }
    }

    /** Returns a new reservation on its nodes; moved in time, if it may be. */
    AdministrativeReservation place(ReservationRequest ask, AdministrativeReservation wanted) throws Refusal {
        BitSet excluded = excluded(ask);
        boolean movable = wanted.terms().has(ReservationFlag.TIMEFLEX);
        AdministrativeReservation moved = movable ? flex.moved(wanted, excluded) : null;
        return moved != null ? moved : wanted.on(find(wanted.terms(), wanted.start(), wanted.end(), null, excluded));
    }

    /** Returns {@code changed} on nodes that meet its terms; {@code self}, its former version, conflicts with nothing. */
    AdministrativeReservation moved(
            ReservationRequest ask, AdministrativeReservation changed, AdministrativeReservation self) throws Refusal {
        return changed.on(find(changed.terms(), changed.start(), changed.end(), self, excluded(ask)));
    }

    private List<ReservedNode> find(
            ReservationTerms terms, long start, long end, @Nullable AdministrativeReservation self, BitSet excluded)
            throws Refusal {
        BitSet listed = null;
        String expression = terms.hostExpression();
        if (expression != null) {
            HostExpression hosts = HostExpression.of(expression, nodes, policy);
            if (hosts.problem() != null) {
                throw new Refusal(hosts.problem());
            }
            if (hosts.positions().isEmpty()) {
                throw new Refusal("no node matches '" + expression + "'");
            }
            listed = hosts.positions();
        }
        boolean exclusive = terms.has(ReservationFlag.EXCLUSIVE);
        ReservationNodeSelector.Found found = choice.choose(new ReservationNodeSelector.Demand(
                terms,
                start,
                end,
                listed,
                excluded,
                exclusive ? OverlapPolicy.NOTHING : OverlapPolicy.RESERVATIONS,
                self,
                false));
        List<String> lines = found.conflicts();
        boolean listedInTheWay = exclusive && terms.taskCount() <= 0 && !lines.isEmpty();
        if (listedInTheWay || (exclusive && found.missing() > 0)) {
            throw new Refusal("exclusive reservation conflicts with " + String.join("; ", lines), lines);
        }
        boolean enough = found.missing() == 0 || terms.has(ReservationFlag.BESTEFFORT);
        if (!enough || found.nodes().isEmpty()) {
            throw new Refusal(
                    terms.taskCount() > 0
                            ? "no resources: " + (terms.taskCount() - found.missing()) + " of " + terms.taskCount()
                                    + " tasks have a place"
                            : "no resources: no listed node can hold a task",
                    lines);
        }
        return found.nodes();
    }

    /** Nodes on which the jobs run that {@code -x} names. */
    private BitSet excluded(ReservationRequest ask) throws Refusal {
        BitSet excluded = new BitSet();
        for (String list : ask.all("jobs")) {
            for (String id : list.split("[,:]", -1)) {
                Job job = jobs.get(id);
                if (job == null) {
                    throw new Refusal("no job " + id);
                }
                for (NodeAllocation share : job.allocation()) {
                    int position = nodes.position(share.getNodeId());
                    if (position >= 0) {
                        excluded.set(position);
                    }
                }
            }
        }
        return excluded;
    }

    private String hosts(AdministrativeReservation reservation, Operand operand) throws Refusal {
        if (operand.action() == Operand.Action.SET && !operand.text().isBlank()) {
            return operand.text();
        }
        HostExpression meant = HostExpression.of(operand.text(), nodes, policy);
        if (meant.problem() != null || meant.positions().isEmpty()) {
            throw new Refusal(meant.problem() != null ? meant.problem() : "no node matches '" + operand.text() + "'");
        }
        BitSet all = new BitSet();
        reservation.nodeIds().forEach(id -> {
            int position = nodes.position(id);
            if (position >= 0) {
                all.set(position);
            }
        });
        if (operand.action() == Operand.Action.ADD) {
            all.or(meant.positions());
        } else {
            all.andNot(meant.positions());
        }
        List<String> names = new ArrayList<>();
        all.stream().forEach(position -> names.add(nodes.at(position).id()));
        if (names.isEmpty()) {
            throw new Refusal("no node would be left");
        }
        return names.size() == 1 ? "^" + Pattern.quote(names.get(0)) + "$" : String.join(",", names);
    }

    /** Returns the task count that {@code operand} makes of the tasks there are; ALL is no number to calculate with. */
    private static int count(AdministrativeReservation reservation, Operand operand) throws Refusal {
        if (operand.action() == Operand.Action.SET) {
            return TermsReader.tasks(operand.text());
        }
        long number = TermsReader.taskNumber(operand.text());
        long changed = reservation.tasks() + (operand.action() == Operand.Action.ADD ? number : -number);
        if (changed < 1) {
            throw new Refusal("no task would be left");
        }
        if (changed > TermsReader.MOST_TASKS) {
            throw new Refusal(changed + " tasks are too many; at most " + TermsReader.MOST_TASKS + " are allowed");
        }
        return (int) changed;
    }
}
