package io.weir.scheduler.core.fact;

import io.weir.scheduler.core.job.FailedNodes;
import io.weir.scheduler.core.job.Hold;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.job.UnseenStart;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.nonstop.NonstopJob;
import io.weir.scheduler.core.nonstop.Recovery;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.node.FailureAction;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.DomainState;
import io.weir.scheduler.core.state.ReservationCopy;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.Severity;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the answers of resource managers to commands do to the state. Only the answer to the last command of a job counts. */
public final class CommandOutcomes {
    /** What stands between names in a message. */
    private static final String BETWEEN_NAMES = " \t\n\r,;:'\"()[]";

    /**
     * Until a job whose start was refused for something passing is tried again, seconds; by then the resource manager has
     * told that it holds the job for as long as that lasts, or that some nodes are out of the question. So long, too, where a start is
     * said to have expired before its time: where a clock is wrong, that goes on for hours.
     */
    private static final long PASSING_SECONDS = 3;

    private final ClusterState state;
    private final FailedStarts failedStarts;

    CommandOutcomes(ClusterState state) {
        this.state = state;
        failedStarts = new FailedStarts(state);
    }

    void apply(CommandResult result) {
        String jobId = result.getJobId();
        if (jobId == null) {
            mirrored(result);
            return;
        }
        recovery(jobId, result);
        Job job = state.jobs.get(jobId);
        if (job == null || job.pending() == null || job.commandNumber() != result.getNumber()) {
            return;
        }
        JobEdit edit = job.edit().answered();
        if (job.givesWay() && result.getOutcome() != CommandOutcome.DONE) {
            edit.stays();
        }
        switch (result.getOutcome()) {
            case DONE -> done(job, edit, result);
            case REFUSED -> refused(job, edit, result);
            case EXPIRED -> {
                if (job.state() == JobState.STARTING && isEarly(job, result)) {
                    long again = state.domain.now() + PASSING_SECONDS;
                    edit.startPutOff(again, result.getMessage()).refusedSince(Job.NONE);
                } else if (job.state() == JobState.STARTING) {
                    edit.queued(result.getMessage());
                } else if (job.failedNodes().endsRun()) {
                    stays(job, edit, null);
                } else if (job.pending() == CommandKind.ADD_NODES) {
                    notAdded(
                            job,
                            edit,
                            job.failedNodes()
                                    .replacedBy(exchanged(job))
                                    .answeredBy(null, exchanged(job).keySet()));
                    state.domain.askForEverything(job.request().connector());
                }
            }
            case UNKNOWN -> {
                // Refused by the check.
            }
        }
        state.emit(edit);
    }

    /**
     * The last command of {@code job} is finished, but its result never came, and a full poll has told what the job does since:
     * what it does not show was not done.
     */
    void missing(Job job) {
        String why = "the result of " + job.pending() + ", command " + job.commandNumber() + ", never came";
        if (job.pending() != CommandKind.START_JOB) {
            state.domain.notice(
                    Severity.WARNING,
                    "commandrefused",
                    "job",
                    job.id(),
                    job.pending() + " of job " + job.id() + " counts as not carried out: " + why);
        }
        apply(CommandResult.newBuilder()
                .setCluster(state.cluster)
                .setConnector(String.valueOf(job.request().connector()))
                .setNumber(job.commandNumber())
                .setCommandId("")
                .setJobId(job.id())
                .setOutcome(CommandOutcome.EXPIRED)
                .setMessage(why)
                .build());
    }

    /** Returns whether a connector says of a start that it has expired which by the scheduler's time has not. */
    private boolean isEarly(Job job, CommandResult result) {
        boolean told = !result.getCommandId().isEmpty();
        return told && state.domain.now() < job.start() + IterationOutputs.COMMAND_EXPIRY_SECONDS;
    }

    /** Tells a recovery that waits for this answer, whatever else the job was commanded to do meanwhile. */
    private void recovery(String jobId, CommandResult result) {
        NonstopJob record = state.nonstop.get(jobId);
        Recovery step = record == null ? null : record.step();
        if (record != null
                && record.limitCommand() == result.getNumber()
                && result.getOutcome() != CommandOutcome.DONE) {
            state.nonstop.edit(jobId).limitRefused();
        }
        if (step != null && step.outcome() == Recovery.Outcome.OPEN && step.command() == result.getNumber()) {
            String message = result.getMessage();
            String why = message == null ? result.getOutcome().name() : message;
            NonstopJob changed = state.nonstop.edit(jobId);
            changed.step(step.answered(result.getOutcome() == CommandOutcome.DONE, why));
            if (result.getOutcome() == CommandOutcome.REFUSED && step.stage() == Recovery.Stage.ADDING) {
                changed.refused(step, state.domain.now());
            }
        }
    }

    /** What became of the copy of a reservation. */
    private void mirrored(CommandResult result) {
        ReservationCopy copy = state.domain.copies.values().stream()
                .filter(c -> c.connector().equals(result.getConnector()) && c.command() == result.getNumber())
                .findFirst()
                .orElse(null);
        if (copy == null) {
            told(result);
            return;
        }
        if (result.getOutcome() == CommandOutcome.REFUSED) {
            state.domain.notice(
                    Severity.INFO,
                    "rsvnotmirrored",
                    "rsv",
                    copy.reservation(),
                    "reservation " + copy.reservation() + " is not shown by " + copy.connector() + ": "
                            + result.getMessage());
        }
        if (result.getOutcome() == CommandOutcome.EXPIRED) {
            state.domain.copies.put(copy.key(), copy.lost());
        } else if (copy.gone()) {
            state.domain.copies.remove(copy.key());
        }
    }

    /** A command about a node is carried out in time or not; that it is refused, as where no power is switched, is said. */
    private void told(CommandResult result) {
        if (result.getOutcome() == CommandOutcome.REFUSED) {
            state.domain.notice(
                    Severity.WARNING,
                    "commandrefused",
                    "rm",
                    result.getConnector(),
                    "command " + result.getCommandId() + " is refused by " + result.getConnector() + ": "
                            + result.getMessage());
        }
    }

    private void done(Job job, JobEdit edit, CommandResult result) {
        if (job.state() == JobState.STARTING) {
            Instant effect = result.getEffectTime();
            edit.running(JobState.RUNNING, effect == null ? job.start() : effect.getEpochSecond(), job.allocation())
                    .unseen(new UnseenStart(job.startFailures(), job.deferrals(), job.refusedSince()));
        } else if (job.pending() == CommandKind.REQUEUE_JOB) {
            edit.queued(result.getMessage());
        } else if (job.pending() == CommandKind.REMOVE_NODES
                && !job.failedNodes().exchanged().isEmpty()) {
            Set<String> gone = exchanged(job).keySet();
            edit.running(job.state(), job.start(), without(job, gone))
                    .failed(job.failedNodes().without(node -> gone.contains(node.nodeId())));
        }
    }

    /**
     * Nodes that were ordered in the place of failed ones do not come: the job has what it had, and lost none of them.
     *
     * @param after its failed nodes without them
     */
    private void notAdded(Job job, JobEdit edit, FailedNodes after) {
        Set<String> ordered = new TreeSet<>();
        job.failedNodes().exchanged().forEach(node -> ordered.add(String.valueOf(node.replacement())));
        requested(job).ifPresent(ordered::add);
        if (ordered.isEmpty()) {
            return;
        }
        edit.running(job.state(), job.start(), without(job, ordered))
                .failed(after.without(node -> ordered.contains(node.nodeId())));
    }

    /** Returns the node that was ordered last because the job's application asked for a replacement. */
    private Optional<String> requested(Job job) {
        NonstopJob record = state.nonstop.get(job.id());
        Recovery step = record == null ? null : record.step();
        return step != null && step.stage() == Recovery.Stage.ADDING && step.command() == job.commandNumber()
                ? Optional.of(step.replacement())
                : Optional.empty();
    }

    /** Returns the failed nodes in whose place others were ordered, each with no replacement. */
    private static Map<String, @Nullable String> exchanged(Job job) {
        Map<String, @Nullable String> nodes = new TreeMap<>();
        job.failedNodes().exchanged().forEach(node -> nodes.put(node.nodeId(), null));
        return nodes;
    }

    private static List<NodeAllocation> without(Job job, Set<String> nodes) {
        return job.allocation().stream()
                .filter(node -> !nodes.contains(node.getNodeId()))
                .toList();
    }

    private void refused(Job job, JobEdit edit, CommandResult result) {
        DomainState domain = state.domain;
        if (job.state() == JobState.STARTING && result.getPassing()) {
            long again = domain.now() + PASSING_SECONDS;
            edit.startPutOff(again, result.getMessage()).refusedSince(Job.NONE);
            failedStarts.notice(job, "jobstartfail", "refused: " + result.getMessage(), again);
        } else if (job.state() == JobState.STARTING) {
            String what = "refused: " + result.getMessage();
            if (!failedStarts.heldForRetry(job, edit, what, result.getMessage())) {
                if (!result.getAboutJob()) {
                    failed(job, result);
                }
                failedStarts.counted(job, edit, what, result.getMessage());
            }
        } else {
            if (job.pending() == CommandKind.ADD_NODES) {
                FailedNodes failed = job.failedNodes();
                notAdded(
                        job,
                        edit,
                        result.getAboutJob() ? failed.replacedBy(exchanged(job)) : failed.refusedReplacements());
                state.domain.askForEverything(job.request().connector());
            } else if (job.pending() == CommandKind.REMOVE_NODES) {
                // The job has the others; the failed node stays among its nodes, too.
                edit.failed(job.failedNodes()
                        .replacedBy(exchanged(job))
                        .answeredBy(FailureAction.IGNORE, exchanged(job).keySet()));
            }
            if (job.failedNodes().endsRun()) {
                stays(job, edit, FailureAction.IGNORE);
            }
            domain.notice(
                    Severity.WARNING,
                    "commandrefused",
                    "job",
                    job.id(),
                    job.pending() + " of job " + job.id() + " refused: " + result.getMessage());
        }
    }

    /** A job that was to give up its nodes after a failure goes on; without {@code instead} it is answered anew. */
    private static void stays(Job job, JobEdit edit, @Nullable FailureAction instead) {
        if (job.failedNodes().answeredBy(FailureAction.HOLD)) {
            edit.release(Hold.BATCH);
        }
        edit.failed(job.failedNodes().withdrawn(instead));
    }

    /**
     * The nodes that a resource manager names when it refuses a start have failed; or else the only one of the job. It may be
     * the job that is at fault: while nodes are kept from others because of one user's job, further jobs of that user
     * add none.
     */
    private void failed(Job job, CommandResult result) {
        String message = result.getMessage();
        String user = job.request().credentials().user();
        if (RefusedStart.keepsNodes(state, user, job)) {
            return;
        }
        Set<String> words = words(message == null ? "" : message);
        List<String> named = job.allocation().stream()
                .map(NodeAllocation::getNodeId)
                .filter(node -> words.contains(node) || job.allocation().size() == 1)
                .toList();
        for (String id : named) {
            Node node = state.nodes.get(id);
            if (node != null) {
                String text = RefusedStart.text(job.id(), user, message);
                state.emit(node.happened(Node.FAILURE_EVENT, text, state.domain.now()));
            }
        }
    }

    /** Returns what in a message may be names. */
    private static Set<String> words(String message) {
        Set<String> words = new TreeSet<>();
        int start = 0;
        for (int i = 0; i <= message.length(); i++) {
            if (i == message.length() || BETWEEN_NAMES.indexOf(message.charAt(i)) >= 0) {
                words.add(message.substring(start, i));
                start = i + 1;
            }
        }
        return words;
    }
}
