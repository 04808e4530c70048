package io.weir.scheduler.core.quarantine;

import io.weir.schemas.QuarantineKind;
import java.util.Optional;

/**
 * The object the core is working on: set before each, asked after an exception. Two assignments, so that it may be set in
 * any loop over jobs. It decides nothing. Owned by the core's thread.
 */
public class CurrentWork {
    private QuarantineKind kind = QuarantineKind.UNKNOWN;
    private String id = "";

    /** Says what is worked on from now on. */
    public void on(QuarantineKind nextKind, String nextId) {
        kind = nextKind;
        id = nextId;
    }

    /** Says that what is worked on from now on belongs to no object. */
    public void onNothing() {
        kind = QuarantineKind.UNKNOWN;
    }

    /** Returns what is worked on; empty when that belongs to no object. */
    public Optional<Suspect> suspect() {
        return kind == QuarantineKind.UNKNOWN ? Optional.empty() : Optional.of(new Suspect(kind, id));
    }
}
