package io.weir.scheduler.core.job;

import io.weir.scheduler.core.mark.Annotations;
import java.util.List;
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
        if (before != null && after != null && before.request().equals(after.request())) {
            if (!countsAlike(before, after)) {
                long asked = of(after.request());
                add(before, asked, -1);
                add(after, asked, 1);
            }
            return;
        }
        if (before != null) {
            add(before, of(before.request()), -1);
        }
        if (after != null) {
            add(after, of(after.request()), 1);
        }
    }

    /** Returns whether two versions of a job that asks for the same have the same characters. */
    private static boolean countsAlike(Job before, Job after) {
        return before.finished() == after.finished()
                && before.messages().equals(after.messages())
                && before.lastNodes().equals(after.lastNodes())
                && before.annotations().equals(after.annotations());
    }

    /** Adds a job whose request has {@code asked} characters. */
    private void add(Job job, long asked, int sign) {
        long more = sign * (EACH + asked + of(job.messages()) + of(job.lastNodes()) + of(job.annotations()));
        if (job.finished()) {
            finished += more;
        } else {
            open += more;
            further += sign * (job.request().requirements().size() - 1);
        }
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
        for (Requirement requirement : request.requirements()) {
            sum += EACH
                    + of(requirement.demands().features())
                    + of(requirement.demands().conditions())
                    + of(requirement.demands().network())
                    + of(requirement.demands().classes())
                    + of(requirement.demands().hosts())
                    + of(requirement.demands().excludedHosts());
            for (String name : requirement.resources().gres().keySet()) {
                sum += name.length();
            }
            for (String name : requirement.resources().perNode().gres().keySet()) {
                sum += name.length();
            }
        }
        return sum;
    }

    private static long of(Annotations annotations) {
        long sum = 0;
        for (var variable : annotations.variables().entrySet()) {
            sum += variable.getKey().length() + variable.getValue().length();
        }
        for (String name : annotations.metrics().keySet()) {
            sum += name.length();
        }
        return sum;
    }

    private static long of(List<String> texts) {
        long sum = 0;
        for (String text : texts) {
            sum += text.length() + 8L;
        }
        return sum;
    }

    private static long of(@Nullable String text) {
        return text == null ? 0 : text.length();
    }
}
