package io.weir.scheduler.core.automation.trigger;

/** What one kind of trigger does when it fires. Stateless but for what it works on; it refuses by its outcome. */
interface TriggerAction {
    TriggerOutcome begin(TriggerOccasion occasion);
}
