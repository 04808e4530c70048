package io.weir.scheduler.core.job.extension;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The flags of a job as written, taken apart.
 *
 * @param reservation the reservation the job has to stay in, of {@code ADVRES} or {@code ADVRES:name}; empty for any it may
 *     use; null where no flag says so
 * @param others all other flags, in their order
 */
public record JobFlags(@Nullable String reservation, List<String> others) {
    private static final String ADVRES = "ADVRES";

    public JobFlags {
        others = List.copyOf(others);
    }

    /** Takes {@code flags} apart; the last reservation named counts. */
    public static JobFlags of(List<String> flags) {
        String reservation = null;
        List<String> others = new ArrayList<>(flags.size());
        for (String flag : flags) {
            if (!flag.regionMatches(true, 0, ADVRES, 0, ADVRES.length())) {
                others.add(flag);
            } else if (flag.length() == ADVRES.length()) {
                reservation = "";
            } else if (flag.charAt(ADVRES.length()) == ':') {
                reservation = flag.substring(ADVRES.length() + 1);
            } else {
                others.add(flag);
            }
        }
        return new JobFlags(reservation, others);
    }
}
