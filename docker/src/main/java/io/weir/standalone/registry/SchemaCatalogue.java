package io.weir.standalone.registry;

import io.confluent.kafka.schemaregistry.CompatibilityLevel;
import io.confluent.kafka.schemaregistry.client.rest.entities.SchemaReference;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the registry holds: a fold of its log, changed by {@link #put} and {@link #setLevel} alone. Safe for use by
 * several threads.
 */
final class SchemaCatalogue {
    private final CompatibilityLevel defaultLevel;

    /** Versions of each subject, by number. */
    private final NavigableMap<String, NavigableMap<Integer, RegisteredSchema>> subjects = new TreeMap<>();

    /** Level per subject; the empty name is the level of all others. */
    private final NavigableMap<String, CompatibilityLevel> levels = new TreeMap<>();

    /** One version per id, the first that was registered. */
    private final NavigableMap<Integer, RegisteredSchema> ids = new TreeMap<>();

    SchemaCatalogue(CompatibilityLevel defaultLevel) {
        this.defaultLevel = defaultLevel;
    }

    synchronized void put(RegisteredSchema schema) {
        subjects.computeIfAbsent(schema.subject(), name -> new TreeMap<>()).put(schema.version(), schema);
        ids.putIfAbsent(schema.id(), schema);
    }

    /** Sets the level of {@code subject} (null: of all that have none); a null level removes it. */
    synchronized void setLevel(@Nullable String subject, @Nullable CompatibilityLevel level) {
        String key = subject == null ? "" : subject;
        if (level == null) {
            levels.remove(key);
        } else {
            levels.put(key, level);
        }
    }

    synchronized List<String> subjects() {
        return List.copyOf(subjects.keySet());
    }

    synchronized boolean contains(String subject) {
        return subjects.containsKey(subject);
    }

    /** Returns the versions of {@code subject} in ascending order; empty when there is no such subject. */
    synchronized List<RegisteredSchema> versions(String subject) {
        return List.copyOf(versionsByNumber(subject).values());
    }

    synchronized Optional<RegisteredSchema> find(String subject, String text, List<SchemaReference> references) {
        return versionsByNumber(subject).values().stream()
                .filter(schema -> schema.saysTheSameAs(text, references))
                .findFirst();
    }

    synchronized Optional<RegisteredSchema> byId(int id) {
        return Optional.ofNullable(ids.get(id));
    }

    synchronized int maxId() {
        return ids.isEmpty() ? 0 : ids.lastKey();
    }

    /** Returns every version that has {@code id}, by subject and version. */
    synchronized List<RegisteredSchema> uses(int id) {
        return subjects.values().stream()
                .map(Map::values)
                .flatMap(Collection::stream)
                .filter(schema -> schema.id() == id)
                .sorted(Comparator.comparing(RegisteredSchema::subject).thenComparingInt(RegisteredSchema::version))
                .toList();
    }

    /** Returns the version that a new schema of {@code subject} would be. */
    synchronized RegisteredSchema next(String subject, String text, List<SchemaReference> references) {
        NavigableMap<Integer, RegisteredSchema> versions = versionsByNumber(subject);
        int version = versions.isEmpty() ? 1 : versions.lastKey() + 1;
        int id = ids.values().stream()
                .filter(schema -> schema.saysTheSameAs(text, references))
                .mapToInt(RegisteredSchema::id)
                .findFirst()
                .orElse(maxId() + 1);
        return new RegisteredSchema(subject, version, id, text, references);
    }

    synchronized CompatibilityLevel level(@Nullable String subject) {
        CompatibilityLevel own = subject == null ? null : levels.get(subject);
        return own != null ? own : levels.getOrDefault("", defaultLevel);
    }

    synchronized Optional<CompatibilityLevel> ownLevel(String subject) {
        return Optional.ofNullable(levels.get(subject));
    }

    private NavigableMap<Integer, RegisteredSchema> versionsByNumber(String subject) {
        return subjects.getOrDefault(subject, new TreeMap<>());
    }
}
