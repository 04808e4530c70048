package io.weir.scheduler.stream;

/** Holds what a task is doing, to be asked after a failure. One thread. */
final class CurrentStep {
    private TaskStep step = TaskStep.NONE;

    void set(TaskStep next) {
        step = next;
    }

    TaskStep get() {
        return step;
    }
}
