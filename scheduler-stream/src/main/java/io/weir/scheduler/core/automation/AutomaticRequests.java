package io.weir.scheduler.core.automation;

import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.PendingRequests;
import io.weir.scheduler.state.Argument;
import io.weir.scheduler.state.PendingRequest;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests that the scheduler makes itself. They wait with those of others, have the same budget and are authorised,
 * answered and recorded like them. One serves one iteration.
 */
final class AutomaticRequests {
    private final ClusterState state;
    private final String maker;
    private int made;

    /** Makes requests on behalf of {@code maker}, whose name goes into their ids. */
    AutomaticRequests(ClusterState state, String maker) {
        this.state = state;
        this.maker = maker;
    }

    /**
     * Makes a request.
     *
     * @param principal who asks
     * @param level the level that goes with it; null for that which ADMINCFG gives the principal
     * @return the id by which it is answered
     */
    String make(
            String principal, @Nullable Integer level, RequestKind kind, String objectId, List<NameValue> arguments) {
        String id = PendingRequests.OWN + state.domain.nextIteration() + ":" + maker + ":" + made++;
        state.domain.requests.add(new PendingRequest(
                id,
                kind.name(),
                objectId,
                principal,
                level,
                arguments.stream()
                        .map(argument -> new Argument(argument.getName(), argument.getValue()))
                        .toList(),
                null));
        return id;
    }
}
