package io.weir.scheduler.query;

import io.weir.scheduler.core.request.AccessLevel;
import io.weir.scheduler.core.request.Principal;
import io.weir.service.http.HttpCall;
import java.util.Optional;

/** Who may come in: everyone on this machine as {@code anyone} without a file of tokens, else who holds a token. Thread-safe. */
final class ApiGate {
    private static final String ANYONE = "anyone";
    private static final String BEARER = "Bearer ";

    private final Optional<AccessTokens> tokens;
    private final AccessLevel open;

    ApiGate(ApiSettings settings) {
        this.tokens = settings.tokens().map(AccessTokens::new);
        this.open = settings.open();
    }

    /** Returns who calls; refuses who is not known. */
    Principal admit(HttpCall call) {
        if (tokens.isEmpty()) {
            return new Principal(ANYONE, Optional.of(open));
        }
        String given = call.header("Authorization").orElse("");
        if (!given.startsWith(BEARER)) {
            throw new ApiException(
                    ApiException.UNAUTHORIZED, "A token is needed: Authorization: Bearer TOKEN, see api.tokens.file");
        }
        return tokens.get()
                .holder(given.substring(BEARER.length()).strip())
                .orElseThrow(() -> new ApiException(ApiException.UNAUTHORIZED, "The token is not known here"));
    }
}
