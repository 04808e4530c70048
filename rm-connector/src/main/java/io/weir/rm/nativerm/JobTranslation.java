package io.weir.rm.nativerm;

import io.weir.rm.nativerm.text.Attribute;
import io.weir.rm.nativerm.text.Comparison;
import io.weir.rm.nativerm.text.JobAttributes;
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
final class JobTranslation {
    private static final Set<JobState> WAITING = EnumSet.of(JobState.UNKNOWN, JobState.IDLE, JobState.HOLD);
    private static final Set<JobState> ENDED =
            EnumSet.of(JobState.COMPLETED, JobState.FAILED, JobState.CANCELLED, JobState.REMOVED);
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private final String cluster;
    private final Sightings sightings;

    JobTranslation(String cluster, Sightings sightings) {
        this.cluster = cluster;
        this.sightings = sightings;
    }

    /** Returns the report of {@code job} in a poll at {@code now}. */
    JobReport report(TextObject job, Instant now) {
        JobState state = job.get(JobAttributes.STATE);
        boolean waiting = WAITING.contains(state);
        SortedMap<String, String> extensions = JobAttributes.extensions(job);
        @Nullable Instant submitted = time(job, JobAttributes.QUEUETIME);
        return JobReport.newBuilder()
                .setCluster(cluster)
                .setJobId(job.id())
                .setQueueSequence(sequence(job.id()))
                .setName(job.orNull(JobAttributes.NAME))
                .setUser(job.orNull(JobAttributes.UNAME))
                .setGroup(job.orNull(JobAttributes.GNAME))
                .setAccount(job.orNull(JobAttributes.ACCOUNT))
                .setJobClass(job.find(JobAttributes.RCLASS)
                        .map(classes -> classes.keySet().iterator().next())
                        .orElse(null))
                .setQos(job.find(JobAttributes.QOS).orElse(extensions.get("QOS")))
                .setState(state)
                .setTasks(job.get(JobAttributes.TASKS))
                .setProcsPerTask(job.get(JobAttributes.DPROCS))
                .setWalltimeSeconds(job.get(JobAttributes.WCLIMIT).toSeconds())
                .setProblems(job.unread().stream().map(JobTranslation::problem).toList())
                .setSubmitTime(submitted != null ? submitted : sightings.first(job.id(), now))
                .setStartTime(waiting ? null : time(job, JobAttributes.STARTTIME))
                .setEndTime(ENDED.contains(state) ? end(job, now) : null)
                .setAllocation(waiting ? List.of() : allocation(job))
                .setExitCode(ENDED.contains(state) ? job.orNull(JobAttributes.EXITCODE) : null)
                .setReason(job.find(JobAttributes.REJMESSAGE).orElse(job.orNull(JobAttributes.EVENT)))
                .setRequirements(requirements(job))
                .setPartitions(
                        job.get(JobAttributes.PARTITIONMASK).stream().sorted().toList())
                .setHosts(job.get(JobAttributes.HOSTLIST))
                .setApplication(job.orNull(JobAttributes.APPLICATION))
                .setExtension(job.orNull(JobAttributes.COMMENT))
                .setPreference(job.orNull(JobAttributes.PREF))
                .setReservation(job.orNull(JobAttributes.RESERVATION))
                .setStartAfter(time(job, JobAttributes.STARTDATE))
                .setUsedCpuSeconds(
                        job.find(JobAttributes.CPUTIME).map(Duration::toSeconds).orElse(null))
                .setUsedMemoryMb(job.orNull(JobAttributes.MEMUSED))
                .build();
    }

    /** Says what could not be read; control characters, which may be the reason, are left out. */
    private static String problem(String unread) {
        return unread.replaceAll("\\p{Cntrl}", "?") + "; ignored, so the default holds";
    }

    /** Returns what each task asks for; nothing when it is processors alone, which the report tells itself. */
    private static List<TaskRequirement> requirements(TextObject job) {
        int nodes = job.get(JobAttributes.NODES);
        int tasksPerNode = job.get(JobAttributes.TASKPERNODE);
        TaskRequirement asked = TaskRequirement.newBuilder()
                .setTasks(job.get(JobAttributes.TASKS))
                .setProcsPerTask(job.get(JobAttributes.DPROCS))
                .setMemoryMb(job.get(JobAttributes.DMEM))
                .setSwapMb(job.get(JobAttributes.DSWAP))
                .setDiskMb(job.get(JobAttributes.DDISK))
                .setGres(NodeTranslation.counts(job.get(JobAttributes.GRES)))
                .setFeatures(job.get(JobAttributes.RFEATURES).stream().sorted().toList())
                .setArch(job.orNull(JobAttributes.RARCH))
                .setOs(job.orNull(JobAttributes.ROPSYS))
                .setNetwork(job.orNull(JobAttributes.RNETWORK))
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
        addCondition(conditions, "memory", job.get(JobAttributes.RMEMCMP), job.get(JobAttributes.RMEM));
        addCondition(conditions, "swap", job.get(JobAttributes.RSWAPCMP), job.get(JobAttributes.RSWAP));
        addCondition(conditions, "disk", job.get(JobAttributes.RDISKCMP), job.get(JobAttributes.RDISK));
        return conditions;
    }

    private static void addCondition(List<String> conditions, String what, Comparison how, long megabytes) {
        if (megabytes > 0) {
            conditions.add(what + how.sign() + megabytes);
        }
    }

    private Instant end(TextObject job, Instant now) {
        @Nullable Instant told = time(job, JobAttributes.COMPLETIONTIME);
        return told != null ? told : sightings.end(job.id(), now);
    }

    /** Second 0 is how scripts write that something has not happened. */
    private static @Nullable Instant time(TextObject job, Attribute<Instant> attribute) {
        @Nullable Instant time = job.orNull(attribute);
        return Instant.EPOCH.equals(time) ? null : time;
    }

    private static List<NodeAllocation> allocation(TextObject job) {
        Map<String, Integer> procs = new TreeMap<>();
        for (String node : job.get(JobAttributes.TASKLIST)) {
            procs.merge(node, job.get(JobAttributes.DPROCS), Integer::sum);
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
