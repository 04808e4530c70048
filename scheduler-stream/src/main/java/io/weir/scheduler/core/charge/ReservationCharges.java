package io.weir.scheduler.core.charge;

import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.schemas.Charge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Charges those who answer for reservations for what these keep unused. Owned by the core's thread. */
final class ReservationCharges {
    private final ChargedRuns runs;
    private final PendingCharges pending;
    private ChargeTerms terms;

    ReservationCharges(ChargedRuns runs, PendingCharges pending, ChargeTerms terms) {
        this.runs = runs;
        this.pending = pending;
        this.terms = terms;
    }

    /** Returns whether somebody answers for what {@code reservation} keeps unused. */
    static boolean isCharged(AdministrativeReservation reservation) {
        return !reservation.terms().accountable().isEmpty();
    }

    /** Goes by {@code next} from now on. */
    void configure(ChargeTerms next) {
        terms = next;
    }

    /** Charges {@code counted}, counted up to {@code now}, from then on, not for what they kept before. */
    void begin(List<AdministrativeReservation> counted, long now) {
        for (AdministrativeReservation reservation : counted) {
            ChargedRun known = runs.ofReservation(reservation.id());
            ChargedRun run = known != null ? known : begin(reservation);
            run.notBefore(now);
            run.free = total(reservation).minus(run.counted);
            long flush = terms.settings().reservationFlushSeconds();
            runs.reschedule(run, flush == 0 ? ChargedRun.NEVER : run.chargedTo + flush);
        }
    }

    private ChargedRun begin(AdministrativeReservation reservation) {
        ChargedRun run = runs.begin(
                ChargedRun.RESERVATION,
                reservation.id(),
                reservation.start(),
                terms.since(),
                terms.settings().reservationFlushSeconds());
        if (run.start < terms.since()) {
            run.free = total(reservation);
        }
        return run;
    }

    /** Charges a reservation that lasts up to when it was counted. */
    void suspend(ChargedRun run, AdministrativeReservation reservation) {
        if (isCharged(reservation)) {
            charge(run, reservation, null, true);
        }
    }

    /** A reservation is in force in another version; those without accountable credentials are not charged. */
    void changed(AdministrativeReservation reservation) {
        if (isCharged(reservation) && runs.ofReservation(reservation.id()) == null) {
            begin(reservation);
        }
    }

    /** A reservation, counted up to its end, is over. */
    void ended(AdministrativeReservation reservation, boolean released) {
        ChargedRun known = runs.ofReservation(reservation.id());
        if (!terms.settings().on() || !isCharged(reservation)) {
            if (known != null) {
                runs.forget(known);
            }
            return;
        }
        ChargedRun run = known != null ? known : begin(reservation);
        charge(run, reservation, released ? "RELEASED" : "COMPLETED", false);
        runs.forget(run);
    }

    /** Charges a reservation that lasts, counted up to now. */
    void flush(AdministrativeReservation reservation) {
        ChargedRun run = runs.ofReservation(reservation.id());
        if (run != null) {
            charge(run, reservation, null, true);
        }
    }

    /** Returns what was charged for a reservation so far, in thousandths; 0 for nothing. */
    long charged(AdministrativeReservation reservation) {
        ChargedRun run = runs.ofReservation(reservation.id());
        return run == null ? 0 : run.amount;
    }

    private void charge(
            ChargedRun run, AdministrativeReservation reservation, @Nullable String reason, boolean interim) {
        run.counted = total(reservation).minus(run.free);
        run.countedTo = Math.max(Math.max(run.start, terms.since()), reservation.accountedTo());
        if (run.counted.reserved() == 0 && run.number == 0) {
            return;
        }
        long total = run.counted.weighted();
        Charge.Builder charge = terms.draft(run, total - run.amount, reason, interim);
        ChargeDraft.toAccountable(charge, reservation);
        Charge made = charge.build();
        pending.add(made);
        run.charged(made.getChargeId(), total);
        runs.changed(run);
    }

    private Quantities total(AdministrativeReservation reservation) {
        long reserved = reservation.reservedProcSeconds();
        long used = reservation.usedProcSeconds();
        Long weighted = reservation.unusedWeighted();
        return new Quantities(
                reserved - used,
                weighted != null ? weighted : Quantities.AMOUNTS.product(reserved - used, rate(reservation)),
                0,
                0,
                0,
                reserved,
                used);
    }

    /**
     * Returns the rate of the nodes, averaged over the processors that are reserved on them, in thousandths: for a reservation
     * of which a part was counted without the rates.
     */
    private long rate(AdministrativeReservation reservation) {
        long processors = 0;
        long weighted = 0;
        for (ReservedNode node : reservation.nodes()) {
            processors += node.amount().procs();
            weighted += Quantities.AMOUNTS.product(
                    node.amount().procs(), terms.tariff().ofNode(node.nodeId()));
        }
        return processors == 0 ? 1_000 : weighted / processors;
    }
}
