package io.weir.scheduler.core.request.form;

/** Says why something has no normal form as a request: what is wrong, and what to write instead. */
public final class UnreadableRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableRequestException(String message) {
        super(message, null, false, false);
    }
}
