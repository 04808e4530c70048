package io.weir.service.http;

import java.util.Map;

/** A request that gets no for an answer; the message goes to the client with the status and the headers. */
public class HttpRefusal extends RuntimeException {
    public static final int BAD_REQUEST = 400;
    public static final int UNAUTHORIZED = 401;
    public static final int FORBIDDEN = 403;
    public static final int NOT_FOUND = 404;
    public static final int METHOD_NOT_ALLOWED = 405;
    public static final int REQUEST_TIMEOUT = 408;
    public static final int CONFLICT = 409;
    public static final int TOO_LARGE = 413;
    public static final int UNSUPPORTED = 415;
    public static final int MISDIRECTED = 421;
    public static final int TOO_MANY = 429;
    public static final int FAILED = 500;
    public static final int UNAVAILABLE = 503;
    public static final int TIMED_OUT = 504;

    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient Map<String, String> headers;

    /** Refuses with {@code status}. */
    public HttpRefusal(int status, String message) {
        this(status, message, Map.of());
    }

    /** Refuses with {@code status} and further headers. */
    public HttpRefusal(int status, String message, Map<String, String> headers) {
        super(message, null, false, false);
        this.status = status;
        this.headers = Map.copyOf(headers);
    }

    /** Refuses the method; {@code allow} lists those that there are. */
    public static HttpRefusal method(String method, String allow) {
        return new HttpRefusal(
                METHOD_NOT_ALLOWED, method + " is not possible here; there are " + allow, Map.of("Allow", allow));
    }

    /** Refuses for now; the client may try again in {@code seconds}. */
    public static HttpRefusal later(int status, String message, long seconds) {
        return new HttpRefusal(status, message, Map.of("Retry-After", Long.toString(Math.max(1, seconds))));
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /** Returns further headers by name. */
    public Map<String, String> headers() {
        return headers;
    }
}
