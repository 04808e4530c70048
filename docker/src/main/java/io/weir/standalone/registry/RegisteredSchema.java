package io.weir.standalone.registry;

import io.confluent.kafka.schemaregistry.client.rest.entities.SchemaReference;
import java.util.List;

/**
 * One version of a subject. The same text with the same references has the same id in every subject.
 *
 * @param subject name, such as {@code weir.rm.jobs-value}
 * @param version 1, 2, 3 … within the subject
 * @param id id that serialised records carry
 * @param text canonical text of the Avro schema
 * @param references schemas of other subjects that the text names
 */
record RegisteredSchema(String subject, int version, int id, String text, List<SchemaReference> references) {
    RegisteredSchema {
        references = List.copyOf(references);
    }

    boolean saysTheSameAs(String otherText, List<SchemaReference> otherReferences) {
        return text.equals(otherText) && references.equals(otherReferences);
    }
}
