package io.weir.scheduler.query;

import io.weir.scheduler.core.request.form.Principal;
import java.util.Optional;

/**
 * Who calls, and whose share of the API it takes up: that of its name, or, without a token, that of the network it calls
 * from. Immutable.
 *
 * @param principal in whose name requests are made
 * @param network network of a caller without a token; empty with one
 */
record Caller(Principal principal, Optional<ClientNetwork> network) {
    /** Returns the holder of a token. */
    static Caller holder(Principal principal) {
        return new Caller(principal, Optional.empty());
    }

    /** Returns the key of its share; keys of holders and of networks are told apart by {@link #isAnonymous}. */
    String share() {
        return network.map(ClientNetwork::name).orElse(principal.name());
    }

    /** Returns whether it came without a token. */
    boolean isAnonymous() {
        return network.isPresent();
    }

    /** Returns how refusals name it. */
    String label() {
        return network.map(from -> principal.name() + " at " + from.name()).orElse(principal.name());
    }
}
