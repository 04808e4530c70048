package io.weir.scheduler.core.state;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Jobs that started too late to be in the measurements of their nodes. Owned by the core's thread. */
final class UnmeasuredJobs {
    private final JobTable jobs;
    private final DomainState domain;

    /** Those of the last pass; the jobs that it started are among them. */
    private List<Job> last = new ArrayList<>();

    UnmeasuredJobs(JobTable jobs, DomainState domain) {
        this.jobs = jobs;
        this.domain = domain;
    }

    /** Returns those that started since the last complete poll of their connector, as of {@code now}, epoch seconds. */
    List<Job> at(long now) {
        List<Job> unmeasured = new ArrayList<>();
        long measured = now;
        for (String connector : domain.connectors.keySet()) {
            measured = Math.min(measured, domain.lastMeasured(connector, now));
        }
        for (Job job : jobs.startedSince(measured)) {
            if (job.start() >= domain.lastMeasured(job.request().connector(), now)) {
                unmeasured.add(job);
            }
        }
        return unmeasured;
    }

    /** Returns whether {@code unmeasured} are the same as in the last pass. */
    boolean isLast(List<Job> unmeasured) {
        if (unmeasured.size() != last.size()) {
            return false;
        }
        return inOrder(unmeasured, last) || ids(unmeasured).equals(ids(last));
    }

    /** Says whether both are the same jobs in the same order, which is so when none started or ended. */
    private static boolean inOrder(List<Job> jobs, List<Job> others) {
        for (int i = 0; i < jobs.size(); i++) {
            if (!jobs.get(i).id().equals(others.get(i).id())) {
                return false;
            }
        }
        return true;
    }

    private static SortedSet<String> ids(List<Job> jobs) {
        SortedSet<String> ids = new TreeSet<>();
        jobs.forEach(job -> ids.add(job.id()));
        return ids;
    }

    /** A pass begins with {@code unmeasured}, to which those that it starts are added. */
    void begin(List<Job> unmeasured) {
        last = unmeasured;
    }

    /** The pass under way started {@code job}. */
    void started(Job job) {
        last.add(job);
    }
}
