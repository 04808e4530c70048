package io.weir.scheduler.query;

/** A question or request that gets no for an answer; the message goes to the client with the HTTP status. */
final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    static final int BAD_REQUEST = 400;
    static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int METHOD_NOT_ALLOWED = 405;
    static final int TOO_LARGE = 413;
    static final int UNAVAILABLE = 503;
    static final int TIMED_OUT = 504;

    private final int status;

    ApiException(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
