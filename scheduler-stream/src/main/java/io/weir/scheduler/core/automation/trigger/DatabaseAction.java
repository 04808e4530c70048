package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.trigger.Substitution.Place;
import io.weir.schemas.NameValue;
import java.util.ArrayList;
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
    public TriggerOutcome begin(TriggerOccasion occasion) {
        String[] parts = occasion.spec().action().split("\\|", -1);
        String[] head = parts[0].strip().split(" ", 2);
        if (head.length < 2 || parts.length > 65) {
            return new TriggerOutcome.Done(
                    false,
                    "dbupdate is '" + occasion.spec().action()
                            + "'; SOURCE STATEMENT | VALUE | VALUE with up to 64 values is needed");
        }
        List<String> values = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            values.add(occasion.substitution().expand(parts[i].strip(), Place.TEXT));
        }
        return new TriggerOutcome.Sent(outputs.firing(FiringBuilder.of(occasion)
                .setTarget(head[0])
                .setSettings(List.of(new NameValue("statement", head[1].strip())))
                .setArguments(values)));
    }
}
