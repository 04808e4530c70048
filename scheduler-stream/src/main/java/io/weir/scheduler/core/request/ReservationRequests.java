package io.weir.scheduler.core.request;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.control.ReservationManager;
import io.weir.scheduler.core.reservation.control.ReservationRequest;
import io.weir.scheduler.core.reservation.control.ReservationResponse;
import io.weir.scheduler.core.reservation.control.ReservationSink;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.Severity;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Brings requests about reservations to the reservation manager, and its decisions into the state. */
public final class ReservationRequests implements ReservationSink {
    private final ClusterState state;
    private final IterationOutputs outputs;
    private final ReservationManager manager;

    /** What was decided last and is not published yet; its notice says why. */
    private @Nullable DecisionKind decided;

    private @Nullable AdministrativeReservation about;

    public ReservationRequests(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        manager = new ReservationManager(
                state.nodes,
                state.jobs,
                state.administrativeReservations,
                state.access,
                state.domain.reservations,
                state.domain.policy,
                this,
                now,
                state.domain.nextIteration(),
                state.work,
                state.quarantine,
                state.fruitlessSearches);
    }

    public ReservationManager manager() {
        return manager;
    }

    /** Has {@code change} made by the manager of reservations, and answers with what it said. */
    void carryOut(
            AuthorisedRequest request, BiFunction<ReservationManager, ReservationRequest, ReservationResponse> change) {
        boolean operator = request.level().acting().reaches(AccessLevel.OPERATOR);
        ReservationRequest ask = new ReservationRequest(request.principal(), !operator, request.form());
        ReservationResponse response = change.apply(manager, ask);
        if (response.accepted() && request.form().has(TriggerRequests.ATTACH)) {
            TriggerRequests.attach(state, request, response.reservationId());
        }
        outputs.answer(request, response);
    }

    @Override
    public void put(AdministrativeReservation reservation) {
        AdministrativeReservation old = state.administrativeReservations.get(reservation.id());
        about = reservation;
        decided = old == null
                ? DecisionKind.CREATE_RESERVATION
                : old.reservesAs(reservation) ? null : DecisionKind.MODIFY_RESERVATION;
        state.emit(reservation);
    }

    @Override
    public void remove(AdministrativeReservation reservation) {
        about = reservation;
        decided = DecisionKind.RELEASE_RESERVATION;
        state.remove(reservation);
    }

    @Override
    public void notice(Severity severity, String event, String reservationId, String text) {
        DecisionKind kind = decided;
        AdministrativeReservation reservation = about;
        if (kind != null && reservation != null && reservation.id().equals(reservationId)) {
            outputs.decision(kind, reservation, text);
        }
        decided = null;
        state.domain.notice(severity, event, "rsv", reservationId, text);
    }
}
