package io.weir.nonstop.client;

/** The failure service refused a call, or cannot be reached. */
public final class FailureServiceException extends Exception {
    /** Code of a service that cannot be reached, its backup included. */
    public static final String UNREACHABLE = "EUNREACHABLE";

    /** Code of a call that was not answered in time; it may have been carried out. */
    public static final String TIMED_OUT = "ETIMEDOUT";

    private static final long serialVersionUID = 1L;

    private final String code;
    private final String value;

    /** Refused with {@code code}, and what belongs to it, such as the instant of EREPLACELATER, or nothing. */
    public FailureServiceException(String code, String value, String message) {
        super(message);
        this.code = code;
        this.value = value;
    }

    /** Returns the name of the error, such as EPERM. */
    public String code() {
        return code;
    }

    /** Returns what belongs to it: an instant in epoch seconds, a node, a number; empty for nothing. */
    public String value() {
        return value;
    }
}
