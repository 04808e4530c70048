package io.weir.topics;

/**
 * The bytes of a record can never be decoded, however often it is tried: it belongs on the dead-letter topic. The
 * message is the cause in words, fit for a dead letter.
 */
public sealed class PoisonRecordException extends RuntimeException permits UnknownSchemaException {

    private static final long serialVersionUID = 1L;

    /** Says what is wrong with the bytes. */
    public PoisonRecordException(String message) {
        super(message);
    }

    /** Says what is wrong with the bytes, as found by {@code cause}. */
    public PoisonRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
