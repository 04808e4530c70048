package io.weir.scheduler.query;

import io.weir.service.http.HttpRefusal;

/** A question or request that gets no for an answer; the message goes to the client with the HTTP status. */
final class ApiException extends HttpRefusal {
    private static final long serialVersionUID = 1L;

    ApiException(int status, String message) {
        super(status, message);
    }
}
