package io.weir.scheduler.core.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All jobs of a cluster, with the views the iteration needs: the queue, the active jobs by their planned end, and
 * the finished ones by their end. Each job stands in at most one view. Owned by the core's thread.
 */
public final class JobTable {
    private static final Comparator<Job> BY_PLANNED_END = (a, b) -> order(a.plannedEnd(), a, b.plannedEnd(), b);
    private static final Comparator<Job> BY_START = (a, b) -> order(a.start(), a, b.start(), b);
    private static final Comparator<Job> BY_END = (a, b) -> order(a.end(), a, b.end(), b);
    private static final Comparator<Job> BY_NOT_BEFORE = (a, b) -> order(a.notBefore(), a, b.notBefore(), b);

    private JobBudget budget = JobBudget.STANDARD;
    private final JobTexts texts = new JobTexts();

    /** By id; never iterated except to sort or to count. */
    private final Map<String, Job> jobs = new LinkedHashMap<>();

    private final CredentialNames credentials = new CredentialNames(jobs.values());

    private final JobQueue queue = new JobQueue();

    /** STARTING, RUNNING and SUSPENDED jobs. */
    private final NavigableSet<Job> active = new TreeSet<>(BY_PLANNED_END);

    /** The same by their starts. */
    private final NavigableSet<Job> started = new TreeSet<>(BY_START);

    /** Finished jobs, until they are purged. */
    private final NavigableSet<Job> finished = new TreeSet<>(BY_END);

    /** Waiting jobs that are not considered before an instant. */
    private final NavigableSet<Job> deferred = new TreeSet<>(BY_NOT_BEFORE);

    /** Waiting jobs that have to be over by an instant, by id. */
    private final SortedMap<String, Job> due = new TreeMap<>();

    /** Jobs whose start was refused, by id. */
    private final SortedMap<String, Job> refused = new TreeMap<>();

    /** Jobs to which preemption means something, by id. */
    private final SortedMap<String, Job> preemptions = new TreeMap<>();

    /** Active jobs with failed nodes, by id. */
    private final SortedMap<String, Job> stricken = new TreeMap<>();

    /** Jobs with a command that is not answered, by id. */
    private final SortedMap<String, Job> unanswered = new TreeMap<>();

    /** Waiting and active jobs that ask for more than processors anywhere. */
    private int particular;

    /** Active jobs that say themselves with whom they share nodes. */
    private int choosy;

    /** How many waiting jobs say with whom they share nodes, by what they say. */
    private final SortedMap<String, Integer> sharingWishes = new TreeMap<>();

    /** Goes by another budget than that of every cluster. */
    public void configure(JobBudget inForce) {
        budget = inForce;
    }

    /** Says why a new job that asks for {@code request} cannot be taken in to wait; null when it can. */
    public @Nullable String refusal(JobRequest request) {
        if (queue.size() >= budget.waiting()) {
            return queue.size() + " jobs wait; at most " + budget.waiting() + " may";
        }
        int more = request.requirements().size() - 1;
        if (more > 0 && texts.further() + more > budget.further()) {
            return "the jobs that wait or run have " + texts.further()
                    + " requirements besides the first of each; at most " + budget.further() + " are allowed";
        }
        return refusal(JobTexts.of(request));
    }

    /** Says why {@code characters} more cannot be attached to a job that is not over; null when they can. */
    public @Nullable String refusal(long characters) {
        return texts.open() + characters > budget.characters()
                ? "all texts of jobs that wait or run have " + texts.open() + " characters; at most "
                        + budget.characters() + " are allowed"
                : null;
    }

    /** Returns how many requirements the jobs that wait or run have, without the first of each. */
    public int furtherRequirements() {
        return texts.further();
    }

    /** Returns whether there is room for a fair number of jobs again after some were refused. */
    public boolean hasRoomAgain() {
        return queue.size() <= budget.waiting() - budget.waiting() / 20
                && texts.further() <= budget.further() - budget.further() / 20
                && texts.open() <= budget.characters() - budget.characters() / 20;
    }

    /** Returns whether a finished job has to make room for others. */
    public boolean hasTooManyFinished() {
        return finished.size() > budget.finished()
                || (finished.size() > 1 && texts.finished() > budget.finishedCharacters());
    }

    /** Returns the credentials that the jobs state. */
    public CredentialNames credentials() {
        return credentials;
    }

    /** Returns the job with {@code id}; null when there is none. */
    public @Nullable Job get(String id) {
        return jobs.get(id);
    }

    /** Puts a version in force and returns the one it replaces; null for a new job. */
    public @Nullable Job put(Job job) {
        Job old = jobs.put(job.id(), job);
        if (old != null) {
            forget(old, job);
        }
        texts.changed(old, job);
        credentials.changed(old, job);
        particular += counts(job);
        choosy += chooses(job);
        countWish(job, 1);
        if (job.active()
                ? !job.failedNodes().isEmpty()
                : !job.finished() && job.failedNodes().uncertain()) {
            stricken.put(job.id(), job);
        }
        if (job.refusedSince() != Job.NONE) {
            refused.put(job.id(), job);
        }
        if (job.preemption() != null) {
            preemptions.put(job.id(), job);
        }
        if (job.pending() != null) {
            unanswered.put(job.id(), job);
        }
        if (job.waiting()) {
            queue.put(job);
            if (job.notBefore() != Job.NONE) {
                deferred.add(job);
            }
            if (job.deadline() != Job.NONE) {
                due.put(job.id(), job);
            }
        } else if (job.active()) {
            active.add(job);
            started.add(job);
        } else if (job.finished()) {
            finished.add(job);
        }
        return old;
    }

    /** Removes a job and returns its last version; null when there is none. */
    public @Nullable Job remove(String id) {
        Job old = jobs.remove(id);
        if (old != null) {
            forget(old, null);
            texts.changed(old, null);
            credentials.changed(old, null);
        }
        return old;
    }

    /** Returns the waiting jobs in queue order. */
    public JobQueue queue() {
        return queue;
    }

    /** Returns the ids of the waiting jobs, sorted. */
    public Collection<String> waitingIds() {
        SortedSet<String> ids = new TreeSet<>();
        for (int i = 0; i < queue.size(); i++) {
            ids.add(queue.get(i).id());
        }
        return ids;
    }

    /** Returns the active jobs, earliest planned end first. */
    public NavigableSet<Job> active() {
        return active;
    }

    /** Returns the active jobs that started at {@code since} or later, latest start first. */
    public List<Job> startedSince(long since) {
        List<Job> late = new ArrayList<>();
        Iterator<Job> latest = started.descendingIterator();
        while (latest.hasNext()) {
            Job job = latest.next();
            if (job.start() < since) {
                break;
            }
            late.add(job);
        }
        return late;
    }

    /** Returns the finished jobs, earliest end first. */
    public NavigableSet<Job> finished() {
        return finished;
    }

    /** Returns the waiting jobs that have to be over by an instant, by id. */
    public Collection<Job> due() {
        return valuesOf(due);
    }

    /** Returns the jobs whose start was refused, and may be tried again on the nodes kept for them, by id. */
    public Collection<Job> refused() {
        return valuesOf(refused);
    }

    /** Returns the jobs for which others were preempted, until they run, and those that were preempted, until they end; by id. */
    public Collection<Job> preemptions() {
        return valuesOf(preemptions);
    }

    /** Returns the jobs with a command that is not answered, by id. */
    public Collection<Job> unanswered() {
        return valuesOf(unanswered);
    }

    /** Returns the active jobs with failed nodes, and those put back into the queue whose nodes may have failed, by id. */
    public Collection<Job> stricken() {
        return valuesOf(stricken);
    }

    /** Returns the first instant after {@code now} at which a deferred job may be considered again, or NONE. */
    public long nextEligible(long now) {
        Iterator<Job> all = deferred.iterator();
        while (all.hasNext()) {
            long instant = all.next().notBefore();
            if (instant > now) {
                return instant;
            }
        }
        return Job.NONE;
    }

    /** Returns the jobs that are deferred beyond {@code now} because nothing could ever hold them. */
    public List<Job> impossibleAt(long now) {
        return deferred.stream()
                .filter(job -> job.notBefore() > now && Impossibility.defers(job))
                .toList();
    }

    /** Returns whether a deferred job became eligible after {@code since}, up to and including {@code now}. */
    public boolean eligibleBetween(long since, long now) {
        for (Job job : deferred) {
            if (job.notBefore() > now) {
                return false;
            }
            if (job.notBefore() > since) {
                return true;
            }
        }
        return false;
    }

    /** Returns all jobs in no useful order; sort before use. */
    public Collection<Job> all() {
        return jobs.values();
    }

    /** Returns how many waiting and active jobs do not take just any processors. */
    public int particular() {
        return particular;
    }

    /** Returns how many active jobs say themselves with whom they share nodes. */
    public int choosy() {
        return choosy;
    }

    /** Returns what waiting jobs say about with whom they share nodes, sorted. */
    public Collection<String> sharingWishes() {
        return sharingWishes.isEmpty() ? List.of() : Collections.unmodifiableCollection(sharingWishes.keySet());
    }

    private static Collection<Job> valuesOf(SortedMap<String, Job> jobs) {
        return jobs.isEmpty() ? List.of() : Collections.unmodifiableCollection(jobs.values());
    }

    private void countWish(Job job, int more) {
        String wish = job.waiting() ? job.request().options().nodeAccess() : null;
        if (wish != null) {
            sharingWishes.merge(wish, more, (a, b) -> a + b == 0 ? null : a + b);
        }
    }

    private static int chooses(Job job) {
        return job.active() && job.request().options().nodeAccess() != null ? 1 : 0;
    }

    private static int order(long instant, Job job, long otherInstant, Job other) {
        return instant != otherInstant
                ? Long.compare(instant, otherInstant)
                : job.id().compareTo(other.id());
    }

    private static int counts(Job job) {
        return (job.waiting() || job.active()) && !job.request().fungible() ? 1 : 0;
    }

    private void forget(Job old, @Nullable Job next) {
        particular -= counts(old);
        choosy -= chooses(old);
        countWish(old, -1);
        stricken.remove(old.id());
        refused.remove(old.id());
        unanswered.remove(old.id());
        if (old.preemption() != null) {
            preemptions.remove(old.id());
        }
        if (old.waiting()) {
            if (next == null || !next.waiting()) {
                queue.remove(old);
            }
            deferred.remove(old);
            if (old.deadline() != Job.NONE) {
                due.remove(old.id());
            }
            if (next != null && next.waiting() && JobRequest.QUEUE_ORDER.compare(old.request(), next.request()) != 0) {
                queue.remove(old);
            }
        } else if (old.active()) {
            active.remove(old);
            started.remove(old);
        } else if (old.finished()) {
            finished.remove(old);
        }
    }
}
