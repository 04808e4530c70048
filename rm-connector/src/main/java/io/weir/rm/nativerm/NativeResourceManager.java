package io.weir.rm.nativerm;

import io.weir.rm.nativerm.call.CallRequest;
import io.weir.rm.nativerm.call.Caller;
import io.weir.rm.nativerm.call.Endpoint;
import io.weir.rm.nativerm.call.NoReplyException;
import io.weir.rm.nativerm.text.JobTextAttributes;
import io.weir.rm.nativerm.text.NodeTextAttributes;
import io.weir.rm.nativerm.text.Problem;
import io.weir.rm.nativerm.text.Problems;
import io.weir.rm.nativerm.text.SystemTextAttributes;
import io.weir.rm.nativerm.text.TextAttribute;
import io.weir.rm.nativerm.text.TextObject;
import io.weir.rm.nativerm.text.TextReader;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Execution;
import io.weir.rm.spi.Poll;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmCapabilities;
import io.weir.rm.spi.RmContext;
import io.weir.rm.spi.RmException;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeMetric;
import io.weir.schemas.NodeReport;
import io.weir.schemas.RmCommand;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A resource manager behind a site's scripts. A poll is all queries of the cluster's own resource manager, or none: one
 * that fails leaves nothing to report, and so does one that suddenly knows no node. Keeps no record of commands: scripts
 * get the command's id and have to take a second call with it for the first.
 */
final class NativeResourceManager implements ResourceManager {
    private static final Logger log = LoggerFactory.getLogger(NativeResourceManager.class);

    /** States in which a job has nodes. */
    private static final Set<JobState> ON_NODES = EnumSet.of(JobState.STARTING, JobState.RUNNING, JobState.SUSPENDED);

    private final String cluster;
    private final RmDefinition definition;
    private final int downAfter;
    private final Duration detectTime;
    private final Caller caller;
    private final ActionCalls actions;
    private final int actionsAtOnce;
    private final Query query;
    private final List<SecondaryResourceManager> supplements = new ArrayList<>();
    private final RmClock clock;
    private final RmCapabilities capabilities;
    private final FirstSeenTimes sightings = new FirstSeenTimes();
    private final ProblemLog problems = new ProblemLog();
    private final NativeJobTranslation translation;

    /** The jobs of the last poll, by id; null before the first. */
    private @Nullable Map<String, JobReport> jobs;

    /** What the last poll said of each job, by id. */
    private Map<String, TextObject> jobTexts = Map.of();

    /** What the last poll said of each node, by id. */
    private Map<String, TextObject> nodeTexts = Map.of();

    private final AcceptedStarts acceptedStarts = new AcceptedStarts();
    private Set<String> nodeNames = Set.of();
    private final EventSightings eventSightings;
    private final CategorySightings categorySightings = new CategorySightings();
    private final NodeSightings nodeSightings;
    private int failedPolls;

    NativeResourceManager(RmContext context, NativeConfig config, InstantSource wall) {
        this.cluster = context.cluster();
        this.definition = config.first();
        this.downAfter = config.downAfter();
        this.detectTime = config.detectTime();
        this.caller = new Caller(context.dataDirectory(), definition.environment());
        this.actionsAtOnce = config.actionsAtOnce();
        this.actions = new ActionCalls(actionsAtOnce);
        this.query = new Query(definition, caller, cluster);
        this.clock = new RmClock(wall);
        this.eventSightings = new EventSightings(cluster, definition.name());
        this.nodeSightings = new NodeSightings(config.listTime());
        this.translation = new NativeJobTranslation(cluster, sightings);
        for (RmDefinition other : config.others()) {
            Caller own = new Caller(context.dataDirectory(), other.environment());
            supplements.add(new SecondaryResourceManager(other, new Query(other, own, cluster), downAfter));
        }
        this.capabilities = new RmCapabilities(NativeProvider.TYPE, version(), commands());
    }

    private Set<CommandKind> commands() {
        Set<CommandKind> commands = EnumSet.noneOf(CommandKind.class);
        commands.add(CommandKind.FULL_POLL);
        definition.endpoints().keySet().forEach(url -> commands.addAll(url.commands()));
        return commands;
    }

    private String version() {
        try {
            return askSystem(new Problems());
        } catch (RetriableRmException e) {
            log.warn("rm={} does not tell its version yet: {}", definition.name(), e.getMessage());
            return "unknown";
        }
    }

    @Override
    public RmCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public Instant now() {
        return clock.now();
    }

    @Override
    public Poll poll() {
        try {
            Poll poll = look();
            if (failedPolls >= downAfter) {
                log.info("rm={} is up again after {} failed polls", definition.name(), failedPolls);
            }
            failedPolls = 0;
            return poll;
        } catch (RetriableRmException e) {
            failedPolls++;
            if (failedPolls < downAfter) {
                throw e;
            }
            if (failedPolls == downAfter) {
                log.error("rm={} is down: {} polls in a row failed", definition.name(), failedPolls);
            }
            throw new RetriableRmException(
                    definition.name() + " is down, " + failedPolls + " polls in a row failed: " + e.getMessage(), e);
        }
    }

    private Poll look() {
        Problems found = new Problems();
        askSystem(found);
        Instant now = clock.now();
        supplements.forEach(SecondaryResourceManager::refresh);
        List<NodeMetric> metrics = new ArrayList<>();
        List<GenericEvent> events = new ArrayList<>();
        Collection<TextObject> nodesTold = nodesTold(found);
        List<NodeReport> nodes = nodes(nodesTold, found, now, metrics, events);
        Collection<TextObject> jobsTold = jobsTold(found);
        List<JobReport> seen = jobs(jobsTold, found, now, events);
        problems.tell(found);
        remember(seen);
        nodeTexts = byId(nodesTold);
        jobTexts = byId(jobsTold);
        nodeNames = nodes.stream().map(NodeReport::getNodeId).collect(Collectors.toUnmodifiableSet());
        events.addAll(eventSightings.over(now));
        eventSightings.keepSeen();
        categorySightings.keepSeen();
        return new Poll(now, nodes, seen, metrics, events);
    }

    /** Sets the clock by what the resource manager says and returns its version. */
    private String askSystem(Problems found) {
        TextReader reader = new TextReader(SystemTextAttributes.VOCABULARY, found);
        Instant asked = clock.wall();
        query.all(NativeUrl.SYSTEM_QUERY).forEach(answer -> reader.read(answer.source(), answer.text()));
        String version = "unknown";
        for (TextObject system : reader.objects()) {
            system.find(SystemTextAttributes.TIME).ifPresent(time -> clock.set(asked, time));
            version = system.find(SystemTextAttributes.VERSION).orElse(version);
        }
        return version;
    }

    /** Returns what is said of nodes; a value that cannot be read leaves the one of the last poll in force. */
    private Collection<TextObject> nodesTold(Problems found) {
        TextReader reader = new TextReader(NodeTextAttributes.VOCABULARY, found);
        query.all(NativeUrl.CLUSTER_QUERY).forEach(answer -> reader.read(answer.source(), answer.text()));
        if (reader.objects().isEmpty()) {
            throw new RetriableRmException(definition.name() + " CLUSTERQUERYURL: lists no node at all, which is not"
                    + " believed" + firstOf(found));
        }
        supplements.forEach(supplement -> supplement.add(NativeUrl.CLUSTER_QUERY, reader));
        for (TextObject node : reader.objects()) {
            @Nullable TextObject before = nodeTexts.get(node.id());
            if (before != null) {
                node.keep(before, Set.of());
            }
        }
        return reader.objects();
    }

    private List<NodeReport> nodes(
            Collection<TextObject> told,
            Problems found,
            Instant now,
            List<NodeMetric> metrics,
            List<GenericEvent> events) {
        Instant latestSilent = detectTime.isZero() ? Instant.MIN : now.minus(detectTime);
        List<NodeReport> reports = new ArrayList<>();
        for (TextObject node : told) {
            if (node.get(NodeTextAttributes.CPROC) == 0 && !node.id().equals(NativeNodeTranslation.GLOBAL)) {
                found.add(definition.name(), 0, node.id() + ": has no processors and is not reported");
            } else {
                NativeNodeTranslation.report(cluster, node, latestSilent)
                        .ifPresentOrElse(
                                report -> {
                                    reports.add(categorySightings.held(report));
                                    metrics.addAll(NativeNodeTranslation.metrics(cluster, node, now));
                                    events.addAll(eventSightings.events(
                                            "node", node.id(), node.get(NodeTextAttributes.GEVENT), now));
                                },
                                () -> nodeSightings.takenAway(node.id()));
            }
        }
        return nodeSightings.complete(reports, now);
    }

    /** Returns what is said of jobs; of one that is known, what is not said or cannot be read stays as it was. */
    private Collection<TextObject> jobsTold(Problems found) {
        TextReader reader = new TextReader(JobTextAttributes.VOCABULARY, found, jobTexts.keySet());
        int lines = 0;
        for (Query.Answer answer : query.all(NativeUrl.WORKLOAD_QUERY)) {
            lines += reader.read(answer.source(), answer.text()).lines();
        }
        if (lines > 0 && reader.objects().isEmpty()) {
            throw new RetriableRmException(
                    definition.name() + " WORKLOADQUERYURL: " + lines + " lines, and no job in them" + firstOf(found));
        }
        supplements.forEach(supplement -> supplement.add(NativeUrl.WORKLOAD_QUERY, reader));
        for (TextObject job : reader.objects()) {
            @Nullable TextObject before = jobTexts.get(job.id());
            if (before != null) {
                job.keep(before, JobTextAttributes.REQUIRED);
                if (hasNodes(before) && hasNodes(job)) {
                    job.keep(before, JobTextAttributes.PLACE);
                }
            }
        }
        return reader.objects();
    }

    private static boolean hasNodes(TextObject job) {
        return ON_NODES.contains(job.get(JobTextAttributes.STATE));
    }

    private List<JobReport> jobs(Collection<TextObject> told, Problems found, Instant now, List<GenericEvent> events) {
        List<JobReport> reports = new ArrayList<>();
        for (TextObject job : told) {
            if (isJob(job, found)) {
                JobReport report = translation.report(job, now);
                boolean stateTold = !job.isKept(JobTextAttributes.STATE);
                reports.add(acceptedStarts.settled(report, stateTold, job.orNull(JobTextAttributes.UPDATETIME), now));
                events.addAll(eventSightings.events("job", job.id(), job.get(JobTextAttributes.GEVENT), now));
            }
        }
        return reports;
    }

    /** A job needs one of the required attributes to be one; what else is missing is a problem, not a reason. */
    private boolean isJob(TextObject job, Problems found) {
        List<TextAttribute<?>> missing = JobTextAttributes.REQUIRED.stream()
                .filter(attribute -> !job.has(attribute))
                .toList();
        boolean known = jobs != null && jobs.containsKey(job.id());
        if (!missing.isEmpty() && !known) {
            found.add(definition.name(), 0, job.id() + ": a new job has " + missing + ", which are not given");
        }
        return missing.size() < JobTextAttributes.REQUIRED.size();
    }

    private static String firstOf(Problems found) {
        return found.count() == 0 ? "" : "; first problem: " + found.first().get(0);
    }

    private static Map<String, TextObject> byId(Collection<TextObject> told) {
        Map<String, TextObject> byId = new HashMap<>();
        told.forEach(object -> byId.put(object.id(), object));
        return byId;
    }

    private void remember(List<JobReport> seen) {
        Map<String, JobReport> byId = new LinkedHashMap<>();
        seen.forEach(job -> byId.put(job.getJobId(), job));
        sightings.keep(byId.keySet());
        acceptedStarts.keep(byId.keySet());
        jobs = byId;
    }

    @Override
    public CommandCheck lookup(RmCommand command) {
        return actions.find(command.getCommandId()).map(CommandCheck::ongoing).orElseGet(CommandCheck::unknown);
    }

    @Override
    public int mostUnderWay() {
        return actionsAtOnce;
    }

    @Override
    public Execution execute(RmCommand command) {
        Optional<Endpoint> endpoint = NativeUrl.of(command).flatMap(definition::first);
        if (endpoint.isEmpty()) {
            return RmAnswer.refused(definition.name() + " has no address for this " + command.getKind());
        }
        try {
            CallRequest request;
            if (command.getJobId() == null) {
                if (!nodeNames().contains(String.valueOf(command.getObjectId()))) {
                    return RmAnswer.refused(definition.name() + " lists no node " + command.getObjectId());
                }
                request = CommandCall.ofNode(command);
            } else {
                @Nullable JobReport job = job(command);
                if (job == null) {
                    return RmAnswer.refused(definition.name() + " lists no job " + command.getJobId());
                }
                request = CommandCall.of(command, job);
            }
            Instant begun = clock.now();
            return actions.begin(
                    command.getCommandId(),
                    () -> caller.call(endpoint.get(), request, definition.limits()),
                    outcome -> answer(command, begun, outcome));
        } catch (CommandCall.UnsayableException e) {
            return RmAnswer.refused(String.valueOf(e.getMessage()));
        }
    }

    private RmAnswer answer(RmCommand command, Instant begun, ActionCalls.Outcome outcome) {
        try {
            RmAnswer answer = ActionAnswer.of(outcome.reply(), clock.now());
            if (answer.outcome() == CommandOutcome.DONE) {
                acceptedStarts.done(command, answer, begun);
            }
            return answer;
        } catch (NoReplyException e) {
            String message = definition.name() + " " + command.getCommandId() + ": " + e.getMessage();
            if (e.tooLong()) {
                return command.getKind() == CommandKind.START_JOB
                        ? RmAnswer.refusedForJob(message)
                        : RmAnswer.refused(message);
            }
            throw e.neverBegan() ? new RmException(message, e) : new RetriableRmException(message, e);
        }
    }

    /** Returns the job of {@code command}, looking anew if the last poll did not have it; null if there is none. */
    private @Nullable JobReport job(RmCommand command) {
        String id = String.valueOf(command.getJobId());
        @Nullable JobReport job = jobs == null ? null : jobs.get(id);
        if (job == null) {
            return poll().jobs().stream()
                    .filter(candidate -> candidate.getJobId().equals(id))
                    .findFirst()
                    .orElse(null);
        }
        return job;
    }

    /** Returns the names of the nodes of the last poll, after one if there was none. */
    private Set<String> nodeNames() {
        if (jobs == null) {
            poll();
        }
        return nodeNames;
    }

    /** Returns the first problems of the last poll. */
    List<Problem> firstProblems() {
        return problems.first();
    }

    @Override
    public long problems() {
        return problems.count();
    }

    @Override
    public void close() {
        actions.close();
    }
}
