package io.weir.scheduler.core.reservation;

import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.reservation.acl.AccessControlList;
import io.weir.schemas.ReservationType;
import java.util.List;

/** Makes reservations that are no job's. Times are epoch seconds. */
final class TestReservation {
    private TestReservation() {}

    /** Returns a reservation for those that {@code acl} lets in. */
    static AdministrativeReservation of(String id, long start, long end, String acl, ReservedNode... nodes) {
        return of(id, start, end, terms(acl), nodes);
    }

    static AdministrativeReservation of(String id, long start, long end, TermsEdit terms, ReservedNode... nodes) {
        return AdministrativeReservation.made(
                id, ReservationType.ADMINISTRATIVE, terms.done(), start, end, List.of(nodes), 1);
    }

    static TermsEdit terms(String acl) {
        return new TermsEdit().acl(AccessControlList.read(acl).list());
    }

    /** Returns one task of {@code procs} processors. */
    static ReservedNode on(String node, int procs) {
        return new ReservedNode(node, 1, new Capacity(procs, 0, 0, 0));
    }
}
