package io.weir.scheduler.stream.quarantine;

import io.weir.scheduler.core.quarantine.Suspect;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A record cannot be stored or put out: it cannot be encoded, or it is larger than its topic takes. */
final class UnfitOutputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable Suspect suspect;

    /**
     * Says what is wrong with it.
     *
     * @param suspect the object it is about; null when that is not known
     */
    UnfitOutputException(String message, @Nullable Suspect suspect, @Nullable Throwable cause) {
        super(message, cause);
        this.suspect = suspect;
    }

    /** Returns the object it is about. */
    Optional<Suspect> suspect() {
        return Optional.ofNullable(suspect);
    }
}
