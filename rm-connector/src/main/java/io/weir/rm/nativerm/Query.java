package io.weir.rm.nativerm;

import io.weir.rm.nativerm.call.CallRequest;
import io.weir.rm.nativerm.call.Caller;
import io.weir.rm.nativerm.call.Endpoint;
import io.weir.rm.nativerm.call.NoReplyException;
import io.weir.rm.nativerm.call.Reply;
import io.weir.rm.spi.RetriableRmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Asks one resource manager. Whatever keeps it from answering may pass. One thread. */
final class Query {
    private final RmDefinition definition;
    private final Caller caller;
    private final String cluster;

    /** What one address said. */
    record Answer(String source, String text) {}

    Query(RmDefinition definition, Caller caller, String cluster) {
        this.definition = definition;
        this.caller = caller;
        this.cluster = cluster;
    }

    /** Returns what every address of {@code url} says, in order. */
    List<Answer> all(NativeUrl url) {
        List<Answer> answers = new ArrayList<>();
        for (Endpoint endpoint : definition.all(url)) {
            answers.add(new Answer(endpoint.toString(), text(url, endpoint)));
        }
        return answers;
    }

    private String text(NativeUrl url, Endpoint endpoint) {
        String what = definition.name() + " " + url.attribute() + ": ";
        try {
            Reply reply =
                    caller.call(endpoint, CallRequest.query(Map.of("WEIR_CLUSTER", cluster)), definition.limits());
            if (!reply.success()) {
                throw new RetriableRmException(what + reply.failure());
            }
            return reply.output();
        } catch (NoReplyException e) {
            throw new RetriableRmException(what + e.getMessage(), e);
        }
    }
}
