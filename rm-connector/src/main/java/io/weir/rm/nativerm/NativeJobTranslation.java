package io.weir.rm.nativerm;

import io.weir.rm.nativerm.text.AmountComparison;
import io.weir.rm.nativerm.text.JobTextAttributes;
import io.weir.rm.nativerm.text.TextAttribute;
import io.weir.rm.nativerm.text.TextObject;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.TaskRequirement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Turns a job of the text into a report. Two instants that a report cannot do without, and a careless script may leave
 * out, are replaced by when the job was first seen waiting, or ended.
 */
final class NativeJobTranslation {
    private static final Set<JobState> WAITING = EnumSet.of(JobState.UNKNOWN, JobState.IDLE, JobState.HOLD);
    private static final Set<JobState> ENDED =
            EnumSet.of(JobState.COMPLETED, JobState.FAILED, JobState.CANCELLED, JobState.REMOVED);

    /** What limits and priorities of a job hang on: without one that was given, it may start where it must not. */
    private static final List<TextAttribute<?>> CREDENTIALS = List.of(
            JobTextAttributes.UNAME,
            JobTextAttributes.GNAME,
            JobTextAttributes.ACCOUNT,
            JobTextAttributes.RCLASS,
            JobTextAttributes.QOS);

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private final String cluster;
    private final FirstSeenTimes sightings;

    NativeJobTranslation(String cluster, FirstSeenTimes sightings) {
        this.cluster = cluster;
        this.sightings = sightings;
    }

    /** Returns the report of {@code job} in a poll at {@code now}. */
    JobReport report(TextObject job, Instant now) {
        JobState state = state(job);
        boolean waiting = WAITING.contains(state);
        SortedMap<String, String> extensions = JobTextAttributes.extensions(job);
        @Nullable Instant submitted = time(job, JobTextAttributes.QUEUETIME);
        return JobReport.newBuilder()
                .setCluster(cluster)
                .setJobId(job.id())
                .setQueueSequence(sequence(job.id()))
                .setName(job.orNull(JobTextAttributes.NAME))
                .setUser(job.orNull(JobTextAttributes.UNAME))
                .setGroup(job.orNull(JobTextAttributes.GNAME))
                .setAccount(job.orNull(JobTextAttributes.ACCOUNT))
                .setJobClass(job.find(JobTextAttributes.RCLASS)
                        .map(classes -> classes.keySet().iterator().next())
                        .orElse(null))
                .setQos(job.find(JobTextAttributes.QOS).orElse(extensions.get("QOS")))
                .setState(state)
                .setTasks(job.get(JobTextAttributes.TASKS))
                .setProcsPerTask(job.get(JobTextAttributes.DPROCS))
                .setWalltimeSeconds(job.get(JobTextAttributes.WCLIMIT).toSeconds())
                .setProblems(job.unread().stream()
                        .map(unread -> problem(job, unread))
                        .toList())
                .setSubmitTime(submitted != null ? submitted : sightings.first(job.id(), now))
                .setOriginalSubmitTime(submitted != null ? null : Boolean.FALSE)
                .setStartTime(waiting ? null : time(job, JobTextAttributes.STARTTIME))
                .setEndTime(ENDED.contains(state) ? end(job, now) : null)
                .setAllocation(waiting ? List.of() : allocation(job))
                .setExitCode(ENDED.contains(state) ? job.orNull(JobTextAttributes.EXITCODE) : null)
                .setReason(reason(job))
                .setRequirements(requirements(job))
                .setPartitions(job.get(JobTextAttributes.PARTITIONMASK).stream()
                        .sorted()
                        .toList())
                .setHosts(job.get(JobTextAttributes.HOSTLIST))
                .setApplication(job.orNull(JobTextAttributes.APPLICATION))
                .setExtension(job.orNull(JobTextAttributes.COMMENT))
                .setPreference(job.orNull(JobTextAttributes.PREF))
                .setReservation(job.orNull(JobTextAttributes.RESERVATION))
                .setStartAfter(time(job, JobTextAttributes.STARTDATE))
                .setUsedCpuSeconds(job.find(JobTextAttributes.CPUTIME)
                        .map(Duration::toSeconds)
                        .orElse(null))
                .setUserPriority(job.get(JobTextAttributes.UPRIORITY))
                .setUsedMemoryMb(job.orNull(JobTextAttributes.MEMUSED))
                .build();
    }

    /** A job of which only the state cannot be read, and that has nodes, holds them: nobody else may get them. */
    private static JobState state(TextObject job) {
        boolean onNodes = !job.get(JobTextAttributes.TASKLIST).isEmpty();
        if (job.isUnreadable(JobTextAttributes.STATE) && onNodes) {
            return JobState.RUNNING;
        }
        JobState told = job.get(JobTextAttributes.STATE);
        return told == JobState.IDLE && unreadableCredential(job) != null ? JobState.HOLD : told;
    }

    /** Returns what is not known of whom a job belongs to, though it may have been said; null if nothing. */
    private static @Nullable TextAttribute<?> unreadableCredential(TextObject job) {
        if (job.isIncomplete() && !job.has(JobTextAttributes.UNAME)) {
            return JobTextAttributes.UNAME;
        }
        return CREDENTIALS.stream().filter(job::isUnreadable).findFirst().orElse(null);
    }

    private static @Nullable String reason(TextObject job) {
        @Nullable TextAttribute<?> credential = unreadableCredential(job);
        if (credential != null && state(job) == JobState.HOLD) {
            return credential + " of the job cannot be read";
        }
        return job.find(JobTextAttributes.REJMESSAGE).orElse(job.orNull(JobTextAttributes.EVENT));
    }

    /** Says what could not be read; control characters, which may be the reason, are left out. */
    private static String problem(TextObject job, TextObject.Unread unread) {
        @Nullable TextAttribute<?> attribute = unread.attribute();
        String instead = attribute == null ? "" : instead(job, attribute);
        return unread.problem().replaceAll("\\p{Cntrl}", "?") + "; ignored" + instead;
    }

    private static String instead(TextObject job, TextAttribute<?> attribute) {
        if (attribute.isGathering()) {
            return "";
        }
        if (job.isKept(attribute)) {
            return ", so the value before holds";
        }
        if (job.has(attribute)) {
            return ", so the other value given holds";
        }
        if (attribute == JobTextAttributes.STATE && state(job) == JobState.RUNNING) {
            return ", it counts as running where it has nodes";
        }
        return attribute.hasDefault() ? ", so the default holds" : ", so it counts as not given";
    }

    /** Returns what each task asks for; nothing when it is processors alone, which the report tells itself. */
    private static List<TaskRequirement> requirements(TextObject job) {
        int nodes = job.get(JobTextAttributes.NODES);
        int tasksPerNode = job.get(JobTextAttributes.TASKPERNODE);
        TaskRequirement asked = TaskRequirement.newBuilder()
                .setTasks(job.get(JobTextAttributes.TASKS))
                .setProcsPerTask(job.get(JobTextAttributes.DPROCS))
                .setMemoryMb(job.get(JobTextAttributes.DMEM))
                .setSwapMb(job.get(JobTextAttributes.DSWAP))
                .setDiskMb(job.get(JobTextAttributes.DDISK))
                .setGres(NativeNodeTranslation.counts(job.get(JobTextAttributes.GRES)))
                .setFeatures(
                        job.get(JobTextAttributes.RFEATURES).stream().sorted().toList())
                .setArch(job.orNull(JobTextAttributes.RARCH))
                .setOs(job.orNull(JobTextAttributes.ROPSYS))
                .setNetwork(job.orNull(JobTextAttributes.RNETWORK))
                .setNodeConditions(conditions(job))
                .setNodes(nodes == 0 ? null : nodes)
                .setTasksPerNode(tasksPerNode == 0 ? null : tasksPerNode)
                .build();
        TaskRequirement bare = TaskRequirement.newBuilder()
                .setTasks(asked.getTasks())
                .setProcsPerTask(asked.getProcsPerTask())
                .build();
        return asked.equals(bare) ? List.of() : List.of(asked);
    }

    private static List<String> conditions(TextObject job) {
        List<String> conditions = new ArrayList<>();
        addCondition(conditions, "memory", job.get(JobTextAttributes.RMEMCMP), job.get(JobTextAttributes.RMEM));
        addCondition(conditions, "swap", job.get(JobTextAttributes.RSWAPCMP), job.get(JobTextAttributes.RSWAP));
        addCondition(conditions, "disk", job.get(JobTextAttributes.RDISKCMP), job.get(JobTextAttributes.RDISK));
        return conditions;
    }

    private static void addCondition(List<String> conditions, String what, AmountComparison how, long megabytes) {
        if (megabytes > 0) {
            conditions.add(what + how.sign() + megabytes);
        }
    }

    private Instant end(TextObject job, Instant now) {
        @Nullable Instant told = time(job, JobTextAttributes.COMPLETIONTIME);
        return told != null ? told : sightings.end(job.id(), now);
    }

    /** Second 0 is how scripts write that something has not happened. */
    private static @Nullable Instant time(TextObject job, TextAttribute<Instant> attribute) {
        @Nullable Instant time = job.orNull(attribute);
        return Instant.EPOCH.equals(time) ? null : time;
    }

    private static List<NodeAllocation> allocation(TextObject job) {
        Map<String, Integer> procs = new TreeMap<>();
        for (String node : job.get(JobTextAttributes.TASKLIST)) {
            procs.merge(node, job.get(JobTextAttributes.DPROCS), Integer::sum);
        }
        return procs.entrySet().stream()
                .map(entry -> new NodeAllocation(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** Returns the first number in {@code id}, which is how batch systems count jobs; 0 when there is none. */
    private static long sequence(String id) {
        Matcher number = NUMBER.matcher(id);
        return number.find() ? Long.parseLong(number.group()) : 0;
    }
}
