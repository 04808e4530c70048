package io.weir.scheduler.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.scheduler.core.policy.language.ControlCharacter;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.bound.Limit;
import io.weir.service.http.HttpRefusal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Set;

/** A configuration as it comes in: {@code {"text": "...", "source": "where it is from"}}. */
final class PolicyForm {
    private static final int LONGEST_SOURCE = 1_000;

    private PolicyForm() {}

    /** Reads {@code body}; refuses what is no configuration. What is wrong in it is for the scheduler to say. */
    static PolicyVersion read(Principal principal, String cluster, JsonNode body) {
        StrictJson.onlyFields(body, Set.of("text", "source"));
        String text = StrictJson.text(body, "text");
        String source = StrictJson.text(body, "source");
        if (text.length() > Limit.POLICY_LENGTH) {
            throw new HttpRefusal(
                    HttpRefusal.BAD_REQUEST,
                    "text has " + text.length() + " characters; a configuration has at most " + Limit.POLICY_LENGTH);
        }
        ControlCharacter.in(text).ifPresent(found -> {
            throw new HttpRefusal(HttpRefusal.BAD_REQUEST, "text: line " + found.line() + " " + found.message());
        });
        if (source.isEmpty() || source.length() > LONGEST_SOURCE) {
            throw new HttpRefusal(
                    HttpRefusal.BAD_REQUEST,
                    "text is the configuration, source says in at most " + LONGEST_SOURCE
                            + " characters where it is from");
        }
        return PolicyVersion.newBuilder()
                .setCluster(cluster)
                .setVersion(sha256(text))
                .setText(text)
                .setSource(source)
                .setPrincipal(principal.name())
                .setTime(Instant.now().truncatedTo(ChronoUnit.MILLIS))
                .build();
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
