package io.weir.rm.nativerm;

import io.weir.rm.nativerm.call.NoReplyException;
import io.weir.rm.nativerm.call.Reply;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Ongoing;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Actions that threads of their own carry out, so that the connector looks at its resource manager meanwhile. Each comes to its
 * end by the time limit of a call. What became of one is judged by the thread that looks, which is the only one to use this.
 */
final class ActionCalls implements AutoCloseable {
    private static final Duration LOOK_EVERY = Duration.ofMillis(5);

    private final ExecutorService threads;

    /** Calls whose end was not seen, by the id of their command. */
    private final Map<String, ActionCall> calls = new HashMap<>();

    /** Creates threads for {@code most} actions at once. */
    ActionCalls(int most) {
        threads = Executors.newFixedThreadPool(most, action -> {
            Thread thread = new Thread(action, "native-action");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Judges the end of an action. */
    interface Judge {
        /** Returns the answer, or throws as {@link io.weir.rm.spi.ResourceManager#execute} does. */
        RmAnswer answer(Outcome outcome);
    }

    /** How an action ended. */
    interface Outcome {
        Reply reply() throws NoReplyException;
    }

    /** Begins the action of a command. */
    Ongoing begin(String command, Callable<Reply> action, Judge judge) {
        ActionCall call = new ActionCall(command, threads.submit(action), judge);
        calls.put(command, call);
        return call;
    }

    /** Returns the action of a command that was begun by this process, unless its end was seen. */
    Optional<Ongoing> find(String command) {
        return Optional.ofNullable(calls.get(command));
    }

    /** Begins no more; those that were begun come to their end as they would. */
    @Override
    public void close() {
        threads.shutdown();
    }

    private final class ActionCall implements Ongoing {
        private final String command;
        private final Future<Reply> action;
        private final Judge judge;

        ActionCall(String command, Future<Reply> action, Judge judge) {
            this.command = command;
            this.action = action;
            this.judge = judge;
        }

        @Override
        public Duration pause() {
            return LOOK_EVERY;
        }

        @Override
        public CommandCheck look() {
            if (!action.isDone()) {
                return CommandCheck.ongoing(this);
            }
            calls.remove(command, this);
            return CommandCheck.answered(judge.answer(this::reply));
        }

        private Reply reply() throws NoReplyException {
            try {
                return action.get();
            } catch (ExecutionException e) {
                @Nullable Throwable cause = e.getCause();
                if (cause instanceof NoReplyException noReply) {
                    throw noReply;
                }
                throw new RmException("a fault of the connector: " + cause, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RetriableRmException(command + ": interrupted", e);
            }
        }
    }
}
