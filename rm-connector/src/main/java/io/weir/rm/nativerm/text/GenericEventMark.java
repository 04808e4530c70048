package io.weir.rm.nativerm.text;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A generic event told of a node or job.
 *
 * @param name name of the event
 * @param time when it happened; null when not told
 * @param message what happened, for people
 */
public record GenericEventMark(String name, @Nullable Instant time, String message) {}
