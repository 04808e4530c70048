package io.weir.rm.slurm;

import io.weir.rm.runtime.command.Backlog;
import io.weir.rm.runtime.command.CommandExecutor;
import io.weir.rm.runtime.command.ResultSink;
import io.weir.rm.spi.Commands;
import io.weir.rm.spi.Poll;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroTrust;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A runner and a first-come first-served scheduler in a few lines, to drive a resource manager without Kafka. */
final class Drive {
    static {
        AvroTrust.install();
    }

    static final String CLUSTER = "drill";

    private final ResourceManager rm;
    private final CommandExecutor executor;
    private final Map<String, RmAnswer> answers = new LinkedHashMap<>();
    private final Map<String, List<NodeAllocation>> decided = new LinkedHashMap<>();
    private long number;

    Drive(ResourceManager rm) {
        this(rm, Backlog.EMPTY);
    }

    Drive(ResourceManager rm, Backlog backlog) {
        this.rm = rm;
        this.executor = new CommandExecutor(
                rm,
                backlog,
                new ResultSink() {
                    @Override
                    public void answered(RmCommand command, RmAnswer answer) {
                        answers.merge(command.getCommandId(), answer, (a, b) -> {
                            throw new AssertionError("answered twice: " + command);
                        });
                    }

                    @Override
                    public void expired(RmCommand command, String message) {
                        throw new AssertionError(message);
                    }
                },
                () -> {},
                System::nanoTime);
        this.number = backlog.lastSeen();
    }

    /** Returns where the jobs whose start was done had to run. */
    Map<String, List<NodeAllocation>> decided() {
        return decided;
    }

    static RmCommand command(long number, CommandKind kind, String job, NodeAllocation... where) {
        return Commands.builder(CLUSTER, number, kind, job, Instant.now().truncatedTo(ChronoUnit.SECONDS))
                .setAllocation(List.of(where))
                .build();
    }

    RmAnswer start(String job, String... nodes) {
        NodeAllocation[] where = new NodeAllocation[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            where[i] = new NodeAllocation(nodes[i], 1);
        }
        return carryOut(CommandKind.START_JOB, job, where);
    }

    RmAnswer carryOut(CommandKind kind, String job, NodeAllocation... where) {
        RmCommand command = command(++number, kind, job, where);
        executor.accept(command);
        drain();
        return answer(command);
    }

    RmAnswer carryOut(RmCommand command, String reason) {
        number = Math.max(number, command.getNumber());
        RmCommand reasoned = RmCommand.newBuilder(command).setReason(reason).build();
        executor.accept(reasoned);
        drain();
        return answer(reasoned);
    }

    RmAnswer answer(RmCommand command) {
        return Optional.ofNullable(answers.get(command.getCommandId())).orElseThrow();
    }

    /** Carries out what is in the queue, trying again as often as it takes. */
    void drain() {
        insist(() -> {
            executor.advance(() -> false);
            return executor.isIdle();
        });
    }

    Poll poll() {
        return insist(rm::poll);
    }

    private static <T> T insist(java.util.concurrent.Callable<T> attempt) {
        return Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsInstanceOf(RetriableRmException.class)
                .until(attempt, result -> result != null && !Boolean.FALSE.equals(result));
    }

    JobReport job(String id) {
        return poll().jobs().stream()
                .filter(job -> job.getJobId().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no job " + id));
    }

    NodeReport node(String name) {
        return poll().nodes().stream()
                .filter(node -> node.getNodeId().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no node " + name));
    }

    /** Runs all jobs that wait, in order, wherever they fit first. */
    void runAll() {
        while (true) {
            Poll poll = poll();
            List<JobReport> waiting = new ArrayList<>();
            boolean active = false;
            Map<String, Integer> free = new LinkedHashMap<>();
            for (NodeReport node : poll.nodes()) {
                if (node.getState() == NodeState.IDLE) {
                    free.put(node.getNodeId(), node.getProcs());
                }
            }
            for (JobReport job : poll.jobs()) {
                if (job.getState() == JobState.IDLE) {
                    waiting.add(job);
                } else if (job.getState() == JobState.RUNNING || job.getState() == JobState.STARTING) {
                    active = true;
                    job.getAllocation().forEach(used -> free.merge(used.getNodeId(), -used.getProcs(), Integer::sum));
                }
            }
            if (waiting.isEmpty() && !active) {
                return;
            }
            startWhatFits(waiting, free);
        }
    }

    private void startWhatFits(List<JobReport> waiting, Map<String, Integer> free) {
        List<RmCommand> starts = new ArrayList<>();
        for (JobReport job : waiting) {
            @Nullable List<NodeAllocation> where = place(job, free);
            if (where != null) {
                where.forEach(used -> free.merge(used.getNodeId(), -used.getProcs(), Integer::sum));
                starts.add(
                        command(++number, CommandKind.START_JOB, job.getJobId(), where.toArray(new NodeAllocation[0])));
            }
        }
        starts.forEach(executor::accept);
        drain();
        for (RmCommand start : starts) {
            if (answer(start).effectTime() != null) {
                decided.put(String.valueOf(start.getJobId()), start.getAllocation());
            }
        }
    }

    private static @Nullable List<NodeAllocation> place(JobReport job, Map<String, Integer> free) {
        List<NodeAllocation> where = new ArrayList<>();
        int tasks = job.getTasks();
        for (Map.Entry<String, Integer> node : free.entrySet()) {
            int here = Math.min(tasks, node.getValue() / job.getProcsPerTask());
            if (here > 0) {
                where.add(new NodeAllocation(node.getKey(), here * job.getProcsPerTask()));
                tasks -= here;
            }
            if (tasks == 0) {
                return where;
            }
        }
        return null;
    }
}
