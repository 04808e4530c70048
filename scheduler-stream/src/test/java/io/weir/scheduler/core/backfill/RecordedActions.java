package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.plan.TestCluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Starts jobs by taking them out of the queue, and writes down everything it is told. */
final class RecordedActions implements PlanActions {
    private final JobTable jobs;

    /** What happened, in order, such as "start a" and "reserve b 100". */
    final List<String> steps = new ArrayList<>();

    /** Jobs whose start fails. */
    final SortedSet<String> refused = new TreeSet<>();

    /** Jobs that wait for a plug-in's answer. */
    final SortedSet<String> awaited = new TreeSet<>();

    /** Jobs of which the allocation manager has not said whether they can be paid for. */
    final SortedSet<String> unpaid = new TreeSet<>();

    /** Jobs that were looked at, in order. */
    final List<String> considered = new ArrayList<>();

    final Map<String, Integer> bypasses = new LinkedHashMap<>();

    RecordedActions(TestCluster cluster) {
        jobs = cluster.jobs;
    }

    @Override
    public void considering(Job job) {
        considered.add(job.id());
    }

    @Override
    public boolean start(Job job, List<TaskShare> shares, boolean ahead) {
        if (refused.contains(job.id())) {
            return false;
        }
        steps.add((ahead ? "backfill " : "start ") + job.id());
        jobs.remove(job.id());
        return true;
    }

    @Override
    public boolean awaited(Job job, List<TaskShare> shares, boolean placed) {
        return (!placed && awaited.contains(job.id())) || unpaid.contains(job.id());
    }

    @Override
    public boolean preempts() {
        return false;
    }

    @Override
    public long nextPreemptee() {
        return Long.MAX_VALUE;
    }

    @Override
    public List<Job> preemptees(Job job) {
        return List.of();
    }

    @Override
    public void preempt(Job job, List<Job> victims) {
        throw new IllegalStateException("nothing can be preempted here");
    }

    @Override
    public void reserve(Job job, long start, List<TaskShare> shares, boolean forDeadline) {
        steps.add("reserve " + job.id() + " " + start);
    }

    @Override
    public void late(Job job, long start) {
        steps.add("late " + job.id() + " " + start);
    }

    @Override
    public void retryExpired(Job job) {
        steps.add("expired " + job.id());
    }

    @Override
    public boolean impossible(Job job) {
        steps.add("impossible " + job.id());
        return true;
    }

    @Override
    public void bypassed(String jobId, int count) {
        bypasses.put(jobId, count);
    }

    @Override
    public void release(String jobId) {
        steps.add("release " + jobId);
    }
}
