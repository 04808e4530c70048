package io.weir.topics;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Says what is waited for while the registry takes its time: a service that starts would say nothing meanwhile. Of
 * many slow answers some are told. Thread-safe.
 */
final class SlowAnswers {
    private static final Duration BETWEEN = Duration.ofSeconds(30);

    private final Duration patience;
    private final RegistryTrouble registry;
    private final Consumer<String> log;

    /** Whether one was told of a moment ago. */
    private final AtomicBoolean told = new AtomicBoolean();

    /** Tells {@code log} of an answer of {@code registry} that has not come after {@code patience}. */
    SlowAnswers(RegistryTrouble registry, Duration patience, Consumer<String> log) {
        this.registry = registry;
        this.patience = patience;
        this.log = log;
    }

    /** A question under way; closed when there is an answer, or none is waited for any more. */
    interface Waiting extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Begins to wait for an answer.
     *
     * @param about what the question is about, to begin a message with
     */
    Waiting await(String about) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        answer.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).exceptionally(late -> {
            tell(about);
            return null;
        });
        return () -> answer.complete(null);
    }

    private void tell(String about) {
        if (told.compareAndSet(false, true)) {
            log.accept(about + registry.placed("no answer for " + patience.toSeconds() + " s, it is waited for"));
            CompletableFuture.delayedExecutor(BETWEEN.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> told.set(false));
        }
    }
}
