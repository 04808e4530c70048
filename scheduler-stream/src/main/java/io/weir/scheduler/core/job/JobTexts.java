package io.weir.scheduler.core.job;

import io.weir.scheduler.core.mark.Annotations;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the characters of the jobs of a cluster: what they ask for, the messages and variables attached to them, and where they last
 * ran; and counts their requirements. Exact, so that a state that is rebuilt has the same sum.
 */
final class JobTexts {
    /** Characters of what a job is besides its texts. */
    private static final int EACH = 64;

    private long open;
    private int further;
    private long finished;

    /** Returns those of the jobs that wait or run. */
    long open() {
        return open;
    }

    /** Returns the requirements of the jobs that wait or run, without the first of each. */
    int further() {
        return further;
    }

    /** Returns those of the jobs that are over. */
    long finished() {
        return finished;
    }

    /** A job has another version; null for none. */
    void changed(@Nullable Job before, @Nullable Job after) {
        if (before != null) {
            add(before, -1);
        }
        if (after != null) {
            add(after, 1);
        }
    }

    private void add(Job job, int sign) {
        if (job.finished()) {
            finished += sign * job.characters();
        } else {
            open += sign * job.characters();
            further += sign * (job.request().requirements().size() - 1);
        }
    }

    /** Returns how many characters {@code job} has, {@code asked} of which are in its request. */
    static long of(Job job, long asked) {
        return EACH + asked + of(job.messages()) + of(job.lastNodes()) + of(job.annotations());
    }

    /** Returns how many characters a job asking for this has. */
    static long of(JobRequest request) {
        JobCredentials names = request.credentials();
        JobOptions options = request.options();
        long sum = request.id().length()
                + of(names.name())
                + of(names.user())
                + of(names.group())
                + of(names.account())
                + of(names.jobClass())
                + of(names.qos())
                + of(options.partitions())
                + of(options.hosts())
                + of(options.application())
                + of(options.extension())
                + of(options.preference())
                + of(options.reservation())
                + of(options.flags())
                + of(options.excludedHosts())
                + of(options.otherClasses());
        for (int i = 0; i < request.requirements().size(); i++) {
            Requirement requirement = request.requirements().get(i);
            sum += EACH
                    + of(requirement.demands().features())
                    + of(requirement.demands().conditions())
                    + of(requirement.demands().network())
                    + of(requirement.demands().classes())
                    + of(requirement.demands().hosts())
                    + of(requirement.demands().excludedHosts())
                    + of(requirement.demands().requiredHosts())
                    + ofNames(requirement.resources().gres())
                    + ofNames(requirement.resources().perNode().gres());
        }
        return sum;
    }

    private static long of(Annotations annotations) {
        long sum = ofNames(annotations.variables()) + ofNames(annotations.metrics());
        if (!annotations.variables().isEmpty()) {
            for (String value : annotations.variables().values()) {
                sum += value.length();
            }
        }
        return sum;
    }

    private static long ofNames(Map<String, ?> named) {
        long sum = 0;
        if (!named.isEmpty()) {
            for (String name : named.keySet()) {
                sum += name.length();
            }
        }
        return sum;
    }

    private static long of(List<String> texts) {
        long sum = 0;
        for (int i = 0; i < texts.size(); i++) {
            sum += texts.get(i).length() + 8L;
        }
        return sum;
    }

    private static long of(@Nullable String text) {
        return text == null ? 0 : text.length();
    }
}
