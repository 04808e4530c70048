package io.weir.rm.nativerm;

import io.weir.rm.nativerm.call.CallRequest;
import io.weir.rm.nativerm.call.Caller;
import io.weir.rm.nativerm.call.Endpoint;
import io.weir.rm.nativerm.call.NoReplyException;
import io.weir.rm.nativerm.call.Reply;
import io.weir.rm.spi.RetriableRmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Asks one resource manager. Whatever keeps it from answering may pass. An answer that ends within a line may be cut off: the
 * first one from an address whose answers ended with their last line is not believed. One thread.
 */
final class Query {
    private final RmDefinition definition;
    private final Caller caller;
    private final String cluster;

    /** Addresses whose last answer ended with the end of a line. */
    private final Set<Endpoint> endWithLine = new HashSet<>();

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
            checkWhole(endpoint, what, reply.output());
            return reply.output();
        } catch (NoReplyException e) {
            throw new RetriableRmException(what + e.getMessage(), e);
        }
    }

    private void checkWhole(Endpoint endpoint, String what, String output) {
        if (output.endsWith("\n")) {
            endWithLine.add(endpoint);
        } else if (!output.isEmpty() && endWithLine.remove(endpoint)) {
            throw new RetriableRmException(what + "ends within a line, as it did not before, and may be cut off");
        }
    }
}
