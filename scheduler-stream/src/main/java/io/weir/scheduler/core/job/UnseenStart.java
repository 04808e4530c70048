package io.weir.scheduler.core.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A start that was accepted and that no report of the resource manager has shown: until one does, it may still fail. Has what
 * counted against the job before it. Immutable.
 *
 * @param failures starts refused since the last success
 * @param deferrals how often the job was deferred since it last ran
 * @param refusedSince when a start that is tried again on the same nodes was first refused, epoch seconds, or {@link Job#NONE}
 */
public record UnseenStart(int failures, int deferrals, long refusedSince) {
    /** Restores what is stored; null for none. */
    static @Nullable UnseenStart from(io.weir.schemas.@Nullable UnseenStart stored) {
        if (stored == null) {
            return null;
        }
        Instant since = stored.getRefusedSince();
        return new UnseenStart(
                stored.getFailures(), stored.getDeferrals(), since == null ? Job.NONE : since.getEpochSecond());
    }

    /** Returns the record that stores hold. */
    io.weir.schemas.UnseenStart toRecord() {
        return new io.weir.schemas.UnseenStart(
                failures, deferrals, refusedSince == Job.NONE ? null : Instant.ofEpochSecond(refusedSince));
    }
}
