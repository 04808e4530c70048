package io.weir.rm.nativerm.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A node or job as the text describes it: an id and typed attributes, merged from every line about it. What was not given
 * has the attribute's default. Changed while it is read, and by {@link #keep} once afterwards.
 */
public final class TextObject {
    private static final int MOST_UNREAD = 10;

    private final String id;
    private final Map<TextAttribute<?>, Object> values = new HashMap<>();
    private final List<Unread> unread = new ArrayList<>();

    /** Attributes that were given in a form that cannot be read. */
    private final Set<TextAttribute<?>> unreadable = new HashSet<>();

    /** Lists behind which something stood that may be the rest of them. */
    private final Set<TextAttribute<?>> doubtful = new HashSet<>();

    /** Attributes of which what was known before holds. */
    private final Set<TextAttribute<?>> kept = new HashSet<>();

    /** Whether a line may have said more than can be read. */
    private boolean incomplete;

    /**
     * Something given that could not be read.
     *
     * @param attribute what it was about; null where that cannot be told
     * @param problem what it is and what is wrong with it
     */
    public record Unread(@Nullable TextAttribute<?> attribute, String problem) {}

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
    public List<Unread> unread() {
        return List.copyOf(unread);
    }

    /** Returns whether {@code attribute} was given in a form that could not be read, and nothing else tells its value. */
    public boolean isUnreadable(TextAttribute<?> attribute) {
        return unreadable.contains(attribute) && !has(attribute);
    }

    /** Returns whether a line may have said more than could be read. */
    public boolean isIncomplete() {
        return incomplete;
    }

    /** Returns whether {@code attribute} has the value that was known before. */
    public boolean isKept(TextAttribute<?> attribute) {
        return kept.contains(attribute);
    }

    void addUnread(TextAttribute<?> attribute, String problem) {
        unreadable.add(attribute);
        add(new Unread(attribute, problem));
    }

    /** A word is no pair: the line may say more than can be read, and {@code before}, a list, may go on with it. */
    void addStray(@Nullable TextAttribute<?> before, String problem) {
        incomplete = true;
        if (before != null && before.isList() && has(before)) {
            doubtful.add(before);
        }
        add(new Unread(null, problem));
    }

    /** A line about it may say more than can be read. */
    void setIncomplete() {
        incomplete = true;
    }

    private void add(Unread problem) {
        if (unread.size() < MOST_UNREAD && !unread.contains(problem)) {
            unread.add(problem);
        }
    }

    /**
     * Keeps what was known before of attributes that cannot be read now. Where a line may have said more than can be read,
     * these are all that are not given. Values that add up are not kept.
     *
     * @param before the same object in the poll before
     * @param lasting attributes that hold until another value is given, whether or not they are given each time
     */
    public void keep(TextObject before, Collection<TextAttribute<?>> lasting) {
        before.values.forEach((attribute, value) -> {
            boolean untold =
                    !has(attribute) && (incomplete || unreadable.contains(attribute) || lasting.contains(attribute));
            if (!attribute.isGathering() && (untold || doubtful.contains(attribute))) {
                values.put(attribute, value);
                kept.add(attribute);
            }
        });
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
        later.unread.forEach(this::add);
        unreadable.addAll(later.unreadable);
        incomplete |= later.incomplete;
        doubtful.removeAll(later.values.keySet());
        doubtful.addAll(later.doubtful);
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
