package io.weir.standalone.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.client.CachedSchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Credentials;
import io.weir.standalone.broker.EmbeddedBroker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The genuine client against the embedded registry, and the corners of the protocol that it does not reach. */
class EmbeddedRegistryIT {
    private static final String JOB =
            "{\"type\":\"record\",\"name\":\"Job\",\"fields\":[{\"name\":\"id\",\"type\":\"string\"}]}";
    private static final String JOB_2 =
            "{\"type\":\"record\",\"name\":\"Job\",\"fields\":[{\"name\":\"id\",\"type\":\"string\"},"
                    + "{\"name\":\"user\",\"type\":[\"null\",\"string\"],\"default\":null}]}";
    private static final String JOB_BROKEN =
            "{\"type\":\"record\",\"name\":\"Job\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"}]}";
    private static final String NODE =
            "{\"type\":\"record\",\"name\":\"Node\",\"fields\":[{\"name\":\"procs\",\"type\":\"int\"}]}";

    @TempDir
    static Path directory;

    private static EmbeddedBroker broker;
    private static EmbeddedRegistry registry;
    private static Map<String, Object> kafka;

    @BeforeAll
    static void start() {
        Credentials credentials = new Credentials(directory.resolve("credentials"));
        broker = EmbeddedBroker.start(directory, credentials, 0);
        kafka = new HashMap<>(credentials.ensure(Account.ADMIN).clientProperties());
        kafka.put("bootstrap.servers", broker.bootstrapServers());
        registry = startRegistry();
    }

    @AfterAll
    static void stop() {
        registry.close();
        broker.close();
    }

    @Test
    void shouldServeTheGenuineClient() throws Exception {
        CachedSchemaRegistryClient client = client(registry);

        int id = client.register("client-value", new AvroSchema(JOB));
        int again = client(registry).register("client-value", new AvroSchema(JOB));
        int other = client.register("client-copy-value", new AvroSchema(JOB));
        int second = client.register("client-value", new AvroSchema(JOB_2));

        assertThat(again).isEqualTo(id);
        assertThat(other).isEqualTo(id);
        assertThat(second).isNotEqualTo(id);
        CachedSchemaRegistryClient fresh = client(registry);
        assertThat(fresh.getSchemaById(id).canonicalString()).isEqualTo(new AvroSchema(JOB).canonicalString());
        assertThat(fresh.getId("client-value", new AvroSchema(JOB_2))).isEqualTo(second);
        assertThat(fresh.getVersion("client-value", new AvroSchema(JOB_2))).isEqualTo(2);
        assertThat(fresh.getAllVersions("client-value")).containsExactly(1, 2);
        assertThat(fresh.getLatestSchemaMetadata("client-value").getId()).isEqualTo(second);
        assertThat(fresh.getSchemaMetadata("client-value", 1).getSchema())
                .isEqualTo(new AvroSchema(JOB).canonicalString());
        assertThat(fresh.getAllSubjects()).contains("client-value", "client-copy-value");
        assertThat(fresh.getAllSubjectsById(id)).containsExactlyInAnyOrder("client-value", "client-copy-value");
        assertThat(fresh.testCompatibility("client-value", new AvroSchema(JOB_BROKEN)))
                .isFalse();
        assertThat(fresh.getCompatibility(null)).isEqualTo("FULL_TRANSITIVE");
        assertThat(fresh.getMode()).isEqualTo("READWRITE");
    }

    @Test
    void shouldRefuseAnIncompatibleSchemaUnlessTheSubjectAllowsIt() throws Exception {
        CachedSchemaRegistryClient client = client(registry);
        client.register("strict-value", new AvroSchema(JOB));

        assertThatThrownBy(() -> client.register("strict-value", new AvroSchema(JOB_BROKEN)))
                .isInstanceOfSatisfying(
                        RestClientException.class,
                        e -> assertThat(e.getErrorCode()).isEqualTo(409));

        client.updateCompatibility("strict-value", "NONE");
        assertThat(client.getCompatibility("strict-value")).isEqualTo("NONE");
        client.register("strict-value", new AvroSchema(JOB_BROKEN));
        assertThat(client.getAllVersions("strict-value")).containsExactly(1, 2);
    }

    @Test
    void shouldKeepIdsOverARestartAndShareThemWithASecondRegistry() throws Exception {
        int id;
        try (EmbeddedRegistry first = startRegistry()) {
            id = client(first).register("kept-value", new AvroSchema(NODE));
        }
        try (EmbeddedRegistry second = startRegistry();
                EmbeddedRegistry third = startRegistry()) {
            assertThat(client(second).getId("kept-value", new AvroSchema(NODE))).isEqualTo(id);

            // They take turns: each write fences the other's writer, and no id is given twice.
            int a = client(second).register("turn-a-value", record("A"));
            int b = client(third).register("turn-b-value", record("B"));
            int c = client(second).register("turn-c-value", record("C"));
            assertThat(new int[] {id, a, b, c}).doesNotHaveDuplicates();
            assertThat(client(third).getSchemaById(c).name()).isEqualTo("C");
            assertThat(client(second).getSchemaById(b).name()).isEqualTo("B");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET  | /subjects/none/versions        |                     | 404 | 40401",
                "GET  | /subjects/known-value/versions/9 |                   | 404 | 40402",
                "GET  | /subjects/known-value/versions/x |                   | 422 | 42202",
                "GET  | /schemas/ids/999999            |                     | 404 | 40403",
                "POST | /subjects/none                 | {'schema':'\"int\"'}  | 404 | 40401",
                "POST | /subjects/known-value          | {'schema':'\"int\"'}  | 404 | 40403",
                "POST | /subjects/known-value/versions | {'schema':'nonsense'} | 422 | 42201",
                "POST | /subjects/known-value/versions | {'schema':           | 422 | 42201",
                "POST | /subjects/known-value/versions | []                  | 422 | 42201",
                "POST | /subjects/known-value/versions | {}                  | 422 | 42201",
                "POST | /subjects/known-value/versions | {'schemaType':'JSON','schema':'{}'} | 422 | 42201",
                "GET  | /config/known-value            |                     | 404 | 40408",
                "PUT  | /config                        | {'compatibility':'MAYBE'} | 422 | 42203",
                "POST | /subjects/known-value/versions | {'schema':'{}','references':'x'} | 422 | 42201",
                "POST | /subjects/known-value/versions | {'schema':'{}','references':[{'name':'a'}]} | 422 | 42201",
                "PUT  | /mode                          | {'mode':'READONLY'} | 405 | 405",
                "DELETE | /mode/known-value            |                     | 405 | 405",
                "GET  | /mode/a/b                      |                     | 404 | 404",
                "DELETE | /subjects                    |                     | 405 | 405",
                "GET  | /nowhere                       |                     | 404 | 404"
            })
    void shouldAnswerMistakesWithTheProtocolsCodes(String method, String path, String body, int status, int code)
            throws Exception {
        client(registry).register("known-value", new AvroSchema(JOB));

        HttpResponse<String> response = send(
                method, path, body == null ? "" : body.replace('\'', '"').replace("\"\"int\"\"", "\"\\\"int\\\"\""));

        assertThat(response.statusCode()).isEqualTo(status);
        JsonNode error = new ObjectMapper().readTree(response.body());
        assertThat(error.path("error_code").asInt()).isEqualTo(code);
        assertThat(error.path("message").asText()).isNotBlank();
    }

    @Test
    void shouldIgnoreParametersItDoesNotKnowAndNameItsContentType() throws Exception {
        HttpResponse<String> response = send("GET", "/schemas/types?pretty=yes&x", "");

        assertThat(response.body()).isEqualTo("[\"AVRO\"]");
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/vnd.schemaregistry.v1+json");
    }

    @Test
    void shouldWantALogin() throws Exception {
        client(registry).register("guarded-value", new AvroSchema(JOB));

        for (String login : new String[] {
            "", "Basic", "Basic !", basic("nobody"), basic("owner:"), basic("owner:x"), basic("x:owner"), "Bearer owner"
        }) {
            HttpResponse<String> refused = send("GET", "/subjects/guarded-value/versions", "", login);
            assertThat(refused.statusCode()).as(login).isEqualTo(401);
            assertThat(refused.headers().firstValue("WWW-Authenticate")).isPresent();
            assertThat(refused.body()).contains("40101").doesNotContain("guarded");
        }
    }

    @Test
    void shouldLetReadersLookUpAndServicesRegister() throws Exception {
        client(registry, "service").register("shared-value", new AvroSchema(JOB));
        CachedSchemaRegistryClient reader = client(registry, "reader");

        int id = reader.register("shared-value", new AvroSchema(JOB));
        assertThat(reader.getSchemaById(id).name()).isEqualTo("Job");
        assertThat(reader.testCompatibility("shared-value", new AvroSchema(JOB_2)))
                .isTrue();
        assertThatThrownBy(() -> reader.register("shared-value", new AvroSchema(JOB_2)))
                .hasMessageContaining("may not register");
        assertThatThrownBy(() -> reader.register("new-value", new AvroSchema(JOB)))
                .hasMessageContaining("may not register");
        assertThatThrownBy(() -> client(registry, "service").updateCompatibility("shared-value", "NONE"))
                .hasMessageContaining("may not change");
        assertThat(reader.getAllSubjects()).contains("shared-value").doesNotContain("new-value");
    }

    private static EmbeddedRegistry startRegistry() {
        Map<String, RegistryUsers.Right> rights = Map.of(
                "owner", RegistryUsers.Right.ADMINISTER,
                "service", RegistryUsers.Right.REGISTER,
                "reader", RegistryUsers.Right.READ);
        return EmbeddedRegistry.start(
                kafka,
                (user, password) -> user.equals(password) ? Optional.ofNullable(rights.get(user)) : Optional.empty(),
                0);
    }

    private static String basic(String login) {
        return "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    }

    private static AvroSchema record(String name) {
        return new AvroSchema("{\"type\":\"record\",\"name\":\"" + name + "\",\"fields\":[]}");
    }

    private static CachedSchemaRegistryClient client(EmbeddedRegistry registry) {
        return client(registry, "owner");
    }

    private static CachedSchemaRegistryClient client(EmbeddedRegistry registry, String user) {
        return new CachedSchemaRegistryClient(
                registry.url(),
                100,
                Map.of("basic.auth.credentials.source", "USER_INFO", "basic.auth.user.info", user + ":" + user));
    }

    private static HttpResponse<String> send(String method, String path, String body) throws Exception {
        return send(method, path, body, basic("owner:owner"));
    }

    private static HttpResponse<String> send(String method, String path, String body, String login) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(registry.url() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json");
        if (!login.isEmpty()) {
            request.header("Authorization", login);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
