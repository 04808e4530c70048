package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.reservation.StandingConfig;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Standing reservations that were changed: their instances keep the terms they were made with. */
public final class FormerTerms {
    private FormerTerms() {}

    /** Returns a sentence for each standing reservation that {@code after} changes and that has instances, sorted by name. */
    public static List<String> warnings(
            SitePolicy before, SitePolicy after, AdministrativeReservationTable reservations) {
        List<String> warnings = new ArrayList<>();
        for (Map.Entry<String, StandingConfig> standing : after.standing().entrySet()) {
            String name = standing.getKey();
            StandingConfig former = before.standing().get(name);
            if (former == null || former.equals(standing.getValue())) {
                continue;
            }
            long instances = reservations.all().stream()
                    .filter(reservation -> name.equals(reservation.terms().standing()))
                    .count();
            if (instances > 0) {
                warnings.add("SRCFG[" + name + "] was changed: " + instances
                        + (instances == 1 ? " instance keeps" : " instances keep")
                        + " the former terms and times; mrsvctl -B " + name + " makes them anew");
            }
        }
        return warnings;
    }
}
