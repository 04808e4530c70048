package io.weir.scheduler;

import io.weir.service.ServiceMain;

/** The reduction's process: {@code [--config FILE]}; see {@link ServiceMain}. */
public final class ReductionMain {
    private ReductionMain() {}

    /** Runs until SIGTERM or failure. */
    public static void main(String[] args) {
        ServiceMain.main(new ReductionService(), args);
    }
}
