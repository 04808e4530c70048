package io.weir.scheduler.core.recovery;

import com.google.re2j.Pattern;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.nonstop.LossKind;
import io.weir.scheduler.core.nonstop.NodeLoss;
import io.weir.scheduler.core.nonstop.NonstopJob;
import io.weir.scheduler.core.nonstop.PendingReplacement;
import io.weir.scheduler.core.nonstop.Recovery;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.language.PolicyTime;
import io.weir.scheduler.core.policy.nonstop.NonstopReader;
import io.weir.scheduler.core.policy.nonstop.NonstopSettings;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RequestKind;
import io.weir.schemas.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the failure service. One that needs the resource manager is answered when that has answered; until then it
 * waits with those of the next iteration. A refusal changes nothing but what the wait for a node grants.
 */
public final class RecoveryRequests {
    private static final Pattern ENDPOINT = Pattern.compile("(?i:https?)://[A-Za-z0-9.\\[\\]:_-]{1,256}(?:/[!-~]*)?");

    private static final int LONGEST_ENDPOINT = 1_024;
    private static final int LONGEST_REASON = 1_024;
    private static final int MOST_NODES = 1_000;

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final KeptNodes kept;
    private final long now;

    public RecoveryRequests(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
        kept = new KeptNodes(state);
    }

    /** Returns whether requests of a kind are made to the failure service. */
    public static boolean concern(RequestKind kind) {
        return switch (kind) {
            case SHOW_NONSTOP,
                    SHOW_JOB_FAILURES,
                    REPLACE_JOB_NODE,
                    DROP_JOB_NODE,
                    EXTEND_JOB,
                    DRAIN_NODES,
                    SUBSCRIBE_JOB,
                    UNSUBSCRIBE_JOB -> true;
            default -> false;
        };
    }

    /**
     * Carries out a request.
     *
     * @param present ids of the requests of this iteration
     * @return whether it is answered; if not it has to be carried out again
     */
    public boolean carryOut(AuthorisedRequest request, Set<String> present) {
        NonstopSettings settings = state.domain.policy.nonstop();
        if (settings == null) {
            refuse(request, RecoveryError.ESERVICE, "the failure service is off (FAILURESERVICE)", null);
            return true;
        }
        return switch (request.kind()) {
            case SHOW_NONSTOP -> configuration(request, settings);
            case DRAIN_NODES -> drain(request, settings);
            default -> ofJob(request, settings, present);
        };
    }

    private boolean ofJob(AuthorisedRequest request, NonstopSettings settings, Set<String> present) {
        Job job = state.jobs.get(request.objectId());
        if (job == null || job.finished()) {
            String why = job == null ? "there is no job " + request.objectId() : "job " + job.id() + " has ended";
            return refuse(request, RecoveryError.EJOBID, why, null);
        }
        return switch (request.kind()) {
            case SHOW_JOB_FAILURES -> failures(request, job);
            case SUBSCRIBE_JOB -> subscribe(request, job);
            case UNSUBSCRIBE_JOB -> unsubscribe(request, job);
            default -> recover(request, job, settings, present);
        };
    }

    private boolean recover(AuthorisedRequest request, Job job, NonstopSettings settings, Set<String> present) {
        if (job.state() != JobState.RUNNING) {
            return refuse(request, RecoveryError.EJOBNOTRUN, "job " + job.id() + " is " + job.state(), null);
        }
        if (state.domain.policy.scheduler().mode() == Mode.MONITOR) {
            return refuse(request, RecoveryError.EJOBUPDATE, "MODE MONITOR carries out no commands", null);
        }
        NonstopJob record = state.nonstop.get(job.id());
        Recovery step = record == null ? null : record.step();
        if (record != null && step != null) {
            boolean goesOn = step.outcome() == Recovery.Outcome.OPEN || Recoveries.isUnsettled(record, step);
            if (step.requestId().equals(request.id())) {
                return !goesOn && conclude(request, job, step);
            } else if (goesOn || present.contains(step.requestId())) {
                return false;
            }
            state.nonstop.edit(job.id()).step(null);
        }
        if (request.kind() == RequestKind.EXTEND_JOB) {
            return extend(request, job, record);
        }
        String nodeId = request.form().text("node");
        NodeLoss loss = record == null ? null : record.loss(nodeId);
        boolean replace = request.kind() == RequestKind.REPLACE_JOB_NODE;
        if (record == null || loss == null || loss.kind() == LossKind.MISSING) {
            return notLost(request, job, record, nodeId, replace);
        } else if (loss.procs() == 0) {
            return refuse(request, RecoveryError.ENODENOCPU, "job " + job.id() + " had nothing of " + nodeId, nodeId);
        } else if (job.pending() != null) {
            return false;
        }
        return replace ? replace(request, job, record, loss, settings) : drop(request, job, loss, settings);
    }

    private boolean notLost(
            AuthorisedRequest request, Job job, @Nullable NonstopJob record, String nodeId, boolean replace) {
        String before = record == null ? null : record.replacementOf(nodeId);
        if (replace && before != null && Recoveries.allocation(job, nodeId) == null) {
            return done(request, job, nodeId, before);
        } else if (state.nodes.get(nodeId) == null) {
            return refuse(request, RecoveryError.ENOHOST, "there is no node '" + nodeId + "'", nodeId);
        } else if (Recoveries.allocation(job, nodeId) == null) {
            return refuse(
                    request, RecoveryError.ENODENOTINJOB, "node " + nodeId + " is not job " + job.id() + "'s", nodeId);
        }
        return refuse(request, RecoveryError.ENODENOTFAIL, "node " + nodeId + " is neither FAILED nor FAILING", nodeId);
    }

    private boolean replace(
            AuthorisedRequest request, Job job, NonstopJob record, NodeLoss loss, NonstopSettings settings) {
        PendingReplacement waits = record.pending();
        if (waits != null && !waits.nodeId().equals(loss.nodeId())) {
            return refuse(
                    request,
                    RecoveryError.EREPLACEPENDING,
                    "a replacement of node " + waits.nodeId() + " is awaited",
                    waits.nodeId());
        }
        ReplacementSearch search = new ReplacementSearch(state, job, loss, now);
        Optional<EffectiveNode> idle = search.idle();
        Optional<EffectiveNode> spare = idle.isPresent() ? Optional.empty() : search.spare();
        if (idle.isPresent()) {
            return merge(request, job, loss, idle.get(), false);
        }
        if (settings.mostSpares() > 0 && record.sparesTaken() >= settings.mostSpares()) {
            return refuse(
                    request,
                    RecoveryError.EMAXSPARECOUNT,
                    "job " + job.id() + " took " + record.sparesTaken() + " spares, which is all it may",
                    Integer.toString(settings.mostSpares()));
        }
        if (spare.isPresent()) {
            return merge(request, job, loss, spare.get(), true);
        }
        Optional<ReplacementSearch.Expected> later = search.expected();
        if (later.isPresent()) {
            EffectiveNode node = later.get().node();
            long time = later.get().time();
            kept.release(KeptNodes.awaitedBy(job.id()));
            kept.keep(
                    KeptNodes.awaitedBy(job.id()),
                    List.of(node),
                    time,
                    Math.max(time + 1, job.limitEnd()),
                    "in place of " + loss.nodeId() + " of job " + job.id());
            state.nonstop.edit(job.id()).expects(loss.nodeId(), node.id(), time, now, settings);
            return refuse(
                    request,
                    RecoveryError.EREPLACELATER,
                    "a replacement of node " + loss.nodeId() + " is expected in " + (time - now) + " s",
                    Long.toString(time));
        }
        state.nonstop.edit(job.id()).waitsInVain(loss.nodeId(), settings);
        return refuse(
                request,
                RecoveryError.ENODEREPLACEFAIL,
                "there is no node to take the place of " + loss.nodeId(),
                loss.nodeId());
    }

    private boolean merge(AuthorisedRequest request, Job job, NodeLoss loss, EffectiveNode node, boolean spare) {
        List<NodeAllocation> added = List.of(new NodeAllocation(node.id(), loss.procs()));
        String why = "node " + node.id() + " replaces " + loss.nodeId() + ", requested by " + request.principal();
        if (!outputs.resize(job, CommandKind.ADD_NODES, added, now, why)) {
            return refuse(request, RecoveryError.EJOBUPDATE, "no connector answers for job " + job.id(), null);
        }
        kept.take(node.id());
        List<NodeAllocation> all = new ArrayList<>(job.allocation());
        all.addAll(added);
        state.emit(job.edit()
                .running(job.state(), job.start(), all)
                .placed(List.of())
                .commanded(CommandKind.ADD_NODES, outputs.lastNumber(job)));
        state.nonstop
                .edit(job.id())
                .step(Recovery.replacing(request.id(), loss.nodeId(), node.id(), spare, outputs.lastNumber(job)));
        return false;
    }

    private boolean drop(AuthorisedRequest request, Job job, NodeLoss loss, NonstopSettings settings) {
        NodeAllocation held = Recoveries.allocation(job, loss.nodeId());
        if (held == null) {
            new Recoveries(state, outputs, now).dropped(job, loss.nodeId(), settings);
            return done(request, job, loss.nodeId(), null);
        } else if (job.allocation().size() == 1) {
            return refuse(request, RecoveryError.EJOBUPDATE, "job " + job.id() + " would be left without a node", null);
        }
        String why = "node " + loss.nodeId() + " is given up, requested by " + request.principal();
        if (!outputs.resize(job, CommandKind.REMOVE_NODES, List.of(held), now, why)) {
            return refuse(request, RecoveryError.EJOBUPDATE, "no connector answers for job " + job.id(), null);
        }
        state.emit(job.edit().commanded(CommandKind.REMOVE_NODES, outputs.lastNumber(job)));
        state.nonstop.edit(job.id()).step(Recovery.dropping(request.id(), loss.nodeId(), outputs.lastNumber(job)));
        return false;
    }

    private boolean extend(AuthorisedRequest request, Job job, @Nullable NonstopJob record) {
        int given = number(request.form().text("minutes"));
        if (given < 0) {
            return refuse(
                    request,
                    RecoveryError.ECMD,
                    "minutes is '" + request.form().text("minutes") + "'; a number from 0 to "
                            + NonstopReader.MOST_MINUTES + " is needed",
                    null);
        }
        if (record == null || (record.losses().isEmpty() && record.balance() == 0 && !record.hasHistory())) {
            return refuse(
                    request,
                    RecoveryError.ENOINCREASETIMELIMIT,
                    "no node of job " + job.id() + " failed, so its time limit stays",
                    null);
        }
        long minutes = given == 0 ? record.balance() : given;
        if (minutes > record.balance()) {
            return refuse(
                    request,
                    RecoveryError.ETIMEOVERLIMIT,
                    "job " + job.id() + " may be extended by " + record.balance() + " minutes, not by " + minutes,
                    Long.toString(record.balance()));
        }
        long limit = Math.max(job.limitSeconds(), record.limitSeconds());
        if (minutes == 0 || limit >= PolicyTime.LONGEST) {
            NonstopJob changed = state.nonstop.edit(job.id());
            changed.extended(minutes, record.limitSeconds());
            return extended(request, job, minutes);
        } else if (job.pending() != null) {
            return false;
        }
        long next = Math.min(PolicyTime.LONGEST, limit + minutes * 60);
        String why = "extended by " + minutes + " minutes, requested by " + request.principal();
        if (!outputs.limit(job, next, now, why)) {
            return refuse(request, RecoveryError.EJOBUPDATE, "no connector answers for job " + job.id(), null);
        }
        state.emit(job.edit().commanded(CommandKind.MODIFY_JOB, outputs.lastNumber(job)));
        state.nonstop.edit(job.id()).step(Recovery.extending(request.id(), minutes, next, outputs.lastNumber(job)));
        return false;
    }

    /** Answers with what a step came to, and ends it. */
    private boolean conclude(AuthorisedRequest request, Job job, Recovery step) {
        state.nonstop.edit(job.id()).step(null);
        boolean done = step.outcome() == Recovery.Outcome.DONE;
        return switch (step.kind()) {
            case REPLACE ->
                (done || step.stage() == Recovery.Stage.REMOVING)
                        ? done(request, job, step.nodeId(), step.replacement())
                        : refuse(request, RecoveryError.ENODEREPLACEFAIL, step.reason(), step.nodeId());
            case DROP ->
                done
                        ? done(request, job, step.nodeId(), null)
                        : refuse(request, RecoveryError.EJOBUPDATE, step.reason(), step.nodeId());
            case EXTEND ->
                done
                        ? extended(request, job, step.minutes())
                        : refuse(request, RecoveryError.EJOBUPDATE, step.reason(), null);
        };
    }

    private boolean extended(AuthorisedRequest request, Job job, long minutes) {
        NonstopJob record = state.nonstop.get(job.id());
        outputs.answered(
                request,
                "time limit of job " + job.id() + " extended by " + minutes + " minutes",
                List.of(
                        new NameValue("minutes", Long.toString(minutes)),
                        new NameValue("balance", Long.toString(record == null ? 0 : record.balance()))));
        return true;
    }

    private boolean done(AuthorisedRequest request, Job job, String nodeId, @Nullable String replacement) {
        List<NodeAllocation> left = job.allocation().stream()
                .filter(node -> !node.getNodeId().equals(nodeId))
                .toList();
        List<NameValue> details = new ArrayList<>();
        details.add(new NameValue("node", nodeId));
        if (replacement != null) {
            details.add(new NameValue("replacement", replacement));
        }
        details.add(new NameValue("nodes", RecoveryText.nodes(left)));
        details.add(new NameValue("nodeCount", Integer.toString(left.size())));
        details.add(new NameValue("cpusPerNode", RecoveryText.procs(left)));
        outputs.answered(
                request,
                replacement == null ? "node " + nodeId + " dropped" : "node " + nodeId + " replaced by " + replacement,
                details);
        return true;
    }

    private boolean failures(AuthorisedRequest request, Job job) {
        NonstopJob record = state.nonstop.get(job.id());
        PendingReplacement waits = record == null ? null : record.pending();
        List<NodeLoss> losses = record == null ? List.of() : record.losses();
        List<NameValue> details = new ArrayList<>();
        details.add(new NameValue("state", job.state().name()));
        details.add(new NameValue("nodes", RecoveryText.nodes(job.allocation())));
        details.add(new NameValue("nodeCount", Integer.toString(job.allocation().size())));
        details.add(new NameValue("cpusPerNode", RecoveryText.procs(job.allocation())));
        details.add(new NameValue("lostCount", Integer.toString(losses.size())));
        details.add(new NameValue("pendingDelay", Long.toString(waits == null ? 0 : waits.delay())));
        details.add(new NameValue("pendingId", waits == null ? "" : KeptNodes.awaitedBy(job.id())));
        details.add(new NameValue("pendingNode", waits == null ? "" : waits.replacement()));
        details.add(new NameValue("pendingTime", waits == null ? "" : Long.toString(waits.time())));
        details.add(new NameValue("replacedCount", Integer.toString(record == null ? 0 : record.replacedCount())));
        details.add(new NameValue("balance", Long.toString(record == null ? 0 : record.balance())));
        for (NodeLoss loss : losses) {
            details.add(new NameValue("lost", loss.nodeId() + " " + loss.procs() + " " + loss.kind()));
        }
        if (record != null) {
            record.endpoints().forEach(endpoint -> details.add(new NameValue("endpoint", endpoint)));
        }
        outputs.answered(request, losses.size() + " failed or failing nodes", details);
        return true;
    }

    private boolean configuration(AuthorisedRequest request, NonstopSettings settings) {
        String backup = settings.backupAddress();
        String spares = String.join(
                ",",
                settings.hotSpares().entrySet().stream()
                        .map(entry -> entry.getKey() + ":" + entry.getValue())
                        .toList());
        outputs.answered(
                request,
                "settings of the failure service",
                List.of(
                        new NameValue("ControlAddr", settings.controlAddress()),
                        new NameValue("BackupAddr", backup == null ? "" : backup),
                        new NameValue("Port", Integer.toString(settings.port())),
                        new NameValue("Debug", Integer.toString(settings.debug())),
                        new NameValue("HotSpareCount", spares),
                        new NameValue("MaxSpareNodeCount", Integer.toString(settings.mostSpares())),
                        new NameValue("TimeLimitDelay", Integer.toString(settings.delayMinutes())),
                        new NameValue("TimeLimitExtend", Integer.toString(settings.extendMinutes())),
                        new NameValue("TimeLimitDrop", Integer.toString(settings.dropMinutes())),
                        new NameValue(
                                "UserDrainAllow",
                                String.join(",", settings.drainers().allowed())),
                        new NameValue(
                                "UserDrainDeny",
                                String.join(",", settings.drainers().denied())),
                        new NameValue("ReadTimeout", Integer.toString(settings.readTimeoutMillis())),
                        new NameValue("WriteTimeout", Integer.toString(settings.writeTimeoutMillis()))));
        return true;
    }

    private boolean drain(AuthorisedRequest request, NonstopSettings settings) {
        String reason = request.form().text("reason").strip();
        boolean mayDrain = request.level().acting().reaches(AccessLevel.OPERATOR)
                || settings.drainers().allows(request.principal());
        SortedSet<String> named = new TreeSet<>();
        for (String name : request.form().text("nodes").split(",", -1)) {
            if (!name.isBlank()) {
                named.add(name.strip());
            }
        }
        if (!mayDrain) {
            return refuse(
                    request,
                    RecoveryError.EPERM,
                    request.principal() + " may not drain nodes (UserDrainAllow, UserDrainDeny)",
                    null);
        } else if (named.isEmpty()
                || named.size() > MOST_NODES
                || reason.isEmpty()
                || reason.length() > LONGEST_REASON) {
            return refuse(
                    request,
                    RecoveryError.ECMD,
                    "up to " + MOST_NODES + " nodes and a reason of up to " + LONGEST_REASON + " characters are needed",
                    null);
        }
        for (String name : named) {
            if (state.nodes.get(name) == null) {
                return refuse(request, RecoveryError.EUPDNODE, "there is no node '" + name + "'", name);
            }
        }
        for (String name : named) {
            Node node = state.nodes.get(name);
            if (node != null) {
                state.emit(node.marked(node.annotations().failing(request.principal() + ": " + reason), now));
                state.domain.notice(
                        Severity.WARNING,
                        "nodefailing",
                        "node",
                        name,
                        "node " + name + " is expected to fail: " + reason + ", says " + request.principal());
            }
        }
        outputs.answered(
                request,
                "draining " + String.join(",", named),
                List.of(new NameValue("nodes", String.join(",", named))));
        return true;
    }

    private boolean subscribe(AuthorisedRequest request, Job job) {
        String endpoint = request.form().text("endpoint");
        if (!isEndpoint(endpoint)) {
            return refuse(
                    request,
                    RecoveryError.EPORT,
                    "'" + endpoint + "' is no address that can be told; http://HOST:PORT/PATH of up to "
                            + LONGEST_ENDPOINT + " characters is needed",
                    null);
        }
        if (!state.nonstop.edit(job.id()).subscribe(endpoint)) {
            return refuse(
                    request,
                    RecoveryError.EPORT,
                    "job " + job.id() + " has " + NonstopJob.MOST_ENDPOINTS + " addresses already",
                    null);
        }
        outputs.accepted(request, endpoint + " is told of failures of job " + job.id());
        return true;
    }

    private boolean unsubscribe(AuthorisedRequest request, Job job) {
        NonstopJob record = state.nonstop.get(job.id());
        String endpoint = request.form().value("endpoint");
        if (record != null) {
            state.nonstop.edit(job.id()).unsubscribe(endpoint);
            if (record.isEmpty()) {
                state.nonstop.remove(job.id());
            }
        }
        outputs.accepted(request, (endpoint == null ? "nobody" : endpoint + " not") + " told any more");
        return true;
    }

    private static boolean isEndpoint(String text) {
        return text.length() <= LONGEST_ENDPOINT && ENDPOINT.matcher(text).matches();
    }

    private static int number(String text) {
        boolean digits = !text.isEmpty() && text.length() <= 5 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        int number = digits ? Integer.parseInt(text) : -1;
        return number > NonstopReader.MOST_MINUTES ? -1 : number;
    }

    private boolean refuse(AuthorisedRequest request, RecoveryError error, String why, @Nullable String value) {
        List<NameValue> details = new ArrayList<>();
        details.add(new NameValue("error", error.name()));
        if (value != null) {
            details.add(new NameValue("value", value));
        }
        outputs.refused(request, error + ": " + why, details);
        return true;
    }
}
