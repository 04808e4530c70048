package io.weir.service.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/** The form of what is refused: {@code {"error": "..."}} unless a protocol wants another. */
@FunctionalInterface
public interface HttpErrors {
    HttpErrors PLAIN = (status, message) ->
            HttpReply.json(status, JsonNodeFactory.instance.objectNode().put("error", message));

    /** Returns the answer to a request that is refused. */
    HttpReply reply(int status, String message);
}
