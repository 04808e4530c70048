package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.bound.BadExpressionException;
import io.weir.scheduler.core.bound.Expression;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.scheduler.core.policy.reservation.ReservedTasksPerNode;
import io.weir.scheduler.core.policy.reservation.StandingConfig;
import io.weir.scheduler.core.quarantine.CurrentWork;
import io.weir.scheduler.core.quarantine.QuarantineTable;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationFlag;
import io.weir.scheduler.core.reservation.ReservationTerms;
import io.weir.scheduler.core.reservation.TermsEdit;
import io.weir.scheduler.core.reservation.acl.AccessControlList;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.ReservationType;
import io.weir.schemas.Severity;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries out requests about administrative reservations and maintains these reservations in every iteration. One manager
 * serves one iteration.
 */
public final class ReservationManager {
    private static final String PROFILE = "profile";

    /** Most reservations of one user. */
    static final int MOST_OF_A_USER = 20;

    /** Characters of an answer that name nodes. */
    private static final int MOST_NODE_TEXT = 2_000;

    /** Characters that the name of a reservation takes over, before its number. */
    private static final int LONGEST_NAME = 200;

    private final NodeTable nodes;
    private final JobTable jobs;
    private final AdministrativeReservationTable reservations;
    private final ReservationLedger ledger;
    private final SitePolicy policy;
    private final ReservationSink sink;
    private final long now;
    private final CurrentWork work;
    private final UsageMeter meter;
    private final ReservationAccess access;
    private final long iteration;
    private final QuarantineTable quarantine;
    private final FruitlessSearches fruitless;

    /** Made when first needed: in most iterations there is nothing to be done. */
    private @Nullable Parts parts;

    /** Whether anything gave resources back since the last iteration. */
    private boolean freed;

    /**
     * Opens the office.
     *
     * @param now instant of the iteration, epoch seconds
     * @param iteration its number
     * @param work is told which reservation is worked on
     * @param quarantine standing reservations that are set aside
     * @param fruitless what earlier iterations looked for in vain
     */
    public ReservationManager(
            NodeTable nodes,
            JobTable jobs,
            AdministrativeReservationTable reservations,
            ReservationAccess access,
            ReservationLedger ledger,
            SitePolicy policy,
            ReservationSink sink,
            long now,
            long iteration,
            CurrentWork work,
            QuarantineTable quarantine,
            FruitlessSearches fruitless) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.reservations = reservations;
        this.ledger = ledger;
        this.policy = policy;
        this.sink = sink;
        this.now = now;
        this.work = work;
        this.access = access;
        this.iteration = iteration;
        this.quarantine = quarantine;
        this.fruitless = fruitless;
        meter = new UsageMeter(nodes, jobs, access);
    }

    /** Those who do a part of the work each. */
    private final class Parts {
        private final TimeSpec times = new TimeSpec(now);
        private final NodeSpec asked;
        private final NodeSizes sizes = new NodeSizes(nodes, reservations, sink, meter, now, work);
        private final TimeFlex flex;
        private final StandingInstances standing;
        private final Reallocation reallocation;

        Parts() {
            ReservationNodeSelector choice = new ReservationNodeSelector(nodes, jobs, reservations, access);
            NamedHosts hosts = new NamedHosts(nodes, policy);
            flex = new TimeFlex(nodes, jobs, reservations, hosts, sink, choice, now);
            standing = new StandingInstances(
                    reservations,
                    ledger,
                    policy,
                    sink,
                    choice,
                    flex,
                    now,
                    iteration,
                    work,
                    quarantine,
                    hosts,
                    fruitless);
            asked = new NodeSpec(nodes, jobs, policy, choice, flex);
            reallocation = new Reallocation(
                    nodes, jobs, reservations, access, policy, sink, choice, meter, now, hosts, fruitless);
        }
    }

    private Parts parts() {
        Parts made = parts;
        if (made == null) {
            made = new Parts();
            parts = made;
        }
        return made;
    }

    /**
     * Begins the iteration: counts what was used and ends what has ended, or was for a single use and has had it.
     *
     * @param jobsLeft whether a job gave something back since the last iteration
     */
    public void begin(boolean jobsLeft) {
        freed = jobsLeft;
        for (AdministrativeReservation reservation : List.copyOf(reservations.all())) {
            work.on(QuarantineKind.RESERVATION, reservation.id());
            boolean over = reservation.end() <= now;
            boolean due = jobsLeft
                    || over
                    || reservation.spent()
                    || now - reservation.accountedTo() >= UsageMeter.COUNTED_EVERY_SECONDS;
            AdministrativeReservation counted = due ? meter.upTo(reservation, now) : reservation;
            if (over) {
                end(counted, "ended");
            } else if (reservation.spent()) {
                ledger.disable(reservation);
                end(counted, "ended with the first job that used it");
            } else if (!counted.equals(reservation)) {
                sink.put(counted);
            }
        }
        work.onNothing();
        ledger.forget(now);
    }

    /** Has reservations of whole nodes follow the sizes of {@code changed} nodes. */
    public void resize(Iterable<String> changed) {
        if (!reservations.isEmpty()) {
            parts().sizes.follow(changed);
        }
        work.onNothing();
    }

    /** Ends the iteration's work on reservations: standing ones are kept up, and nodes exchanged as the policy says. */
    public void settle() {
        if (!reservations.isEmpty() || !policy.standing().isEmpty()) {
            parts().standing.keepUp();
            work.onNothing();
            parts().flex.run(freed);
            parts().reallocation.run();
        }
    }

    /** Makes a reservation. */
    public ReservationResponse create(ReservationRequest ask) {
        try {
            return make(ask);
        } catch (Refusal refusal) {
            return refusal.answer();
        }
    }

    /** Changes a reservation. */
    public ReservationResponse modify(ReservationRequest ask) {
        try {
            return change(ask);
        } catch (Refusal refusal) {
            return refusal.answer();
        }
    }

    /** Ends reservations before their time; an instance of a standing one is not made again. */
    public ReservationResponse release(ReservationRequest ask) {
        try {
            List<AdministrativeReservation> found = meant(ask);
            for (AdministrativeReservation reservation : found) {
                ledger.disable(reservation);
                end(meter.upTo(reservation, now), "released by " + ask.principal());
            }
            return new ReservationResponse(
                    true,
                    found.size() == 1 ? found.get(0).id() + " released" : found.size() + " reservations released",
                    found.size() == 1 ? found.get(0).id() : null,
                    found.stream().map(AdministrativeReservation::id).toList());
        } catch (Refusal refusal) {
            return refusal.answer();
        }
    }

    /** Lets released instances of a standing reservation be made again. */
    public ReservationResponse enable(ReservationRequest ask) {
        String group = ask.last("group");
        String name = group == null ? ask.objectId() : group;
        int enabled = ledger.enable(name);
        return enabled == 0
                ? ReservationResponse.refused("no slot of " + name + " is disabled")
                : ReservationResponse.done(enabled + " slots of " + name + " enabled", null);
    }

    /** Makes the instances of a standing reservation anew. */
    public ReservationResponse rebuild(ReservationRequest ask) {
        String name = ask.objectId();
        if (!policy.standing().containsKey(name)) {
            return ReservationResponse.refused("no standing reservation " + name);
        }
        int ended = 0;
        for (AdministrativeReservation reservation : List.copyOf(reservations.all())) {
            if (name.equals(reservation.terms().standing())) {
                end(meter.upTo(reservation, now), "rebuilt by " + ask.principal());
                ended++;
            }
        }
        parts().standing.keepUp();
        List<String> made = reservations.all().stream()
                .filter(reservation -> name.equals(reservation.terms().standing()))
                .map(AdministrativeReservation::id)
                .toList();
        String obstacle = made.isEmpty() ? parts().standing.obstacle(name) : null;
        if (obstacle != null) {
            return ReservationResponse.refused("no instance of " + name + " made: " + obstacle
                    + (ended > 0 ? "; " + ended + " instances it had are ended" : ""));
        }
        return new ReservationResponse(
                true,
                made.isEmpty()
                        ? "instances of " + name + " are made by the next iterations"
                        : made.size() + " instances of " + name + " made",
                null,
                made);
    }

    private ReservationResponse make(ReservationRequest ask) throws Refusal {
        TermsReader.refuseBlank(ask);
        TermsEdit edit = new TermsEdit();
        profile(ask, null, edit);
        TermsReader.read(ask, edit);
        if (ask.user()) {
            String owner = "USER:" + ask.principal();
            long own = reservations.all().stream()
                    .filter(each -> owner.equals(each.terms().owner()))
                    .count();
            if (own >= MOST_OF_A_USER) {
                throw new Refusal(
                        ask.principal() + " has " + own + " reservations already; release one, or ask an operator");
            }
            edit.owner(owner);
            if (edit.acl().isEmpty()) {
                edit.acl(AccessControlList.read("USER==" + ask.principal()).list());
            }
        }
        NodeSpec.read(ask, edit);
        ReservationTerms terms = edit.done();
        if (terms.has(ReservationFlag.OWNERPREEMPT) && terms.owner() == null) {
            throw new Refusal("flag OWNERPREEMPT needs an owner (-o), whose jobs may preempt others");
        }
        KnownNames names = new KnownNames(nodes, jobs, policy);
        names.check(terms, null);
        if (reservations.isFull()) {
            throw new Refusal(
                    "there are " + Limit.RESERVATIONS + " reservations, which is the most; release some first");
        }
        if (policy.reservations().subtypeRequired() && !ask.user() && terms.subtype() == null) {
            throw new Refusal("subtype required (-b), as FORCERSVSUBTYPE is TRUE; one of " + NodeCategory.legal());
        }
        if (terms.hostExpression() == null && terms.taskCount() == 0) {
            throw new Refusal("a reservation needs nodes (-h) or a number of tasks (-t)");
        }
        long start = parts().times.start(ask);
        long end = parts().times.end(ask, start);
        parts().times.check(start, end);
        parts().times.checkStart(ask, start);
        AdministrativeReservation wanted =
                AdministrativeReservation.made("", ReservationType.ADMINISTRATIVE, terms, start, end, List.of(), now);
        AdministrativeReservation made = parts().asked.place(ask, wanted).named(freeId(terms));
        sink.put(made);
        sink.notice(
                Severity.INFO,
                "rsvcreate",
                made.id(),
                "reservation " + made.id() + " made by " + ask.principal() + " on " + String.join(",", made.nodeIds()));
        return new ReservationResponse(
                true, "NOTE: reservation " + made.id() + " created", made.id(), lines(ask, made, null, names));
    }

    /**
     * Puts the terms of a profile in place, if one is asked for. Where it names neither nodes nor tasks, those of {@code
     * old} stay.
     */
    private void profile(ReservationRequest ask, @Nullable ReservationTerms old, TermsEdit edit) throws Refusal {
        String given = ask.last(PROFILE);
        if (given == null) {
            return;
        }
        String name = Operand.of(given).text();
        StandingConfig config = policy.profiles().get(name);
        if (config == null) {
            throw new Refusal("no reservation profile " + name);
        }
        StandingInstances.terms(config, edit);
        if (old != null && config.hosts().isEmpty() && config.taskCount() == 0) {
            edit.hosts(old.hostExpression()).tasks(old.taskCount());
        }
        edit.profile(name);
    }

    private ReservationResponse change(ReservationRequest ask) throws Refusal {
        AdministrativeReservation old = reservations.get(ask.objectId());
        if (old == null) {
            throw new Refusal("no reservation " + ask.objectId());
        }
        AdministrativeReservation counted = meter.upTo(old, now);
        TermsEdit edit = counted.terms().edit();
        profile(ask, counted.terms(), edit);
        TermsReader.read(ask, edit);
        parts().asked.change(ask, counted, edit);
        AdministrativeReservation changed = counted.with(edit.done());
        KnownNames names = new KnownNames(nodes, jobs, policy);
        names.check(changed.terms(), old.terms());
        if (ask.has("starttime") || ask.has("endtime") || ask.has("duration")) {
            changed = parts().times.changed(ask, changed);
            if (changed.start() != old.start()) {
                parts().times.checkStart(ask, changed.start());
            }
        }
        parts().times.check(changed.start(), changed.end());
        if (NodeSpec.has(ask) || ask.has("resources") || ask.has(PROFILE)) {
            changed = parts().asked.moved(ask, changed, counted);
        }
        sink.put(changed);
        sink.notice(
                Severity.INFO,
                "rsvmodify",
                changed.id(),
                "reservation " + changed.id() + " changed by " + ask.principal() + nodesChanged(old, changed));
        return new ReservationResponse(
                true, "reservation " + changed.id() + " modified", changed.id(), lines(ask, changed, old, names));
    }

    /** Says which nodes it took, as an expression may take more than was thought of, and what is to be looked at again. */
    private static List<String> lines(
            ReservationRequest ask,
            AdministrativeReservation reservation,
            @Nullable AdministrativeReservation old,
            KnownNames names) {
        List<String> lines = new ArrayList<>();
        if (old == null || !old.nodes().equals(reservation.nodes())) {
            List<String> ids = reservation.nodeIds();
            lines.add("on " + ids.size() + (ids.size() == 1 ? " node: " : " nodes: ")
                    + NodeRanges.text(ids, MOST_NODE_TEXT));
        }
        if (!ask.user()) {
            lines.addAll(names.remarks(reservation.terms(), old == null ? null : old.terms()));
        }
        return lines;
    }

    private static String nodesChanged(AdministrativeReservation old, AdministrativeReservation changed) {
        return old.nodes().equals(changed.nodes())
                ? ""
                : ": nodes " + String.join(",", old.nodeIds()) + " to " + String.join(",", changed.nodeIds());
    }

    /** Returns the reservations a request about several of them means, at least one. */
    private List<AdministrativeReservation> meant(ReservationRequest ask) throws Refusal {
        String group = ask.last("group");
        List<AdministrativeReservation> found = new ArrayList<>();
        AdministrativeReservation one = reservations.get(ask.objectId());
        if (group != null) {
            reservations.all().stream()
                    .filter(reservation -> group.equals(reservation.terms().group())
                            || group.equals(reservation.terms().standing()))
                    .forEach(found::add);
        } else if (one != null) {
            found.add(one);
        } else if (ask.objectId().equals("ALL")) {
            found.addAll(reservations.all());
        } else {
            matching(ask.objectId(), found);
        }
        if (found.isEmpty()) {
            throw new Refusal("no reservation " + (group == null ? ask.objectId() : "of group " + group));
        }
        return found;
    }

    private void matching(String expression, List<AdministrativeReservation> found) throws Refusal {
        try {
            Expression wanted = Expression.of(expression);
            for (AdministrativeReservation reservation : reservations.all()) {
                if (wanted.matches(reservation.id())) {
                    found.add(reservation);
                }
            }
        } catch (BadExpressionException e) {
            throw new Refusal("no reservation " + expression + "; " + e.reason());
        }
    }

    /** Returns the terms of a reservation that is made from {@code profile}, its nodes apart. */
    public static TermsEdit termsOf(StandingConfig profile) {
        TermsEdit edit = new TermsEdit();
        StandingInstances.terms(profile, edit);
        return edit.hosts(null).tasks(0).task(null).tasksPerNode(ReservedTasksPerNode.ANY);
    }

    /** Names a new reservation: by its label, the first name of its list, or {@code system}, and a number. */
    private String freeId(ReservationTerms terms) {
        String first = terms.label() != null ? terms.label() : terms.acl().firstName();
        first = first == null ? null : first.substring(0, Math.min(first.length(), LONGEST_NAME));
        String id;
        do {
            id = (first == null ? "system" : first) + "." + ledger.next();
        } while (jobs.get(id) != null || reservations.get(id) != null);
        return id;
    }

    private void end(AdministrativeReservation reservation, String why) {
        freed = true;
        sink.remove(reservation);
        sink.notice(
                Severity.INFO,
                "rsvend",
                reservation.id(),
                "reservation " + reservation.id() + " " + why + ": " + reservation.reservedProcSeconds()
                        + " processor seconds reserved, "
                        + (reservation.reservedProcSeconds() - reservation.usedProcSeconds()) + " unused");
    }
}
