package io.weir.topics;

/**
 * The registry does not know the schema that a record was written by. Whoever wrote it had registered it: a registry that was
 * restored from a copy, or reads its own log still, may know it later.
 */
public final class UnknownSchemaException extends PoisonRecordException {

    private static final long serialVersionUID = 1L;

    /** Says which schema is not known, as the registry told by {@code cause}. */
    public UnknownSchemaException(String message, Throwable cause) {
        super(message, cause);
    }
}
