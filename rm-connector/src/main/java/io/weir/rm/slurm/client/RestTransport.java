package io.weir.rm.slurm.client;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Carries one request to slurmrestd and its answer back, within a time limit. Any number of threads. */
public interface RestTransport extends AutoCloseable {

    /** The longest body of an answer, in bytes: ten times what 10,000 jobs take. */
    int LONGEST_REPLY = 400 << 20;

    /**
     * Sends a request and waits for the answer.
     *
     * @param target path and query
     * @param body JSON; null for none
     * @param limit how long it may take
     * @throws IOException if no whole answer came; the request may have taken effect
     */
    Reply send(String method, String target, byte @Nullable [] body, Duration limit) throws IOException;

    /** Says where requests go, for messages. */
    @Override
    String toString();

    @Override
    default void close() {}

    /** An answer: the status is no guide to success, the body is. */
    @SuppressWarnings("ArrayRecordComponent") // Replies are never compared.
    record Reply(int status, byte[] body) {
        @Override
        public String toString() {
            return "status " + status + " with " + body.length + " bytes";
        }
    }
}
