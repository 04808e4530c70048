package io.weir.rm.simulated;

import io.weir.trace.SwfTrace;
import io.weir.trace.TraceJob;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The jobs users will submit, in the order in which they do, and where second 0 of their clock lies.
 *
 * @param base epoch second of the workload's second 0
 * @param jobs jobs by submit time, then by sequence; ids are unique
 */
record Workload(long base, List<TraceJob> jobs) {
    Workload {
        jobs = List.copyOf(jobs);
    }

    /** Returns {@code count} usable jobs of {@code trace} from position {@code from} on. */
    static Workload of(SwfTrace trace, int from, int count) {
        return new Workload(trace.start(), trace.window(from, count));
    }

    /** Returns a digest by which a ledger recognises its workload. */
    String digest() {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
        digest.update(Long.toString(base).getBytes(StandardCharsets.US_ASCII));
        for (TraceJob job : jobs) {
            String line = "\n" + job.id() + ' ' + job.sequence() + ' ' + job.submit() + ' ' + job.procs() + ' '
                    + job.estimate() + ' ' + job.run();
            digest.update(line.getBytes(StandardCharsets.US_ASCII));
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 8);
    }
}
