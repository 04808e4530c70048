package io.weir.scheduler.query;

import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.service.http.HttpCall;
import io.weir.service.http.HttpRefusal;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Who may come in, and how often: everyone on this machine as {@code anyone} without a file of tokens, else who holds a
 * token. Whoever comes without one is counted by network. Bad tokens are counted by network, too; a good one always passes,
 * for the users of a login node share an address, and a token is too long to be guessed. A page of a foreign site may not
 * have a browser change anything. Thread-safe.
 */
final class ApiGate {
    private static final String ANYONE = "anyone";
    private static final String BEARER = "Bearer ";
    private static final String AUTHORIZATION = "Authorization";
    private static final String CHANGING = "POST";
    private static final int LONGEST_TOKEN = 1_024;

    /** Seconds' worth of questions or requests that may come at once. */
    private static final double SAVED_SECONDS = 20;

    private static final double BAD_TOKENS_PER_SECOND = 0.5;
    private static final double BAD_TOKENS_SAVED_SECONDS = 60;

    private final Optional<AccessTokens> tokens;
    private final AccessLevel open;
    private final List<String> origins;
    private final CallRate questions;
    private final CallRate requests;
    private final RateLimit badTokens;

    ApiGate(ApiSettings settings) {
        this(settings, System::nanoTime);
    }

    /** Counts by {@code clock}, in nanoseconds. */
    ApiGate(ApiSettings settings, LongSupplier clock) {
        this.tokens = settings.tokens().map(AccessTokens::new);
        this.open = settings.open();
        this.origins = settings.limits().origins();
        this.questions = new CallRate(settings.limits().questionsPerSecond(), SAVED_SECONDS, clock);
        this.requests = new CallRate(settings.limits().requestsPerSecond(), SAVED_SECONDS, clock);
        this.badTokens = new RateLimit(BAD_TOKENS_PER_SECOND, BAD_TOKENS_SAVED_SECONDS, clock);
    }

    /** Returns who calls; refuses who is not known, calls too often or is sent by a foreign page. */
    Caller admit(HttpCall call) {
        boolean changing = call.method().equals(CHANGING);
        if (changing) {
            checkOrigin(call);
        }
        Caller caller = identify(call);
        long wait = (changing ? requests : questions).take(caller);
        if (wait > 0) {
            throw HttpRefusal.later(
                    HttpRefusal.TOO_MANY,
                    caller.label() + " asks too often; at most "
                            + (changing ? "api.requests.per.second" : "api.questions.per.second")
                            + " over time",
                    wait);
        }
        return caller;
    }

    /** Counts {@code more} requests that came with one that was let in; the next ones wait for so much longer. */
    void count(Caller caller, int more) {
        requests.spend(caller, more);
    }

    private Caller identify(HttpCall call) {
        if (tokens.isEmpty()) {
            return new Caller(new Principal(ANYONE, Optional.of(open)), Optional.of(ClientNetwork.of(call.remote())));
        }
        String given = call.header(AUTHORIZATION).orElse("");
        if (call.count(AUTHORIZATION) > 1 || given.length() > LONGEST_TOKEN) {
            throw new HttpRefusal(
                    HttpRefusal.BAD_REQUEST, "There is one Authorization of at most " + LONGEST_TOKEN + " characters");
        }
        Optional<Principal> holder = given.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? tokens.get().holder(given.substring(BEARER.length()).strip())
                : Optional.empty();
        return holder.map(Caller::holder).orElseThrow(() -> stranger(call.remote(), given.isEmpty()));
    }

    private HttpRefusal stranger(String address, boolean silent) {
        long wait = badTokens.take(ClientNetwork.of(address).name());
        if (wait > 0) {
            return HttpRefusal.later(HttpRefusal.TOO_MANY, "Too many calls without a token that is known", wait);
        }
        return new HttpRefusal(
                HttpRefusal.UNAUTHORIZED,
                silent
                        ? "A token is needed: Authorization: Bearer TOKEN, see api.tokens.file"
                        : "The token is not known here",
                Map.of("WWW-Authenticate", "Bearer"));
    }

    private void checkOrigin(HttpCall call) {
        Optional<String> origin = call.header("Origin");
        if (origin.isPresent()
                && !origins.contains(origin.get().toLowerCase(Locale.ROOT))
                && !isOwn(origin.get(), call.authority().orElse(""))) {
            throw new HttpRefusal(
                    HttpRefusal.FORBIDDEN,
                    "A page of '" + origin.get() + "' may not change anything here; api.origins lists those that may");
        }
    }

    private static boolean isOwn(String origin, String authority) {
        try {
            URI page = URI.create(origin);
            return page.getAuthority() != null && page.getAuthority().equalsIgnoreCase(authority);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
