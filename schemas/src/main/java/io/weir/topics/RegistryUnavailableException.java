package io.weir.topics;

import org.apache.kafka.common.errors.RetriableException;

/** The schema registry gave no definite answer; the record may be sound and is to be tried again later. */
public final class RegistryUnavailableException extends RetriableException {

    private static final long serialVersionUID = 1L;

    /** Says why the registry has to be waited for. */
    public RegistryUnavailableException(String message) {
        super(message);
    }

    /** Says what was asked of the registry, and how it failed. */
    public RegistryUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
