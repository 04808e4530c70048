package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.schemas.bound.FactBounds;
import io.weir.schemas.bound.Limit;
import io.weir.service.http.HttpRefusal;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the API takes, the scheduler answers: anything else would keep its sender waiting for nothing. */
class RequestFormTest {
    static {
        AvroTrust.install();
    }

    @Test
    void shouldTakeNoIdThatWithItsPrincipalIsTooLongForTheScheduler() {
        Principal longest = new Principal("p".repeat(127), Optional.of(AccessLevel.USER));
        assertThat(FactBounds.identity(read(longest, "i".repeat(128)).request()))
                .isNull();

        Principal longer = new Principal("p".repeat(200), Optional.of(AccessLevel.USER));
        assertThat(FactBounds.identity(read(longer, "i".repeat(55)).request())).isNull();
        assertThatThrownBy(() -> read(longer, "i".repeat(56)))
                .isInstanceOf(HttpRefusal.class)
                .hasMessageContaining("at most 55 are allowed");
    }

    @Test
    void shouldQuoteLittleOfWhatIsNoRequest() {
        JsonNode body = JsonNodeFactory.instance.objectNode().put("kind", "x".repeat(500_000));

        assertThatThrownBy(() -> RequestForm.read(ann(), "kth", body, Instant.EPOCH))
                .isInstanceOf(HttpRefusal.class)
                .satisfies(e -> assertThat(String.valueOf(e.getMessage())).hasSizeLessThan(4_000));
    }

    @Test
    void shouldRefuseAConfigurationThatTheSchedulerWouldSetAside() {
        JsonNode body = JsonNodeFactory.instance
                .objectNode()
                .put("text", "#".repeat(Limit.POLICY_LENGTH + 1))
                .put("source", "test");

        assertThatThrownBy(() -> PolicyForm.read(ann(), "kth", body))
                .isInstanceOf(HttpRefusal.class)
                .hasMessageContaining("at most " + Limit.POLICY_LENGTH);
    }

    private static Principal ann() {
        return new Principal("ann", Optional.of(AccessLevel.USER));
    }

    private static RequestForm read(Principal principal, String id) {
        JsonNode body = JsonNodeFactory.instance
                .objectNode()
                .put("kind", "EXPLAIN_JOB")
                .put("objectId", "17")
                .put("requestId", id);
        return RequestForm.read(principal, "kth", body, Instant.EPOCH);
    }
}
