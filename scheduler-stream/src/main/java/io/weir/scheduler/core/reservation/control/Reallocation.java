package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.policy.MinResourcePolicy;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.reservation.ReallocationPolicy;
import io.weir.scheduler.core.policy.reservation.StandingConfig;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationFlag;
import io.weir.scheduler.core.reservation.ReservationTerms;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.schemas.Severity;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * RSVREALLOCPOLICY: exchanges nodes of active and future reservations. A node with running jobs of the reservation's users
 * is never given up; a new node has to meet the same request without conflicts.
 */
final class Reallocation {
    /** Prices are compared in millionths. */
    private static final double PRICE_UNIT = 1e6;

    /** Price of a node that is gone; others cost no more. */
    private static final long HIGHEST_PRICE = Long.MAX_VALUE / 1_000_000_000;

    private final NodeTable nodes;
    private final JobTable jobs;
    private final AdministrativeReservationTable reservations;
    private final ReservationAccess access;
    private final SitePolicy policy;
    private final ReservationSink sink;
    private final ReservationNodeSelector choice;
    private final UsageMeter meter;
    private final long now;

    Reallocation(
            NodeTable nodes,
            JobTable jobs,
            AdministrativeReservationTable reservations,
            ReservationAccess access,
            SitePolicy policy,
            ReservationSink sink,
            ReservationNodeSelector choice,
            UsageMeter meter,
            long now) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.reservations = reservations;
        this.access = access;
        this.policy = policy;
        this.sink = sink;
        this.choice = choice;
        this.meter = meter;
        this.now = now;
    }

    void run() {
        for (AdministrativeReservation reservation : List.copyOf(reservations.all())) {
            ReallocationPolicy chosen = policyOf(reservation.terms());
            if (reservation.nodes().isEmpty()) {
                continue;
            }
            switch (chosen) {
                case NEVER -> {
                    // Nodes stay as they are.
                }
                case FAILURE -> change(reservation, replaceFailed(reservation), "failed nodes replaced");
                case OPTIMAL -> change(reservation, cheapen(reservation), "better nodes chosen");
                case REMAP -> change(reservation, remap(reservation), "idle nodes given up");
            }
        }
    }

    private ReallocationPolicy policyOf(ReservationTerms terms) {
        StandingConfig config = terms.standing() != null
                ? policy.standing().get(terms.standing())
                : terms.profile() != null ? policy.profiles().get(terms.profile()) : null;
        ReallocationPolicy own = config == null ? null : config.reallocation();
        return own != null ? own : policy.reservations().reallocation();
    }

    private void change(AdministrativeReservation reservation, List<ReservedNode> changed, String why) {
        if (changed.equals(reservation.nodes())) {
            return;
        }
        AdministrativeReservation next = meter.upTo(reservation, now).on(changed);
        sink.put(next);
        sink.notice(
                Severity.INFO,
                "rsvmodify",
                next.id(),
                "reservation " + next.id() + ": " + why + ", nodes " + String.join(",", reservation.nodeIds()) + " to "
                        + String.join(",", next.nodeIds()));
    }

    private List<ReservedNode> replaceFailed(AdministrativeReservation reservation) {
        List<ReservedNode> kept = new ArrayList<>(reservation.nodes());
        for (ReservedNode node : reservation.nodes()) {
            int position = nodes.position(node.nodeId());
            if (!failed(position) || usedByMatching(reservation, node.nodeId())) {
                continue;
            }
            ReservationNodeSelector.Demand demand =
                    demand(reservation, reservation.terms().hostExpression());
            int replacement = cheapest(demand, kept, node.tasks(), null);
            if (replacement >= 0) {
                kept.remove(node);
                kept.add(ReservationNodeSelector.reserved(reservation.terms(), nodes.at(replacement), node.tasks()));
            }
        }
        return inOrder(kept);
    }

    private boolean failed(int position) {
        return position < 0
                || switch (nodes.at(position).node().state()) {
                    case DOWN, REMOVED -> true;
                    case UNKNOWN, IDLE, RUNNING, BUSY, DRAINING, DRAINED -> false;
                };
    }

    private List<ReservedNode> cheapen(AdministrativeReservation reservation) {
        ReservationTerms terms = reservation.terms();
        if (!bare(terms)) {
            return rechosen(reservation);
        }
        return terms.has(ReservationFlag.SPACEFLEX) ? exchanged(reservation) : reservation.nodes();
    }

    /**
     * Returns the cheapest nodes for as many tasks as there are, those on nodes in use staying; of equal price the ones asked
     * for, and then the ones it has. All tasks are alike, so taking the cheapest one by one is the best there is.
     */
    private List<ReservedNode> rechosen(AdministrativeReservation reservation) {
        ReservationTerms terms = reservation.terms();
        ReservationNodeSelector.Demand demand =
                demand(reservation, terms.has(ReservationFlag.SPACEFLEX) ? null : terms.hostExpression());
        BitSet preferred = preferred(terms);
        List<ReservedNode> chosen = new ArrayList<>();
        int left = 0;
        for (ReservedNode node : reservation.nodes()) {
            if (usedByMatching(reservation, node.nodeId())) {
                chosen.add(node);
            } else {
                left += node.tasks();
            }
        }
        List<ReservedNode> offers = new ArrayList<>();
        for (int position = 0; position < nodes.size(); position++) {
            EffectiveNode node = nodes.at(position);
            ReservedNode own = reservation.on(node.id());
            int room = allowed(demand, position) ? choice.tasks(position, demand, OverlapPolicy.NOTHING) : 0;
            room = own == null ? room : Math.max(room, own.tasks());
            if (room > 0 && lacks(chosen, node.id())) {
                offers.add(ReservationNodeSelector.reserved(terms, node, room));
            }
        }
        offers.sort(Comparator.comparingLong((ReservedNode offer) -> cost(offer) / offer.tasks())
                .thenComparing(offer -> !prefers(preferred, offer.nodeId()))
                .thenComparing(offer -> reservation.on(offer.nodeId()) == null)
                .thenComparing(offer -> nodes.at(nodes.position(offer.nodeId())), MinResourcePolicy::compare)
                .thenComparing(offer -> -nodes.position(offer.nodeId())));
        for (ReservedNode offer : offers) {
            int taken = Math.min(left, offer.tasks());
            if (taken > 0) {
                chosen.add(ReservationNodeSelector.reserved(terms, nodes.at(nodes.position(offer.nodeId())), taken));
                left -= taken;
            }
        }
        int order = Long.compare(cost(chosen), cost(reservation.nodes()));
        order = order != 0
                ? order
                : Integer.compare(preferredTasks(preferred, reservation.nodes()), preferredTasks(preferred, chosen));
        return left == 0 && order < 0 ? inOrder(chosen) : reservation.nodes();
    }

    private long cost(List<ReservedNode> all) {
        return all.stream().mapToLong(this::cost).sum();
    }

    private int preferredTasks(BitSet preferred, List<ReservedNode> all) {
        return all.stream()
                .filter(node -> prefers(preferred, node.nodeId()))
                .mapToInt(ReservedNode::tasks)
                .sum();
    }

    /** Returns the nodes with each that may go exchanged for the cheapest that holds as many tasks, if that is better. */
    private List<ReservedNode> exchanged(AdministrativeReservation reservation) {
        ReservationTerms terms = reservation.terms();
        ReservationNodeSelector.Demand demand = demand(reservation, null);
        List<ReservedNode> kept = new ArrayList<>(reservation.nodes());
        List<ReservedNode> dearest = new ArrayList<>(reservation.nodes());
        BitSet preferred = preferred(terms);
        dearest.sort(Comparator.comparingLong((ReservedNode node) -> -cost(node))
                .thenComparing(node -> prefers(preferred, node.nodeId()))
                .thenComparing(ReservedNode::nodeId));
        for (ReservedNode node : dearest) {
            if (usedByMatching(reservation, node.nodeId())) {
                continue;
            }
            int better = cheapest(demand, kept, node.tasks(), preferred);
            if (better >= 0) {
                ReservedNode next = ReservationNodeSelector.reserved(terms, nodes.at(better), node.tasks());
                boolean nicer = cost(next) == cost(node)
                        && prefers(preferred, next.nodeId())
                        && !prefers(preferred, node.nodeId());
                if (cost(next) < cost(node) || nicer) {
                    kept.remove(node);
                    kept.add(next);
                }
            }
        }
        return inOrder(kept);
    }

    private List<ReservedNode> remap(AdministrativeReservation reservation) {
        ReservationTerms terms = reservation.terms();
        if (bare(terms) && !terms.has(ReservationFlag.SPACEFLEX)) {
            return reservation.nodes();
        }
        ReservationNodeSelector.Demand demand =
                demand(reservation, terms.has(ReservationFlag.SPACEFLEX) ? null : terms.hostExpression());
        List<ReservedNode> kept = new ArrayList<>(reservation.nodes());
        for (ReservedNode node : reservation.nodes()) {
            int position = nodes.position(node.nodeId());
            if (position < 0 || !nodes.sharesAt(position).isEmpty()) {
                continue;
            }
            for (int other = 0; other < nodes.size(); other++) {
                String id = nodes.at(other).id();
                if (lacks(kept, id)
                        && usedByMatching(reservation, id)
                        && allowed(demand, other)
                        && choice.tasks(other, demand, OverlapPolicy.NOTHING) >= node.tasks()) {
                    kept.remove(node);
                    kept.add(ReservationNodeSelector.reserved(terms, nodes.at(other), node.tasks()));
                    break;
                }
            }
        }
        return inOrder(kept);
    }

    /** Returns the place of the best node that could hold {@code tasks} tasks and is not in {@code kept}, or -1. */
    private int cheapest(
            ReservationNodeSelector.Demand demand, List<ReservedNode> kept, int tasks, @Nullable BitSet preferred) {
        int best = -1;
        for (int position = 0; position < nodes.size(); position++) {
            EffectiveNode node = nodes.at(position);
            boolean fits = lacks(kept, node.id())
                    && allowed(demand, position)
                    && choice.tasks(position, demand, OverlapPolicy.NOTHING) >= tasks;
            if (fits && (best < 0 || better(demand.terms(), tasks, position, best, preferred))) {
                best = position;
            }
        }
        return best;
    }

    /** Returns the nodes the reservation would rather have: those its host expression names. */
    private BitSet preferred(ReservationTerms terms) {
        String hosts = terms.hostExpression();
        return hosts == null
                ? new BitSet()
                : HostExpression.of(hosts, nodes, policy).positions();
    }

    private boolean prefers(BitSet preferred, String nodeId) {
        int position = nodes.position(nodeId);
        return position >= 0 && preferred.get(position);
    }

    /** Where {@code preferred} is given the price comes first, then whether it is among them. */
    private boolean better(ReservationTerms terms, int tasks, int position, int best, @Nullable BitSet preferred) {
        if (preferred != null) {
            int order = Long.compare(
                    cost(ReservationNodeSelector.reserved(terms, nodes.at(position), tasks)),
                    cost(ReservationNodeSelector.reserved(terms, nodes.at(best), tasks)));
            if (order == 0) {
                order = Boolean.compare(preferred.get(best), preferred.get(position));
            }
            if (order != 0) {
                return order < 0;
            }
        }
        int order = MinResourcePolicy.compare(nodes.at(position), nodes.at(best));
        return order < 0 || (order == 0 && position > best);
    }

    private boolean allowed(ReservationNodeSelector.Demand demand, int position) {
        boolean listed = demand.listed() == null || demand.listed().get(position);
        return listed && choice.suits(position, demand, false);
    }

    private ReservationNodeSelector.Demand demand(AdministrativeReservation reservation, @Nullable String hosts) {
        BitSet listed =
                hosts == null ? null : HostExpression.of(hosts, nodes, policy).positions();
        return new ReservationNodeSelector.Demand(
                reservation.terms(),
                Math.max(now, reservation.start()),
                reservation.end(),
                listed,
                new BitSet(),
                OverlapPolicy.NOTHING,
                reservation,
                false);
    }

    /** Returns whether a job the reservation lets in runs on {@code nodeId} while it holds. */
    private boolean usedByMatching(AdministrativeReservation reservation, String nodeId) {
        int position = nodes.position(nodeId);
        if (position < 0) {
            return false;
        }
        for (String id : nodes.sharesAt(position).keySet()) {
            Job job = jobs.get(id);
            if (job != null
                    && Math.max(job.limitEnd(), now + 1) > reservation.start()
                    && access.mayUse(job, reservation)) {
                return true;
            }
        }
        return false;
    }

    private static boolean bare(ReservationTerms terms) {
        return terms.taskCount() <= 0;
    }

    private long price(String nodeId) {
        EffectiveNode node = nodes.effective(nodeId);
        return node == null ? HIGHEST_PRICE : Math.min(HIGHEST_PRICE, Math.round(node.chargeRate() * PRICE_UNIT));
    }

    private long cost(ReservedNode node) {
        return price(node.nodeId()) * node.amount().procs();
    }

    private static boolean lacks(List<ReservedNode> kept, String id) {
        return kept.stream().noneMatch(node -> node.nodeId().equals(id));
    }

    private List<ReservedNode> inOrder(List<ReservedNode> kept) {
        List<ReservedNode> sorted = new ArrayList<>(kept);
        sorted.sort(Comparator.comparingInt((ReservedNode node) -> nodes.position(node.nodeId()))
                .thenComparing(ReservedNode::nodeId));
        return sorted;
    }
}
