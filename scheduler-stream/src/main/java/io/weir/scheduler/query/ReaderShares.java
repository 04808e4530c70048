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
 * The threads that answer questions about the image, and each principal's share of them: half of the threads, and half of
 * the places where questions wait. A principal's next question joins the end of the queue when one of its own is
 * answered, so that two who ask without end leave a third its turn. Thread-safe.
 */
final class ReaderShares implements AutoCloseable {
    private static final int IDLE_SECONDS = 30;

    private final int most;
    private final int mostOfOne;
    private final int readersOfOne;
    private final ThreadPoolExecutor readers;

    /** By principal with a question under way. Guarded by itself. */
    private final Map<String, Share> shares = new HashMap<>();

    /** Questions under way: on a thread, or waiting for one. Guarded by {@link #shares}. */
    private int underWay;

    /** What a principal has under way. */
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
        most = threads + waiting;
        readersOfOne = threads / 2;
        mostOfOne = readersOfOne + waiting / 2;
        readers = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    }

    /** Answers a question of {@code principal}; refuses it when too many are under way. */
    CompletionStage<HttpReply> read(String principal, Supplier<HttpReply> answer) {
        Question question = new Question(answer, new CompletableFuture<>());
        synchronized (shares) {
            Share share = shares.computeIfAbsent(principal, name -> new Share());
            int own = share.running + share.waiting.size();
            if (own >= mostOfOne) {
                throw HttpRefusal.later(
                        HttpRefusal.TOO_MANY, principal + " has " + own + " questions under way, which is the most", 1);
            } else if (underWay >= most) {
                shares.computeIfPresent(principal, (name, known) -> own == 0 ? null : known);
                throw HttpRefusal.later(HttpRefusal.UNAVAILABLE, "Too much is being asked at a time", 1);
            }
            underWay++;
            if (share.running < readersOfOne) {
                share.running++;
            } else {
                share.waiting.add(question);
                return question.reply();
            }
        }
        run(principal, question);
        return question.reply();
    }

    private void run(String principal, Question question) {
        try {
            readers.execute(() -> {
                question.answerNow();
                done(principal);
            });
        } catch (RejectedExecutionException e) {
            question.reply()
                    .completeExceptionally(HttpRefusal.later(HttpRefusal.UNAVAILABLE, "The service is stopping", 1));
            done(principal);
        }
    }

    /** Has the next question of a principal take the place of one that was answered. */
    private void done(String principal) {
        Question next = null;
        synchronized (shares) {
            underWay--;
            Share share = shares.get(principal);
            if (share != null) {
                next = share.waiting.poll();
                share.running -= next == null ? 1 : 0;
                if (share.running == 0) {
                    shares.remove(principal);
                }
            }
        }
        if (next != null) {
            run(principal, next);
        }
    }

    /** Takes nothing more in; what waits is answered that the service is stopping. */
    @Override
    public void close() {
        readers.shutdown();
    }
}
