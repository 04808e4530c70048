package io.weir.scheduler.core.policy.language.value;

import io.weir.schemas.CategoryClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a node is busy with, or ails from, in one word. Of several that hold the first one here counts. */
public enum NodeCategory {
    EMERGENCY_MAINTENANCE("EmergencyMaintenance", "emain", CategoryClass.MAINTENANCE),
    HARDWARE_MAINTENANCE("HardwareMaintenance", "hwmain", CategoryClass.MAINTENANCE),
    SOFTWARE_MAINTENANCE("SoftwareMaintenance", "swmain", CategoryClass.MAINTENANCE),
    BENCHMARK("Benchmark", "bench", CategoryClass.RESERVED),
    SITE1("Site1", CategoryClass.SITE),
    SITE2("Site2", CategoryClass.SITE),
    SITE3("Site3", CategoryClass.SITE),
    SITE4("Site4", CategoryClass.SITE),
    SITE5("Site5", CategoryClass.SITE),
    SITE6("Site6", CategoryClass.SITE),
    SITE7("Site7", CategoryClass.SITE),
    SITE8("Site8", CategoryClass.SITE),
    HARDWARE_FAILURE("HardwareFailure", "hwfail", CategoryClass.FAILURE),
    NETWORK_FAILURE("NetworkFailure", "netfail", CategoryClass.FAILURE),
    STORAGE_FAILURE("StorageFailure", "storfail", CategoryClass.FAILURE),
    SOFTWARE_FAILURE("SoftwareFailure", "swfail", CategoryClass.FAILURE),
    BATCH_FAILURE("BatchFailure", "batfail", CategoryClass.FAILURE),
    OTHER_FAILURE("OtherFailure", "otherfail", CategoryClass.FAILURE),
    ACTIVE("Active", CategoryClass.WORK),
    PERSONAL_RESERVATION("PersonalReservation", "pers", CategoryClass.RESERVED),
    STANDING_RESERVATION("StandingReservation", "stand", CategoryClass.RESERVED),
    USER_RESERVATION("UserReservation", "user", CategoryClass.RESERVED),
    JOB_RESERVATION("JobReservation", "job", CategoryClass.RESERVED),
    IDLE("Idle", CategoryClass.WORK),
    OTHER("Other", CategoryClass.OTHER);

    private final String label;
    private final @Nullable String shortcut;
    private final CategoryClass categoryClass;

    NodeCategory(String label, CategoryClass categoryClass) {
        this(label, null, categoryClass);
    }

    NodeCategory(String label, @Nullable String shortcut, CategoryClass categoryClass) {
        this.label = label;
        this.shortcut = shortcut;
        this.categoryClass = categoryClass;
    }

    /** Returns what it counts as in reports. */
    public CategoryClass categoryClass() {
        return categoryClass;
    }

    /** Returns whether a node in it is broken. */
    public boolean isFailure() {
        return categoryClass == CategoryClass.FAILURE;
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
