package io.weir.standalone.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confluent.kafka.schemaregistry.CompatibilityLevel;
import io.weir.service.http.HttpCall;
import io.weir.service.http.HttpHandler;
import io.weir.service.http.HttpRefusal;
import io.weir.service.http.HttpReply;
import io.weir.standalone.registry.RegistryUsers.Right;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps the protocol's paths to {@link SchemaRegistrar} and its answers and refusals back to JSON. */
final class RegistryRoutes implements HttpHandler {
    private static final Logger log = LoggerFactory.getLogger(RegistryRoutes.class);
    private static final String CONTENT_TYPE = "application/vnd.schemaregistry.v1+json";
    private static final int STORE_FAILED = 50001;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JSON.getNodeFactory();

    private final SchemaRegistrar registrar;
    private final BasicLogin login;
    private final Executor threads;

    /** Answers on {@code threads}, which wait for the broker. */
    RegistryRoutes(SchemaRegistrar registrar, RegistryUsers users, Executor threads) {
        this.registrar = registrar;
        this.login = new BasicLogin(users);
        this.threads = threads;
    }

    @Override
    public CompletionStage<HttpReply> answer(HttpCall call) {
        Right right;
        try {
            right = login.admit(call.header("Authorization"));
        } catch (RegistryException e) {
            HttpReply refused = error(e);
            return (e.status() == HttpRefusal.UNAUTHORIZED
                            ? refused.with("WWW-Authenticate", BasicLogin.CHALLENGE)
                            : refused)
                    .now();
        }
        return call.body().thenApplyAsync(body -> answer(call, body, right), threads);
    }

    private HttpReply answer(HttpCall call, byte[] body, Right right) {
        try {
            return HttpReply.json(HttpReply.OK, answer(new RegistryRequest(call, body), right))
                    .as(CONTENT_TYPE);
        } catch (RegistryException e) {
            return error(e);
        } catch (KafkaException e) {
            log.warn("{} failed: {}", call, e.toString());
            return error(RegistryException.storeFailed(e.toString()));
        }
    }

    private static HttpReply error(RegistryException e) {
        return error(e.status(), e.code(), String.valueOf(e.getMessage()));
    }

    /** Returns a refusal of the server's as the protocol has it. */
    static HttpReply error(int status, String message) {
        return error(status, status == HttpRefusal.FAILED ? STORE_FAILED : status, message);
    }

    private static HttpReply error(int status, int code, String message) {
        return HttpReply.json(status, NODES.objectNode().put("error_code", code).put("message", message))
                .as(CONTENT_TYPE);
    }

    private JsonNode answer(RegistryRequest request, Right right) {
        return switch (request.length() == 0 ? "" : request.segment(0)) {
            case "" -> NODES.objectNode();
            case "subjects" -> subjects(request, right);
            case "schemas" -> schemas(request);
            case "compatibility" -> compatibility(request);
            case "config" -> config(request, right);
            case "mode" -> mode(request);
            default -> throw RegistryException.noSuchPath(request.path());
        };
    }

    /** There is one mode, and no way to another. */
    private static JsonNode mode(RegistryRequest request) {
        if (!request.matches("mode") && !request.matches("mode/*")) {
            throw RegistryException.noSuchPath(request.path());
        }
        only("GET", request);
        return NODES.objectNode().put("mode", "READWRITE");
    }

    private JsonNode subjects(RegistryRequest request, Right right) {
        if (request.matches("subjects")) {
            only("GET", request);
            return strings(registrar.subjects());
        }
        String subject = request.segment(1);
        if (request.matches("subjects/*")) {
            only("POST", request);
            return described(
                    registrar.lookUp(subject, request.schema(), request.references(), request.flag("normalize")));
        }
        if (request.matches("subjects/*/versions")) {
            if (request.method().equals("POST")) {
                RegisteredSchema schema = register(subject, request, right);
                return NODES.objectNode().put("id", schema.id()).put("version", schema.version());
            }
            only("GET", request);
            ArrayNode versions = NODES.arrayNode();
            registrar.versions(subject).forEach(schema -> versions.add(schema.version()));
            return versions;
        }
        if (request.matches("subjects/*/versions/*")) {
            only("GET", request);
            return described(registrar.version(subject, request.segment(3)));
        }
        if (request.matches("subjects/*/versions/*/schema")) {
            only("GET", request);
            return parsed(registrar.version(subject, request.segment(3)).text());
        }
        throw RegistryException.noSuchPath(request.path());
    }

    /** Serializers register what they are about to write; what is there already, a reader may have, too. */
    private RegisteredSchema register(String subject, RegistryRequest request, Right right) {
        boolean normalize = request.flag("normalize");
        if (right.compareTo(Right.REGISTER) >= 0) {
            return registrar.register(subject, request.schema(), request.references(), normalize);
        }
        try {
            return registrar.lookUp(subject, request.schema(), request.references(), normalize);
        } catch (RegistryException e) {
            throw e.status() == 404 ? RegistryException.forbidden("register schemas") : e;
        }
    }

    private JsonNode schemas(RegistryRequest request) {
        only("GET", request);
        if (request.matches("schemas/types")) {
            return strings(List.of("AVRO"));
        }
        if (request.length() < 3 || !request.segment(1).equals("ids")) {
            throw RegistryException.noSuchPath(request.path());
        }
        int id = id(request.segment(2));
        if (request.matches("schemas/ids/*")) {
            RegisteredSchema schema = registrar.byId(id);
            ObjectNode node = NODES.objectNode().put("schema", schema.text());
            if (!schema.references().isEmpty()) {
                node.set("references", RegistryEntry.references(schema.references()));
            }
            return request.flag("fetchMaxId") ? node.put("maxId", registrar.maxId()) : node;
        }
        if (request.matches("schemas/ids/*/schema")) {
            return parsed(registrar.byId(id).text());
        }
        if (request.matches("schemas/ids/*/subjects")) {
            return strings(registrar.uses(id).stream()
                    .map(RegisteredSchema::subject)
                    .distinct()
                    .toList());
        }
        if (request.matches("schemas/ids/*/versions")) {
            ArrayNode versions = NODES.arrayNode();
            registrar
                    .uses(id)
                    .forEach(schema -> versions.addObject()
                            .put("subject", schema.subject())
                            .put("version", schema.version()));
            return versions;
        }
        throw RegistryException.noSuchPath(request.path());
    }

    private JsonNode compatibility(RegistryRequest request) {
        boolean one = request.matches("compatibility/subjects/*/versions/*");
        if (!one && !request.matches("compatibility/subjects/*/versions")) {
            throw RegistryException.noSuchPath(request.path());
        }
        only("POST", request);
        List<String> problems = registrar.incompatibilities(
                request.segment(2),
                one ? request.segment(4) : null,
                request.schema(),
                request.references(),
                request.flag("normalize"));
        ObjectNode answer = NODES.objectNode().put("is_compatible", problems.isEmpty());
        if (request.flag("verbose")) {
            answer.set("messages", strings(problems));
        }
        return answer;
    }

    private JsonNode config(RegistryRequest request, Right right) {
        if (request.length() > 2) {
            throw RegistryException.noSuchPath(request.path());
        }
        String subject = request.length() == 2 ? request.segment(1) : null;
        if (request.method().equals("PUT")) {
            if (right != Right.ADMINISTER) {
                throw RegistryException.forbidden("change compatibility levels");
            }
            String level = request.object().path("compatibility").asText();
            registrar.setLevel(subject, level);
            return NODES.objectNode().put("compatibility", registrar.level(subject, true).name);
        }
        only("GET", request);
        CompatibilityLevel level = registrar.level(subject, request.flag("defaultToGlobal"));
        return NODES.objectNode().put("compatibilityLevel", level.name);
    }

    private static void only(String method, RegistryRequest request) {
        if (!request.method().equals(method)) {
            throw RegistryException.methodNotAllowed(request.method(), request.path());
        }
    }

    private static int id(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw RegistryException.schemaNotFound(text);
        }
    }

    private static JsonNode described(RegisteredSchema schema) {
        ObjectNode node = NODES.objectNode()
                .put("subject", schema.subject())
                .put("version", schema.version())
                .put("id", schema.id());
        if (!schema.references().isEmpty()) {
            node.set("references", RegistryEntry.references(schema.references()));
        }
        return node.put("schema", schema.text());
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            return NODES.textNode(text);
        }
    }

    private static ArrayNode strings(List<String> values) {
        ArrayNode array = NODES.arrayNode();
        values.forEach(array::add);
        return array;
    }
}
