package io.weir.scheduler.plugin;

import io.weir.schemas.PluginQuestion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that needs nodes, and those that would do. A program reads it as JSON under the names below.
 *
 * @param jobId the job
 * @param requirement which of its requirements, from 0
 * @param user user
 * @param group group
 * @param account account
 * @param jobClass class
 * @param qos quality of service
 * @param tasks tasks to place
 * @param procsPerTask processors of each
 * @param memoryMbPerTask memory of each, MB
 * @param preference preference expression
 * @param start start, epoch seconds
 * @param walltimeSeconds wallclock limit
 * @param immediate whether the start is now
 * @param arguments ARGS of the plug-in
 * @param candidates nodes that would do, best first as LASTAVAILABLE has it
 */
public record AllocationQuestion(
        String jobId,
        int requirement,
        @Nullable String user,
        @Nullable String group,
        @Nullable String account,
        @Nullable String jobClass,
        @Nullable String qos,
        int tasks,
        int procsPerTask,
        long memoryMbPerTask,
        @Nullable String preference,
        long start,
        long walltimeSeconds,
        boolean immediate,
        String arguments,
        List<Node> candidates) {
    public AllocationQuestion {
        candidates = List.copyOf(candidates);
    }

    static AllocationQuestion of(PluginQuestion question) {
        return new AllocationQuestion(
                question.getJobId(),
                question.getRequirement(),
                question.getUser(),
                question.getGroup(),
                question.getAccount(),
                question.getJobClass(),
                question.getQos(),
                question.getTasks(),
                question.getProcsPerTask(),
                question.getMemoryMbPerTask(),
                question.getPreference(),
                question.getStart().getEpochSecond(),
                question.getWalltimeSeconds(),
                question.getImmediate(),
                question.getArguments(),
                question.getCandidates().stream()
                        .map(node -> new Node(
                                node.getNodeId(),
                                node.getIndex(),
                                node.getRoom(),
                                node.getProcs(),
                                node.getMemoryMb(),
                                node.getFeatures(),
                                node.getLoadThousandths() / 1000.0))
                        .toList());
    }

    /**
     * A node that would do.
     *
     * @param id node name
     * @param index place in the order of nodes
     * @param room tasks it can hold
     * @param procs configured processors
     * @param memoryMb configured memory, MB
     * @param features features, sorted
     * @param load one-minute load
     */
    public record Node(String id, int index, int room, int procs, long memoryMb, List<String> features, double load) {
        public Node {
            features = List.copyOf(features);
        }
    }
}
