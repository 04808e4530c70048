package io.weir.scheduler.plugin;

/** Says that a plug-in gave no answer, and why. */
final class PluginFailure extends Exception {
    private static final long serialVersionUID = 1L;

    PluginFailure(String message) {
        super(message);
    }

    PluginFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
