package io.weir.scheduler.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.NullUnmarked;

/**
 * An OpenAPI document that answers are held against, both ways: an answer may have nothing that is not described, and what
 * is described has to be answered by some call, what is required by each.
 */
@NullUnmarked
final class ApiDescription {
    /** What a schema may say; anything else would go unchecked. */
    private static final Set<String> KEYWORDS =
            Set.of("type", "required", "properties", "items", "enum", "nullable", "description", "example", "format");

    private static final String DEFAULT = "default";

    private final JsonNode root;
    private final Set<String> problems = new LinkedHashSet<>();
    private final SortedSet<String> unanswered = new TreeSet<>();

    /** Names of the fields of each object that came, by where its schema is. */
    private final Map<String, List<SortedSet<String>>> shapes = new TreeMap<>();

    private ApiDescription(JsonNode root) {
        this.root = root;
        operations()
                .forEach(operation ->
                        names(responses(operation)).forEach(status -> unanswered.add(operation + " " + status)));
    }

    static ApiDescription read(Path file) throws IOException {
        return new ApiDescription(new YAMLMapper().readTree(Files.readString(file)));
    }

    /** Returns the operations, such as {@code GET /nonstop/v1/config}. */
    SortedSet<String> operations() {
        SortedSet<String> operations = new TreeSet<>();
        root.path("paths").properties().forEach(path -> {
            for (String name : names(path.getValue())) {
                if (!name.equals("parameters")) {
                    operations.add(name.toUpperCase(Locale.ROOT) + " " + path.getKey());
                }
            }
        });
        return operations;
    }

    private JsonNode operation(String operation) {
        String[] words = operation.split(" ", 2);
        return root.path("paths").path(words[1]).path(words[0].toLowerCase(Locale.ROOT));
    }

    /** Returns the fields that the body of an operation may have. */
    SortedSet<String> requestFields(String operation) {
        return names(operation(operation)
                .at("/requestBody/content")
                .path("application/json")
                .path("schema")
                .path("properties"));
    }

    /** Returns the codes that an operation may be refused with. */
    SortedSet<String> errors(String operation) {
        SortedSet<String> codes = new TreeSet<>();
        operation(operation).path("x-errors").forEach(code -> codes.add(code.asText()));
        return codes;
    }

    private JsonNode responses(String operation) {
        return operation(operation).path("responses");
    }

    /** Holds an answer against its description. */
    void answered(String operation, int status, String type, JsonNode body) {
        JsonNode responses = responses(operation);
        String described = responses.has(Integer.toString(status)) ? Integer.toString(status) : DEFAULT;
        unanswered.remove(operation + " " + described);
        String where = operation + " " + described;
        JsonNode content = resolved(responses.path(described)).path("content").path(type);
        if (content.isMissingNode()) {
            problems.add(where + ": " + type + " is not described");
        } else {
            check(where, content.path("schema"), body);
        }
    }

    /** Holds the data of an event of an operation's stream against its description. */
    void streamed(String operation, JsonNode data) {
        check(
                operation + " data",
                responses(operation)
                        .path("200")
                        .path("content")
                        .path("text/event-stream")
                        .path("x-event-data"),
                data);
    }

    /** Holds what a subscriber is told against its description. */
    void toldTo(String operation, JsonNode body) {
        JsonNode callback = operation(operation)
                .path("callbacks")
                .path("happened")
                .elements()
                .next();
        check(
                operation + " callback",
                callback.at("/post/requestBody/content")
                        .path("application/json")
                        .path("schema"),
                body);
    }

    /** Returns what does not hold: of the answers that came, and of the description, now that no further one comes. */
    List<String> problems() {
        List<String> all = new ArrayList<>(problems);
        unanswered.forEach(each -> all.add(each + ": never answered"));
        for (String name : names(root.at("/components/schemas"))) {
            if (!shapes.containsKey(name)) {
                all.add(name + ": never answered");
            }
        }
        shapes.forEach((where, came) -> {
            JsonNode schema = root.at("/components/schemas/" + where.replace('.', '/'));
            SortedSet<String> always = new TreeSet<>(came.get(0));
            SortedSet<String> ever = new TreeSet<>();
            came.forEach(fields -> {
                always.retainAll(fields);
                ever.addAll(fields);
            });
            SortedSet<String> required = new TreeSet<>();
            schema.path("required").forEach(name -> required.add(name.asText()));
            if (!required.equals(always)) {
                all.add(where + ": required are " + required + ", always answered " + always);
            }
            if (!ever.equals(names(schema.path("properties")))) {
                all.add(where + ": described are " + names(schema.path("properties")) + ", answered " + ever);
            }
        });
        return all;
    }

    private void check(String where, JsonNode given, JsonNode value) {
        JsonNode schema = resolved(given);
        String place = given.has("$ref") ? name(given) : where;
        for (String keyword : names(schema)) {
            if (!KEYWORDS.contains(keyword)) {
                problems.add(place + ": '" + keyword + "' is not checked");
            }
        }
        if (value.isNull() && schema.path("nullable").asBoolean()) {
            return;
        }
        boolean fits = switch (schema.path("type").asText()) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "boolean" -> value.isBoolean();
            default -> false;
        };
        if (!fits) {
            problems.add(place + ": " + value + " is no " + schema.path("type"));
        } else if (value.isObject()) {
            shapes.computeIfAbsent(place, any -> new ArrayList<>()).add(names(value));
            value.properties().forEach(field -> {
                JsonNode property = schema.path("properties").path(field.getKey());
                if (property.isMissingNode()) {
                    problems.add(place + ": " + field.getKey() + " is not described");
                } else {
                    check(place + ".properties." + field.getKey(), property, field.getValue());
                }
            });
        } else if (value.isArray()) {
            value.forEach(item -> check(place + ".items", schema.path("items"), item));
        } else if (schema.has("enum") && !texts(schema.path("enum")).contains(value.asText())) {
            problems.add(place + ": " + value + " is none of " + schema.path("enum"));
        }
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? root.at(node.path("$ref").asText().substring(1)) : node;
    }

    private static String name(JsonNode reference) {
        String path = reference.path("$ref").asText();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(item -> texts.add(item.asText()));
        return texts;
    }

    private static SortedSet<String> names(JsonNode object) {
        SortedSet<String> names = new TreeSet<>();
        for (Iterator<String> fields = object.fieldNames(); fields.hasNext(); ) {
            names.add(fields.next());
        }
        return names;
    }
}
