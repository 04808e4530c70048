package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.trigger.Substitution.Place;
import io.weir.scheduler.core.trigger.action.DatabaseUpdate;
import io.weir.scheduler.core.trigger.action.UnfitActionException;
import io.weir.schemas.NameValue;
import java.util.List;

/**
 * AType dbupdate: {@code source statement | value | value}. The statement has a question mark for each value and is never
 * changed: variables are put into values alone.
 */
final class DatabaseAction implements TriggerAction {
    private final IterationOutputs outputs;

    DatabaseAction(IterationOutputs outputs) {
        this.outputs = outputs;
    }

    @Override
    public TriggerOutcome begin(TriggerOccasion occasion) throws UnfitActionException {
        DatabaseUpdate update = DatabaseUpdate.read(occasion.spec().action());
        List<String> values = update.values().stream()
                .map(value -> occasion.substitution().expand(value, Place.TEXT))
                .toList();
        return new TriggerOutcome.Sent(outputs.firing(FiringBuilder.of(occasion)
                .setTarget(update.source())
                .setSettings(List.of(new NameValue("statement", update.statement())))
                .setArguments(values)));
    }
}
