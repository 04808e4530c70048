package io.weir.notifier.runtime.handler;

/** A record that can never be delivered, whatever the channel; it belongs on the dead-letter topic. */
public final class UnusableRecordException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String code;
    private final String why;

    UnusableRecordException(String code, String why) {
        super(code + ": " + why);
        this.code = code;
        this.why = why;
    }

    /** Short code of the cause, as dead letters carry it. */
    String code() {
        return code;
    }

    /** What is wrong with the record and what to do, as dead letters carry it. */
    String why() {
        return why;
    }
}
