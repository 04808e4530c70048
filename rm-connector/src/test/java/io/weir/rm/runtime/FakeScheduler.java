package io.weir.rm.runtime;

import io.weir.rm.runtime.InMemoryLog.Entry;
import io.weir.schemas.CommandCount;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.HeartbeatReference;
import io.weir.schemas.Iteration;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TopicCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * First come, first served over an {@link InMemoryLog}, answering each heartbeat as it is written. It checks what it
 * reads: numbers without gaps, counts that agree, nothing of an older epoch after a newer HELLO.
 */
public final class FakeScheduler {
    private final InMemoryLog log;
    private final String connector;
    private final Map<String, Integer> nodes = new TreeMap<>();
    private final Map<String, Boolean> up = new HashMap<>();
    private final Map<String, JobReport> jobs = new LinkedHashMap<>();

    /** Starts in effect or on their way, by job. */
    private final Map<String, RmCommand> started = new HashMap<>();

    private final Map<String, Long> counts = new TreeMap<>();
    private final List<String> complaints = new ArrayList<>();
    private long epoch = -1;
    private long lastCommand;
    private long iterations;
    private Instant retryAt;

    public FakeScheduler(InMemoryLog log, String connector) {
        this.log = log;
        this.connector = connector;
        log.onAppend(this::fact);
    }

    /** Returns what was wrong with the facts. */
    public List<String> complaints() {
        return complaints;
    }

    private void fact(Entry entry) {
        if (entry.fact() instanceof Heartbeat heartbeat && heartbeat.getKind() == HeartbeatKind.HELLO) {
            check(entry.offset() > epoch, "HELLO at " + entry.offset() + " after epoch " + epoch);
            epoch = entry.offset();
            counts.clear();
            return;
        }
        check(entry.origin().epoch() == epoch, "epoch " + entry.origin().epoch() + " instead of " + epoch);
        if (entry.fact() instanceof Heartbeat heartbeat) {
            check(entry.origin().sequence() == heartbeat.getNumber(), "heartbeat numbered otherwise than its header");
            heartbeat(heartbeat);
            return;
        }
        long count = counts.merge(entry.topic().name(), 1L, Long::sum);
        check(entry.origin().sequence() == count, entry.topic().name() + " " + entry.origin() + " instead of " + count);
        if (entry.fact() instanceof NodeReport node) {
            nodes.put(node.getNodeId(), node.getProcs());
            up.put(node.getNodeId(), node.getState() != NodeState.DOWN);
        } else if (entry.fact() instanceof JobReport job) {
            job(job);
        } else if (entry.fact() instanceof CommandResult result && result.getOutcome() == CommandOutcome.REFUSED) {
            started.remove(result.getJobId());
            retryAt = Instant.MAX;
        }
    }

    private void job(JobReport job) {
        jobs.put(job.getJobId(), job);
        RmCommand start = started.get(job.getJobId());
        if (start != null && job.getAsOfCommand() >= start.getNumber() && job.getState() != JobState.RUNNING) {
            started.remove(job.getJobId());
        }
    }

    private void heartbeat(Heartbeat heartbeat) {
        for (TopicCount count : heartbeat.getCounts()) {
            check(
                    counts.getOrDefault(count.getTopic(), 0L) == count.getCount(),
                    "heartbeat counts " + count + ", there were " + counts);
        }
        check(heartbeat.getNumber() != 1 || heartbeat.getFull(), "the first poll of an epoch is full");
        Instant now = heartbeat.getRmTime();
        startWaiting(now);
        log.decide(Iteration.newBuilder()
                .setCluster(heartbeat.getCluster())
                .setNumber(++iterations)
                .setNow(now)
                .setTrigger(IterationTrigger.HEARTBEAT)
                .setAnswers(new HeartbeatReference(connector, epoch, heartbeat.getNumber()))
                .setPolicyVersion("")
                .setBuild("test")
                .setDecisionVersion(1)
                .setLastInput(0)
                .setInputsDigest("")
                .setOutputsDigest("")
                .setPrevious("")
                .setCommands(List.of(new CommandCount(connector, lastCommand)))
                .setNextWake(retryAt == null ? null : now.plusSeconds(60))
                .build());
        retryAt = null;
    }

    private void startWaiting(Instant now) {
        Map<String, Integer> free = new TreeMap<>(nodes);
        up.forEach((node, isUp) -> {
            if (!isUp) {
                free.put(node, 0);
            }
        });
        jobs.values().stream()
                .filter(job -> job.getState() == JobState.RUNNING)
                .filter(job -> !started.containsKey(job.getJobId()))
                .flatMap(job -> job.getAllocation().stream())
                .forEach(part -> free.merge(part.getNodeId(), -part.getProcs(), Integer::sum));
        started.values().stream()
                .flatMap(start -> start.getAllocation().stream())
                .forEach(part -> free.merge(part.getNodeId(), -part.getProcs(), Integer::sum));
        List<JobReport> waiting = jobs.values().stream()
                .filter(job -> job.getState() == JobState.IDLE && !started.containsKey(job.getJobId()))
                .sorted(Comparator.comparing(JobReport::getSubmitTime).thenComparing(JobReport::getQueueSequence))
                .toList();
        int index = 0;
        for (JobReport job : waiting) {
            List<NodeAllocation> allocation = allocate(free, job.getTasks());
            if (allocation.isEmpty()) {
                break;
            }
            RmCommand start = RmCommand.newBuilder()
                    .setCluster(job.getCluster())
                    .setConnector(connector)
                    .setNumber(++lastCommand)
                    .setCommandId(job.getCluster() + "/" + (iterations + 1) + "/" + index++)
                    .setKind(CommandKind.START_JOB)
                    .setJobId(job.getJobId())
                    .setAllocation(allocation)
                    .setWalltimeSeconds(job.getWalltimeSeconds())
                    .setReason("first come, first served")
                    .setIteration(iterations + 1)
                    .setIssuedAt(now)
                    .build();
            started.put(job.getJobId(), start);
            log.order(start);
        }
    }

    private static List<NodeAllocation> allocate(Map<String, Integer> free, int procs) {
        List<NodeAllocation> allocation = new ArrayList<>();
        int missing = procs;
        for (Map.Entry<String, Integer> node : free.entrySet()) {
            int taken = Math.min(missing, Math.max(0, node.getValue()));
            if (taken > 0) {
                allocation.add(new NodeAllocation(node.getKey(), taken));
                missing -= taken;
            }
        }
        if (missing > 0) {
            return List.of();
        }
        allocation.forEach(part -> free.merge(part.getNodeId(), -part.getProcs(), Integer::sum));
        return allocation;
    }

    private void check(boolean holds, String complaint) {
        if (!holds) {
            complaints.add(complaint);
        }
    }
}
