package io.weir.scheduler.core.event;

import java.util.Optional;

/** Events that the scheduler raises by itself and that another of its events ends. */
public final class BuiltInEvents {
    private BuiltInEvents() {}

    /** Returns the event that is over when {@code event} occurs on the same object; empty for none. */
    public static Optional<String> ended(String event) {
        return switch (event) {
            case "nodeup" -> Optional.of("nodedown");
            case "noderesume" -> Optional.of("nodefailing");
            case "rmup" -> Optional.of("rmdown");
            case "schedresume" -> Optional.of("schedstop");
            default -> Optional.empty();
        };
    }
}
