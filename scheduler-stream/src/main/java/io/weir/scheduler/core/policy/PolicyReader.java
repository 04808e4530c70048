package io.weir.scheduler.core.policy;

import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyProblem.Kind;
import io.weir.scheduler.core.policy.language.PolicySettings;
import java.util.List;
import java.util.Locale;

/** Turns settings into a {@link SitePolicy}. */
final class PolicyReader {
    private final PolicySettings settings;

    PolicyReader(PolicySettings settings) {
        this.settings = settings;
    }

    SitePolicy policy() {
        return new SitePolicy(
                settings.count("RESERVATIONDEPTH"),
                choice("RESERVATIONPOLICY", ReservationPolicy.class, SitePolicy.DEFAULT.reservationPolicy()),
                choice("BACKFILLPOLICY", BackfillPolicy.class, SitePolicy.DEFAULT.backfillPolicy()),
                choice("NODEALLOCATIONPOLICY", NodeOrder.class, SitePolicy.DEFAULT.nodeOrder()),
                mode(),
                settings.seconds("JOBCPURGETIME"),
                settings.seconds("JOBRETRYTIME"),
                settings.seconds("DEFERTIME"),
                settings.count("DEFERSTARTCOUNT"));
    }

    private Mode mode() {
        return settings.objects("SCHEDCFG").stream()
                .filter(object -> object.isSet("MODE"))
                .map(object -> "NORMAL".equals(object.text("MODE")) ? Mode.NORMAL : Mode.MONITOR)
                .reduce((first, second) -> second)
                .orElse(Mode.NORMAL);
    }

    private <E extends Enum<E>> E choice(String name, Class<E> type, E standard) {
        String text = settings.text(name);
        for (E constant : List.of(type.getEnumConstants())) {
            if (text != null && constant.name().equals(text.toUpperCase(Locale.ROOT))) {
                return constant;
            }
        }
        Origin origin = settings.origin(name);
        if (origin != null) {
            settings.report(
                    Kind.NO_EFFECT, origin, name, "'" + text + "' is not available yet; " + standard + " holds");
        }
        return standard;
    }
}
