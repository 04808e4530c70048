package io.weir.rm.nativerm.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node or job as the text describes it: an id and typed attributes, merged from every line about it. What was not given
 * has the attribute's default. Changed by {@link TextReader} only, while it reads.
 */
public final class TextObject {
    private static final int MOST_UNREAD = 10;

    private final String id;
    private final Map<TextAttribute<?>, Object> values = new HashMap<>();
    private final List<String> unread = new ArrayList<>();

    TextObject(String id) {
        this.id = id;
    }

    /** Returns the id. */
    public String id() {
        return id;
    }

    /** Returns whether anything but the id was given. */
    public boolean hasData() {
        return !values.isEmpty();
    }

    /** Returns what was given and could not be read, the first few, in the order of the text. */
    public List<String> unread() {
        return List.copyOf(unread);
    }

    void addUnread(String problem) {
        if (unread.size() < MOST_UNREAD && !unread.contains(problem)) {
            unread.add(problem);
        }
    }

    /** Returns whether {@code attribute} was given. */
    public boolean has(TextAttribute<?> attribute) {
        return values.containsKey(attribute);
    }

    /** Returns what was given, else the default. The attribute has one. */
    public <T> T get(TextAttribute<T> attribute) {
        @Nullable T value = orNull(attribute);
        return Objects.requireNonNull(
                value != null ? value : attribute.defaultValue(), () -> attribute + " has no default");
    }

    /** Returns what was given, without regard to a default. */
    public <T> Optional<T> find(TextAttribute<T> attribute) {
        return Optional.ofNullable(orNull(attribute));
    }

    /** Returns what was given, without regard to a default; null if nothing was. */
    @SuppressWarnings("unchecked")
    public <T> @Nullable T orNull(TextAttribute<T> attribute) {
        return (T) values.get(attribute);
    }

    <T> void put(TextAttribute<T> attribute, String index, Value value) throws MalformedValueException {
        T read = attribute.format().read(index, value);
        @Nullable T earlier = orNull(attribute);
        if (earlier != null && attribute.isFull(earlier)) {
            throw new MalformedValueException("is one more than the " + Formats.MOST_GATHERED + " that there may be");
        }
        values.put(attribute, earlier == null ? read : attribute.merged(earlier, read));
    }

    /** Takes over everything {@code later} says. */
    void merge(TextObject later) {
        later.unread.forEach(this::addUnread);
        later.values.forEach((attribute, value) -> values.merge(attribute, value, (a, b) -> merged(attribute, a, b)));
    }

    @SuppressWarnings("unchecked")
    private static <T> Object merged(TextAttribute<T> attribute, Object earlier, Object later) {
        return Objects.requireNonNull(attribute.merged((T) earlier, (T) later));
    }

    @Override
    public String toString() {
        return id + " " + values;
    }
}
