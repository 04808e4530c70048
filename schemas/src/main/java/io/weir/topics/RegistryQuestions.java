package io.weir.topics;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Asks the registry on threads of its own. One that is cut off or overloaded keeps whoever asks it waiting for minutes: its
 * client gives up after a minute, and tries several times. So whoever must not wait gets no answer for the moment, and the
 * answer when it has come. The same is asked once at a time. Thread-safe.
 *
 * @param <K> what is asked for
 * @param <V> what is answered
 */
final class RegistryQuestions<K, V> {
    private final Function<K, V> question;
    private final Map<K, Asked<V>> asked = new ConcurrentHashMap<>();

    /**
     * A question whose answer nobody has taken yet.
     *
     * @param answer comes once
     * @param since when it was asked, by the nanosecond clock
     */
    private record Asked<V>(FutureTask<V> answer, long since) {}

    /** Asks nothing yet; {@code question} gets an answer, however long that takes. */
    RegistryQuestions(Function<K, V> question) {
        this.question = question;
    }

    /**
     * Returns the answer about {@code key}, or fails as the question did.
     *
     * @param patience how long the answer is waited for, from when it was asked for on
     * @throws RegistryUnavailableException also when there is no answer by then; it is still waited for
     */
    V answer(K key, Duration patience) {
        Asked<V> one = asked.computeIfAbsent(key, this::ask);
        long left = patience.toNanos() - (System.nanoTime() - one.since);
        boolean answered = true;
        try {
            return one.answer.get(Math.max(0, left), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            answered = false;
            throw new RegistryUnavailableException("The registry has not answered a question about " + key + " for "
                    + Duration.ofNanos(System.nanoTime() - one.since).toMillis() + " ms");
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (InterruptedException e) {
            answered = false;
            throw new InterruptException(e);
        } finally {
            if (answered) {
                asked.remove(key, one);
            }
        }
    }

    private static RuntimeException failure(ExecutionException e) {
        if (e.getCause() instanceof Error error) {
            throw error;
        }
        return e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
    }

    private Asked<V> ask(K key) {
        FutureTask<V> answer = new FutureTask<>(() -> question.apply(key));
        Thread thread = new Thread(answer, "registry-question");
        thread.setDaemon(true);
        thread.start();
        return new Asked<>(answer, System.nanoTime());
    }
}
