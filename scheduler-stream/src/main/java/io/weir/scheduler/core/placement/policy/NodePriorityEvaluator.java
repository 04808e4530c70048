package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Availability;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.FreeTime;
import io.weir.scheduler.core.placement.NodeAffinity;
import io.weir.scheduler.core.placement.history.NodeHistory;
import io.weir.scheduler.core.placement.priority.NodePriorityComponent;
import io.weir.scheduler.core.placement.priority.Preference;
import io.weir.scheduler.core.placement.priority.PriorityFunction;
import io.weir.scheduler.core.policy.node.ResourceKind;
import io.weir.schemas.JobState;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the priority functions of nodes for one job at a time: first {@link #prepare}, then {@link #value} for each
 * node. Owned by the core's thread.
 */
final class NodePriorityEvaluator implements PriorityFunction.Values, Preference.Attributes {
    /** How far ahead free time is counted, seconds. */
    private static final long HORIZON_SECONDS = 60L * 86_400;

    private final NodeTable nodes;
    private final JobTable jobs;
    private final Availability availability;
    private final NodeHistory history;
    private final FreeTime freeTime;

    /** Functions by their text. */
    private final Map<String, PriorityFunction> functions = new LinkedHashMap<>();

    /** Undedicated processors by partition; empty until asked for. */
    private final Map<String, Long> partitionProcs = new LinkedHashMap<>();

    /** Functions by position, as of {@link #layout}. */
    private PriorityFunction[] byPosition = new PriorityFunction[0];

    private long layout = -1;
    private @Nullable Job job;
    private @Nullable Requirement requirement;
    private @Nullable Preference preference;
    private long now;
    private long seed;
    private int position;
    private NodeAffinity affinity = NodeAffinity.NONE;

    NodePriorityEvaluator(
            NodeTable nodes, JobTable jobs, Availability availability, NodeHistory history, FreeTime freeTime) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.availability = availability;
        this.history = history;
        this.freeTime = freeTime;
    }

    /** Starts the evaluation for {@code job}. */
    void prepare(Job forJob, Requirement of, @Nullable Preference preferred, long instant, long drawSeed) {
        job = forJob;
        requirement = of;
        preference = preferred;
        now = instant;
        seed = drawSeed;
        partitionProcs.clear();
        readFunctions();
    }

    private void readFunctions() {
        if (layout != nodes.layout()) {
            layout = nodes.layout();
            functions.clear();
            byPosition = new PriorityFunction[nodes.size()];
            for (int i = 0; i < byPosition.length; i++) {
                byPosition[i] = function(nodes.at(i).priorityFunction());
            }
        }
    }

    /** Returns whether the values of a later start depend on neither the moment of the decision nor chance. */
    boolean repeatable() {
        readFunctions();
        for (PriorityFunction function : functions.values()) {
            if (function.names(NodePriorityComponent.RANDOM)
                    || function.names(NodePriorityComponent.FREETIME)
                    || function.names(NodePriorityComponent.MTBF)
                    || function.names(NodePriorityComponent.APPLAFFINITY)
                    || function.names(NodePriorityComponent.APPFAILRATE)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the value of the node at {@code where}, to which the job has the affinity {@code drawn}. */
    double value(int where, NodeAffinity drawn, boolean immediate) {
        position = where;
        affinity = drawn;
        return byPosition[where].value(this, immediate);
    }

    @Override
    public double of(PriorityFunction.Term term) {
        return switch (term.component()) {
            case ADISK -> availability.available(position, ResourceKind.DISK);
            case AMEM -> availability.available(position, ResourceKind.MEM);
            case ASWAP -> availability.available(position, ResourceKind.SWAP);
            case APROCS -> availability.undedicated(position);
            case APPLAFFINITY -> history.suitability(node().id(), application(), procs());
            case APPFAILRATE -> history.failureRate(node().id(), application());
            case ARCH -> truth(matches(term.index().isEmpty() ? arch() : term.index(), node().arch()));
            case CDISK -> node().configured().diskMb();
            case CMEM -> node().configured().memoryMb();
            case CPROCS -> node().configured().procs();
            case CSWAP -> node().configured().swapMb();
            case COST -> node().chargeRate();
            case FEATURE -> truth(feature(term.index()));
            case FREETIME -> freeTime.seconds(position, now, HORIZON_SECONDS);
            case GMETRIC -> node().node().attributes().metrics().getOrDefault(term.index(), 0.0);
            case JOBCOUNT -> nodes.jobsAt(position) - suspended();
            case LOAD -> availability.load(position);
            case MTBF -> history.secondsBetweenFailures(node().id(), now);
            case NODEINDEX -> node().index();
            case OS -> truth(matches(system(), node().os()));
            case PARAPROCS -> partitionProcs();
            case POWER -> truth(node().node().attributes().poweredOn());
            case PREF -> truth(preference != null && preference.holds(this));
            case PRIORITY -> node().priority();
            case RANDOM -> NodeDraw.of(seed, position);
            case RSVAFFINITY ->
                switch (affinity) {
                    case REQUIRED, POSITIVE -> 1;
                    case NEUTRAL, NONE, PREEMPTION -> 0;
                    case NEGATIVE -> -1;
                };
            case SPEED -> speed();
            case SUSPENDEDJCOUNT -> suspended();
            case USAGE -> history.usagePercent(node().id(), now);
        };
    }

    @Override
    public boolean feature(String name) {
        return Collections.binarySearch(node().features(), name) >= 0;
    }

    @Override
    public long memoryMb() {
        return node().configured().memoryMb();
    }

    @Override
    public long swapMb() {
        return node().configured().swapMb();
    }

    @Override
    public long diskMb() {
        return node().configured().diskMb();
    }

    /** Returns whether any node's function names {@code component}. */
    boolean anyNames(Candidates candidates, NodePriorityComponent component) {
        PriorityFunction last = null;
        for (int i = 0; i < candidates.size(); i++) {
            PriorityFunction function = byPosition[candidates.position(i)];
            if (!function.equals(last) && function.names(component)) {
                return true;
            }
            last = function;
        }
        return false;
    }

    private PriorityFunction function(@Nullable String text) {
        if (text == null) {
            return PriorityFunction.BUILT_IN;
        }
        return functions.computeIfAbsent(text, key -> {
            PriorityFunction read = PriorityFunction.read(key).function();
            return read == null ? PriorityFunction.BUILT_IN : read;
        });
    }

    private EffectiveNode node() {
        return nodes.at(position);
    }

    private int suspended() {
        int suspended = 0;
        for (String id : nodes.sharesAt(position).keySet()) {
            Job other = jobs.get(id);
            suspended += other != null && other.state() == JobState.SUSPENDED ? 1 : 0;
        }
        return suspended;
    }

    private double partitionProcs() {
        if (partitionProcs.isEmpty()) {
            for (int i = 0; i < nodes.size(); i++) {
                partitionProcs.merge(nodes.at(i).partition(), (long) availability.undedicated(i), Long::sum);
            }
        }
        return partitionProcs.getOrDefault(node().partition(), 0L);
    }

    private double speed() {
        Integer mhz = node().procSpeedMhz();
        if (mhz != null) {
            return mhz;
        }
        Double speed = node().speed();
        return speed == null ? 1 : speed;
    }

    private @Nullable String application() {
        return job == null ? null : job.request().options().application();
    }

    private int procs() {
        return job == null ? 1 : job.request().procs();
    }

    private @Nullable String arch() {
        return requirement == null ? null : requirement.demands().arch();
    }

    private @Nullable String system() {
        return requirement == null ? null : requirement.demands().os();
    }

    private static boolean matches(@Nullable String asked, @Nullable String has) {
        return asked == null || asked.equals(has);
    }

    private static double truth(boolean holds) {
        return holds ? 1 : 0;
    }
}
