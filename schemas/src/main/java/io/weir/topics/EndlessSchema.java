package io.weir.topics;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * Finds what in a schema lets a few bytes keep their reader busy for ever, or deeper in calls than any stack: a list of
 * values that take no bytes, and a type that contains itself. Weir's own schemas have neither; whoever may register one may
 * add such a field, which readers skip.
 */
final class EndlessSchema {
    private final Set<String> above = new HashSet<>();
    private final Set<String> sound = new HashSet<>();

    private EndlessSchema() {}

    /** Returns what is wrong with {@code schema} in this respect, in words that follow its name; empty when nothing is. */
    static Optional<String> objection(Schema schema) {
        return new EndlessSchema().check(schema);
    }

    private Optional<String> check(Schema schema) {
        return switch (schema.getType()) {
            case RECORD -> checkRecord(schema);
            case ARRAY -> checkItems(schema.getElementType());
            // The keys of a map take a byte each.
            case MAP -> check(schema.getValueType());
            case UNION ->
                schema.getTypes().stream().flatMap(type -> check(type).stream()).findFirst();
            default -> Optional.empty();
        };
    }

    private Optional<String> checkRecord(Schema schema) {
        if (!above.add(schema.getFullName())) {
            return Optional.of("contains " + schema.getFullName() + " within itself");
        }
        Optional<String> found = sound.contains(schema.getFullName())
                ? Optional.empty()
                : schema.getFields().stream()
                        .flatMap(field -> check(field.schema()).stream())
                        .findFirst();
        above.remove(schema.getFullName());
        if (found.isEmpty()) {
            sound.add(schema.getFullName());
        }
        return found;
    }

    private Optional<String> checkItems(Schema items) {
        Optional<String> found = check(items);
        return found.isPresent() || !takesNothing(items)
                ? found
                : Optional.of("has a list of items that take no bytes");
    }

    /** Returns whether a value takes no bytes; {@code schema} does not contain itself. */
    private static boolean takesNothing(Schema schema) {
        return switch (schema.getType()) {
            case NULL -> true;
            case FIXED -> schema.getFixedSize() == 0;
            case RECORD -> schema.getFields().stream().allMatch(field -> takesNothing(field.schema()));
            default -> false;
        };
    }
}
