package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.automation.ObjectVariables;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.trigger.Substitution.Place;
import io.weir.scheduler.core.trigger.TriggerSpec;
import io.weir.scheduler.core.trigger.TriggerTemplate;
import io.weir.scheduler.core.trigger.action.ProgramWords;
import io.weir.scheduler.core.trigger.action.UnfitActionException;
import io.weir.schemas.TriggerFiring;
import org.jspecify.annotations.Nullable;

/**
 * AType exec: program and arguments. The text is divided into words before variables are put in, and no shell sees it: a
 * value is a part of one argument, whatever it holds. Only programs that the notifier's settings list are run.
 */
final class ExecAction implements TriggerAction {
    private final IterationOutputs outputs;
    private final ObjectVariables objects;

    ExecAction(IterationOutputs outputs, ObjectVariables objects) {
        this.outputs = outputs;
        this.objects = objects;
    }

    @Override
    public TriggerOutcome begin(TriggerOccasion occasion) throws UnfitActionException {
        ProgramWords words = ProgramWords.read(occasion.spec().action());
        TriggerFiring.Builder firing = FiringBuilder.of(occasion)
                .setTarget(words.program())
                .setArguments(words.arguments().stream()
                        .map(word -> occasion.substitution().expand(word, Place.ARGUMENT))
                        .toList());
        String named = occasion.spec().namedUser();
        String owner = occasion.due().object().owner();
        if (named != null) {
            String refusal = refusal(occasion.due().template());
            if (refusal != null) {
                return new TriggerOutcome.Done(false, refusal);
            }
            firing.setRunAs(named);
        } else if (occasion.spec().has(TriggerSpec.AS_OWNER)) {
            if (owner == null) {
                return new TriggerOutcome.Done(
                        false,
                        "flag user: " + occasion.objectType() + " " + occasion.objectId()
                                + " has no owner as whom to run a program; name the user, user+NAME");
            }
            firing.setRunAs(owner);
        }
        if (occasion.spec().has(TriggerSpec.OBJECT_XML)) {
            firing.setBody(objects.xml(occasion.objectType(), occasion.objectId()));
        }
        return new TriggerOutcome.Sent(outputs.firing(firing));
    }

    /** The level is that with which it was made: who has lost it since made it when he had it. */
    private static @Nullable String refusal(TriggerTemplate template) {
        Integer level = template.actorLevel();
        return level != null && level == 1 ? null : template.spec().beyond(template.actor());
    }
}
