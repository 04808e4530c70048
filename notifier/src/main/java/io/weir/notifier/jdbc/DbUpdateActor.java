package io.weir.notifier.jdbc;

import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.OneLine;
import io.weir.notifier.spi.RetriableDeliveryException;

/** Runs the statement of an action with its arguments bound to the placeholders. */
final class DbUpdateActor implements Actor {

    private final String source;
    private final Database database;

    DbUpdateActor(String source, Database database) {
        this.source = source;
        this.database = database;
    }

    @Override
    public ActionResult carryOut(Action action) throws RetriableDeliveryException, InterruptedException {
        if (!action.target().equals(source)) {
            return ActionResult.of(
                    ActionResult.Outcome.REFUSED,
                    OneLine.of("action.dbupdate.source is " + source + ", not " + action.target()));
        }
        String statement = action.settings().getOrDefault("statement", "");
        if (statement.isBlank()) {
            return ActionResult.of(ActionResult.Outcome.REFUSED, "there is no statement");
        }
        try {
            int rows = database.update(statement, action.arguments());
            return ActionResult.of(ActionResult.Outcome.DONE, rows + (rows == 1 ? " row" : " rows"));
        } catch (RetriableDeliveryException e) {
            if (e.mayHaveArrived()) {
                return ActionResult.of(ActionResult.Outcome.FAILED, String.valueOf(e.getMessage()));
            }
            throw e;
        } catch (DeliveryException e) {
            return ActionResult.of(ActionResult.Outcome.FAILED, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public boolean repeatable() {
        return false;
    }

    @Override
    public void close() {
        database.close();
    }
}
