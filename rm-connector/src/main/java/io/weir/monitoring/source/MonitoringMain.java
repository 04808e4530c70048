package io.weir.monitoring.source;

import io.weir.service.ServiceMain;

/** The monitoring source as a process of its own: {@code [--config FILE]}, settings overridden by the environment. */
public final class MonitoringMain {

    private MonitoringMain() {}

    /** Runs until SIGTERM. */
    public static void main(String[] args) {
        ServiceMain.main(new MonitoringService(), args);
    }
}
