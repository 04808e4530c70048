package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs whose dependency can never be fulfilled. Slurm looks at them once a minute, and holds those that are held already, as all
 * that wait for Weir are, like an administrator each time; it does not let them go when the dependency is taken away. So the
 * first time is noted on the job, where it outlives the process, and the hold is taken back when the dependency is no longer
 * dead. An administrator's hold from before stays; one that comes later cannot be told apart. Stateless.
 */
final class DeadDependencies {
    private static final Logger log = LoggerFactory.getLogger(DeadDependencies.class);

    /** Slurm's reason, for a moment. */
    static final String REASON = "DependencyNeverSatisfied";

    private static final String FAILED = "(failed)";
    private static final String OPEN = "(unfulfilled)";
    private static final String OR = "?";

    private DeadDependencies() {}

    /** Says whether what a job waits for can never come. Of alternatives one is enough. */
    static boolean isDead(SlurmJob job) {
        @Nullable String text = job.dependency();
        return text != null && text.contains(FAILED) && !(text.contains(OR) && text.contains(OPEN));
    }

    /** Says whether Slurm was seen to hold the job for its dependency, since it ran last. */
    static boolean isMarked(SlurmJob job) {
        return SlurmJobTranslation.restartsAt(job, AdminNote.DEAD_DEPENDENCY) == job.restarts();
    }

    /** Looks at jobs that changed: notes which are dead now, and takes the hold of those back that are no longer. */
    static void look(
            SlurmCommands commands, Map<String, SlurmJob> changed, Function<String, @Nullable SlurmJob> before) {
        Map<String, SlurmJob> dead = new LinkedHashMap<>();
        Map<String, SlurmJob> alive = new LinkedHashMap<>();
        changed.replaceAll((id, job) -> {
            @Nullable SlurmJob old = before.apply(id);
            if (!job.isPending() || isMarked(job) == isDead(job)) {
                return job;
            }
            if (isMarked(job)) {
                alive.put(id, job);
            } else if (old != null && isHeldForIt(job)) {
                if (SlurmJobTranslation.isHeldByAdmin(old)) {
                    return job.held(SlurmJobTranslation.HELD_BY_ADMIN);
                }
                dead.put(id, job);
            }
            return job;
        });
        for (List<SlurmJob> record : records(dead.values())) {
            SlurmJob job = record.get(0);
            if (write(commands, record, job.note().with(AdminNote.DEAD_DEPENDENCY, job.restarts()))) {
                log.info("job={} was held by Slurm: {}", nameOf(record), REASON);
                record.forEach(each -> changed.put(each.key(), each.held(REASON)));
            }
        }
        for (List<SlurmJob> record : records(alive.values())) {
            if (takeBack(commands, record)) {
                record.forEach(each -> changed.put(each.key(), each.held(SlurmJobTranslation.HELD_AS_USER)));
            }
        }
    }

    private static boolean isHeldForIt(SlurmJob job) {
        return job.isHeld()
                && (job.reason().equals(SlurmJobTranslation.HELD_BY_ADMIN)
                        || job.reason().equals(REASON));
    }

    private static boolean takeBack(SlurmCommands commands, List<SlurmJob> record) {
        try {
            if (record.get(0).isHeld()) {
                commands.holdAsUser(List.of(nameOf(record)));
            }
        } catch (SlurmRefusal e) {
            log.warn("job={} stays held like by an administrator: {}", nameOf(record), e.getMessage());
            return false;
        }
        return write(commands, record, record.get(0).note().without(AdminNote.DEAD_DEPENDENCY));
    }

    static boolean write(SlurmCommands commands, List<SlurmJob> record, AdminNote note) {
        return write(commands, record, "AdminComment=" + note.text());
    }

    static boolean write(SlurmCommands commands, List<SlurmJob> record, String field) {
        try {
            commands.updateInSession(nameOf(record), List.of(field));
            return true;
        } catch (SlurmRefusal e) {
            log.warn("job={} could not be marked: {}", nameOf(record), e.getMessage());
            return false;
        }
    }

    /** Returns the jobs by their records: tasks of an array that share one are changed together, or each would get its own. */
    static Collection<List<SlurmJob>> records(Collection<SlurmJob> jobs) {
        return jobs.stream()
                .collect(Collectors.groupingBy(
                        SlurmJob::id, LinkedHashMap::new, Collectors.toCollection(ArrayList::new)))
                .values()
                .stream()
                .map(List::copyOf)
                .toList();
    }

    /** Returns by which name scontrol changes all of them and nothing else. */
    static String nameOf(List<SlurmJob> record) {
        SlurmJob first = record.get(0);
        if (record.size() == 1 || first.array() == null) {
            return first.alone();
        }
        return record.stream()
                .map(SlurmJob::array)
                .map(part -> part == null || part.task() == null ? "" : Long.toString(part.task()))
                .collect(Collectors.joining(",", first.array().array() + "_[", "]"));
    }
}
