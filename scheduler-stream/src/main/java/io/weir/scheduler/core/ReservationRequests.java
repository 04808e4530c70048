package io.weir.scheduler.core;

import io.weir.scheduler.core.policy.AdminLevel;
import io.weir.scheduler.core.reservation.SiteReservation;
import io.weir.scheduler.core.reservation.control.Answer;
import io.weir.scheduler.core.reservation.control.Ask;
import io.weir.scheduler.core.reservation.control.ReservationOffice;
import io.weir.scheduler.core.reservation.control.ReservationSink;
import io.weir.scheduler.state.PendingRequest;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.RequestKind;
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
                now);
    }

    ReservationOffice office() {
        return office;
    }

    void carryOut(PendingRequest request) {
        Ask ask = new Ask(
                request.getPrincipal(),
                level(request),
                request.getObjectId(),
                request.getArguments().stream()
                        .map(argument -> new Ask.Argument(argument.getName(), argument.getValue()))
                        .toList());
        outbox.answer(
                request,
                switch (RequestKind.valueOf(request.getKind())) {
                    case CREATE_RESERVATION -> office.create(ask);
                    case MODIFY_RESERVATION -> office.modify(ask);
                    case RELEASE_RESERVATION -> office.release(ask);
                    case ENABLE_RESERVATION -> office.enable(ask);
                    case REBUILD_RESERVATION -> office.rebuild(ask);
                    default -> new Answer(false, request.getKind() + " is not about reservations", null, List.of());
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

    /** The level the API found, or else the one ADMINCFG gives; where it names nobody everyone is an administrator. */
    private int level(PendingRequest request) {
        for (var argument : request.getArguments()) {
            String value = argument.getValue();
            if (argument.getName().equals(Ask.LEVEL) && value.length() == 1 && "12345".contains(value)) {
                return Integer.parseInt(value);
            }
        }
        List<AdminLevel> admins = state.domain.policy.admins();
        int best = admins.stream().allMatch(admin -> admin.users().isEmpty()) ? 1 : Ask.PLAIN_USER;
        for (AdminLevel admin : admins) {
            boolean named = admin.users().contains(request.getPrincipal())
                    || admin.users().stream().anyMatch("ALL"::equalsIgnoreCase);
            if (named) {
                best = Math.min(best, admin.level());
            }
        }
        return best;
    }
}
