package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.scheduler.core.policy.reservation.StandingConfig;
import io.weir.scheduler.core.quarantine.CurrentWork;
import io.weir.scheduler.core.quarantine.QuarantineTable;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import io.weir.scheduler.core.reservation.ReservationFlag;
import io.weir.scheduler.core.reservation.ReservationTerms;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.scheduler.core.reservation.TermsEdit;
import io.weir.scheduler.core.reservation.acl.AccessControlList;
import io.weir.scheduler.core.reservation.standing.InstancePeriod;
import io.weir.scheduler.core.reservation.standing.StandingCalendar;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.ReservationType;
import io.weir.schemas.Severity;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the instances of standing reservations: creates those that are due, looks for nodes again for those that have
 * none, and ends those whose standing reservation is no longer configured. One iteration does no more of this than {@link
 * Limit#RESERVATIONS}, {@link #MOST_MADE} and {@link #MOST_FILLED} say, whatever is configured.
 */
final class StandingInstances {
    /** Most instances made in one iteration; the next goes on. */
    static final int MOST_MADE = 500;

    /**
     * Most instances that nodes are looked for again in one iteration: half of them those that begin first, the others in
     * turn.
     */
    static final int MOST_FILLED = 100;

    private final AdministrativeReservationTable reservations;
    private final ReservationLedger ledger;
    private final SitePolicy policy;
    private final ReservationSink sink;
    private final ReservationNodeSelector choice;
    private final TimeFlex flex;
    private final long now;
    private final long iteration;
    private final CurrentWork work;
    private final QuarantineTable quarantine;
    private final NamedHosts hosts;
    private final FruitlessSearches fruitless;

    /** Something to do for one slot of a standing reservation: its instance has no nodes, or is not there yet. */
    private record Task(
            String name,
            StandingConfig config,
            InstancePeriod slot,
            int ahead,
            @Nullable AdministrativeReservation there) {}

    StandingInstances(
            AdministrativeReservationTable reservations,
            ReservationLedger ledger,
            SitePolicy policy,
            ReservationSink sink,
            ReservationNodeSelector choice,
            TimeFlex flex,
            long now,
            long iteration,
            CurrentWork work,
            QuarantineTable quarantine,
            NamedHosts hosts,
            FruitlessSearches fruitless) {
        this.reservations = reservations;
        this.ledger = ledger;
        this.policy = policy;
        this.sink = sink;
        this.choice = choice;
        this.flex = flex;
        this.now = now;
        this.iteration = iteration;
        this.work = work;
        this.quarantine = quarantine;
        this.hosts = hosts;
        this.fruitless = fruitless;
    }

    void keepUp() {
        SortedMap<String, List<AdministrativeReservation>> made = new TreeMap<>();
        for (AdministrativeReservation reservation : List.copyOf(reservations.all())) {
            String name = reservation.terms().standing();
            if (name != null && policy.standing().containsKey(name)) {
                made.computeIfAbsent(name, standing -> new ArrayList<>()).add(reservation);
            } else if (name != null) {
                sink.remove(reservation);
                sink.notice(
                        Severity.INFO,
                        "rsvend",
                        reservation.id(),
                        "standing reservation " + name + " is no longer configured");
            }
        }
        List<Task> tasks = tasks(made);
        if (missing(tasks)
                > Math.min(MOST_MADE, Limit.RESERVATIONS - reservations.all().size())) {
            tasks.sort(Comparator.comparingInt(Task::ahead));
        }
        SortedSet<String> due = due(tasks);
        int left = MOST_MADE;
        for (Task task : tasks) {
            work.on(QuarantineKind.STANDING_RESERVATION, task.name());
            AdministrativeReservation there = task.there();
            InstancePeriod slot = task.slot();
            if (there != null) {
                if (due.remove(there.id())) {
                    fill(there, task.config());
                }
            } else if (left > 0 && !reservations.isFull() && !ledger.disabled(task.name(), slot.start(), slot.end())) {
                make(task.name(), task.config(), slot, task.ahead());
                left--;
            }
        }
    }

    private static long missing(List<Task> tasks) {
        return tasks.stream().filter(task -> task.there() == null).count();
    }

    /**
     * Returns why none of the first slots of {@code name} has an instance after {@link #keepUp}; null where they are made by the
     * iterations to come.
     */
    @Nullable
    String obstacle(String name) {
        StandingConfig config = policy.standing().get(name);
        if (config == null || quarantine.has(QuarantineKind.STANDING_RESERVATION, name)) {
            return "it is quarantined";
        }
        StandingCalendar calendar = StandingCalendar.of(config);
        if (calendar.count() == 0) {
            return "it falls on no day";
        }
        List<InstancePeriod> slots = calendar.slots(now, shares().getOrDefault(name, 0));
        if (reservations.isFull() || slots.isEmpty()) {
            return "there may be no more than " + Limit.RESERVATIONS + " reservations; release some first";
        }
        return slots.stream().allMatch(slot -> ledger.disabled(name, slot.start(), slot.end()))
                ? "its slots are disabled"
                : null;
    }

    /**
     * Returns how many of their first slots standing reservations may have instances in, by name: the first of each, then the
     * second of each, and so on, as many as there may be reservations.
     */
    private SortedMap<String, Integer> shares() {
        SortedMap<String, Integer> wanted = new TreeMap<>();
        policy.standing().forEach((name, config) -> {
            if (!name.equals(SitePolicy.DEFAULT_OBJECT) && !quarantine.has(QuarantineKind.STANDING_RESERVATION, name)) {
                wanted.put(name, StandingCalendar.of(config).count());
            }
        });
        SortedMap<String, Integer> shares = new TreeMap<>();
        int left = Limit.RESERVATIONS;
        for (int share = 1; left > 0 && !wanted.isEmpty(); share++) {
            int next = share;
            wanted.values().removeIf(want -> want < next);
            for (String name : wanted.keySet()) {
                if (left > 0) {
                    shares.put(name, share);
                    left--;
                }
            }
        }
        return shares;
    }

    /** Returns what is to do for the first slots of all standing reservations, as many as there may be reservations. */
    private List<Task> tasks(SortedMap<String, List<AdministrativeReservation>> made) {
        List<Task> tasks = new ArrayList<>();
        SortedMap<String, Integer> shares = shares();
        for (Map.Entry<String, StandingConfig> standing : policy.standing().entrySet()) {
            String name = standing.getKey();
            StandingConfig config = standing.getValue();
            Integer share = shares.get(name);
            if (share == null) {
                continue;
            }
            work.on(QuarantineKind.STANDING_RESERVATION, name);
            List<InstancePeriod> slots = StandingCalendar.of(config).slots(now, share);
            InstanceIndex instances = new InstanceIndex(made.getOrDefault(name, List.of()));
            boolean forEver = config.period() == StandingConfig.Period.INFINITY;
            for (int i = 0; i < slots.size(); i++) {
                InstancePeriod slot = slots.get(i);
                AdministrativeReservation there = forEver ? instances.first() : instances.in(slot);
                if (there == null || there.nodes().isEmpty()) {
                    tasks.add(new Task(name, config, slot, i, there));
                }
            }
        }
        return tasks;
    }

    /** Returns the ids of the instances that nodes are looked for now. */
    private SortedSet<String> due(List<Task> tasks) {
        SortedMap<String, AdministrativeReservation> byId = new TreeMap<>();
        for (Task task : tasks) {
            AdministrativeReservation there = task.there();
            if (there != null) {
                byId.put(there.id(), there);
            }
        }
        List<AdministrativeReservation> bare = new ArrayList<>(byId.values());
        bare.sort(Comparator.comparingLong(AdministrativeReservation::start)
                .thenComparing(AdministrativeReservation::id));
        SortedSet<String> due = new TreeSet<>();
        int first = Math.min(bare.size(), MOST_FILLED / 2);
        bare.subList(0, first).forEach(instance -> due.add(instance.id()));
        int others = bare.size() - first;
        for (int i = 0; i < Math.min(others, MOST_FILLED - first); i++) {
            long turn = Math.floorMod(iteration * (MOST_FILLED - first) + i, (long) others);
            due.add(bare.get(first + (int) turn).id());
        }
        return due;
    }

    /** Sets the terms that {@code config} gives. */
    static void terms(StandingConfig config, TermsEdit edit) {
        edit.owner(config.owner())
                .subtype(config.subtype() == null ? null : NodeCategory.named(config.subtype()))
                .acl(AccessControlList.read(config.acl()).list())
                .hosts(config.hosts().isEmpty() ? null : config.hosts())
                .tasks(config.taskCount())
                .task(TaskText.of(config.resources()).task())
                .tasksPerNode(config.tasksPerNode())
                .features(config.features())
                .partition(config.partition())
                .flags(config.flags())
                .priority(config.priority())
                .comment(config.comment());
        edit.accountable().putAll(config.accountable());
    }

    private void make(String name, StandingConfig config, InstancePeriod slot, int ahead) {
        TermsEdit edit = new TermsEdit();
        terms(config, edit);
        List<String> flags = new ArrayList<>(edit.flags());
        flags.add(ReservationFlag.STANDINGRSV.name());
        ReservationTerms terms = edit.flags(flags).standing(name).done();
        String id = name + "." + ahead + "." + ledger.next();
        AdministrativeReservation instance = found(
                AdministrativeReservation.made(
                        id, ReservationType.STANDING, terms, slot.start(), slot.end(), List.of(), now),
                config);
        sink.put(instance);
        sink.notice(
                instance.nodes().isEmpty() ? Severity.WARNING : Severity.INFO,
                "rsvcreate",
                id,
                instance.nodes().isEmpty()
                        ? "reservation " + id + " has no nodes yet; they are looked for in every iteration"
                        : "reservation " + id + " made on " + String.join(",", instance.nodeIds()));
    }

    /** Looks for nodes again, unless that was in vain and still is; when one may move in time, that too may change it. */
    private void fill(AdministrativeReservation instance, StandingConfig config) {
        OverlapPolicy most = most(instance.terms(), config);
        boolean lasting = !instance.terms().has(ReservationFlag.TIMEFLEX);
        if (lasting && fruitless.has(instance, most, now)) {
            return;
        }
        AdministrativeReservation filled = found(instance, config);
        if (filled.nodes().isEmpty()) {
            if (lasting) {
                fruitless.add(instance, most);
            }
        } else {
            sink.put(filled);
            sink.notice(
                    Severity.INFO,
                    "rsvmodify",
                    filled.id(),
                    "reservation " + filled.id() + " found nodes " + String.join(",", filled.nodeIds()));
        }
    }

    /** Returns {@code instance} on the nodes found for it, counted from now on; moved, if it may be. */
    private AdministrativeReservation found(AdministrativeReservation instance, StandingConfig config) {
        AdministrativeReservation moved =
                instance.terms().has(ReservationFlag.TIMEFLEX) ? flex.moved(instance, new BitSet()) : null;
        AdministrativeReservation found = moved != null ? moved : instance.on(find(instance, config));
        return found.accounted(0, 0, 0, Math.max(now, found.accountedTo()));
    }

    /** Returns the most that an instance with {@code terms} may overlap with. */
    private static OverlapPolicy most(ReservationTerms terms, StandingConfig config) {
        boolean dedicated = config.dedicated() && !terms.has(ReservationFlag.IGNRSV);
        return terms.has(ReservationFlag.EXCLUSIVE)
                ? OverlapPolicy.NOTHING
                : dedicated ? OverlapPolicy.JOBS : OverlapPolicy.RESERVATIONS;
    }

    /** Returns nodes for {@code instance}; none when there are not enough. */
    private List<ReservedNode> find(AdministrativeReservation instance, StandingConfig config) {
        ReservationTerms terms = instance.terms();
        BitSet listed = null;
        if (terms.hostExpression() != null) {
            listed = hosts.of(terms.hostExpression());
        }
        ReservationNodeSelector.Demand demand = new ReservationNodeSelector.Demand(
                terms,
                Math.max(now, instance.start()),
                instance.end(),
                listed,
                new BitSet(),
                most(terms, config),
                instance,
                true);
        boolean partial = terms.taskCount() <= 0 || terms.has(ReservationFlag.BESTEFFORT);
        if (!partial && !choice.hasRoom(demand)) {
            return List.of();
        }
        ReservationNodeSelector.Found found = choice.choose(demand);
        return found.missing() == 0 || terms.has(ReservationFlag.BESTEFFORT) ? found.nodes() : List.of();
    }
}
