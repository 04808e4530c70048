package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.JobComponent;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.TaskRequirement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Components of heterogeneous jobs as one job: each is a requirement of its own, in its own partitions and on nodes of its own,
 * and all of them start at one instant. Slurm has a job for each; the first one's number is that of the whole. Stateless.
 *
 * <pre>
 *   sbatch -p cpu -n4 : -p gpu -n1 --gpus=1      12+0, 12+1  ->  job 12 of two requirements
 * </pre>
 */
final class HeterogeneousJobs {
    private static final String INCOMPLETE = "Slurm has not told of all components";

    /** No job has more requirements; job_submit.lua refuses those that would. */
    private static final int MOST = 64;

    private static final String TOO_MANY = "it has more than " + MOST + " components";

    private HeterogeneousJobs() {}

    /** Returns the jobs with the components of each heterogeneous one put together, in the place of the first of them. */
    static Collection<KnownJob> whole(Collection<KnownJob> jobs) {
        Map<Long, SortedMap<Integer, KnownJob>> components = new LinkedHashMap<>();
        for (KnownJob known : jobs) {
            @Nullable JobComponent component = known.job().component();
            if (component != null) {
                components
                        .computeIfAbsent(component.job(), job -> new TreeMap<>())
                        .put(component.offset(), known);
            }
        }
        if (components.isEmpty()) {
            return jobs;
        }
        List<KnownJob> whole = new ArrayList<>(jobs.size());
        for (KnownJob known : jobs) {
            @Nullable JobComponent component = known.job().component();
            if (component == null) {
                whole.add(known);
            } else {
                @Nullable SortedMap<Integer, KnownJob> all = components.remove(component.job());
                if (all != null) {
                    whole.add(together(component.whole(), all));
                }
            }
        }
        return whole;
    }

    private static KnownJob together(String job, SortedMap<Integer, KnownJob> components) {
        List<KnownJob> all = List.copyOf(components.values());
        KnownJob first = all.get(0);
        List<JobReport> reports = all.stream().map(KnownJob::report).toList();
        JobReport.Builder whole = JobReport.newBuilder(first.report())
                .setJobId(job)
                .setTasks((int) Math.min(
                        Integer.MAX_VALUE,
                        reports.stream().mapToLong(JobReport::getTasks).sum()))
                .setWalltimeSeconds(latest(reports, JobReport::getWalltimeSeconds))
                .setRequirements(all.stream()
                        .limit(MOST)
                        .map(component -> requirement(component.job(), component.report()))
                        .toList())
                .setHosts(List.of())
                .setExcludedHosts(List.of())
                .setOtherClasses(List.of())
                .setNodeAccess(access(reports))
                .setReservation(common(reports, JobReport::getReservation))
                .setFlags(first.report().getFlags().stream()
                        .filter(flag -> reports.stream()
                                .allMatch(report -> report.getFlags().contains(flag)))
                        .toList());
        takeCourse(whole, all, objection(components));
        return new KnownJob(first.line(), first.job(), whole.build(), null);
    }

    /** Returns why the job cannot be started whatever its components say; null when it can. */
    private static @Nullable String objection(SortedMap<Integer, KnownJob> components) {
        if (components.size() > MOST) {
            return TOO_MANY;
        }
        if (components.lastKey() != components.size() - 1) {
            return INCOMPLETE;
        }
        return components.values().stream()
                .filter(component -> isOver(component.report().getState()))
                .findFirst()
                .map(component ->
                        "component " + component.job().key() + " has ended, and Slurm starts the others only with it")
                .orElse(null);
    }

    /**
     * Says what has become of the job: it waits while a component does, and has nodes while one has.
     *
     * @param objection why it cannot be started; null when it can
     */
    private static void takeCourse(JobReport.Builder whole, List<KnownJob> all, @Nullable String objection) {
        List<JobReport> live = all.stream()
                .map(KnownJob::report)
                .filter(report -> !isOver(report.getState()))
                .toList();
        List<JobReport> onNodes =
                live.stream().filter(report -> hasNodes(report.getState())).toList();
        boolean leaving = all.stream().anyMatch(component -> component.job().isCompleting());
        if (live.isEmpty()) {
            whole.setEndTime(latest(reports(all), JobReport::getEndTime));
        } else if (!onNodes.isEmpty() && (leaving || onNodes.size() == live.size())) {
            boolean suspended = onNodes.stream().allMatch(report -> report.getState() == JobState.SUSPENDED);
            whole.setState(suspended ? JobState.SUSPENDED : JobState.RUNNING)
                    .setProcsReleased(suspended)
                    .setReason(onNodes.get(0).getReason())
                    .setStartTime(latest(onNodes, JobReport::getStartTime))
                    .setEndTime(null)
                    .setExitCode(null)
                    .setOwnerMayRelease(true)
                    .setAllocation(onNodes.stream()
                            .flatMap(report -> report.getAllocation().stream())
                            .sorted(Comparator.comparing(NodeAllocation::getNodeId))
                            .toList());
        } else {
            List<JobReport> held = live.stream()
                    .filter(report -> report.getState() == JobState.HOLD)
                    .toList();
            boolean waits = objection == null && held.isEmpty();
            whole.setState(waits ? JobState.IDLE : JobState.HOLD)
                    .setReason(held.isEmpty() ? objection : held.get(0).getReason())
                    .setOwnerMayRelease(held.stream().allMatch(JobReport::getOwnerMayRelease))
                    .setStartTime(null)
                    .setEndTime(null)
                    .setExitCode(null)
                    .setAllocation(List.of());
        }
    }

    private static List<JobReport> reports(List<KnownJob> all) {
        return all.stream().map(KnownJob::report).toList();
    }

    private static TaskRequirement requirement(SlurmJob job, JobReport report) {
        TaskRequirement.Builder own = report.getRequirements().isEmpty()
                ? TaskRequirement.newBuilder().setTasks(report.getTasks()).setProcsPerTask(report.getProcsPerTask())
                : TaskRequirement.newBuilder(report.getRequirements().get(0));
        return own.setClasses(job.partitions())
                .setHosts(report.getHosts())
                .setExcludedHosts(report.getExcludedHosts())
                .setApart(true)
                .build();
    }

    /** Returns the strictest wish: a component that wants its nodes for itself has all of them be the job's alone. */
    private static @Nullable String access(List<JobReport> reports) {
        return Stream.of("SINGLEJOB", "SINGLEUSER")
                .filter(access -> reports.stream().anyMatch(report -> access.equals(report.getNodeAccess())))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String common(List<JobReport> reports, Function<JobReport, @Nullable String> of) {
        @Nullable String first = of.apply(reports.get(0));
        return reports.stream().allMatch(report -> Objects.equals(first, of.apply(report))) ? first : null;
    }

    private static <T extends Comparable<T>> @Nullable T latest(
            List<JobReport> reports, Function<JobReport, @Nullable T> of) {
        return reports.stream()
                .flatMap(report -> Stream.ofNullable(of.apply(report)))
                .max(Comparator.naturalOrder())
                .orElse(null);
    }

    private static boolean hasNodes(JobState state) {
        return state == JobState.STARTING || state == JobState.RUNNING || state == JobState.SUSPENDED;
    }

    private static boolean isOver(JobState state) {
        return switch (state) {
            case COMPLETED, FAILED, CANCELLED, REMOVED -> true;
            case UNKNOWN, IDLE, HOLD, STARTING, RUNNING, SUSPENDED -> false;
        };
    }
}
