package io.weir.notifier.runtime;

import io.weir.service.ServiceMain;

/** The notifier as a process of its own. */
public final class NotifierMain {

    private NotifierMain() {}

    /** Runs until SIGTERM; {@code --config FILE} names the settings. */
    public static void main(String[] args) {
        ServiceMain.main(new NotifierService(), args);
    }
}
