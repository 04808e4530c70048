package io.weir.standalone.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.confluent.kafka.schemaregistry.client.rest.entities.SchemaReference;
import io.weir.service.http.HttpCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A request taken apart. Parameters that nobody asks for are ignored, as the protocol wants it.
 */
final class RegistryRequest {
    /** Longest body, bytes. */
    static final int BODY_LIMIT = 4 << 20;

    /** A schema has to fit into one record, with its references. */
    private static final int LONGEST_SCHEMA = 900_000;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final String method;
    private final String path;
    private final List<String> segments;
    private final Map<String, String> parameters;
    private final byte[] body;

    RegistryRequest(HttpCall call, byte[] body) {
        this.method = call.method();
        this.path = call.rawPath();
        this.segments = call.path();
        this.parameters = call.parameters();
        this.body = body;
    }

    String method() {
        return method;
    }

    String path() {
        return path;
    }

    int length() {
        return segments.size();
    }

    String segment(int index) {
        return segments.get(index);
    }

    /** Says whether the path has this shape; {@code *} stands for any one segment. */
    boolean matches(String shape) {
        List<String> wanted = List.of(shape.split("/", -1));
        if (wanted.size() != segments.size()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            if (!wanted.get(i).equals("*") && !wanted.get(i).equals(segments.get(i))) {
                return false;
            }
        }
        return true;
    }

    boolean flag(String parameter) {
        return Boolean.parseBoolean(parameters.getOrDefault(parameter, "false"));
    }

    /** Returns the body, which has to be a JSON object. */
    JsonNode object() {
        try {
            JsonNode node = JSON.readTree(body);
            if (node != null && node.isObject()) {
                return node;
            }
        } catch (IOException e) {
            throw RegistryException.invalidSchema("the body is not JSON: " + e.getMessage());
        }
        throw RegistryException.invalidSchema("the body is not a JSON object");
    }

    /** Returns the text of the Avro schema in the body. */
    String schema() {
        JsonNode object = object();
        String type = object.path("schemaType").asText("AVRO");
        if (object.path("schemaType").isTextual() && !type.equalsIgnoreCase("AVRO")) {
            throw RegistryException.invalidSchema("schema type " + type + " is not supported, only AVRO is");
        }
        if (!object.path("schema").isTextual() || object.path("schema").asText().isBlank()) {
            throw RegistryException.invalidSchema("field \"schema\" is missing");
        }
        String schema = object.path("schema").asText();
        int bytes = NODES.textNode(schema).toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > LONGEST_SCHEMA) {
            throw RegistryException.invalidSchema(
                    "as JSON it has " + bytes + " bytes; at most " + LONGEST_SCHEMA + " can be kept");
        }
        return schema;
    }

    List<SchemaReference> references() {
        JsonNode references = object().path("references");
        if (references.isMissingNode() || references.isNull()) {
            return List.of();
        }
        if (!references.isArray()) {
            throw RegistryException.invalidSchema("field \"references\" is no list");
        }
        for (JsonNode reference : references) {
            if (!reference.path("name").isTextual()
                    || !reference.path("subject").isTextual()
                    || !reference.path("version").isIntegralNumber()) {
                throw RegistryException.invalidSchema("a reference needs \"name\", \"subject\" and \"version\", found "
                        + shown(reference.toString()));
            }
        }
        return RegistryEntry.references(references);
    }

    private static String shown(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }
}
