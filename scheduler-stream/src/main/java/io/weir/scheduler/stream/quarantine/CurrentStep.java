package io.weir.scheduler.stream.quarantine;

/** Holds what a task is doing, to be asked after a failure. One thread. */
public final class CurrentStep {
    private TaskStep step = TaskStep.NONE;

    public void set(TaskStep next) {
        step = next;
    }

    public TaskStep get() {
        return step;
    }
}
