package io.weir.notifier.jdbc;

import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.OneLine;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Runs the statement of an action on the data source that it names, with its arguments bound to the placeholders. */
final class DbUpdateActor implements Actor {

    private final SortedMap<String, Database> databases;

    /** Creates an actor; {@code databases} are by what triggers call them. */
    DbUpdateActor(Map<String, Database> databases) {
        this.databases = new TreeMap<>(databases);
    }

    @Override
    public ActionResult carryOut(Action action) throws RetriableDeliveryException, InterruptedException {
        Database database = databases.get(action.target());
        if (database == null) {
            return ActionResult.of(
                    ActionResult.Outcome.REFUSED,
                    OneLine.of("action.dbupdate. describes no data source " + action.target() + "; there are "
                            + databases.keySet()));
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
        databases.values().forEach(Database::close);
    }
}
