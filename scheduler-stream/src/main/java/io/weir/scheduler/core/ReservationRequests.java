package io.weir.scheduler.core;

import io.weir.scheduler.core.request.AccessLevel;
import io.weir.scheduler.core.reservation.SiteReservation;
import io.weir.scheduler.core.reservation.control.Answer;
import io.weir.scheduler.core.reservation.control.Ask;
import io.weir.scheduler.core.reservation.control.ReservationOffice;
import io.weir.scheduler.core.reservation.control.ReservationSink;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.Severity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Brings requests about reservations to the office that decides on them, and its decisions into the state. */
final class ReservationRequests implements ReservationSink {
    private final ClusterState state;
    private final Outbox outbox;
    private final ReservationOffice office;

    /** What was decided last and is not published yet; its notice says why. */
    private @Nullable DecisionKind decided;

    private @Nullable SiteReservation about;

    ReservationRequests(ClusterState state, Outbox outbox, long now) {
        this.state = state;
        this.outbox = outbox;
        office = new ReservationOffice(
                state.nodes,
                state.jobs,
                state.siteReservations,
                state.access,
                state.domain.reservations,
                state.domain.policy,
                this,
                now,
                state.work,
                state.quarantine);
    }

    ReservationOffice office() {
        return office;
    }

    void carryOut(AuthorisedRequest request) {
        boolean operator = request.level().acting().reaches(AccessLevel.OPERATOR);
        Ask ask = new Ask(request.principal(), !operator, request.form());
        outbox.answer(
                request,
                switch (request.kind()) {
                    case CREATE_RESERVATION -> office.create(ask);
                    case MODIFY_RESERVATION -> office.modify(ask);
                    case RELEASE_RESERVATION -> office.release(ask);
                    case ENABLE_RESERVATION -> office.enable(ask);
                    case REBUILD_RESERVATION -> office.rebuild(ask);
                    default -> new Answer(false, request.kind() + " is not about reservations", null, List.of());
                });
    }

    @Override
    public void put(SiteReservation reservation) {
        SiteReservation old = state.siteReservations.get(reservation.id());
        about = reservation;
        decided = old == null
                ? DecisionKind.CREATE_RESERVATION
                : old.reservesAs(reservation) ? null : DecisionKind.MODIFY_RESERVATION;
        state.emit(reservation);
    }

    @Override
    public void remove(SiteReservation reservation) {
        about = reservation;
        decided = DecisionKind.RELEASE_RESERVATION;
        state.remove(reservation);
    }

    @Override
    public void notice(Severity severity, String event, String reservationId, String text) {
        DecisionKind kind = decided;
        SiteReservation reservation = about;
        if (kind != null && reservation != null && reservation.id().equals(reservationId)) {
            outbox.decision(kind, reservation, text);
        }
        decided = null;
        state.domain.notice(severity, event, "rsv", reservationId, text);
    }
}
