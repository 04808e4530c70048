package io.weir.notifier.runtime.handler;

import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actor;
import java.util.Collection;
import java.util.List;

/**
 * Actions of type {@code stop}: end the action whose id is the target, whoever carries it out. They have a reader of their
 * own, as the reader of the other action is busy with it; this answers them. In the other notifiers they are heeded without
 * an answer.
 */
public final class StopActor implements Actor {
    /** The type of these actions. */
    public static final String TYPE = "stop";

    private final List<Actor> others;

    /** Ends what {@code others} carry out, which stay whose they are. */
    public StopActor(Collection<Actor> others) {
        this.others = List.copyOf(others);
    }

    @Override
    public ActionResult carryOut(Action action) {
        others.forEach(each -> each.stop(action.target()));
        return ActionResult.of(ActionResult.Outcome.DONE, "told to end");
    }

    @Override
    public boolean repeatable() {
        return true;
    }

    @Override
    public void close() {
        // The others are closed by their readers.
    }
}
