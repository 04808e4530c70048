package io.weir.standalone.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import io.confluent.kafka.schemaregistry.client.rest.entities.SchemaReference;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A request taken apart: path segments and parameters decoded, the body read within bounds. Parameters that nobody asks
 * for are ignored, as the protocol wants it.
 */
final class RegistryRequest {
    private static final int BODY_LIMIT = 4 << 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String method;
    private final String path;
    private final List<String> segments;
    private final Map<String, String> parameters;
    private final byte[] body;

    RegistryRequest(HttpExchange exchange) throws IOException {
        this.method = exchange.getRequestMethod();
        this.path = exchange.getRequestURI().getRawPath();
        this.segments = segments(path);
        this.parameters = parameters(exchange.getRequestURI().getRawQuery());
        this.body = exchange.getRequestBody().readNBytes(BODY_LIMIT + 1);
        if (body.length > BODY_LIMIT) {
            throw RegistryException.bodyTooLarge(BODY_LIMIT);
        }
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
        List<String> wanted = segments(shape);
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
        return object.path("schema").asText();
    }

    List<SchemaReference> references() {
        return RegistryEntry.references(object().path("references"));
    }

    private static List<String> segments(String path) {
        List<String> segments = new ArrayList<>();
        for (String segment : path.split("/", -1)) {
            if (!segment.isEmpty()) {
                segments.add(decoded(segment.replace("+", "%2B")));
            }
        }
        return segments;
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new HashMap<>();
        if (query != null) {
            for (String pair : query.split("&", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    parameters.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
                }
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw RegistryException.noSuchPath(text);
        }
    }
}
