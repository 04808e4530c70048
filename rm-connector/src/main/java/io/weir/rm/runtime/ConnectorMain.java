package io.weir.rm.runtime;

import io.weir.service.ServiceMain;

/** The connector process: {@code [--config FILE]}, settings overridden by the environment. */
public final class ConnectorMain {

    private ConnectorMain() {}

    /** Runs the connector until it stops or its simulation is over. */
    public static void main(String[] args) {
        ServiceMain.main(new ConnectorService(), args);
    }
}
