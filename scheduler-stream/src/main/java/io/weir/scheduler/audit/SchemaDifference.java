package io.weir.scheduler.audit;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * How the schema that a record was written by differs from that of this build in what makes up its bytes.
 *
 * @param without fields of this build that the record cannot have
 * @param beside fields the record has that this build does not know
 */
record SchemaDifference(SortedSet<String> without, SortedSet<String> beside) {

    /** Compares two schemas; empty when they encode alike. */
    static Optional<SchemaDifference> between(Schema written, Schema ours) {
        if (SchemaNormalization.toParsingForm(written).equals(SchemaNormalization.toParsingForm(ours))) {
            return Optional.empty();
        }
        SortedSet<String> theirFields = fields(written);
        SortedSet<String> ourFields = fields(ours);
        SortedSet<String> without = new TreeSet<>(ourFields);
        without.removeAll(theirFields);
        SortedSet<String> beside = new TreeSet<>(theirFields);
        beside.removeAll(ourFields);
        return Optional.of(new SchemaDifference(without, beside));
    }

    private static SortedSet<String> fields(Schema schema) {
        SortedSet<String> fields = new TreeSet<>();
        collect("", schema, fields, new HashSet<>());
        return fields;
    }

    private static void collect(String path, Schema schema, Set<String> fields, Set<String> open) {
        switch (schema.getType()) {
            case RECORD -> {
                if (open.add(schema.getFullName())) {
                    for (Schema.Field field : schema.getFields()) {
                        String name = path.isEmpty() ? field.name() : path + "." + field.name();
                        fields.add(name);
                        collect(name, field.schema(), fields, open);
                    }
                    open.remove(schema.getFullName());
                }
            }
            case UNION -> schema.getTypes().forEach(each -> collect(path, each, fields, open));
            case ARRAY -> collect(path, schema.getElementType(), fields, open);
            case MAP -> collect(path, schema.getValueType(), fields, open);
            default -> {}
        }
    }

    /** Returns it as a difference of the record. */
    FieldDifference toField() {
        String text = "written by another schema" + (without.isEmpty() ? "" : ", without " + String.join(", ", without))
                + (beside.isEmpty() ? "" : ", with " + String.join(", ", beside));
        return new FieldDifference("schema", text, "that of this build");
    }
}
