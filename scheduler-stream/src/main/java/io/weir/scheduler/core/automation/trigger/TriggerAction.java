package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.trigger.action.UnfitActionException;

/** What one kind of trigger does when it fires. Stateless but for what it works on; it refuses by its outcome. */
interface TriggerAction {
    /** Begins it, or fails where the Action cannot be carried out whatever its variables are. */
    TriggerOutcome begin(TriggerOccasion occasion) throws UnfitActionException;
}
