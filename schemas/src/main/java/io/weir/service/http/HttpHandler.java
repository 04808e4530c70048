package io.weir.service.http;

import java.util.concurrent.CompletionStage;

/**
 * Answers requests. It is called on one of the server's few threads and must not wait there: what takes long completes the
 * answer later. An {@link HttpRefusal}, thrown or as the cause of the stage's failure, becomes an answer; anything else
 * becomes status 500 and a line in the log.
 */
@FunctionalInterface
public interface HttpHandler {
    /** Answers {@code call}. */
    CompletionStage<HttpReply> answer(HttpCall call);
}
