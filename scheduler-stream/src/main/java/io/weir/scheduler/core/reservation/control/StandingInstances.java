package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.node.NodeTable;
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
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the instances of standing reservations: creates those that are due, looks for nodes again for those that have
 * none, and ends those whose standing reservation is no longer configured.
 */
final class StandingInstances {
    private final NodeTable nodes;
    private final AdministrativeReservationTable reservations;
    private final ReservationLedger ledger;
    private final SitePolicy policy;
    private final ReservationSink sink;
    private final ReservationNodeSelector choice;
    private final TimeFlex flex;
    private final long now;
    private final CurrentWork work;
    private final QuarantineTable quarantine;

    StandingInstances(
            NodeTable nodes,
            AdministrativeReservationTable reservations,
            ReservationLedger ledger,
            SitePolicy policy,
            ReservationSink sink,
            ReservationNodeSelector choice,
            TimeFlex flex,
            long now,
            CurrentWork work,
            QuarantineTable quarantine) {
        this.nodes = nodes;
        this.reservations = reservations;
        this.ledger = ledger;
        this.policy = policy;
        this.sink = sink;
        this.choice = choice;
        this.flex = flex;
        this.now = now;
        this.work = work;
        this.quarantine = quarantine;
    }

    void keepUp() {
        for (AdministrativeReservation reservation : List.copyOf(reservations.all())) {
            String name = reservation.terms().standing();
            if (name != null && !policy.standing().containsKey(name)) {
                sink.remove(reservation);
                sink.notice(
                        Severity.INFO,
                        "rsvend",
                        reservation.id(),
                        "standing reservation " + name + " is no longer configured");
            }
        }
        policy.standing().forEach((name, config) -> {
            if (!name.equals(SitePolicy.DEFAULT_OBJECT) && !quarantine.has(QuarantineKind.STANDING_RESERVATION, name)) {
                work.on(QuarantineKind.STANDING_RESERVATION, name);
                keepUp(name, config);
            }
        });
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

    private void keepUp(String name, StandingConfig config) {
        List<InstancePeriod> slots = StandingCalendar.of(config).slots(now);
        boolean forEver = config.period() == StandingConfig.Period.INFINITY;
        for (int i = 0; i < slots.size(); i++) {
            InstancePeriod slot = slots.get(i);
            AdministrativeReservation there = instance(name, slot, forEver);
            if (there == null && !reservations.isFull() && !ledger.disabled(name, slot.start(), slot.end())) {
                make(name, config, slot, i);
            } else if (there != null && there.nodes().isEmpty()) {
                fill(there, config);
            }
        }
    }

    private @Nullable AdministrativeReservation instance(String name, InstancePeriod slot, boolean forEver) {
        for (AdministrativeReservation reservation : reservations.all()) {
            if (name.equals(reservation.terms().standing())
                    && (forEver
                            || (reservation.requestedStart() < slot.end()
                                    && slot.start() < reservation.requestedEnd()))) {
                return reservation;
            }
        }
        return null;
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

    private void fill(AdministrativeReservation instance, StandingConfig config) {
        AdministrativeReservation filled = found(instance, config);
        if (!filled.nodes().isEmpty()) {
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
        return found.accounted(0, 0, Math.max(now, found.accountedTo()));
    }

    /** Returns nodes for {@code instance}; none when there are not enough. */
    private List<ReservedNode> find(AdministrativeReservation instance, StandingConfig config) {
        ReservationTerms terms = instance.terms();
        BitSet listed = null;
        if (terms.hostExpression() != null) {
            listed = HostExpression.of(terms.hostExpression(), nodes, policy).positions();
        }
        boolean dedicated = config.dedicated() && !terms.has(ReservationFlag.IGNRSV);
        ReservationNodeSelector.Found found = choice.choose(new ReservationNodeSelector.Demand(
                terms,
                Math.max(now, instance.start()),
                instance.end(),
                listed,
                new BitSet(),
                terms.has(ReservationFlag.EXCLUSIVE)
                        ? OverlapPolicy.NOTHING
                        : dedicated ? OverlapPolicy.JOBS : OverlapPolicy.RESERVATIONS,
                instance,
                true));
        return found.missing() == 0 || terms.has(ReservationFlag.BESTEFFORT) ? found.nodes() : List.of();
    }
}
