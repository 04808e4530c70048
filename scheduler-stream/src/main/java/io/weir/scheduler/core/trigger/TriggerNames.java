package io.weir.scheduler.core.trigger;

import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The names of the triggers of one object: none stands for two of them. Those without a name count for nothing. */
public final class TriggerNames {
    private final SortedSet<String> names = new TreeSet<>();

    /** Returns whether {@code name} is one more; false when it is taken. */
    boolean add(String name) {
        return name.isBlank() || names.add(name.strip());
    }

    /** Returns the first name among the triggers {@code texts} that is taken, by {@code others} or by one before; or null. */
    public static @Nullable String repeated(Collection<String> others, List<String> texts) {
        TriggerNames names = new TriggerNames();
        others.forEach(names::add);
        for (String text : texts) {
            TriggerSpec spec = TriggerText.read(text).spec();
            if (spec != null && !names.add(spec.name())) {
                return spec.name().strip();
            }
        }
        return null;
    }
}
