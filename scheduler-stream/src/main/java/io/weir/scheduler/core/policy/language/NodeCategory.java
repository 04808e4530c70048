package io.weir.scheduler.core.policy.language;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a node is busy with, or ails from, in one word. Of several that hold the first one here counts. */
public enum NodeCategory {
    EMERGENCY_MAINTENANCE("EmergencyMaintenance", "emain"),
    HARDWARE_MAINTENANCE("HardwareMaintenance", "hwmain"),
    SOFTWARE_MAINTENANCE("SoftwareMaintenance", "swmain"),
    BENCHMARK("Benchmark", "bench"),
    SITE1("Site1"),
    SITE2("Site2"),
    SITE3("Site3"),
    SITE4("Site4"),
    SITE5("Site5"),
    SITE6("Site6"),
    SITE7("Site7"),
    SITE8("Site8"),
    HARDWARE_FAILURE("HardwareFailure", "hwfail"),
    NETWORK_FAILURE("NetworkFailure", "netfail"),
    STORAGE_FAILURE("StorageFailure", "storfail"),
    SOFTWARE_FAILURE("SoftwareFailure", "swfail"),
    BATCH_FAILURE("BatchFailure", "batfail"),
    OTHER_FAILURE("OtherFailure"),
    ACTIVE("Active"),
    PERSONAL_RESERVATION("PersonalReservation", "pers"),
    STANDING_RESERVATION("StandingReservation", "stand"),
    USER_RESERVATION("UserReservation", "user"),
    JOB_RESERVATION("JobReservation", "job"),
    IDLE("Idle"),
    OTHER("Other");

    private final String label;
    private final @Nullable String shortcut;

    NodeCategory(String label) {
        this(label, null);
    }

    NodeCategory(String label, @Nullable String shortcut) {
        this.label = label;
        this.shortcut = shortcut;
    }

    /** Returns its full name. */
    public String label() {
        return label;
    }

    /** Returns the category {@code text} names in any case, in full or in short; null when it names none. */
    public static @Nullable NodeCategory of(String text) {
        for (NodeCategory category : values()) {
            if (category.label.equalsIgnoreCase(text) || text.equalsIgnoreCase(category.shortcut)) {
                return category;
            }
        }
        return null;
    }

    /** Returns the full name of the category {@code text} names; null when it names none. */
    public static @Nullable String named(String text) {
        NodeCategory category = of(text);
        return category == null ? null : category.label;
    }

    /** Returns all names, for messages. */
    public static String legal() {
        List<String> names = new ArrayList<>();
        for (NodeCategory category : values()) {
            names.add(category.shortcut == null ? category.label.toLowerCase(Locale.ROOT) : category.shortcut);
        }
        return String.join(", ", names);
    }

    static List<String> labels() {
        List<String> labels = new ArrayList<>();
        for (NodeCategory category : values()) {
            labels.add(category.label);
        }
        return labels;
    }

    /** Returns the full names by the short ones. */
    static SortedMap<String, String> shortcuts() {
        SortedMap<String, String> shortcuts = new TreeMap<>();
        for (NodeCategory category : values()) {
            if (category.shortcut != null) {
                shortcuts.put(category.shortcut, category.label);
            }
        }
        return shortcuts;
    }
}
