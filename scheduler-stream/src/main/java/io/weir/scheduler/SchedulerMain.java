package io.weir.scheduler;

import io.weir.service.ServiceMain;

/** The scheduler's process: {@code [--config FILE]}; see {@link ServiceMain}. */
public final class SchedulerMain {
    private SchedulerMain() {}

    /** Runs until SIGTERM or failure. */
    public static void main(String[] args) {
        ServiceMain.main(new SchedulerService(), args);
    }
}
