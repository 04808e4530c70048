package io.weir.scheduler.core.output;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.placement.AllocationRequest;
import io.weir.scheduler.core.placement.plugin.PluginAllocation;
import io.weir.scheduler.core.placement.plugin.PluginAllocationDraft;
import io.weir.scheduler.core.placement.plugin.PluginAllocationTable;
import io.weir.scheduler.core.policy.node.AllocationPlugin;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.state.AdvisedNode;
import io.weir.schemas.PluginAnswer;
import io.weir.schemas.PluginCandidate;
import io.weir.schemas.PluginChoice;
import io.weir.schemas.PluginQuestion;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Severity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Asks allocation plug-ins and takes their answers. A question is an output of an iteration, its answer a fact; between
 * the two the job keeps the nodes that LASTAVAILABLE would give it. A plug-in that fails, breaks the rules or stays silent
 * is replaced by LASTAVAILABLE for that job, with an event.
 */
public final class PluginRequests {
    /** Event that says that a plug-in was of no use. */
    public static final String FAILURE = "allocpluginfailure";

    /** How much longer than its own time a plug-in is waited for, seconds: its answer has a way to go. */
    private static final long GRACE_SECONDS = 30;

    /** Questions that may be open at a time; others wait. */
    private static final int MOST_OPEN = 100;

    /** Times a plug-in is asked anew because its nodes were gone when its answer came. */
    private static final int MOST_ASKED = 3;

    /** Characters that the features of the nodes in one question have; further nodes are left out of it. */
    private static final long MOST_FEATURE_TEXT = 1_000_000;

    /** Later starts of a job's requirement for which a plug-in is asked. */
    private static final int MOST_STARTS = 8;

    private final ClusterState state;
    private final PluginAllocationTable table;
    private final @Nullable IterationOutputs outputs;
    private final long now;

    /** Whether a job that fits now waits for a word: what is reserved behind it will change. */
    private boolean unsettled;

    /** For an iteration at {@code now}. */
    public PluginRequests(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.table = state.pluginAllocations;
        this.outputs = outputs;
        this.now = now;
    }

    private PluginRequests(ClusterState state) {
        this.state = state;
        this.table = state.pluginAllocations;
        this.outputs = null;
        this.now = state.clock;
    }

    /** Takes an answer: the first to a question that is open. */
    public static void answer(ClusterState state, PluginAnswer answer) {
        for (PluginAllocation pluginAllocation : state.pluginAllocations.of(answer.getJobId())) {
            if (pluginAllocation.state() == PluginAllocation.State.ASKED
                    && pluginAllocation.questionId().equals(answer.getQuestionId())) {
                new PluginRequests(state).take(pluginAllocation, answer);
            }
        }
    }

    /** Gives up what was asked for {@code jobId}: the scheduler fails on it. */
    public static void setAside(ClusterState state, String jobId) {
        for (PluginAllocation pluginAllocation : state.pluginAllocations.of(jobId)) {
            state.pluginAllocations.put(pluginAllocation.failed());
        }
        state.replan();
    }

    /** Forgets what no job asks any more and gives up what was waited for long enough. */
    public void tidy() {
        for (PluginAllocation pluginAllocation : table.all()) {
            state.work.on(QuarantineKind.PLUGIN_QUESTION, pluginAllocation.key().jobId());
            Job job = state.jobs.get(pluginAllocation.key().jobId());
            boolean past = !pluginAllocation.key().immediate()
                    && pluginAllocation.key().start() < now;
            if (job == null || !job.waiting() || past) {
                table.remove(pluginAllocation);
            } else if (pluginAllocation.state() == PluginAllocation.State.ASKED && pluginAllocation.expires() <= now) {
                fail(pluginAllocation, "did not answer in time");
            }
        }
    }

    /** Returns whether {@code job}, which fits now, has to wait for the word of a plug-in, which is asked if need be. */
    public boolean awaits(Job job) {
        boolean awaits = false;
        for (int i = 0; i < job.request().requirements().size(); i++) {
            PluginAllocationDraft draft =
                    state.placement.draft(new PluginAllocation.Key(job.id(), i, PluginAllocation.AT_ONCE));
            if (draft != null && draft.provisional()) {
                awaits = true;
                unsettled = true;
                PluginAllocation known = table.get(draft.key());
                if (known == null || !known.plugin().equals(draft.identity())) {
                    ask(draft, 1);
                }
            }
        }
        return awaits;
    }

    /** Has the nodes of a reservation chosen by the plug-in, if that was not done for these candidates. */
    public void reserved(Job job, long start) {
        if (unsettled) {
            return;
        }
        for (int i = 0; i < job.request().requirements().size(); i++) {
            PluginAllocationDraft draft = state.placement.draft(new PluginAllocation.Key(job.id(), i, start));
            if (draft == null) {
                continue;
            }
            PluginAllocation known = table.get(draft.key());
            if (known == null || !known.plugin().equals(draft.identity())) {
                if (starts(draft.key()) < MOST_STARTS) {
                    ask(draft, 1);
                }
            } else if (known.state() == PluginAllocation.State.ANSWERED
                    && known.asked() < MOST_ASKED
                    && changed(known, draft)) {
                ask(draft, known.asked() + 1);
            }
        }
    }

    /** After a pass: asks anew for jobs that cannot start on the nodes they were given while others came free. */
    public void review() {
        for (PluginAllocationDraft draft : state.placement.drafts()) {
            state.work.on(QuarantineKind.PLUGIN_QUESTION, draft.key().jobId());
            Job job = state.jobs.get(draft.key().jobId());
            PluginAllocation known = table.get(draft.key());
            if (job == null
                    || !job.waiting()
                    || known == null
                    || !draft.key().immediate()
                    || known.state() != PluginAllocation.State.ANSWERED
                    || !changed(known, draft)) {
                continue;
            }
            if (known.choices().isEmpty()) {
                ask(draft, 1);
            } else if (known.asked() < MOST_ASKED) {
                ask(draft, known.asked() + 1);
            } else {
                fail(known, "chose nodes that were gone when its answer came, " + known.asked() + " times in a row");
            }
        }
    }

    /** Returns until when the first open question is waited for; {@link Job#NONE} when there is none. */
    public static long nextExpiry(ClusterState state) {
        long next = Job.NONE;
        for (PluginAllocation pluginAllocation : state.pluginAllocations.all()) {
            if (pluginAllocation.state() == PluginAllocation.State.ASKED) {
                next = next == Job.NONE ? pluginAllocation.expires() : Math.min(next, pluginAllocation.expires());
            }
        }
        return next;
    }

    private void take(PluginAllocation pluginAllocation, PluginAnswer answer) {
        String failure = answer.getFailure();
        String wrong = failure != null ? failure : violation(pluginAllocation, answer.getChoices());
        if (wrong != null) {
            fail(pluginAllocation, wrong);
        } else {
            table.put(pluginAllocation.answered(answer.getChoices().stream()
                    .map(choice -> new AdvisedNode(choice.getNodeId(), choice.getMostTasks()))
                    .toList()));
        }
        state.domain.capacityFreed |= !pluginAllocation.key().immediate();
        state.replan();
    }

    private static @Nullable String violation(PluginAllocation pluginAllocation, List<PluginChoice> choices) {
        SortedMap<String, Integer> room = new TreeMap<>();
        pluginAllocation.candidates().forEach(candidate -> room.put(candidate.getNodeId(), candidate.getTasks()));
        for (PluginChoice choice : choices) {
            Integer most = room.remove(choice.getNodeId());
            if (most == null) {
                return "node " + choice.getNodeId() + " is no candidate, or named twice";
            }
            if (choice.getMostTasks() < 1 || choice.getMostTasks() > most) {
                return choice.getMostTasks() + " tasks on node " + choice.getNodeId() + ", which has room for " + most;
            }
        }
        return null;
    }

    private void fail(PluginAllocation pluginAllocation, String why) {
        table.put(pluginAllocation.failed());
        state.replan();
        String name =
                pluginAllocation.plugin().substring(0, pluginAllocation.plugin().indexOf(' '));
        state.domain.notice(
                Severity.WARNING,
                FAILURE,
                "job",
                pluginAllocation.key().jobId(),
                "plug-in " + name + ", job " + pluginAllocation.key().jobId() + ": " + why
                        + "; LASTAVAILABLE used instead");
    }

    private boolean changed(PluginAllocation known, PluginAllocationDraft draft) {
        return known.fingerprint() != draft.fingerprint(state.nodes);
    }

    private int starts(PluginAllocation.Key key) {
        int starts = 0;
        for (PluginAllocation pluginAllocation : table.of(key.jobId())) {
            starts += pluginAllocation.key().requirement() == key.requirement()
                            && !pluginAllocation.key().immediate()
                    ? 1
                    : 0;
        }
        return starts;
    }

    private void ask(PluginAllocationDraft draft, int times) {
        if (outputs == null || table.open() >= MOST_OPEN) {
            return;
        }
        AllocationPlugin plugin = draft.plugin();
        String id = outputs.question(questionId -> question(draft, questionId));
        table.put(new PluginAllocation(
                draft.key(),
                draft.identity(),
                id,
                draft.nodes(state.nodes),
                draft.fingerprint(state.nodes),
                now + plugin.timeoutSeconds() + GRACE_SECONDS,
                times,
                PluginAllocation.State.ASKED,
                List.of()));
    }

    private PluginQuestion.Builder question(PluginAllocationDraft draft, String questionId) {
        AllocationRequest request = draft.request();
        AllocationPlugin plugin = draft.plugin();
        JobCredentials credentials = request.job().request().credentials();
        Requirement requirement = request.job().request().requirements().get(request.number());
        List<PluginCandidate> candidates = new ArrayList<>();
        long characters = 0;
        for (int position : draft.positions()) {
            EffectiveNode node = state.nodes.at(position);
            for (String feature : node.features()) {
                characters += feature.length();
            }
            if (characters > MOST_FEATURE_TEXT) {
                break;
            }
            double load = request.immediate() ? state.placement.availability().load(position) : 0;
            candidates.add(new PluginCandidate(
                    node.id(),
                    node.index(),
                    draft.room(position),
                    node.configured().procs(),
                    node.configured().memoryMb(),
                    node.features(),
                    Math.round(load * 1000)));
        }
        return PluginQuestion.newBuilder()
                .setQuestionId(questionId)
                .setPlugin(plugin.name())
                .setClassName(plugin.className().isEmpty() ? null : plugin.className())
                .setProgram(plugin.program().isEmpty() ? null : plugin.program())
                .setArguments(plugin.arguments())
                .setTimeoutSeconds(plugin.timeoutSeconds())
                .setJobId(request.job().id())
                .setRequirement(request.number())
                .setUser(credentials.user())
                .setGroup(credentials.group())
                .setAccount(credentials.account())
                .setJobClass(credentials.jobClass())
                .setQos(request.job().qos())
                .setTasks(requirement.tasks())
                .setProcsPerTask(requirement.resources().procs())
                .setMemoryMbPerTask(requirement.resources().memoryMb())
                .setPreference(request.job().request().options().preference())
                .setStart(Instant.ofEpochSecond(request.start()))
                .setWalltimeSeconds(request.job().request().walltimeSeconds())
                .setImmediate(request.immediate())
                .setCandidates(candidates)
                .setOmitted(draft.size() - candidates.size());
    }
}
