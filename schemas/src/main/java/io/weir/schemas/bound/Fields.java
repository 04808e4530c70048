package io.weir.schemas.bound;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of a record: one for each of its fields, flags and closed sets of words apart. A field without a bound is a
 * mistake that shows when the class is loaded.
 */
public final class Fields implements Bound {
    /** No limit on the characters of the record as a whole. */
    private static final long ANY = Long.MAX_VALUE;

    private final Schema schema;
    private final List<Field> fields;

    /** Those that may be cut. */
    private final Field[] cutting;

    private final long mostText;

    /**
     * A field that has a bound.
     *
     * @param counted whether its characters count for the whole record
     */
    public record Field(int position, String name, Bound bound, boolean counted) {}

    private Fields(Schema schema, List<Field> fields, long mostText) {
        this.schema = schema;
        this.fields = List.copyOf(fields);
        this.mostText = mostText;
        cutting = fields.stream().filter(field -> field.bound().cuts()).toArray(Field[]::new);
    }

    /**
     * Returns the bounds of records of {@code schema}.
     *
     * @throws IllegalArgumentException when a field is missing, or one is named that does not exist
     */
    static Fields of(Schema schema, Map<String, Bound> bounds) {
        List<Field> fields = new ArrayList<>();
        for (Schema.Field field : schema.getFields()) {
            Bound bound = bounds.get(field.name());
            if (bound != null) {
                fields.add(new Field(field.pos(), field.name(), bound, true));
            } else if (needsBound(field.schema())) {
                throw new IllegalArgumentException(
                        schema.getName() + "." + field.name() + " has no bound; give it one");
            }
        }
        if (fields.size() != bounds.size()) {
            throw new IllegalArgumentException("bounds of " + bounds.keySet() + " do not match " + schema.getName());
        }
        return new Fields(schema, fields, ANY);
    }

    /** Returns these bounds with one on all characters of the record, those of the field {@code apart} not counted. */
    Fields mostText(long characters, @Nullable String apart) {
        return new Fields(
                schema,
                fields.stream()
                        .map(field -> new Field(
                                field.position(),
                                field.name(),
                                field.bound(),
                                !field.name().equals(apart)))
                        .toList(),
                characters);
    }

    private static boolean needsBound(Schema schema) {
        return switch (schema.getType()) {
            case BOOLEAN, ENUM, NULL -> false;
            case UNION -> schema.getTypes().stream().anyMatch(Fields::needsBound);
            case RECORD, ARRAY, MAP, FIXED, STRING, BYTES, INT, LONG, FLOAT, DOUBLE -> true;
        };
    }

    /** Returns the name of the record. */
    public String name() {
        return schema.getName();
    }

    /** Returns the fields that have a bound, in the order of the schema. */
    public List<Field> fields() {
        return fields;
    }

    /** Returns the first breach in the fields {@code named} of {@code record}; null when there is none. */
    @Nullable
    Breach check(SpecificRecord record, Set<String> named) {
        for (Field field : fields) {
            if (named.contains(field.name())) {
                Breach breach = field.bound().check(record.get(field.position()), new TextTally());
                if (breach != null) {
                    return breach.within(field.name());
                }
            }
        }
        return null;
    }

    /** Returns the first breach in {@code record}; null when there is none. */
    public @Nullable Breach check(SpecificRecord record) {
        return check(record, new TextTally());
    }

    @Override
    public @Nullable Breach check(Object value, TextTally text) {
        SpecificRecord record = (SpecificRecord) value;
        TextTally all = mostText == ANY ? text : new TextTally();
        for (Field field : fields) {
            Object held = record.get(field.position());
            Breach breach = held == null ? null : field.bound().check(held, field.counted() ? all : new TextTally());
            if (breach != null) {
                return breach.within(field.name());
            }
        }
        return all.characters() <= mostText
                ? null
                : Breach.range("has " + all.characters() + " characters in all; at most " + mostText + " are allowed")
                        .within("record");
    }

    /** Returns {@code record} as it is used; the same object when nothing of it is cut. */
    public <T extends SpecificRecord> T fitted(T record) {
        @SuppressWarnings("unchecked")
        T fitted = (T) fit(record);
        return fitted;
    }

    @Override
    public boolean cuts() {
        return cutting.length > 0;
    }

    @Override
    public Object fit(Object value) {
        SpecificRecord record = (SpecificRecord) value;
        SpecificRecord copy = record;
        for (Field field : cutting) {
            Object held = record.get(field.position());
            Object next = held == null ? null : field.bound().fit(held);
            if (next != held) {
                if (copy == record) {
                    copy = SpecificData.get().deepCopy(schema, record);
                }
                copy.put(field.position(), next);
            }
        }
        return copy;
    }

    @Override
    public String words() {
        return mostText == ANY ? "" : "up to " + mostText + " characters in all";
    }
}
