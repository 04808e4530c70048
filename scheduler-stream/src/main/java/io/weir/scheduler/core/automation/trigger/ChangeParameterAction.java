package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.automation.AutomaticRequests;
import io.weir.scheduler.core.trigger.Substitution.Place;
import io.weir.scheduler.core.trigger.TriggerTemplate;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.util.List;

/** AType changeparam: a line of the configuration, in force until the next version of it. */
final class ChangeParameterAction implements TriggerAction {
    private final AutomaticRequests requests;

    ChangeParameterAction(AutomaticRequests requests) {
        this.requests = requests;
    }

    @Override
    public TriggerOutcome begin(TriggerOccasion occasion) {
        TriggerTemplate by = occasion.due().template();
        return new TriggerOutcome.Requested(List.of(requests.make(
                by.actor(),
                by.actorLevel(),
                RequestKind.MODIFY_CONFIG,
                "config",
                List.of(new NameValue("setting", occasion.action(Place.SETTING))))));
    }
}
