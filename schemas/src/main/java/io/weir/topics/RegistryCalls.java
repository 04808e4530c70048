package io.weir.topics;

import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the schema registry: tells answers that are final from those that may be others later, and tells of those that
 * do not come. Thread-safe.
 */
final class RegistryCalls {
    /** How long an answer may take before the log tells of it. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    private static final int LONGEST_WORDS = 500;

    /** The registry's own error codes for: no such subject, version, schema. */
    private static final Set<Integer> UNKNOWN = Set.of(40401, 40402, 40403);

    /** How the registry client begins to say that the schema it was given is none that it can read. */
    private static final String UNREADABLE_SCHEMA = "Invalid schema";

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;

    private final RegistryTrouble trouble;
    private final SlowAnswers slow;
    private final RegistryWatch watch = new RegistryWatch(System::nanoTime);

    /** What is asked of the registry. */
    interface Question<T> {
        T ask() throws IOException, RestClientException;
    }

    /** Calls those at {@code urls}; {@code log} is told of answers that are late. */
    RegistryCalls(List<String> urls, Consumer<String> log) {
        trouble = RegistryTrouble.at(urls);
        slow = new SlowAnswers(trouble, ANSWER_LIMIT, log);
    }

    /**
     * Asks the registry {@code question}.
     *
     * @param about what it is about, to begin a message with
     * @throws RestClientException when it gives a definite answer that is none of use
     * @throws PoisonRecordException when it gives a schema that is none of Avro, or none that Avro can read
     * @throws RegistryUnavailableException when it gives none
     */
    @SuppressWarnings("try") // the wait is ended, not used
    <T> T ask(String about, Question<T> question) throws RestClientException {
        watch.asks();
        @Nullable RegistryUnavailableException failure = null;
        try (SlowAnswers.Waiting waiting = slow.await(about)) {
            return question.ask();
        } catch (RestClientException e) {
            if (isDefinite(e)) {
                throw e;
            }
            failure = new RegistryUnavailableException(about + answer(e), e);
            throw failure;
        } catch (IOException e) {
            refuseUnreadable(about, e);
            failure = new RegistryUnavailableException(about + trouble.describe(e), e);
            throw failure;
        } catch (NullPointerException e) {
            // The client expects more of an answer than there is, as where a proxy gives "null".
            failure = new RegistryUnavailableException(about + trouble.placed("the answer says nothing"), e);
            throw failure;
        } catch (RuntimeException e) {
            refuseUnreadable(about, e);
            throw e;
        } finally {
            if (failure == null) {
                watch.answered();
            } else {
                watch.failed(String.valueOf(failure.getMessage()));
            }
        }
    }

    /** Returns what to say where the registry has been asked for long and gives no usable answer; empty while it does. */
    Optional<String> obstacle() {
        return watch.obstacle();
    }

    /** Returns what the registry said, and where it is; of a login that it refuses it says nothing itself. */
    String answer(RestClientException e) {
        return trouble.placed(
                e.getStatus() == UNAUTHORIZED || e.getStatus() == FORBIDDEN
                        ? "the registry refuses the login with status " + e.getStatus()
                                + "; see basic.auth.user.info, which is registry.basic.auth.user.info in a service's settings"
                        : "status " + e.getStatus() + ", " + e.getMessage());
    }

    /** Says whether the registry does not have what it was asked for. */
    static boolean isUnknown(RestClientException e) {
        return UNKNOWN.contains(e.getErrorCode());
    }

    /** Says whether the subject has a schema that the one given does not go with. */
    static boolean isConflict(RestClientException e) {
        return e.getStatus() == CONFLICT;
    }

    private static boolean isDefinite(RestClientException e) {
        return isUnknown(e) || isConflict(e) || e.getStatus() == UNPROCESSABLE;
    }

    /** Throws where the client was given a schema that it cannot read: there was an answer, and another would be the same. */
    private static void refuseUnreadable(String about, Exception failure) {
        String said = RegistryTrouble.rootMessage(failure);
        if (said.startsWith(UNREADABLE_SCHEMA)) {
            throw new PoisonRecordException(about + abbreviated(said), failure);
        }
    }

    private static String abbreviated(String text) {
        return text.length() <= LONGEST_WORDS ? text : text.substring(0, LONGEST_WORDS) + "…";
    }
}
