package io.weir.standalone.registry;

import io.weir.standalone.registry.RegistryUsers.Right;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/** Finds out by HTTP's basic authentication what a request may do. */
record BasicLogin(RegistryUsers users) {
    private static final String SCHEME = "basic ";

    /** What to answer with beside the refusal of a request. */
    static final String CHALLENGE = "Basic realm=\"schema registry\"";

    /** Returns what may be done with a header {@code Authorization}. */
    Right admit(Optional<String> authorization) {
        String header = authorization.orElse("");
        if (!header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            throw RegistryException.unauthorized();
        }
        String login;
        try {
            byte[] decoded =
                    Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
            login = new String(decoded, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw RegistryException.unauthorized();
        }
        int colon = login.indexOf(':');
        if (colon < 0) {
            throw RegistryException.unauthorized();
        }
        return users.rightOf(login.substring(0, colon), login.substring(colon + 1))
                .orElseThrow(RegistryException::unauthorized);
    }
}
