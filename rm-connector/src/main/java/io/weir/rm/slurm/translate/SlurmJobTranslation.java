package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.Counting;
import io.weir.rm.slurm.client.DeadDependencyRule;
import io.weir.rm.slurm.client.MagneticNodes;
import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmDemands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmReservation;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Slurm's jobs in Weir's words. A job that only waits for Weir is held in Slurm, and IDLE here; HOLD is what its user, an
 * administrator or Weir's own hold command keeps back, and what Slurm would not start anyway: an open dependency, a begin
 * time to come, a shape Weir does not start. A job that leaves its nodes still runs, for the nodes are not free. Stateless.
 *
 * <pre>
 *   PENDING, priority 0                     IDLE or HOLD
 *   PENDING, released                       IDLE (Weir is starting it, or an administrator let it go)
 *   CONFIGURING                             RUNNING
 *   RUNNING, COMPLETING, RESIZING, …        RUNNING
 *   SUSPENDED, STOPPED                      SUSPENDED
 *   COMPLETED                               COMPLETED
 *   CANCELLED, PREEMPTED, DEADLINE, TIMEOUT CANCELLED (TIMEOUT: reason WALLCLOCK)
 *   FAILED, NODE_FAIL, OUT_OF_MEMORY, …     FAILED
 * </pre>
 */
public final class SlurmJobTranslation {
    /** What job_submit.lua writes in front of the comment of a job its user holds. */
    public static final String HELD_BY_USER = "[held by user]";

    private static final Pattern ENDS_HOPELESS =
            Pattern.compile("(?mi)^DependencyParameters\\s*=.*\\bkill_invalid_depend\\b");
    private static final String ARRAY =
            "Weir starts tasks of a job array only with Slurm's commands (rm.slurm.commands)";

    private static final String HETEROGENEOUS =
            "Weir starts heterogeneous jobs only with Slurm's commands (rm.slurm.commands)";

    private static final String NO_KILL = "nokill";

    private static final String EXTENSION = "x=";
    private static final String MIRRORED = "weir-";

    /** Slurm's reason for a job that waits for Weir, or that its user holds. */
    static final String HELD_AS_USER = "JobHeldUser";

    static final String HELD_BY_ADMIN = "JobHeldAdmin";

    private final String cluster;
    private final boolean adminHoldsAreWeirs;
    private final StartObstacles obstacles;
    private final NodePartitions nodes;
    private final ForeignReservations reservations;
    private final Dependencies dependencies = new Dependencies();
    private final SwitchWaits switchWaits = new SwitchWaits();
    private boolean endsHopeless;

    /** Creates a translation; without commands Weir's own holds cannot be told from an administrator's. */
    public SlurmJobTranslation(
            String cluster, boolean adminHoldsAreWeirs, StartObstacles obstacles, NodePartitions nodes) {
        this.nodes = nodes;
        this.reservations = new ForeignReservations(nodes);
        this.cluster = cluster;
        this.obstacles = obstacles;
        this.adminHoldsAreWeirs = adminHoldsAreWeirs;
    }

    JobReport report(SlurmJob job, Instant now) {
        JobState state = state(job, now);
        if (state == JobState.IDLE) {
            switchWaits.waits(job, now);
        }
        boolean ended = switch (state) {
            case COMPLETED, FAILED, CANCELLED, REMOVED -> true;
            case UNKNOWN, IDLE, HOLD, STARTING, RUNNING, SUSPENDED -> false;
        };
        boolean onNodes = state == JobState.STARTING || state == JobState.RUNNING || state == JobState.SUSPENDED;
        List<String> partitions = job.partitions();
        Counting counting = nodes.counting(partitions);
        int procsPerTask = job.procsPerTask(counting.threads());
        boolean neverRan = ended && !job.hadNodes();
        List<String> excluded = excluded(job, state, now);
        int mostNodes = job.isPending() ? obstacles.mostNodes(job, now) : 0;
        SlurmDemands demands = mostNodes > 0 ? job.demands().onAtMost(mostNodes) : job.demands();
        return JobReport.newBuilder()
                .setCluster(cluster)
                .setJobId(job.key())
                .setQueueSequence(job.sequence())
                .setName(job.name())
                .setUser(job.user())
                .setGroup(job.group())
                .setAccount(job.account())
                .setJobClass(partitions.isEmpty() ? null : partitions.get(0))
                .setOtherClasses(partitions.size() < 2 ? List.of() : partitions.subList(1, partitions.size()))
                .setQos(job.qos())
                .setState(state)
                .setTasks(job.tasks())
                .setProcsPerTask(procsPerTask)
                .setWalltimeSeconds(job.limitMinutes() == 0 ? null : job.limitMinutes() * 60)
                .setSubmitTime(job.submitted() == null ? now : job.submitted())
                // A requeue sets it anew.
                .setOriginalSubmitTime(job.submitted() != null && job.restarts() == 0)
                .setStartTime(onNodes || (ended && !neverRan) ? job.started() : null)
                .setEndTime(ended ? job.end() : null)
                .setAllocation(onNodes ? nodes.wholeCores(job) : List.of())
                .setExitCode(ended && !neverRan ? job.exitCode() : null)
                .setReason(reason(job, state, now))
                .setOwnerMayRelease(state != JobState.HOLD
                        || keptBack(job, now).map(KeptBack::ownerMayRelease).orElse(true))
                .setRequirements(demands.requirements(
                        job.tasks(), procsPerTask, job.note().spared(counting.threads()), counting))
                .setHosts(hosts(job, now))
                .setExcludedHosts(excluded)
                .setExcludedForNow(
                        excluded.size() > job.demands().excluded().size() || mayFindFeatures(job) || mostNodes > 0)
                .setPreference(job.demands().preferred())
                .setNodeAccess(
                        nodes.givesAllMemory(job)
                                ? SlurmDemands.SINGLE_JOB
                                : job.demands().access())
                .setReservation(reservation(job))
                .setFlags(job.demands().flags())
                .setExtension(extension(job, now))
                .setScriptNode(job.scriptNode())
                .setUserPriority(-job.nice())
                .setProcsReleased(state == JobState.SUSPENDED)
                .build();
    }

    /**
     * A job in a reservation of Slurm's runs on the nodes of that; one that names several, in one of them. Which nodes a job names
     * besides others that it may have, its requirement says.
     */
    private List<String> hosts(SlurmJob job, Instant now) {
        return job.demands().hosts().isEmpty() || job.demands().leavesNodesOpen()
                ? reservations
                        .askedBy(job, now)
                        .filter(SlurmReservation::confines)
                        .map(reservation -> List.copyOf(reservation.nodes()))
                        .orElse(List.of())
                : job.demands().hosts();
    }

    private List<String> excluded(SlurmJob job, JobState state, Instant now) {
        boolean waits = state == JobState.IDLE || state == JobState.HOLD;
        if (!waits && !mayGetOtherNodes(job)) {
            return job.demands().excluded();
        }
        TreeSet<String> more = new TreeSet<>(reservations.keptFrom(job, now));
        more.addAll(nodes.lackingLayout(job));
        if (waits) {
            more.addAll(obstacles.leftOut(job, now));
            more.addAll(nodes.closed(job.partitions(), obstacles.closedTo(job, now)));
        }
        more.removeAll(job.nodes());
        more.removeAll(job.demands().excluded());
        if (more.isEmpty()) {
            return job.demands().excluded();
        }
        List<String> all = new ArrayList<>(job.demands().excluded());
        all.addAll(more);
        return all;
    }

    /** Says whether a job waits for nodes with features, which nodes are given and lose again: without any it is not impossible. */
    private static boolean mayFindFeatures(SlurmJob job) {
        return job.isPending()
                && !(job.demands().features().isEmpty() && job.demands().oneOf().isEmpty());
    }

    /** Says whether a job runs on several nodes, of which another may take the place of one. */
    private static boolean mayGetOtherNodes(SlurmJob job) {
        return job.isRunning() && job.isWhole() && job.allocation().size() > 1;
    }

    /** What the queue is; returns the jobs of which another thing is said than before. */
    Set<String> see(Collection<QueueLine> queue, Collection<KnownJob> before) {
        switchWaits.retain(queue);
        return dependencies.see(queue, before);
    }

    /** Says whether a job waited for others when the queue was seen last. */
    boolean knowsOpenDependencies() {
        return dependencies.areOpen();
    }

    /** What Slurm has reserved; returns whether anything is said of jobs that was not before. */
    boolean see(List<SlurmReservation> all, Instant now) {
        Set<String> before = reservations.nodes();
        boolean changed = reservations.see(all);
        if (changed) {
            obstacles.freed(before, now);
        }
        return changed;
    }

    /** Returns the nodes of Slurm's magnetic reservations. */
    MagneticNodes magnetic(Instant now) {
        return reservations.magnetic(now);
    }

    /** A reservation of Weir's is known by its own name; one of Slurm's own is not Weir's to give. */
    private static @Nullable String reservation(SlurmJob job) {
        String name = job.demands().reservation();
        return name != null && name.startsWith(MIRRORED) && !name.contains(",")
                ? name.substring(MIRRORED.length())
                : null;
    }

    /**
     * Weir's extensions have no option of sbatch's: they are the comment, when it begins with {@code x=}. What --no-kill asks for
     * Slurm tells nobody; it stands in the note. The same one of several features on all nodes is a node set, and so are the nodes of
     * a switch.
     */
    private @Nullable String extension(SlurmJob job, Instant now) {
        List<String> words = new ArrayList<>();
        @Nullable String own = ownExtension(job.comment());
        if (own != null && !own.isBlank()) {
            words.add(own);
        }
        if (job.note().noKill()) {
            words.add(NO_KILL);
        }
        if (!job.requeueable()) {
            words.add("restartable:FALSE");
        }
        if (job.demands().contiguous()) {
            words.add("nallocpolicy:CONTIGUOUS");
        }
        List<String> sets = sets(job, now);
        if (!sets.isEmpty()) {
            words.add("nodeset:ONEOF:FEATURE:" + String.join(",", sets));
            words.add("nodesetisoptional:FALSE");
            words.add("nodesetplus:NONE");
        }
        return words.isEmpty() ? null : String.join(";", words);
    }

    /** Returns the sets of nodes, by their features, of one of which a job has its nodes; none where it takes any. */
    private List<String> sets(SlurmJob job, Instant now) {
        if (!job.demands().oneOf().isEmpty()) {
            return job.demands().oneOf();
        }
        List<String> switches = switches(job, now);
        return switches.isEmpty() ? reservations.sides(job, now) : switches;
    }

    /** Returns the switches of one of which a job waits for its nodes; none where it takes nodes of several. */
    private List<String> switches(SlurmJob job, Instant now) {
        @Nullable Instant end = switchWaits.end(job);
        return end == null || !end.isAfter(now) ? List.of() : nodes.switches(job.partitions());
    }

    private static @Nullable String ownExtension(@Nullable String comment) {
        if (comment == null) {
            return null;
        }
        String words =
                isMarked(comment) ? comment.substring(HELD_BY_USER.length()).strip() : comment;
        return words.startsWith(EXTENSION) ? words.substring(EXTENSION.length()) : null;
    }

    private JobState state(SlurmJob job, Instant now) {
        if (job.isCompleting()) {
            return JobState.RUNNING;
        }
        if (job.isPending() || job.is("REQUEUED") || job.is("REQUEUE_HOLD")) {
            return keptBack(job, now).isPresent() ? JobState.HOLD : JobState.IDLE;
        }
        if (job.is("CONFIGURING") || job.is("POWER_UP_NODE")) {
            // It has its nodes; that they are still being made ready is between Slurm and them.
            return JobState.RUNNING;
        }
        if (job.is("SUSPENDED") || job.is("STOPPED")) {
            return JobState.SUSPENDED;
        }
        if (job.is(SlurmJob.COMPLETED)) {
            return JobState.COMPLETED;
        }
        if (job.is("CANCELLED")
                || job.is("PREEMPTED")
                || job.is("DEADLINE")
                || job.is("TIMEOUT")
                || job.is("REVOKED")) {
            return JobState.CANCELLED;
        }
        if (job.hasEnded()) {
            return JobState.FAILED;
        }
        return job.states().isEmpty() ? JobState.UNKNOWN : JobState.RUNNING;
    }

    /**
     * What keeps a waiting job from being started.
     *
     * @param reason in a few words
     * @param ownerMayRelease whether Slurm lets the job's owner end it, as far as it is a hold
     */
    public record KeptBack(String reason, boolean ownerMayRelease) {
        private static Optional<KeptBack> by(String reason) {
            return Optional.of(new KeptBack(reason, true));
        }
    }

    /** Returns why a waiting job may not be started by Weir; empty when it may. */
    public Optional<KeptBack> keptBack(SlurmJob job, Instant now) {
        Optional<KeptBack> own = keptBackByItself(job, now);
        return own.or(() -> obstacles
                .waitsFor(job, now)
                .or(() -> mayHaveTooFewNodes(job, now) ? obstacles.waitsForMoreNodes(job, now) : Optional.empty())
                .flatMap(KeptBack::by));
    }

    /** Says whether a job's limits admit fewer nodes than it takes. */
    private boolean mayHaveTooFewNodes(SlurmJob job, Instant now) {
        int most = obstacles.mostNodes(job, now);
        List<String> partitions = job.partitions();
        return most > 0
                && most
                        < nodes.fewest(
                                partitions,
                                job.tasks(),
                                job.procsPerTask(nodes.threads(partitions)),
                                job.demands().mostTasksPerNode());
    }

    /** Says whether a waiting job may be started as far as it goes by the job itself, whatever there is of limits and licences. */
    boolean isWaiting(SlurmJob job, Instant now) {
        return keptBackByItself(job, now).isEmpty();
    }

    /** Takes over what {@code scontrol show config} says. */
    void configured(String config) {
        endsHopeless = ENDS_HOPELESS.matcher(config).find();
    }

    /** Says whether Slurm ends the waiting job as soon as it sees that what the job waits for can never come, and it cannot. */
    boolean isHopeless(SlurmJob job) {
        boolean ends = job.deadDependency() == DeadDependencyRule.ENDS
                || (endsHopeless && job.deadDependency() == DeadDependencyRule.BY_CLUSTER);
        return ends && dependencies.areLost(job) && heldBack(job).isEmpty();
    }

    private Optional<KeptBack> keptBackByItself(SlurmJob job, Instant now) {
        Optional<KeptBack> held = heldBack(job);
        if (held.isPresent()) {
            return held;
        }
        if (DeadDependencies.isDead(job)) {
            return KeptBack.by(DeadDependencies.REASON + ": " + job.dependency());
        }
        if (dependencies.areOpen(job)) {
            return KeptBack.by("waits for " + job.dependency());
        }
        @Nullable Instant begins = job.begins();
        if (begins != null && begins.isAfter(now)) {
            return KeptBack.by("begins at " + begins + " at the earliest");
        }
        Optional<SlurmReservation> asked = reservations.askedBy(job, now);
        if (asked.isPresent() && !asked.get().flexible() && !asked.get().hasBegun(now)) {
            return KeptBack.by("Slurm's reservation " + asked.get().name() + " begins at "
                    + asked.get().start());
        }
        return Optional.empty();
    }

    /** Returns who or what holds a waiting job, and what Weir does not know how to do. */
    private Optional<KeptBack> heldBack(SlurmJob job) {
        if (job.component() != null && adminHoldsAreWeirs) {
            return KeptBack.by(HETEROGENEOUS);
        }
        if (job.array() != null && adminHoldsAreWeirs) {
            return KeptBack.by(ARRAY);
        }
        if (job.demands().objection() != null) {
            return KeptBack.by(job.demands().objection());
        }
        if (job.component() != null && job.demands().contiguous()) {
            return KeptBack.by("Weir does not know contiguous nodes of a component");
        }
        if (job.component() != null && !job.demands().oneOf().isEmpty()) {
            return KeptBack.by("Weir does not know the same choice of features for all nodes of a component");
        }
        if (!adminHoldsAreWeirs && isHeldByAdmin(job)) {
            return Optional.of(new KeptBack("held by an administrator of Slurm" + otherCause(job), false));
        }
        if (isMarked(job.comment())) {
            return KeptBack.by(isMarkedAsRequeued(job) ? "held by Slurm: " + job.requeuedHeld() : "held by its user");
        }
        if (!adminHoldsAreWeirs && isRequeuedHeld(job)) {
            return KeptBack.by("requeued in held state");
        }
        if (job.note().mark(AdminNote.HOLD).isPresent()) {
            return KeptBack.by("held by Weir");
        }
        return Optional.empty();
    }

    /** Returns for what Slurm, too, may have held a job like an administrator while nobody saw it. */
    private static String otherCause(SlurmJob job) {
        if (job.account() != null && (job.association() == 0 || job.qos() == null)) {
            return ", or because its association or QOS was deleted";
        }
        return DeadDependencies.isDead(job) ? ", or because its dependency can never be fulfilled" : "";
    }

    /**
     * Says whether an administrator of Slurm holds the job, or Slurm in the same way because its association or QOS was deleted: for
     * a moment the reason says so. One that is known to be held for its dependency is not held like that.
     */
    public static boolean isHeldByAdmin(SlurmJob job) {
        return job.isHeld()
                && (job.reason().equals(HELD_BY_ADMIN) || ofDeleted(job) != null)
                && !DeadDependencies.isMarked(job);
    }

    private static @Nullable StartObstacle ofDeleted(SlurmJob job) {
        return Stream.of(StartObstacle.NO_ASSOCIATION, StartObstacle.NO_QOS)
                .filter(obstacle -> obstacle.reason().equals(job.reason()))
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns what Slurm holds a waiting job for that was not held like that {@code before}: its association or its QOS was deleted,
     * which soon looks like a hold of an administrator's. Null for an administrator's own hold, and for none.
     */
    static @Nullable StartObstacle deleted(SlurmJob before, SlurmJob job) {
        boolean newly = before.isPending() && !isHeldByAdmin(before) && job.isPending() && isHeldByAdmin(job);
        if (!newly) {
            return null;
        }
        boolean sameAccount = Objects.equals(before.account(), job.account());
        if (sameAccount && before.association() != 0 && before.association() != job.association()) {
            return StartObstacle.NO_ASSOCIATION;
        }
        return before.qos() != null && job.qos() == null ? StartObstacle.NO_QOS : ofDeleted(job);
    }

    /**
     * Says whether somebody who is not Weir requeued the job held ({@code scontrol requeuehold}), or Slurm itself because it could not
     * launch the job, and it is not marked as its user's hold for that yet. Of a heterogeneous job the first component tells.
     */
    public static boolean isRequeuedHeld(SlurmJob job) {
        boolean first = job.component() == null || job.component().offset() == 0;
        return first
                && job.isPending()
                && job.isHeld()
                && job.requeuedHeld() != null
                && job.restarts() > 0
                && restartsAt(job, AdminNote.REQUEUED_HELD) < job.restarts()
                && restartsAt(job, AdminNote.REQUEUE) < job.restarts() - 1;
    }

    /** Says whether a job that is marked as its user's hold was requeued held, and has not run since. */
    private static boolean isMarkedAsRequeued(SlurmJob job) {
        return job.requeuedHeld() != null && restartsAt(job, AdminNote.REQUEUED_HELD) == job.restarts();
    }

    static int restartsAt(SlurmJob job, String kind) {
        return job.note().mark(kind).map(AdminNote.Mark::restarts).orElse(-1);
    }

    /** Returns a comment that says its user holds the job. */
    public static String marked(@Nullable String comment) {
        if (comment == null || comment.isBlank()) {
            return HELD_BY_USER;
        }
        return isMarked(comment) ? comment : HELD_BY_USER + " " + comment;
    }

    /** Returns a marked comment without the mark; a blank for none, for Slurm does not take an empty comment for a change. */
    public static String unmarked(String comment) {
        String own = comment.substring(HELD_BY_USER.length()).strip();
        return own.isEmpty() ? " " : own;
    }

    public static boolean isMarked(@Nullable String comment) {
        return comment != null && comment.startsWith(HELD_BY_USER);
    }

    /** Says when the report of an unchanged job changes by the passing of time alone; null when it does not. */
    @Nullable
    Instant validUntil(SlurmJob job, Instant now) {
        if (!job.isPending()) {
            return mayGetOtherNodes(job) ? reservations.nextChange(job, now) : null;
        }
        @Nullable Instant begins = job.begins();
        return Stream.of(
                        Optional.ofNullable(begins != null && begins.isAfter(now) ? begins : null),
                        Optional.ofNullable(switchWaits.end(job)).filter(end -> end.isAfter(now)),
                        Optional.ofNullable(reservations.nextChange(job, now)),
                        Optional.ofNullable(obstacles.nextChange(job, now)))
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    private @Nullable String reason(SlurmJob job, JobState state, Instant now) {
        if (state == JobState.HOLD) {
            return keptBack(job, now).map(KeptBack::reason).orElse(null);
        }
        if (job.is("TIMEOUT")) {
            return "WALLCLOCK";
        }
        if (state == JobState.FAILED && !job.is("FAILED")) {
            return String.join(",", job.states().stream().sorted().toList());
        }
        if (job.isCompleting()) {
            return "COMPLETING";
        }
        String reason = job.reason();
        boolean says = !reason.isEmpty() && !reason.equals("None");
        // That it is held for Weir is how every job waits.
        return says && state != JobState.IDLE ? reason : null;
    }
}
