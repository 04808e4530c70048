package io.weir.rm.nativerm.text;

import io.weir.schemas.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * What the text can say about a job. A resource manager gives at least {@link #REQUIRED} of a new job; an attribute
 * without a default stands for something unknown or not asked for.
 */
public final class JobAttributes {
    private static final int MOST = 1_000_000_000;

    /** State. */
    public static final Attribute<JobState> STATE = Attribute.of("STATE", Formats::jobState, JobState.IDLE);

    /** When the job was last heard of. */
    public static final Attribute<Instant> UPDATETIME = Attribute.of("UPDATETIME", Formats::instant);

    /** When it was submitted. */
    public static final Attribute<Instant> QUEUETIME = Attribute.of("QUEUETIME", Formats::instant);

    /** When it began to run. */
    public static final Attribute<Instant> STARTTIME = Attribute.of("STARTTIME", Formats::instant);

    /** When it ended. */
    public static final Attribute<Instant> COMPLETIONTIME = Attribute.of("COMPLETIONTIME", Formats::instant);

    /** When it may start at the earliest. */
    public static final Attribute<Instant> STARTDATE = Attribute.of("STARTDATE", Formats::instant);

    /** When it has to have ended. */
    public static final Attribute<Instant> ENDDATE = Attribute.of("ENDDATE", Formats::instant);

    /** Wallclock limit, a hundred years where the text says that there is none; ten days are 864,000 seconds. */
    public static final Attribute<Duration> WCLIMIT = Attribute.of("WCLIMIT", Formats::limit, Duration.ofDays(10));

    /** Tasks. */
    public static final Attribute<Integer> TASKS = Attribute.of("TASKS", Formats.integer(1, MOST), 1);

    /** Nodes asked for; 0 when any number will do. */
    public static final Attribute<Integer> NODES = Attribute.of("NODES", Formats.integer(0, MOST), 0);

    /** Tasks on each node; 0 when any number will do. */
    public static final Attribute<Integer> TASKPERNODE = Attribute.of("TASKPERNODE", Formats.integer(0, MOST), 0);

    /** Processors of each task. */
    public static final Attribute<Integer> DPROCS = Attribute.of("DPROCS", Formats.integer(1, 1_000_000), 1);

    /** Memory of each task in MB. */
    public static final Attribute<Long> DMEM = Attribute.of("DMEM", Formats::megabytes, 0L);

    /** Local disk of each task in MB. */
    public static final Attribute<Long> DDISK = Attribute.of("DDISK", Formats::megabytes, 0L);

    /** Virtual memory of each task in MB. */
    public static final Attribute<Long> DSWAP = Attribute.of("DSWAP", Formats::megabytes, 0L);

    /** Memory in MB a node has to have, compared by {@link #RMEMCMP}. */
    public static final Attribute<Long> RMEM = Attribute.of("RMEM", Formats::megabytes, 0L);

    /** How to compare {@link #RMEM}. */
    public static final Attribute<Comparison> RMEMCMP =
            Attribute.of("RMEMCMP", Formats::comparison, Comparison.AT_LEAST);

    /** Virtual memory in MB a node has to have, compared by {@link #RSWAPCMP}. */
    public static final Attribute<Long> RSWAP = Attribute.of("RSWAP", Formats::megabytes, 0L);

    /** How to compare {@link #RSWAP}. */
    public static final Attribute<Comparison> RSWAPCMP =
            Attribute.of("RSWAPCMP", Formats::comparison, Comparison.AT_LEAST);

    /** Local disk in MB a node has to have, compared by {@link #RDISKCMP}. */
    public static final Attribute<Long> RDISK = Attribute.of("RDISK", Formats::megabytes, 0L);

    /** How to compare {@link #RDISK}. */
    public static final Attribute<Comparison> RDISKCMP =
            Attribute.of("RDISKCMP", Formats::comparison, Comparison.AT_LEAST);

    /** Features a node has to have. */
    public static final Attribute<Set<String>> RFEATURES = Attribute.of("RFEATURES", Formats.names(":,[]"), Set.of());

    /** Network a node has to be on. */
    public static final Attribute<String> RNETWORK = Attribute.of("RNETWORK", Formats::text);

    /** Operating system a node has to run. */
    public static final Attribute<String> ROPSYS = Attribute.of("ROPSYS", Formats::text);

    /** Architecture a node has to be of. */
    public static final Attribute<String> RARCH = Attribute.of("RARCH", Formats::text);

    /** Class of the job, with slots for each task. */
    public static final Attribute<SortedMap<String, Integer>> RCLASS = Attribute.of("RCLASS", Formats::classes);

    /** Generic resources of each task. */
    public static final Attribute<SortedMap<String, Integer>> GRES =
            Attribute.of("GRES", Formats::counts, Collections.emptySortedMap());

    /** User. */
    public static final Attribute<String> UNAME = Attribute.of("UNAME", Formats::text);

    /** Group. */
    public static final Attribute<String> GNAME = Attribute.of("GNAME", Formats::text);

    /** Account. */
    public static final Attribute<String> ACCOUNT = Attribute.of("ACCOUNT", Formats::text);

    /** Quality of service. */
    public static final Attribute<String> QOS = Attribute.of("QOS", Formats::text);

    /** Name the user gave the job. */
    public static final Attribute<String> NAME = Attribute.of("NAME", Formats::text);

    /** Partitions the job may run in. Not given: all. */
    public static final Attribute<Set<String>> PARTITIONMASK =
            Attribute.of("PARTITIONMASK", Formats.names(":,[]"), Set.of());

    /** The node of each task, of task 0 first. */
    public static final Attribute<List<String>> TASKLIST = Attribute.of("TASKLIST", Formats.list(",:"), List.of());

    /** Nodes the job wants. */
    public static final Attribute<List<String>> HOSTLIST = Attribute.of("HOSTLIST", Formats.list(",:"), List.of());

    /** Program. */
    public static final Attribute<String> EXEC = Attribute.of("EXEC", Formats::text);

    /** Directory it starts in. */
    public static final Attribute<String> IWD = Attribute.of("IWD", Formats::text);

    /** Arguments of the program. */
    public static final Attribute<String> ARGS = Attribute.of("ARGS", Formats::text);

    /** Environment of the program. */
    public static final Attribute<String> ENV = Attribute.of("ENV", Formats::text);

    /** Extensions, as written; {@link #extensions} takes them apart. */
    public static final Attribute<String> COMMENT = Attribute.of("COMMENT", Formats::text);

    /** Preference expression, as written. */
    public static final Attribute<String> PREF = Attribute.of("PREF", Formats::text);

    /** Reservation the job wants to run in. */
    public static final Attribute<String> RESERVATION = Attribute.of("RESERVATION", Formats::text);

    /** Exit code. */
    public static final Attribute<Integer> EXITCODE =
            Attribute.of("EXITCODE", Formats.integer(Integer.MIN_VALUE, Integer.MAX_VALUE));

    /** How long the job was suspended. */
    public static final Attribute<Duration> SUSPENDTIME = Attribute.of("SUSPENDTIME", Formats::duration, Duration.ZERO);

    /** How often the resource manager refused to start it. */
    public static final Attribute<Integer> REJCOUNT = Attribute.of("REJCOUNT", Formats.integer(0, MOST), 0);

    /** Why it did so last. */
    public static final Attribute<String> REJMESSAGE = Attribute.of("REJMESSAGE", Formats::text);

    /** What happened to the job, for people. */
    public static final Attribute<String> EVENT = Attribute.of("EVENT", Formats::text);

    /** Measured values by name. */
    public static final Attribute<SortedMap<String, Double>> GMETRIC =
            Attribute.gathering("GMETRIC", Formats::metric, Collections.emptySortedMap(), Formats::joined);

    /** Generic events, in the order told. */
    public static final Attribute<List<GenericEventMark>> GEVENT =
            Attribute.gathering("GEVENT", Formats::event, List.of(), Formats::joined);

    /** Variables by name. */
    public static final Attribute<SortedMap<String, String>> VARIABLE =
            Attribute.gathering("VARIABLE", Formats::variable, Collections.emptySortedMap(), Formats::joined);

    /** Kind of program, for statistics. */
    public static final Attribute<String> APPLICATION = Attribute.of("APPLICATION", Formats::text);

    /** Processor time used. */
    public static final Attribute<Duration> CPUTIME = Attribute.of("CPUTIME", Formats::duration);

    /** Memory used in MB. */
    public static final Attribute<Long> MEMUSED = Attribute.of("MEMUSED", Formats::megabytes);

    /** What a resource manager tells of every new job, in this order. */
    public static final List<Attribute<?>> REQUIRED =
            List.of(STATE, UPDATETIME, QUEUETIME, WCLIMIT, TASKS, UNAME, GNAME);

    /** All of them. */
    public static final Vocabulary VOCABULARY = new Vocabulary(
            STATE,
            UPDATETIME,
            QUEUETIME,
            STARTTIME,
            COMPLETIONTIME,
            STARTDATE,
            ENDDATE,
            WCLIMIT,
            TASKS,
            NODES,
            TASKPERNODE,
            DPROCS,
            DMEM,
            DDISK,
            DSWAP,
            RMEM,
            RMEMCMP,
            RSWAP,
            RSWAPCMP,
            RDISK,
            RDISKCMP,
            RFEATURES,
            RNETWORK,
            ROPSYS,
            RARCH,
            RCLASS,
            GRES,
            UNAME,
            GNAME,
            ACCOUNT,
            QOS,
            NAME,
            PARTITIONMASK,
            TASKLIST,
            HOSTLIST,
            EXEC,
            IWD,
            ARGS,
            ENV,
            COMMENT,
            PREF,
            RESERVATION,
            EXITCODE,
            SUSPENDTIME,
            REJCOUNT,
            REJMESSAGE,
            EVENT,
            GMETRIC,
            GEVENT,
            VARIABLE,
            APPLICATION,
            CPUTIME,
            MEMUSED);

    private JobAttributes() {}

    /** Returns the extensions in {@link #COMMENT}, {@code KEY:value;KEY:value}, by upper-case key. */
    public static SortedMap<String, String> extensions(TextObject job) {
        return job.find(COMMENT).map(Formats::extensions).orElseGet(Collections::emptySortedMap);
    }
}
