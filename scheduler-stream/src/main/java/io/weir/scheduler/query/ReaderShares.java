package io.weir.scheduler.query;

import io.weir.service.http.HttpRefusal;
import io.weir.service.http.HttpReply;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The threads that answer questions about the image, and each caller's share of them: half of the threads, and of the
 * places where questions wait as many as others leave free ({@link FairPlaces}). A caller's next question joins the end of
 * the queue when one of its own is answered, so that those who ask without end leave others their turn. Thread-safe.
 */
final class ReaderShares implements AutoCloseable {
    private static final int IDLE_SECONDS = 30;

    private final FairPlaces places;
    private final int readersOfOne;
    private final ThreadPoolExecutor readers;

    /** By caller with a question under way. Guarded by itself. */
    private final Map<String, Share> shares = new HashMap<>();

    /** What a caller has under way. */
    private static final class Share {
        private int running;
        private final Deque<Question> waiting = new ArrayDeque<>();
    }

    /** A question and where its answer goes. */
    private record Question(Supplier<HttpReply> answer, CompletableFuture<HttpReply> reply) {
        void answerNow() {
            try {
                reply.complete(answer.get());
            } catch (RuntimeException | Error e) {
                reply.completeExceptionally(e);
            }
        }
    }

    /**
     * Begins with nothing under way.
     *
     * @param threads questions answered at a time
     * @param waiting questions that wait for a thread at most
     */
    ReaderShares(int threads, int waiting, ThreadFactory factory) {
        places = new FairPlaces(threads + waiting, threads + waiting, "questions under way");
        readersOfOne = threads / 2;
        readers = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    }

    /** Answers a question of {@code caller}; refuses it when too many are under way. */
    CompletionStage<HttpReply> read(Caller caller, Supplier<HttpReply> answer) {
        Question question = new Question(answer, new CompletableFuture<>());
        places.take(caller);
        synchronized (shares) {
            Share share = shares.computeIfAbsent(caller.share(), name -> new Share());
            if (share.running < readersOfOne) {
                share.running++;
            } else {
                share.waiting.add(question);
                return question.reply();
            }
        }
        run(caller, question);
        return question.reply();
    }

    private void run(Caller caller, Question question) {
        try {
            readers.execute(() -> {
                question.answerNow();
                done(caller);
            });
        } catch (RejectedExecutionException e) {
            question.reply()
                    .completeExceptionally(HttpRefusal.later(HttpRefusal.UNAVAILABLE, "The service is stopping", 1));
            done(caller);
        }
    }

    /** Has the next question of a caller take the place of one that was answered. */
    private void done(Caller caller) {
        Question next = null;
        places.leave(caller);
        synchronized (shares) {
            Share share = shares.get(caller.share());
            if (share != null) {
                next = share.waiting.poll();
                share.running -= next == null ? 1 : 0;
                if (share.running == 0) {
                    shares.remove(caller.share());
                }
            }
        }
        if (next != null) {
            run(caller, next);
        }
    }

    /** Takes nothing more in; what waits is answered that the service is stopping. */
    @Override
    public void close() {
        readers.shutdown();
    }
}
