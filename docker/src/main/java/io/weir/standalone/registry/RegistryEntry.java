package io.weir.standalone.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confluent.kafka.schemaregistry.CompatibilityLevel;
import io.confluent.kafka.schemaregistry.client.rest.entities.SchemaReference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One record of the registry's topic, in the JSON that Confluent's registry keeps in its own: the keys are unique per
 * subject and version, so compaction drops nothing but settings that were replaced.
 *
 * @param key record key
 * @param value record value
 */
record RegistryEntry(String key, String value) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JSON.getNodeFactory();

    static RegistryEntry schema(RegisteredSchema schema) {
        ObjectNode key = NODES.objectNode()
                .put("keytype", "SCHEMA")
                .put("subject", schema.subject())
                .put("version", schema.version())
                .put("magic", 1);
        ObjectNode value = NODES.objectNode()
                .put("subject", schema.subject())
                .put("version", schema.version())
                .put("id", schema.id());
        if (!schema.references().isEmpty()) {
            value.set("references", references(schema.references()));
        }
        value.put("schema", schema.text()).put("deleted", false);
        return new RegistryEntry(key.toString(), value.toString());
    }

    static RegistryEntry level(@Nullable String subject, CompatibilityLevel level) {
        ObjectNode key = NODES.objectNode()
                .put("keytype", "CONFIG")
                .put("subject", subject)
                .put("magic", 0);
        ObjectNode value = NODES.objectNode().put("compatibilityLevel", level.name);
        return new RegistryEntry(key.toString(), value.toString());
    }

    /** Puts a record of the topic in force; kinds it does not know are passed over. */
    static void replay(String key, @Nullable String value, SchemaCatalogue catalogue) throws IOException {
        JsonNode k = JSON.readTree(key);
        JsonNode v = value == null ? NODES.nullNode() : JSON.readTree(value);
        String kind = k.path("keytype").asText();
        if (kind.equals("SCHEMA") && v.isObject()) {
            catalogue.put(new RegisteredSchema(
                    v.path("subject").asText(),
                    v.path("version").asInt(),
                    v.path("id").asInt(),
                    v.path("schema").asText(),
                    references(v.path("references"))));
        } else if (kind.equals("CONFIG")) {
            JsonNode subject = k.path("subject");
            catalogue.setLevel(
                    subject.isTextual() ? subject.asText() : null,
                    v.isObject()
                            ? CompatibilityLevel.forName(
                                    v.path("compatibilityLevel").asText())
                            : null);
        }
    }

    static ArrayNode references(List<SchemaReference> references) {
        ArrayNode array = NODES.arrayNode();
        for (SchemaReference reference : references) {
            array.addObject()
                    .put("name", reference.getName())
                    .put("subject", reference.getSubject())
                    .put("version", reference.getVersion());
        }
        return array;
    }

    static List<SchemaReference> references(JsonNode array) {
        List<SchemaReference> references = new ArrayList<>();
        for (JsonNode reference : array) {
            references.add(new SchemaReference(
                    reference.path("name").asText(),
                    reference.path("subject").asText(),
                    reference.path("version").asInt()));
        }
        return references;
    }
}
