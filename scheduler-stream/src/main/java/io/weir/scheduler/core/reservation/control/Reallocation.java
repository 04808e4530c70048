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
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
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
    private final NamedHosts hosts;
    private final FruitlessSearches fruitless;

    /** The nodes with the least resources first, of equal ones the last. */
    private final Comparator<Integer> smallest;

    Reallocation(
            NodeTable nodes,
            JobTable jobs,
            AdministrativeReservationTable reservations,
            ReservationAccess access,
            SitePolicy policy,
            ReservationSink sink,
            ReservationNodeSelector choice,
            UsageMeter meter,
            long now,
            NamedHosts hosts,
            FruitlessSearches fruitless) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.reservations = reservations;
        this.access = access;
        this.policy = policy;
        this.sink = sink;
        this.choice = choice;
        this.meter = meter;
        this.now = now;
        this.hosts = hosts;
        this.fruitless = fruitless;
        smallest = Comparator.comparing((Integer position) -> nodes.at(position), MinResourcePolicy::compare)
                .thenComparing(Comparator.reverseOrder());
    }

    void run() {
        for (AdministrativeReservation reservation : List.copyOf(reservations.all())) {
            ReallocationPolicy chosen = policyOf(reservation.terms());
            if (chosen == ReallocationPolicy.NEVER
                    || reservation.nodes().isEmpty()
                    || fruitless.has(reservation, OverlapPolicy.NOTHING, now)) {
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
            fruitless.add(reservation, OverlapPolicy.NOTHING);
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
        ReservationTerms terms = reservation.terms();
        Map<String, ReservedNode> kept = reservation.byNode();
        RoomIndex rooms = null;
        for (ReservedNode node : reservation.nodes()) {
            int position = nodes.position(node.nodeId());
            if (!failed(position) || usedByMatching(reservation, node.nodeId())) {
                continue;
            }
            if (rooms == null) {
                rooms = rooms(demand(reservation, terms.hostExpression()), kept, smallest, other -> true);
            }
            int replacement = rooms.first(node.tasks());
            if (replacement >= 0) {
                exchange(node, replacement, terms, kept, rooms);
            }
        }
        return inOrder(kept.values());
    }

    /** Puts the node at {@code replacement} in the place of {@code node}. */
    private void exchange(
            ReservedNode node,
            int replacement,
            ReservationTerms terms,
            Map<String, ReservedNode> kept,
            RoomIndex rooms) {
        ReservedNode next = ReservationNodeSelector.reserved(terms, nodes.at(replacement), node.tasks());
        kept.remove(node.nodeId());
        rooms.giveBack(nodes.position(node.nodeId()));
        kept.put(next.nodeId(), next);
        rooms.take(replacement);
    }

    /**
     * Returns what nodes have room for that meet {@code demand} and {@code eligible}, with those in {@code kept} taken.
     *
     * @param order which are better than which, by position
     */
    private RoomIndex rooms(
            ReservationNodeSelector.Demand demand,
            Map<String, ReservedNode> kept,
            Comparator<Integer> order,
            IntPredicate eligible) {
        int[] rooms = new int[nodes.size()];
        List<Integer> positions = new ArrayList<>();
        for (int position = 0; position < nodes.size(); position++) {
            if (allowed(demand, position) && eligible.test(position)) {
                rooms[position] = choice.tasks(position, demand, OverlapPolicy.NOTHING);
                if (rooms[position] > 0) {
                    positions.add(position);
                }
            }
        }
        positions.sort(order);
        RoomIndex index = new RoomIndex(positions, rooms);
        kept.keySet().forEach(id -> index.take(nodes.position(id)));
        return index;
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
        Map<String, ReservedNode> present = reservation.byNode();
        List<ReservedNode> chosen = new ArrayList<>();
        Set<String> staying = new LinkedHashSet<>();
        int left = 0;
        for (ReservedNode node : reservation.nodes()) {
            if (usedByMatching(reservation, node.nodeId())) {
                chosen.add(node);
                staying.add(node.nodeId());
            } else {
                left += node.tasks();
            }
        }
        List<ReservedNode> offers = new ArrayList<>();
        for (int position = 0; position < nodes.size(); position++) {
            EffectiveNode node = nodes.at(position);
            ReservedNode own = present.get(node.id());
            int room = allowed(demand, position) ? choice.tasks(position, demand, OverlapPolicy.NOTHING) : 0;
            room = own == null ? room : Math.max(room, own.tasks());
            if (room > 0 && !staying.contains(node.id())) {
                offers.add(ReservationNodeSelector.reserved(terms, node, room));
            }
        }
        offers.sort(Comparator.comparingLong((ReservedNode offer) -> cost(offer) / offer.tasks())
                .thenComparing(offer -> !prefers(preferred, offer.nodeId()))
                .thenComparing(offer -> !present.containsKey(offer.nodeId()))
                .thenComparing(offer -> nodes.at(nodes.position(offer.nodeId())), MinResourcePolicy::compare)
                .thenComparing(offer -> -nodes.position(offer.nodeId())));
        for (ReservedNode offer : offers) {
            int taken = terms.tasksPerNode().taken(offer.tasks(), 0, left);
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
        Map<String, ReservedNode> kept = reservation.byNode();
        List<ReservedNode> dearest = new ArrayList<>(reservation.nodes());
        BitSet preferred = preferred(terms);
        dearest.sort(Comparator.comparingLong((ReservedNode node) -> -cost(node))
                .thenComparing(node -> prefers(preferred, node.nodeId()))
                .thenComparing(ReservedNode::nodeId));
        RoomIndex rooms = rooms(demand(reservation, null), kept, cheapest(terms, preferred), other -> true);
        for (ReservedNode node : dearest) {
            if (usedByMatching(reservation, node.nodeId())) {
                continue;
            }
            int better = rooms.first(node.tasks());
            if (better >= 0) {
                ReservedNode next = ReservationNodeSelector.reserved(terms, nodes.at(better), node.tasks());
                boolean nicer = cost(next) == cost(node)
                        && prefers(preferred, next.nodeId())
                        && !prefers(preferred, node.nodeId());
                if (cost(next) < cost(node) || nicer) {
                    exchange(node, better, terms, kept, rooms);
                }
            }
        }
        return inOrder(kept.values());
    }

    private List<ReservedNode> remap(AdministrativeReservation reservation) {
        ReservationTerms terms = reservation.terms();
        if (bare(terms) && !terms.has(ReservationFlag.SPACEFLEX)) {
            return reservation.nodes();
        }
        Map<String, ReservedNode> kept = reservation.byNode();
        RoomIndex rooms = null;
        for (ReservedNode node : reservation.nodes()) {
            int position = nodes.position(node.nodeId());
            if (position < 0 || !nodes.sharesAt(position).isEmpty()) {
                continue;
            }
            if (rooms == null) {
                rooms = rooms(
                        demand(reservation, terms.has(ReservationFlag.SPACEFLEX) ? null : terms.hostExpression()),
                        kept,
                        Comparator.naturalOrder(),
                        other -> usedByMatching(reservation, nodes.at(other).id()));
            }
            int other = rooms.first(node.tasks());
            if (other >= 0) {
                exchange(node, other, terms, kept, rooms);
            }
        }
        return inOrder(kept.values());
    }

    /** Returns the nodes the reservation would rather have: those its host expression names. */
    private BitSet preferred(ReservationTerms terms) {
        String named = terms.hostExpression();
        return named == null ? new BitSet() : hosts.of(named);
    }

    private boolean prefers(BitSet preferred, String nodeId) {
        int position = nodes.position(nodeId);
        return position >= 0 && preferred.get(position);
    }

    /** Orders nodes by what a task costs there, then by whether they are preferred. */
    private Comparator<Integer> cheapest(ReservationTerms terms, BitSet preferred) {
        return Comparator.comparingLong(
                        (Integer position) -> cost(ReservationNodeSelector.reserved(terms, nodes.at(position), 1)))
                .thenComparing(position -> !preferred.get(position))
                .thenComparing(smallest);
    }

    private boolean allowed(ReservationNodeSelector.Demand demand, int position) {
        boolean listed = demand.listed() == null || demand.listed().get(position);
        return listed && choice.suits(position, demand, false);
    }

    private ReservationNodeSelector.Demand demand(AdministrativeReservation reservation, @Nullable String named) {
        BitSet listed = named == null ? null : hosts.of(named);
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

    private List<ReservedNode> inOrder(Collection<ReservedNode> kept) {
        List<ReservedNode> sorted = new ArrayList<>(kept);
        sorted.sort(Comparator.comparingInt((ReservedNode node) -> nodes.position(node.nodeId()))
                .thenComparing(ReservedNode::nodeId));
        return sorted;
    }
}
