package io.weir.rm.spi;

/**
 * A resource manager failed in a way that trying again does not cure. The message names what was asked for, what came
 * back and what a person can do.
 */
public class RmException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public RmException(String message) {
        super(message);
    }

    /** Creates the exception. */
    public RmException(String message, Throwable cause) {
        super(message, cause);
    }
}
