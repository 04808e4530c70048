package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.automation.AutomaticRequests;
import io.weir.scheduler.core.trigger.TriggerTemplate;
import io.weir.schemas.RequestKind;
import java.util.List;

/** AType cancel: the job is cancelled, the reservation released. */
final class CancelAction implements TriggerAction {
    private final AutomaticRequests requests;

    CancelAction(AutomaticRequests requests) {
        this.requests = requests;
    }

    @Override
    public TriggerOutcome begin(TriggerOccasion occasion) {
        TriggerTemplate by = occasion.due().template();
        RequestKind kind =
                occasion.objectType().equals("job") ? RequestKind.CANCEL_JOB : RequestKind.RELEASE_RESERVATION;
        return new TriggerOutcome.Requested(
                List.of(requests.make(by.actor(), by.actorLevel(), kind, occasion.objectId(), List.of())));
    }
}
