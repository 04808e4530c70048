package io.weir.scheduler.core.placement.plugin;

import io.weir.scheduler.core.placement.AllocationRequest;
import io.weir.scheduler.core.policy.node.AllocationPlugin;
import io.weir.scheduler.state.AdviceRecord;
import io.weir.scheduler.state.AdvisedNode;
import java.util.List;

/**
 * A question to an allocation plug-in about one requirement of a job and, once there is one, its answer. Immutable.
 *
 * @param key what it is about
 * @param plugin the plug-in as configured when it was asked
 * @param questionId id of the question last asked
 * @param candidates nodes of the question with their room, sorted by name; empty once it is answered
 * @param fingerprint of these candidates
 * @param expires until when an answer is waited for, epoch seconds
 * @param asked how many times it was asked
 * @param state whether there is an answer
 * @param choices nodes chosen, in order, with the tasks each may get
 */
public record PluginAllocation(
        Key key,
        String plugin,
        String questionId,
        List<AdvisedNode> candidates,
        long fingerprint,
        long expires,
        int asked,
        State state,
        List<AdvisedNode> choices) {
    /** Start of a key that is about a start now, whenever that is. */
    public static final long AT_ONCE = -1;

    /** What has come of a question. */
    public enum State {
        /** Not answered yet. */
        ASKED,
        /** Answered within the rules. */
        ANSWERED,
        /** Nodes are chosen as LASTAVAILABLE does. */
        FAILED
    }

    /**
     * What a question is about.
     *
     * @param jobId the job
     * @param requirement which of its requirements
     * @param start start, epoch seconds; {@link #AT_ONCE} for now
     */
    public record Key(String jobId, int requirement, long start) implements Comparable<Key> {
        /** Returns the key of the question about {@code request}. */
        public static Key of(AllocationRequest request) {
            return new Key(request.job().id(), request.number(), request.immediate() ? AT_ONCE : request.start());
        }

        /** Returns whether it is about a start now. */
        public boolean immediate() {
            return start == AT_ONCE;
        }

        /** Returns it as the id of a stored entity. */
        public String text() {
            return jobId + "/" + requirement + "/" + (immediate() ? "now" : start);
        }

        @Override
        public int compareTo(Key other) {
            int order = jobId.compareTo(other.jobId);
            if (order == 0) {
                order = Integer.compare(requirement, other.requirement);
            }
            return order == 0 ? Long.compare(start, other.start) : order;
        }
    }

    public PluginAllocation {
        candidates = List.copyOf(candidates);
        choices = List.copyOf(choices);
    }

    /** Restores an advice from its stored version. */
    public static PluginAllocation from(AdviceRecord stored) {
        return new PluginAllocation(
                new Key(stored.getJobId(), stored.getRequirement(), stored.getStart()),
                stored.getPlugin(),
                stored.getQuestionId(),
                stored.getCandidates(),
                stored.getFingerprint(),
                stored.getExpires(),
                stored.getAsked(),
                State.valueOf(stored.getState()),
                stored.getChoices());
    }

    /** Returns it as the record that stores hold. */
    public AdviceRecord toRecord(String cluster) {
        return new AdviceRecord(
                cluster,
                key.jobId(),
                key.requirement(),
                key.start(),
                plugin,
                questionId,
                candidates,
                fingerprint,
                expires,
                asked,
                state.name(),
                choices);
    }

    /** Returns the plug-in {@code settings} as an advice remembers it: another one gives another text. */
    static String identity(AllocationPlugin settings) {
        return settings.name() + " " + settings.className() + settings.program() + " " + settings.arguments();
    }

    /** Returns the name of the plug-in. */
    public String pluginName() {
        return plugin.substring(0, plugin.indexOf(' '));
    }

    /** Returns this question with an answer within the rules. */
    public PluginAllocation answered(List<AdvisedNode> chosen) {
        return new PluginAllocation(
                key, plugin, questionId, List.of(), fingerprint, expires, asked, State.ANSWERED, chosen);
    }

    /** Returns this question with LASTAVAILABLE in place of an answer. */
    public PluginAllocation failed() {
        return new PluginAllocation(
                key, plugin, questionId, List.of(), fingerprint, expires, asked, State.FAILED, List.of());
    }
}
