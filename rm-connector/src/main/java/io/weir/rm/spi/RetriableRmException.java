package io.weir.rm.spi;

/** A resource manager could not be reached, or did not answer in time: the runner waits, asks what is true and goes on. */
public class RetriableRmException extends RmException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public RetriableRmException(String message) {
        super(message);
    }

    /** Creates the exception. */
    public RetriableRmException(String message, Throwable cause) {
        super(message, cause);
    }
}
