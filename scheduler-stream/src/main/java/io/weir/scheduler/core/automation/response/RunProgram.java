package io.weir.scheduler.core.automation.response;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.trigger.Substitution;
import io.weir.scheduler.core.trigger.Substitution.Place;
import io.weir.schemas.TriggerFiring;
import java.util.ArrayList;
import java.util.List;

/** EXECUTE: has the notifier run a program, with the arguments that stand behind question marks. */
final class RunProgram implements EventResponse {
    private static final int MOST_ARGUMENTS = 64;

    private final IterationOutputs outputs;
    private final EventVariables variables;

    RunProgram(IterationOutputs outputs, EventVariables variables) {
        this.outputs = outputs;
        this.variables = variables;
    }

    @Override
    public void respond(Occasion occasion) {
        String[] parts = occasion.action().argument().split("\\?", -1);
        Substitution substitution = variables.of(occasion);
        List<String> arguments = new ArrayList<>();
        for (int i = 1; i < parts.length && arguments.size() < MOST_ARGUMENTS; i++) {
            arguments.add(substitution.expand(parts[i], Place.ARGUMENT));
        }
        outputs.firing(TriggerFiring.newBuilder()
                .setTriggerId("gevent." + occasion.name())
                .setActionType("exec")
                .setAction(substitution.expand(occasion.action().argument(), Place.LINE))
                .setObjectType(occasion.objectType())
                .setObjectId(occasion.objectId())
                .setTarget(parts[0])
                .setArguments(arguments)
                .setSeverity(occasion.rule().level())
                .setEvent(occasion.name()));
    }
}
