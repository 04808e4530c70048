package io.weir.rm.nativerm;

import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Starts that the resource manager accepted and that it does not list yet. What it says of a job as of an earlier time is no
 * evidence about the start, and neither is a state that cannot be read: meanwhile the job counts as running where it was
 * started. An earlier time is believed after a minute, for some resource managers give that of a job's last change. One thread.
 */
final class AcceptedStarts {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Map<String, Start> starts = new HashMap<>();

    /**
     * A start.
     *
     * @param begun when the call was made
     * @param effect when the job began to run
     */
    private record Start(Instant begun, Instant effect, List<NodeAllocation> allocation) {}

    /** The resource manager carried out {@code command}, in a call that began at {@code begun} by its clock. */
    void done(RmCommand command, RmAnswer answer, Instant begun) {
        @Nullable String job = command.getJobId();
        if (job == null) {
            return;
        }
        starts.remove(job);
        if (command.getKind() == CommandKind.START_JOB) {
            @Nullable Instant effect = answer.effectTime();
            starts.put(job, new Start(begun, effect == null ? begun : effect, List.copyOf(command.getAllocation())));
        }
    }

    /**
     * Returns {@code report}, or what is known instead if that is older than a start.
     *
     * @param told whether the resource manager tells the job's state, rather than something that cannot be read
     * @param updated when the resource manager last heard of the job; null where it does not tell
     * @param now when it was asked
     */
    JobReport settled(JobReport report, boolean told, @Nullable Instant updated, Instant now) {
        @Nullable Start start = starts.get(report.getJobId());
        if (start == null) {
            return report;
        }
        boolean waits = report.getState() == JobState.IDLE || report.getState() == JobState.HOLD;
        boolean older = updated != null
                && updated.isBefore(start.begun())
                && now.isBefore(start.begun().plus(PATIENCE));
        if (!waits || (told && !older)) {
            starts.remove(report.getJobId());
            return report;
        }
        return JobReport.newBuilder(report)
                .setState(JobState.RUNNING)
                .setStartTime(start.effect())
                .setAllocation(start.allocation())
                .build();
    }

    /** Forgets the starts of all jobs but {@code present}. */
    void keep(Set<String> present) {
        starts.keySet().retainAll(present);
    }
}
