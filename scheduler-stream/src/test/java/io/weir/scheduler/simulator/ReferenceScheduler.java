package io.weir.scheduler.simulator;

import io.weir.trace.JobRun;
import io.weir.trace.TraceJob;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules of the policies once more, as plainly as they can be written: lists, no profile, no index, everything
 * recomputed at every instant. Slow on purpose; the judge of the fast one.
 */
final class ReferenceScheduler {
    /** What to do with jobs that do not fit. */
    enum Policy {
        STRICT,
        NEVER,
        CURRENTHIGHEST,
        HIGHEST
    }

    private record Slot(TraceJob job, long start, long end) {
        boolean covers(long instant) {
            return start <= instant && instant < end;
        }
    }

    private final int processors;
    private final Policy policy;
    private final int depth;
    private final List<TraceJob> queue = new ArrayList<>();
    private final List<Slot> running = new ArrayList<>();
    private final Map<TraceJob, Slot> kept = new LinkedHashMap<>();
    private final List<JobRun> runs = new ArrayList<>();
    private List<Slot> taken = new ArrayList<>();
    private long now;

    ReferenceScheduler(int processors, Policy policy, int depth) {
        this.processors = processors;
        this.policy = policy;
        this.depth = policy == Policy.NEVER ? 0 : depth;
    }

    List<JobRun> run(List<TraceJob> jobs) {
        List<TraceJob> coming = new ArrayList<>(jobs);
        while (!coming.isEmpty() || !running.isEmpty() || !queue.isEmpty()) {
            now = Math.min(
                    coming.isEmpty() ? Long.MAX_VALUE : coming.get(0).submit(),
                    running.stream()
                            .mapToLong(r -> r.start() + r.job().occupied())
                            .min()
                            .orElse(Long.MAX_VALUE));
            boolean ended = endJobs();
            if (policy == Policy.HIGHEST && ended) {
                compress();
            }
            while (!coming.isEmpty() && coming.get(0).submit() == now) {
                queue.add(coming.remove(0));
            }
            pass();
        }
        return runs;
    }

    private boolean endJobs() {
        boolean any = false;
        for (Slot slot : List.copyOf(running)) {
            if (slot.start() + slot.job().occupied() == now) {
                running.remove(slot);
                TraceJob job = slot.job();
                runs.add(new JobRun(job.number(), job.sequence(), job.submit(), slot.start(), now, job.procs()));
                any = true;
            }
        }
        return any;
    }

    private void compress() {
        for (TraceJob job : queue) {
            if (kept.containsKey(job)) {
                kept.remove(job);
                taken = new ArrayList<>(running);
                taken.addAll(kept.values());
                kept.put(job, earliest(job));
            }
        }
    }

    private void pass() {
        taken = new ArrayList<>(running);
        if (policy == Policy.HIGHEST) {
            taken.addAll(kept.values());
        }
        int ranked = 0;
        for (TraceJob job : List.copyOf(queue)) {
            Slot mine = policy == Policy.HIGHEST ? kept.get(job) : null;
            boolean fits = mine != null ? mine.start() == now : earliest(job).start() == now;
            if (fits) {
                queue.remove(job);
                Slot slot = new Slot(job, now, now + job.estimate());
                running.add(slot);
                taken.add(slot);
                if (mine != null) {
                    kept.remove(job);
                    taken.remove(mine);
                }
            } else if (policy == Policy.STRICT) {
                return;
            } else if (mine != null) {
                ranked++;
            } else if (ranked < depth) {
                ranked++;
                Slot slot = earliest(job);
                taken.add(slot);
                if (policy == Policy.HIGHEST) {
                    kept.put(job, slot);
                }
            }
        }
    }

    /** Tries now and every instant at which something taken ends. */
    private Slot earliest(TraceJob job) {
        return taken.stream()
                .mapToLong(Slot::end)
                .filter(end -> end > now)
                .sorted()
                .boxed()
                .collect(() -> new ArrayList<>(List.of(now)), List::add, List::addAll)
                .stream()
                .map(start -> new Slot(job, start, start + job.estimate()))
                .filter(this::free)
                .findFirst()
                .orElseThrow();
    }

    private boolean free(Slot wanted) {
        List<Long> instants = new ArrayList<>(List.of(wanted.start()));
        taken.stream().map(Slot::start).filter(wanted::covers).forEach(instants::add);
        return instants.stream()
                .allMatch(instant -> taken.stream()
                                        .filter(slot -> slot.covers(instant))
                                        .mapToInt(slot -> slot.job().procs())
                                        .sum()
                                + wanted.job().procs()
                        <= processors);
    }
}
