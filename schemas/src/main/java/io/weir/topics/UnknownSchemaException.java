package io.weir.topics;

/**
 * The registry does not know the schema that a record was written by. Whoever wrote it had registered it: a registry that was
 * restored from a copy, or reads its own log still, may know it later.
 */
public final class UnknownSchemaException extends PoisonRecordException {

    private static final long serialVersionUID = 1L;

    private final int schemaId;

    /** Says that the schema {@code schemaId} is not known, as the registry told by {@code cause}. */
    public UnknownSchemaException(int schemaId, String message, Throwable cause) {
        super(message, cause);
        this.schemaId = schemaId;
    }

    /** Returns the id that the registry does not know. */
    public int schemaId() {
        return schemaId;
    }
}
