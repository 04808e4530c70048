package io.weir.scheduler.core.fact;

import io.weir.scheduler.core.automation.TriggerEndings;
import io.weir.scheduler.core.event.EventKey;
import io.weir.scheduler.core.event.EventTable;
import io.weir.scheduler.core.job.FailedNode;
import io.weir.scheduler.core.job.FailedNodes;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeEvent;
import io.weir.scheduler.core.output.PluginRequests;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.job.CredentialConfig;
import io.weir.scheduler.core.policy.node.FailureAction;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.ConnectorState;
import io.weir.scheduler.core.state.DomainState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandResult;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.PluginAnswer;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Request;
import io.weir.schemas.Severity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * What each kind of fact does to the state. A fact only records what happened; what follows from it is decided by the
 * next iteration.
 */
public final class FactApplier {
    /** Name of the event by which intake says that facts of a connector are missing. */
    static final String GAP = "gap";

    /** How far an event may be ahead of the last iteration, milliseconds. */
    private static final long FARTHEST_AHEAD_MILLIS = 3_600_000;

    private final ClusterState state;

    public FactApplier(ClusterState state) {
        this.state = state;
    }

    public void apply(Fact fact) {
        SpecificRecord record = fact.record();
        state.work.on(QuarantineKind.INPUT, record.getSchema().getName());
        switch (FactKind.of(record)) {
            case NODE -> node((NodeReport) record, fact);
            case JOB -> job((JobReport) record, fact);
            case HEARTBEAT -> heartbeat((Heartbeat) record, fact.epoch());
            case COMMAND_RESULT -> new CommandOutcomes(state).apply((CommandResult) record);
            case REQUEST -> state.domain.requests.add((Request) record);
            case POLICY -> policy((PolicyVersion) record);
            case PLUGIN_ANSWER -> PluginRequests.answer(state, (PluginAnswer) record);
            case DELIVERY_RESULT -> new TriggerEndings(state).answered((DeliveryResult) record);
            case QUARANTINE -> new QuarantineControl(state).apply((Quarantine) record);
            case EVENT -> event((GenericEvent) record);
            case METRIC -> {
                // Recorded in the journal; no policy reads it yet.
            }
        }
    }

    private void policy(PolicyVersion policy) {
        state.domain.nextPolicy = new DomainState.PendingPolicy(policy.getVersion(), policy.getText());
    }

    private void node(NodeReport report, Fact fact) {
        state.work.on(QuarantineKind.NODE, report.getNodeId());
        DomainState domain = state.domain;
        Node known = state.nodes.get(report.getNodeId());
        Instant updated = report.getUpdateTime();
        long at = domain.now() == 0 && updated != null ? updated.getEpochSecond() : domain.now();
        Node next = Node.reported(report, fact.connector(), fact.epoch(), known, domain.nextNodeIndex, at);
        Quarantine aside = state.quarantine.get(QuarantineKind.NODE, next.id());
        if (aside != null && next.state() != NodeState.REMOVED) {
            next = next.setAside(QuarantineControl.why(aside));
        }
        if (next.state() == NodeState.REMOVED) {
            if (known != null) {
                state.emit(next);
            }
            return;
        }
        if (known != null && known.sameAs(next)) {
            if (known.reportedEpoch() != next.reportedEpoch()) {
                state.store(next);
            }
            return;
        }
        domain.nextNodeIndex = Math.max(domain.nextNodeIndex, next.index() + 1);
        Node seen = known == null ? next : noticed(known, next, at);
        String failure = failure(known, next, at);
        state.emit(failure == null ? seen : seen.happened(Node.FAILURE_EVENT, failure, at));
    }

    /** Returns how a node that is not down failed: ill health is reported anew, or it was down for a moment; null for not. */
    private @Nullable String failure(@Nullable Node known, Node next, long at) {
        String error = next.error();
        if (error != null) {
            return known != null && error.equals(known.error()) ? null : error;
        }
        if (known == null || known.state() != NodeState.DOWN || !next.plannable()) {
            return null;
        }
        boolean flapped = at - known.stateSince()
                <= state.domain.policy.failures().passing().flapSeconds();
        return flapped ? "down since " + Instant.ofEpochSecond(known.stateSince()) + " and up again" : null;
    }

    /** Tells of a node that went down or came back; returns it with that in its event history. */
    private Node noticed(Node known, Node next, long at) {
        boolean wasDown = known.state() == NodeState.DOWN;
        boolean isDown = next.state() == NodeState.DOWN;
        if (wasDown == isDown) {
            return next;
        }
        String text = "node " + next.id() + ": " + known.state() + " to " + next.state()
                + (next.reason() == null ? "" : ": " + next.reason());
        state.domain.notice(
                isDown ? Severity.WARNING : Severity.INFO,
                isDown ? Node.DOWN_EVENT : "nodeup",
                "node",
                next.id(),
                text);
        return isDown ? next.happened(Node.DOWN_EVENT, next.reason(), at) : back(next, at);
    }

    /** From now on a node counts as cleaning up that has to. */
    private static Node back(Node node, long at) {
        NodeEvent cleanup = node.eventHistory().events().get(Node.CLEANUP_EVENT);
        Node up = node.over(Node.DOWN_EVENT);
        return cleanup != null && cleanup.active() ? up.happened(Node.CLEANUP_EVENT, cleanup.text(), at) : up;
    }

    private void job(JobReport report, Fact fact) {
        state.work.on(QuarantineKind.JOB, report.getJobId());
        Job known = state.jobs.get(report.getJobId());
        JobRequest request = limited(report, defaulted(JobRequest.from(report, fact.connector()), known), known);
        if (known == null) {
            newJob(report, request, fact.epoch());
        } else if (!known.finished() || revived(report)) {
            boolean asBefore = request.equals(known.request());
            knownJob(report, known, asBefore ? known.request() : request, fact.epoch());
        }
    }

    /** A job that names no account or class has what its credentials default to when it is first seen, and keeps it. */
    private JobRequest defaulted(JobRequest request, @Nullable Job known) {
        JobCredentials said = request.credentials();
        if (said.account() != null && said.jobClass() != null) {
            return request;
        }
        JobCredentials before = known == null ? null : known.request().credentials();
        SitePolicy policy = state.domain.policy;
        CredentialConfig user = policy.user(said.user());
        CredentialConfig group = policy.group(said.group());
        String account = said.account();
        if (account == null) {
            account = first(before == null ? null : before.account(), user.accountDefault(), group.accountDefault());
        }
        String jobClass = said.jobClass();
        if (jobClass == null) {
            jobClass = first(
                    before == null ? null : before.jobClass(),
                    user.classDefault(),
                    group.classDefault(),
                    policy.account(account).classDefault());
        }
        return Objects.equals(account, said.account()) && Objects.equals(jobClass, said.jobClass())
                ? request
                : request.withLabels(
                        new JobCredentials(said.name(), said.user(), said.group(), account, jobClass, said.qos()));
    }

    /** Returns the first name that is given, of a list its first. */
    private static @Nullable String first(@Nullable String... names) {
        for (String name : names) {
            if (name != null && !name.isEmpty()) {
                int comma = name.indexOf(',');
                return comma < 0 ? name : name.substring(0, comma);
            }
        }
        return null;
    }

    /** A job that gives no time limit has that of its class when it is first seen, and keeps it. */
    private JobRequest limited(JobReport report, JobRequest request, @Nullable Job known) {
        if (report.getWalltimeSeconds() != null || request.extension().size().walltimeSeconds() != null) {
            return request;
        }
        if (known != null) {
            return request.withWalltime(known.request().walltimeSeconds());
        }
        Long ofClass =
                state.domain.policy.jobClass(request.credentials().jobClass()).defaultWalltimeSeconds();
        return ofClass == null ? request : request.withWalltime(Math.max(1, ofClass));
    }

    /** A finished job that its resource manager lists again as waiting or running was requeued there. */
    private static boolean revived(JobReport report) {
        return switch (report.getState()) {
            case IDLE, HOLD, RUNNING, SUSPENDED -> true;
            case UNKNOWN, STARTING, COMPLETED, FAILED, CANCELLED, REMOVED -> false;
        };
    }

    private void newJob(JobReport report, JobRequest request, long epoch) {
        boolean waits = report.getState() == JobState.IDLE || report.getState() == JobState.HOLD;
        String full = waits ? state.jobs.refusal(request) : null;
        if (full != null) {
            omit(request, full);
            return;
        }
        JobEdit edit = JobEdit.submitted(request).reported(request, epoch);
        report.getProblems().forEach(edit::message);
        request.extension().messages().forEach(edit::message);
        String refusal = request.extension().refusal();
        switch (report.getState()) {
            case IDLE ->
                state.emit(
                        refusal == null
                                ? edit
                                : edit.heldByResourceManager(refusal).message(refusal));
            case HOLD -> state.emit(edit.heldByResourceManager(report.getReason(), report.getOwnerMayRelease()));
            case RUNNING, SUSPENDED -> state.emit(runningEdit(edit, report, null));
            case UNKNOWN, STARTING, COMPLETED, FAILED, CANCELLED, REMOVED -> {
                // Over before Weir knew of it.
            }
        }
    }

    /** There is no room for a job that only waits: its connector lists everything anew when there is. */
    private void omit(JobRequest request, String why) {
        String id = request.connector();
        ConnectorState connector = id == null ? null : state.domain.connectors.get(id);
        if (connector == null || connector.omittedJobs() == 0) {
            state.domain.notice(
                    Severity.ERROR,
                    "jobsomitted",
                    "rm",
                    id == null ? "" : id,
                    "job " + request.id() + " is not taken in: " + why + "; the same goes for those behind it");
        }
        if (connector != null) {
            state.domain.connectors.put(connector.id(), connector.omitting(connector.omittedJobs() + 1));
        }
    }

    private void knownJob(JobReport report, Job known, JobRequest request, long epoch) {
        boolean stale = report.getAsOfCommand() < known.commandNumber();
        JobEdit edit = known.edit().reported(request, epoch);
        report.getProblems().forEach(edit::message);
        request.extension().messages().forEach(edit::message);
        switch (report.getState()) {
            case IDLE -> {
                String refusal = request.extension().refusal();
                if (refusal != null && !known.active()) {
                    edit.heldByResourceManager(refusal).message(refusal);
                } else if (known.active() && !stale) {
                    edit.queued(report.getReason()).failed(lostBy(known));
                } else if ((known.active() || known.finished() || known.state() == JobState.HOLD) && !stale) {
                    edit.queued(report.getReason());
                }
            }
            case HOLD -> {
                boolean otherHold =
                        known.state() != JobState.HOLD || known.ownerMayRelease() != report.getOwnerMayRelease();
                if (otherHold && !stale) {
                    FailedNodes lost = lostBy(known);
                    edit.heldByResourceManager(report.getReason(), report.getOwnerMayRelease())
                            .failed(lost);
                }
            }
            case RUNNING, SUSPENDED -> {
                boolean requeued = stale && !known.active() && known.commandNumber() > 0;
                if (!requeued) {
                    boolean shrunk = stale && known.active() && lacksNodes(report, known);
                    if (!stale) {
                        missing(report, known);
                    }
                    runningEdit(edit, shrunk ? withNodes(report, known) : report, known);
                    if (shrunk) {
                        state.domain.askForEverything(known.request().connector());
                    }
                }
            }
            case COMPLETED, FAILED, CANCELLED, REMOVED -> {
                boolean requeued = stale && !known.active() && known.pending() == null && known.commandNumber() > 0;
                if (!requeued && !(stale && known.pending() == CommandKind.REQUEUE_JOB)) {
                    Instant end = report.getEndTime();
                    edit.finished(
                            ending(known, report),
                            end == null ? state.domain.now() : end.getEpochSecond(),
                            report.getExitCode(),
                            report.getReason());
                }
            }
            case UNKNOWN, STARTING -> {
                // Refused by the check.
            }
        }
        emitIfDifferent(known, edit);
    }

    /**
     * Returns the nodes of a running job that its resource manager put back into the queue by itself: those that are down failed,
     * the others may have, which is known when the poll is complete. None when the failure was answered before.
     */
    private FailedNodes lostBy(Job known) {
        FailedNodes failed = FailedNodes.NONE;
        boolean ran = known.state() == JobState.RUNNING || known.state() == JobState.SUSPENDED;
        if (ran && known.pending() == null && !known.failedNodes().endsRun()) {
            for (NodeAllocation node : known.allocation()) {
                String id = node.getNodeId();
                Node lost = state.nodes.get(id);
                boolean answered =
                        known.failedNodes().find(id).map(FailedNode::action).isPresent();
                if (lost != null && !lost.isUnheardOf() && !answered) {
                    long since = isDown(id) ? state.domain.now() : Job.NONE;
                    failed = failed.with(new FailedNode(id, node.getProcs(), known.isMaster(id), since));
                }
            }
        }
        return failed;
    }

    /** A job cancelled because its policy lets it fail with its node has failed. */
    private static JobState ending(Job known, JobReport report) {
        return report.getState() == JobState.CANCELLED && known.failedNodes().answeredBy(FailureAction.FAIL)
                ? JobState.FAILED
                : report.getState();
    }

    private void emitIfDifferent(Job known, JobEdit edit) {
        if (edit.differs(known)) {
            state.emit(edit);
        } else {
            Job next = edit.done();
            if (known.reportedEpoch() != next.reportedEpoch()) {
                state.store(next);
            }
        }
    }

    private JobEdit runningEdit(JobEdit edit, JobReport report, @Nullable Job known) {
        Instant start = report.getStartTime();
        long since = start != null
                ? start.getEpochSecond()
                : known != null && known.active() ? known.start() : state.domain.now();
        List<NodeAllocation> reported = report.getAllocation();
        List<NodeAllocation> allocation =
                known != null && sameNodes(known.allocation(), reported) ? known.allocation() : List.copyOf(reported);
        if (known == null || allocation != known.allocation()) {
            edit.placed(List.of());
        }
        return edit.running(report.getState(), since, allocation)
                .failed(known == null || !known.active() ? FailedNodes.NONE : lost(known, allocation))
                .used(report.getUsedCpuSeconds(), report.getUsedMemoryMb());
    }

    /** Remembers nodes that a resource manager took from a running job unasked: they may have failed. */
    private void missing(JobReport report, Job known) {
        if (state.domain.policy.nonstop() == null || known.pending() == CommandKind.REMOVE_NODES || !known.active()) {
            return;
        }
        Set<String> left = nodes(report.getAllocation());
        for (NodeAllocation node : known.allocation()) {
            if (!left.contains(node.getNodeId())) {
                state.nonstop.edit(known.id()).missing(node.getNodeId(), node.getProcs(), state.domain.now());
            }
        }
    }

    /**
     * Returns the failed nodes of a running job that now has {@code allocation}. A node that its resource manager took from
     * it may have failed: that is known when the node itself is reported.
     */
    private static FailedNodes lost(Job known, List<NodeAllocation> allocation) {
        FailedNodes failed = known.failedNodes();
        if (allocation == known.allocation() || known.pending() == CommandKind.REMOVE_NODES) {
            return failed;
        }
        Set<String> left = nodes(allocation);
        for (NodeAllocation node : known.allocation()) {
            String id = node.getNodeId();
            if (!left.contains(id) && failed.find(id).isEmpty()) {
                failed = failed.with(new FailedNode(id, node.getProcs(), known.isMaster(id), Job.NONE));
            }
        }
        return failed;
    }

    /** After a complete poll nodes that jobs lost and that are up were taken from them for another reason. */
    private void absolve(String connector) {
        for (Job job : List.copyOf(state.jobs.stricken())) {
            FailedNodes failed = job.failedNodes();
            FailedNodes left = failed.without(node -> !node.confirmed() && !isDown(node.nodeId()));
            if (!left.equals(failed) && connector.equals(job.request().connector())) {
                state.emit(job.edit().failed(left));
            }
        }
    }

    private boolean isDown(String id) {
        Node node = state.nodes.get(id);
        return node != null && node.state() == NodeState.DOWN;
    }

    /** Says whether a report has fewer of the job's nodes than Weir: it may be older than a command that added them. */
    private static boolean lacksNodes(JobReport report, Job known) {
        Set<String> reported = nodes(report.getAllocation());
        Set<String> had = nodes(known.allocation());
        return reported.size() < had.size() && had.containsAll(reported);
    }

    private static Set<String> nodes(List<NodeAllocation> allocation) {
        Set<String> names = new TreeSet<>();
        allocation.forEach(node -> names.add(node.getNodeId()));
        return names;
    }

    private static JobReport withNodes(JobReport report, Job known) {
        return JobReport.newBuilder(report).setAllocation(known.allocation()).build();
    }

    private static boolean sameNodes(List<NodeAllocation> a, List<NodeAllocation> b) {
        if (a.size() != b.size()) {
            return false;
        }
        if (a.equals(b)) {
            return true;
        }
        Comparator<NodeAllocation> byNode = Comparator.comparing(NodeAllocation::getNodeId);
        List<NodeAllocation> sortedA = new ArrayList<>(a);
        List<NodeAllocation> sortedB = new ArrayList<>(b);
        sortedA.sort(byNode);
        sortedB.sort(byNode);
        return sortedA.equals(sortedB);
    }

    private void heartbeat(Heartbeat heartbeat, long epoch) {
        DomainState domain = state.domain;
        String id = heartbeat.getConnector();
        ConnectorState known = domain.connectors.get(id);
        ConnectorState connector = known != null ? known : new ConnectorState(id, epoch, 0, null, 0, 0, false, 0);
        switch (heartbeat.getKind()) {
            case HELLO -> {
                connector = connector.opened(epoch);
                state.watch.connector(id);
            }
            case HEARTBEAT -> {
                if (connector.rmTime() == null) {
                    // From now on it is known what there is: what was only late may now be impossible.
                    state.planner.invalidate();
                }
                if (state.nodes.unheardOf() > 0 && !heartbeat.getFull()) {
                    // Only what it lists anew is known to be as it was.
                    connector = connector.fullPoll(true);
                }
                connector = connector.polled(heartbeat.getNumber(), heartbeat.getRmTime(), heartbeat.getLastCommand());
                absolve(id);
                if (heartbeat.getFull()) {
                    dropUnlisted(id, connector.epoch(), heartbeat.getRmTime().getEpochSecond());
                }
            }
            case UNKNOWN -> {
                // Refused by the check.
            }
        }
        domain.connectors.put(id, connector);
    }

    /** A full poll lists everything: what it did not list is gone. */
    private void dropUnlisted(String connector, long epoch, long at) {
        for (Job job : state.jobs.all().stream()
                .filter(job ->
                        connector.equals(job.request().connector()) && job.reportedEpoch() < epoch && !job.finished())
                .toList()) {
            state.emit(job.edit().finished(JobState.REMOVED, at, null, "not listed by the resource manager"));
        }
        for (Node node : state.nodes.all()) {
            if (connector.equals(node.connector()) && node.reportedEpoch() < epoch) {
                state.emit(node.removed("not listed by the resource manager", at, node.changedIn()));
            }
        }
    }

    private void event(GenericEvent event) {
        configured(event);
        if (event.getName().equals(GAP) && event.getObjectType().equals("rm")) {
            state.domain.askForEverything(event.getObjectId());
        } else if (event.getObjectType().equals("node")) {
            if (state.nodes.get(event.getObjectId()) != null) {
                state.watch.event(event.getObjectId(), event.getName(), event.getActive());
            }
            nodeEvent(event);
        }
    }

    /** Counts an event that the configuration acts on, once for each instant, if there is such an object. */
    private void configured(GenericEvent event) {
        EventTable events = state.domain.events;
        if (events.rule(event.getName()) == null || !isThere(event)) {
            return;
        }
        EventKey key = new EventKey(event.getObjectType(), objectId(event), event.getName());
        long millis = event.getTime().toEpochMilli();
        if (!event.getActive()) {
            events.over(key);
        } else if (!events.isKnown(key, counted(millis))) {
            String message = event.getMessage();
            events.occurred(key, message == null ? "" : message, counted(millis));
        }
    }

    /** Instants far ahead of the scheduler's own are no reason to wait for them before an event may fire again. */
    private long counted(long millis) {
        long now = state.domain.nowMillis;
        return now == Job.NONE ? millis : Math.min(millis, now + FARTHEST_AHEAD_MILLIS);
    }

    private boolean isThere(GenericEvent event) {
        return switch (event.getObjectType()) {
            case "node" -> state.nodes.get(event.getObjectId()) != null;
            case "job" -> state.jobs.get(event.getObjectId()) != null;
            case "rsv" -> state.administrativeReservations.get(event.getObjectId()) != null;
            case "rm" -> state.domain.connectors.containsKey(event.getObjectId());
            default -> event.getObjectType().equals("scheduler");
        };
    }

    /** There is one scheduler, whatever it is called. */
    private String objectId(GenericEvent event) {
        return event.getObjectType().equals("scheduler") ? state.cluster : event.getObjectId();
    }

    /** The same event at the same instant is one that was heard of twice; one that is over only ends what is known. */
    private void nodeEvent(GenericEvent event) {
        Node node = state.nodes.get(event.getObjectId());
        if (node == null) {
            return;
        }
        long when = event.getTime().getEpochSecond();
        NodeEvent known = node.eventHistory().events().get(event.getName());
        if (!event.getActive()) {
            if (known != null && known.active()) {
                state.emit(node.over(event.getName()));
            }
        } else if (known == null || known.last() != when) {
            state.emit(node.happened(event.getName(), event.getMessage(), when));
        }
    }
}
