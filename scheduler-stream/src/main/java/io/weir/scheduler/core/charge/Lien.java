package io.weir.scheduler.core.charge;

import io.weir.scheduler.state.LienRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the allocation manager was asked about the cost of a job that is to start, and what it said. Immutable.
 *
 * @param jobId the job
 * @param account account that is to pay; null when the job has none
 * @param firingId firing that asks, by which it is answered
 * @param until until when the answer is waited for, or holds, epoch seconds
 * @param state what came of it
 * @param said the answer in words; empty for none
 */
public record Lien(String jobId, @Nullable String account, String firingId, long until, State state, String said) {
    /** How long an answer holds for a job that does not start at once, seconds. */
    public static final long HOLDS_SECONDS = 3_600;

    /** What came of the question. */
    public enum State {
        /** Not answered yet. */
        ASKED,
        /** The job may start: the amount is set aside, or nobody objects. */
        GRANTED,
        /** The account cannot pay. */
        REFUSED,
        /** No answer came, or one that says nothing about the account. */
        UNANSWERED
    }

    static Lien from(LienRecord record) {
        return new Lien(
                record.getJobId(),
                record.getAccount(),
                record.getFiringId(),
                record.getUntil(),
                State.valueOf(record.getState()),
                record.getSaid());
    }

    LienRecord toRecord(String cluster) {
        return new LienRecord(cluster, jobId, account, firingId, until, state.name(), said);
    }

    /** Returns it answered at {@code now}, epoch seconds. */
    public Lien answered(State outcome, String words, long now) {
        return new Lien(jobId, account, firingId, now + HOLDS_SECONDS, outcome, words);
    }

    /** Returns it for a job that starts at the cost of {@code payer}, whoever objected, from {@code now} on. */
    public Lien waived(@Nullable String payer, long now) {
        return new Lien(jobId, payer, firingId, now + HOLDS_SECONDS, State.GRANTED, said);
    }
}
