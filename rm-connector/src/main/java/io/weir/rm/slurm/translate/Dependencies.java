package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which dependencies look fulfilled. Slurm judges those of a held job only once a minute, so its word comes late; a job whose
 * dependencies look fulfilled is started, and Slurm judges then: where it says no, the job waits on. One thread.
 */
final class Dependencies {
    private static final String OPEN = "(unfulfilled)";
    private static final Pattern CLAUSE =
            Pattern.compile("(\\w+)(?::(\\d{1,10})(?:_(\\d{1,9}|\\*))?)?\\(unfulfilled\\)");
    private static final Set<String> WITH_NODES =
            Set.of("RUNNING", "COMPLETING", "SUSPENDED", "CONFIGURING", "STOPPED");

    private Map<String, List<QueueLine>> lines = Map.of();
    private Collection<KnownJob> known = List.of();
    private Set<String> fulfilled = new TreeSet<>();
    private boolean open;

    /** Takes note of the queue; returns the jobs of which another thing is true now. */
    Set<String> see(Collection<QueueLine> queue, Collection<KnownJob> before) {
        Map<String, List<QueueLine>> byName = new HashMap<>();
        known = before;
        List<SlurmJob> waiting = before.stream()
                .map(KnownJob::job)
                .filter(job -> job.isPending() && isOpen(job))
                .toList();
        open = !waiting.isEmpty();
        if (open) {
            for (QueueLine line : queue) {
                byName.computeIfAbsent(line.id(), id -> new ArrayList<>()).add(line);
                if (line.array() != 0) {
                    byName.computeIfAbsent(Long.toString(line.array()), id -> new ArrayList<>())
                            .add(line);
                }
            }
        }
        lines = byName;
        Set<String> now = new TreeSet<>();
        waiting.stream().filter(this::judge).forEach(job -> now.add(job.key()));
        Set<String> changed = new TreeSet<>(now);
        changed.addAll(fulfilled);
        changed.removeIf(job -> now.contains(job) && fulfilled.contains(job));
        fulfilled = now;
        return changed;
    }

    /** Says whether any job waited for others when the queue was seen last. */
    boolean areOpen() {
        return open;
    }

    /** Says whether the job waits for others, as far as was seen. */
    boolean areOpen(SlurmJob job) {
        return isOpen(job) && !fulfilled.contains(job.key());
    }

    /**
     * Says whether what the job waits for can never come, as far as was seen of jobs that ended. Of alternatives another may come.
     */
    boolean areLost(SlurmJob job) {
        @Nullable String text = job.dependency();
        return text != null
                && text.indexOf('?') < 0
                && Arrays.stream(text.split(",", -1)).anyMatch(clause -> isLost(job, clause));
    }

    private boolean isLost(SlurmJob job, String clause) {
        Matcher matcher = CLAUSE.matcher(clause);
        if (!matcher.matches() || matcher.group(2) == null) {
            return false;
        }
        String kind = matcher.group(1);
        List<QueueLine> others =
                lines.getOrDefault(nameOfOther(job, kind, matcher.group(2), matcher.group(3)), List.of());
        if (others.isEmpty() || !others.stream().allMatch(Dependencies::hasEnded)) {
            return false;
        }
        boolean well = others.stream().allMatch(line -> line.state().equals("COMPLETED"));
        return switch (kind) {
            case "afterok", "aftercorr" -> !well;
            case "afternotok" -> well;
            default -> false;
        };
    }

    private static boolean isOpen(SlurmJob job) {
        return job.dependency() != null && job.dependency().contains(OPEN);
    }

    private boolean judge(SlurmJob job) {
        String text = Objects.requireNonNullElse(job.dependency(), "");
        return text.indexOf('?') >= 0
                ? Arrays.stream(text.split("\\?", -1)).anyMatch(clause -> judge(job, clause))
                : Arrays.stream(text.split(",", -1)).allMatch(clause -> judge(job, clause));
    }

    private boolean judge(SlurmJob job, String clause) {
        Matcher matcher = CLAUSE.matcher(clause);
        if (!matcher.matches()) {
            return !clause.contains("(");
        }
        String kind = matcher.group(1);
        if (kind.equals("singleton")) {
            return isFirstOfItsName(job);
        }
        String name = nameOfOther(job, kind, matcher.group(2), matcher.group(3));
        if (name.isEmpty()) {
            return false;
        }
        List<QueueLine> others = lines.getOrDefault(name, List.of());
        return switch (kind) {
            case "afterany" -> others.stream().allMatch(Dependencies::hasEnded);
            case "afterok", "aftercorr" ->
                others.stream().allMatch(line -> line.state().equals("COMPLETED"));
            // Of a job that is gone from Slurm's memory nobody knows any more how it ended.
            case "afternotok" ->
                others.stream().allMatch(Dependencies::hasEnded)
                        && (others.isEmpty()
                                || others.stream()
                                        .anyMatch(line -> !line.state().equals("COMPLETED")));
            case "after" -> others.stream().noneMatch(line -> line.state().equals("PENDING"));
            default -> false;
        };
    }

    /** Returns the job or task a clause is about; empty for none that can be told. */
    private static String nameOfOther(SlurmJob job, String kind, String other, @Nullable String task) {
        if (kind.equals("aftercorr")) {
            return job.array() == null || job.array().task() == null
                    ? ""
                    : other + "_" + job.array().task();
        }
        return task == null || task.equals("*") ? other : other + "_" + task;
    }

    private static boolean hasEnded(QueueLine line) {
        return !line.state().equals("PENDING") && !WITH_NODES.contains(line.state());
    }

    private static boolean isOfSameJob(SlurmJob one, SlurmJob other) {
        return one.component() != null
                && other.component() != null
                && one.component().job() == other.component().job();
    }

    /** Slurm goes by its numbers, of which a task that was split off its array has got a later one. */
    private boolean isFirstOfItsName(SlurmJob job) {
        return known.stream()
                .map(KnownJob::job)
                .noneMatch(other -> other.id() != job.id()
                        && !isOfSameJob(other, job)
                        && Objects.equals(other.name(), job.name())
                        && Objects.equals(other.user(), job.user())
                        && !other.hasEnded()
                        && (!other.isPending() || other.id() < job.id()));
    }
}
