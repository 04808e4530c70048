package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that an administrator of Slurm holds. To job_submit.lua they look like those that wait for Weir, so the hold is noted on
 * them: then that has Slurm judge who may release them, and gives those that are a begin time far ahead. So an owner is refused, and
 * what an operator released is held for Weir again before Slurm starts it, and begins when it was to. Stateless.
 */
final class AdministratorHolds {
    private static final Logger log = LoggerFactory.getLogger(AdministratorHolds.class);

    /** Begins later than any job that its user has waiting. */
    private static final Duration FAR = Duration.ofDays(365);

    private AdministratorHolds() {}

    /**
     * Looks at jobs that changed.
     *
     * @param before the jobs as they were when they were looked at last
     * @param pluginInPlace whether job_submit.lua is in place; without it nothing is written on jobs
     */
    static void look(
            SlurmCommands commands,
            Map<String, SlurmJob> changed,
            Function<String, @Nullable SlurmJob> before,
            Instant now,
            BooleanSupplier pluginInPlace) {
        Map<String, SlurmJob> noted = new LinkedHashMap<>();
        Map<String, SlurmJob> released = new LinkedHashMap<>();
        changed.forEach((id, job) -> {
            if (!job.isPending()) {
                return;
            }
            if (isKnown(job) && isReleased(job, now)) {
                released.put(id, job);
            } else if (SlurmJobTranslation.isHeldByAdmin(job) != isNoted(job)) {
                noted.put(id, job);
            }
        });
        if (!noted.isEmpty() && pluginInPlace.getAsBoolean()) {
            for (List<SlurmJob> record : DeadDependencies.records(noted.values())) {
                note(commands, record, before.apply(record.get(0).key()));
            }
        }
        for (List<SlurmJob> record : DeadDependencies.records(released.values())) {
            takeBack(commands, record, before.apply(record.get(0).key()), now);
        }
    }

    private static void note(SlurmCommands commands, List<SlurmJob> record, @Nullable SlurmJob before) {
        SlurmJob job = record.get(0);
        AdminNote note = job.note();
        if (isNoted(job)) {
            DeadDependencies.write(commands, record, note.without(AdminNote.ADMIN_HOLD));
            return;
        }
        DeadDependencies.write(commands, record, note.with(AdminNote.ADMIN_HOLD, job.restarts()));
        String comment = job.comment();
        if (comment != null
                && SlurmJobTranslation.isMarked(comment)
                && before != null
                && !SlurmJobTranslation.isMarked(before.comment())) {
            // To job_submit.lua the hold of an operator looks like that of a coordinator, which is the user's.
            DeadDependencies.write(commands, record, "Comment=" + SlurmJobTranslation.unmarked(comment));
        }
    }

    /** Says whether job_submit.lua takes the job for one that an administrator holds, or did: one just held is marked before it is noted. */
    private static boolean isKnown(SlurmJob job) {
        return isNoted(job) || (job.comment() != null && SlurmJobTranslation.isMarked(job.comment()));
    }

    private static boolean isNoted(SlurmJob job) {
        return job.note().mark(AdminNote.ADMIN_HOLD).isPresent();
    }

    /** Says whether the job was released by somebody else than root, who has Slurm start it. */
    private static boolean isReleased(SlurmJob job, Instant now) {
        return !job.isHeld() && job.eligible() != null && job.eligible().isAfter(now.plus(FAR));
    }

    /** Returns when a job begins that was to begin like {@code before}, in the words of scontrol. */
    private static String begin(@Nullable SlurmJob before, Instant now) {
        if (before == null || isReleased(before, now)) {
            return "now";
        }
        Instant begin = before.eligible();
        return begin != null && begin.isAfter(now) ? "uts" + begin.getEpochSecond() : "now";
    }

    private static void takeBack(
            SlurmCommands commands, List<SlurmJob> record, @Nullable SlurmJob before, Instant now) {
        String name = DeadDependencies.nameOf(record);
        SlurmJob job = record.get(0);
        List<String> fields = new ArrayList<>(List.of(
                "StartTime=" + begin(before, now),
                "AdminComment=" + job.note().without(AdminNote.ADMIN_HOLD).text()));
        if (job.comment() != null && SlurmJobTranslation.isMarked(job.comment())) {
            fields.add("Comment=" + SlurmJobTranslation.unmarked(job.comment()));
        }
        try {
            commands.holdAsUser(List.of(name));
            commands.updateInSession(name, fields);
            log.info("job={} was released from an administrator's hold, and waits", name);
        } catch (SlurmRefusal e) {
            log.warn("job={} was released from an administrator's hold, and begins late: {}", name, e.getMessage());
        }
    }
}
