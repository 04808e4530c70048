package io.weir.scheduler.core.policy;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The categories of nodes a reservation or an operator may give them, with their short names. */
public final class NodeCategory {
    private static final List<List<String>> ALL = List.of(
            List.of("EmergencyMaintenance", "emain"),
            List.of("HardwareMaintenance", "hwmain"),
            List.of("SoftwareMaintenance", "swmain"),
            List.of("Benchmark", "bench"),
            List.of("Site1"),
            List.of("Site2"),
            List.of("Site3"),
            List.of("Site4"),
            List.of("Site5"),
            List.of("Site6"),
            List.of("Site7"),
            List.of("Site8"),
            List.of("HardwareFailure", "hwfail"),
            List.of("NetworkFailure", "netfail"),
            List.of("StorageFailure", "storfail"),
            List.of("SoftwareFailure", "swfail"),
            List.of("BatchFailure", "batfail"),
            List.of("OtherFailure", "otherfail"),
            List.of("Active"),
            List.of("PersonalReservation", "pers"),
            List.of("StandingReservation", "stand"),
            List.of("UserReservation", "user"),
            List.of("JobReservation", "job"),
            List.of("Idle"),
            List.of("Other"));

    private NodeCategory() {}

    /** Returns the full name of the category {@code text} names in any case; null when it names none. */
    public static @Nullable String named(String text) {
        for (List<String> names : ALL) {
            for (String name : names) {
                if (name.equalsIgnoreCase(text)) {
                    return names.get(0);
                }
            }
        }
        return null;
    }

    /** Returns all names, for messages. */
    public static String legal() {
        return String.join(
                ", ",
                ALL.stream()
                        .map(names -> names.get(names.size() - 1).toLowerCase(Locale.ROOT))
                        .toList());
    }
}
