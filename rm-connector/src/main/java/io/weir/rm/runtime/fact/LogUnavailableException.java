package io.weir.rm.runtime.fact;

import org.jspecify.annotations.Nullable;

/** The log could not be written or read within its time limits. Whoever owns the connection opens a new one. */
public class LogUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public LogUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
