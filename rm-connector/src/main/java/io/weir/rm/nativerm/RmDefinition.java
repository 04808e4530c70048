package io.weir.rm.nativerm;

import io.weir.rm.nativerm.call.CallLimits;
import io.weir.rm.nativerm.call.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One resource manager of the settings: where to ask and whom to tell.
 *
 * @param name its name
 * @param endpoints where each address leads; several for queries that add up
 * @param limits what a call may take
 * @param environment variables for its programs
 */
record RmDefinition(
        String name, Map<NativeUrl, List<Endpoint>> endpoints, CallLimits limits, Map<String, String> environment) {
    RmDefinition {
        endpoints = Map.copyOf(endpoints);
        environment = Map.copyOf(environment);
    }

    /** Returns where {@code url} leads, in order; empty when it is not set. */
    List<Endpoint> all(NativeUrl url) {
        return endpoints.getOrDefault(url, List.of());
    }

    /** Returns where {@code url} leads. */
    Optional<Endpoint> first(NativeUrl url) {
        return all(url).stream().findFirst();
    }
}
