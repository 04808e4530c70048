package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmNode;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the cluster looked like at the last look, so that the next one costs little: nodes are asked for by the time of
 * their last change, the queue is listed by squeue, and only jobs whose line changed are fetched. Nothing of it outlives
 * the process; losing it costs one full look. One thread.
 */
public final class ClusterView {
    private static final Logger log = LoggerFactory.getLogger(ClusterView.class);

    /** How far to look back for changes: the clocks are compared in whole seconds. */
    private static final int OVERLAP_SECONDS = 3;

    private final SlurmRest rest;
    private final @Nullable SlurmCommands commands;
    private final SlurmJobTranslation slurmJobTranslation;
    private final SlurmNodeTranslation slurmNodeTranslation;
    private final int fetchAllAbove;
    private final Function<String, List<NodeAllocation>> startedOn;

    private List<NodeReport> nodes = List.of();
    private @Nullable Instant nodesSince;
    private @Nullable Instant jobsSince;
    private Map<String, Known> jobs = new LinkedHashMap<>();
    private final Set<String> touched = new HashSet<>();
    private final Set<String> told = new HashSet<>();

    /** A job as last seen; {@code line} is empty without squeue. */
    private record Known(
            String line,
            SlurmJob job,
            JobReport report,
            @Nullable Instant validUntil) {}

    public ClusterView(
            SlurmRest rest,
            @Nullable SlurmCommands commands,
            SlurmJobTranslation slurmJobTranslation,
            SlurmNodeTranslation slurmNodeTranslation,
            int fetchAllAbove,
            Function<String, List<NodeAllocation>> startedOn) {
        this.rest = rest;
        this.commands = commands;
        this.slurmJobTranslation = slurmJobTranslation;
        this.slurmNodeTranslation = slurmNodeTranslation;
        this.fetchAllAbove = fetchAllAbove;
        this.startedOn = startedOn;
    }

    /** Has the next look fetch that job: what a command changed need not show in the queue's listing. */
    public void touch(String job) {
        touched.add(job);
    }

    /** Looks at the nodes. */
    public List<NodeReport> nodes(Instant now) {
        Optional<List<SlurmNode>> fresh = rest.nodes(nodesSince);
        nodesSince = now.minusSeconds(OVERLAP_SECONDS);
        fresh.ifPresent(list -> {
            Map<String, NodeReport> before =
                    nodes.stream().collect(Collectors.toMap(NodeReport::getNodeId, Function.identity()));
            List<NodeReport> after = new ArrayList<>(list.size());
            for (int i = 0; i < list.size(); i++) {
                slurmNodeTranslation.report(list.get(i), i).ifPresent(report -> {
                    @Nullable NodeReport same = before.get(report.getNodeId());
                    after.add(report.equals(same) ? same : report);
                });
            }
            nodes = List.copyOf(after);
        });
        return nodes;
    }

    /** Looks at the jobs, in the order of their numbers. */
    public List<JobReport> jobs(Instant now) {
        if (commands == null) {
            lookByRest(now);
        } else {
            lookByQueue(commands, now);
        }
        TreeMap<Long, JobReport> ordered = new TreeMap<>();
        jobs.values().forEach(known -> ordered.put(known.job().id(), known.report()));
        return List.copyOf(ordered.values());
    }

    private void lookByRest(Instant now) {
        Optional<List<SlurmJob>> fresh = rest.jobs(jobsSince);
        jobsSince = now.minusSeconds(OVERLAP_SECONDS);
        Map<String, Known> seen = new LinkedHashMap<>();
        if (fresh.isPresent()) {
            fresh.get().forEach(job -> {
                @Nullable Known known = known("", job, now);
                if (known != null) {
                    seen.put(Long.toString(job.id()), known);
                }
            });
        } else {
            jobs.forEach((id, known) -> seen.put(id, renewed(known, now)));
        }
        jobs = seen;
    }

    private void lookByQueue(SlurmCommands queue, Instant now) {
        Map<String, QueueLine> lines = QueueLine.parse(queue.queue(QueueLine.FORMAT));
        Map<String, Known> seen = new LinkedHashMap<>(lines.size() * 4 / 3 + 1);
        List<QueueLine> changed = new ArrayList<>();
        for (QueueLine line : lines.values()) {
            @Nullable Known before = jobs.get(line.id());
            if (before == null || !before.line().equals(line.text()) || touched.contains(line.id())) {
                changed.add(line);
            } else {
                seen.put(line.id(), renewed(before, now));
            }
        }
        Map<String, SlurmJob> fetched = fetch(changed);
        for (QueueLine line : changed) {
            @Nullable SlurmJob job = fetched.get(line.id());
            if (job != null) {
                tell(queue, job);
                @Nullable Known known = known(line.text(), job, now);
                if (known != null) {
                    seen.put(line.id(), known);
                }
            }
        }
        jobs = seen;
        touched.clear();
        told.retainAll(seen.keySet());
    }

    private Map<String, SlurmJob> fetch(List<QueueLine> changed) {
        Map<String, SlurmJob> fetched = new HashMap<>();
        if (changed.size() > fetchAllAbove) {
            rest.jobs(null).orElseGet(List::of).forEach(job -> fetched.put(Long.toString(job.id()), job));
        } else {
            changed.forEach(line -> rest.job(line.id()).ifPresent(job -> fetched.put(line.id(), job)));
        }
        return fetched;
    }

    /** Writes on a job that Weir does not start why it does not, where its user sees it. */
    private void tell(SlurmCommands queue, SlurmJob job) {
        String id = Long.toString(job.id());
        @Nullable
        String why =
                job.compound() ? SlurmJobTranslation.COMPOUND : job.demands().objection();
        if (why == null || !job.isPending() || job.note().others().contains(why) || !told.add(id)) {
            return;
        }
        String others = job.note().others();
        AdminNote note = new AdminNote(
                (others.isEmpty() ? "" : others + " ") + why, job.note().marks());
        try {
            queue.update(id, List.of("AdminComment=" + note.text()));
        } catch (SlurmRefusal e) {
            log.warn("job={} could not be told why it does not start: {}", id, e.getMessage());
        }
    }

    /**
     * Returns what to say of a job. While EpilogSlurmctld runs Slurm lists no nodes, which are not free all the same: they
     * are those it was seen on, or else was started on. A job of which nothing more is known is not spoken of until it has
     * left them: null, or what was said before.
     */
    private @Nullable Known known(String line, SlurmJob listed, Instant now) {
        String id = Long.toString(listed.id());
        @Nullable Known before = jobs.get(id);
        SlurmJob job = listed;
        if (listed.isCompleting() && listed.allocation().isEmpty()) {
            List<NodeAllocation> nodes =
                    before != null && !before.job().allocation().isEmpty()
                            ? before.job().allocation()
                            : startedOn.apply(id);
            if (nodes.isEmpty()) {
                return before == null ? null : new Known(line, before.job(), before.report(), before.validUntil());
            }
            job = listed.on(nodes);
        }
        JobReport report = slurmJobTranslation.report(job, now);
        return new Known(
                line,
                job,
                before != null && report.equals(before.report()) ? before.report() : report,
                SlurmJobTranslation.validUntil(job, now));
    }

    private Known renewed(Known known, Instant now) {
        return known.validUntil() == null || now.isBefore(known.validUntil())
                ? known
                : new Known(
                        known.line(),
                        known.job(),
                        slurmJobTranslation.report(known.job(), now),
                        SlurmJobTranslation.validUntil(known.job(), now));
    }
}
