package io.weir.rm.nativerm.text;

import io.weir.schemas.JobState;
import io.weir.schemas.bound.Limit;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * What the text can say about a job. A resource manager gives at least {@link #REQUIRED} of a new job; an attribute
 * without a default stands for something unknown or not asked for.
 */
public final class JobTextAttributes {
    /** State. */
    public static final TextAttribute<JobState> STATE = TextAttribute.of("STATE", Formats::jobState, JobState.IDLE);

    /** When the job was last heard of. */
    public static final TextAttribute<Instant> UPDATETIME = TextAttribute.of("UPDATETIME", Formats::instant);

    /** When it was submitted. */
    public static final TextAttribute<Instant> QUEUETIME = TextAttribute.of("QUEUETIME", Formats::instant);

    /** When it began to run. */
    public static final TextAttribute<Instant> STARTTIME = TextAttribute.of("STARTTIME", Formats::instant);

    /** When it ended. */
    public static final TextAttribute<Instant> COMPLETIONTIME = TextAttribute.of("COMPLETIONTIME", Formats::instant);

    /** When it may start at the earliest; the last second of 2099 for a later one. */
    public static final TextAttribute<Instant> STARTDATE = TextAttribute.of("STARTDATE", Formats::earliest);

    /** When it has to have ended. */
    public static final TextAttribute<Instant> ENDDATE = TextAttribute.of("ENDDATE", Formats::instant);

    /** Wallclock limit, a hundred years where the text says that there is none; ten days are 864,000 seconds. */
    public static final TextAttribute<Duration> WCLIMIT =
            TextAttribute.of("WCLIMIT", Formats::limit, Duration.ofDays(10));

    /** Tasks. */
    public static final TextAttribute<Integer> TASKS = TextAttribute.of("TASKS", Formats.integer(1, Limit.PROCS), 1);

    /** Nodes asked for; 0 when any number will do. */
    public static final TextAttribute<Integer> NODES = TextAttribute.of("NODES", Formats.integer(0, Limit.PROCS), 0);

    /** Tasks on each node; 0 when any number will do. */
    public static final TextAttribute<Integer> TASKPERNODE =
            TextAttribute.of("TASKPERNODE", Formats.integer(0, Limit.PROCS), 0);

    /** Processors of each task. */
    public static final TextAttribute<Integer> DPROCS = TextAttribute.of("DPROCS", Formats.integer(1, 1_000_000), 1);

    /** Memory of each task in MB. */
    public static final TextAttribute<Long> DMEM = TextAttribute.of("DMEM", Formats::megabytes, 0L);

    /** Local disk of each task in MB. */
    public static final TextAttribute<Long> DDISK = TextAttribute.of("DDISK", Formats::megabytes, 0L);

    /** Virtual memory of each task in MB. */
    public static final TextAttribute<Long> DSWAP = TextAttribute.of("DSWAP", Formats::megabytes, 0L);

    /** Memory in MB a node has to have, compared by {@link #RMEMCMP}. */
    public static final TextAttribute<Long> RMEM = TextAttribute.of("RMEM", Formats::megabytes, 0L);

    /** How to compare {@link #RMEM}. */
    public static final TextAttribute<AmountComparison> RMEMCMP =
            TextAttribute.of("RMEMCMP", Formats::comparison, AmountComparison.AT_LEAST);

    /** Virtual memory in MB a node has to have, compared by {@link #RSWAPCMP}. */
    public static final TextAttribute<Long> RSWAP = TextAttribute.of("RSWAP", Formats::megabytes, 0L);

    /** How to compare {@link #RSWAP}. */
    public static final TextAttribute<AmountComparison> RSWAPCMP =
            TextAttribute.of("RSWAPCMP", Formats::comparison, AmountComparison.AT_LEAST);

    /** Local disk in MB a node has to have, compared by {@link #RDISKCMP}. */
    public static final TextAttribute<Long> RDISK = TextAttribute.of("RDISK", Formats::megabytes, 0L);

    /** How to compare {@link #RDISK}. */
    public static final TextAttribute<AmountComparison> RDISKCMP =
            TextAttribute.of("RDISKCMP", Formats::comparison, AmountComparison.AT_LEAST);

    /** Features a node has to have. */
    public static final TextAttribute<Set<String>> RFEATURES =
            TextAttribute.list("RFEATURES", Formats.names(":,[]"), Set.of());

    /** Network a node has to be on. */
    public static final TextAttribute<String> RNETWORK = TextAttribute.of("RNETWORK", Formats::text);

    /** Operating system a node has to run. */
    public static final TextAttribute<String> ROPSYS = TextAttribute.of("ROPSYS", Formats::text);

    /** Architecture a node has to be of. */
    public static final TextAttribute<String> RARCH = TextAttribute.of("RARCH", Formats::text);

    /** Class of the job, with slots for each task. */
    public static final TextAttribute<SortedMap<String, Integer>> RCLASS = TextAttribute.of("RCLASS", Formats::classes);

    /** Generic resources of each task. */
    public static final TextAttribute<SortedMap<String, Integer>> GRES =
            TextAttribute.of("GRES", Formats::counts, Collections.emptySortedMap());

    /** User. */
    public static final TextAttribute<String> UNAME = TextAttribute.of("UNAME", Formats::text);

    /** Group. */
    public static final TextAttribute<String> GNAME = TextAttribute.of("GNAME", Formats::text);

    /** Account. */
    public static final TextAttribute<String> ACCOUNT = TextAttribute.of("ACCOUNT", Formats::text);

    /** Quality of service. */
    public static final TextAttribute<String> QOS = TextAttribute.of("QOS", Formats::text);

    /** How far the owner puts the job before others, or by a negative number behind them. */
    public static final TextAttribute<Integer> UPRIORITY =
            TextAttribute.of("UPRIORITY", Formats.integer(Integer.MIN_VALUE, Integer.MAX_VALUE), 0);

    /** Name the user gave the job. */
    public static final TextAttribute<String> NAME = TextAttribute.of("NAME", Formats::text);

    /** Partitions the job may run in. Not given: all. */
    public static final TextAttribute<Set<String>> PARTITIONMASK =
            TextAttribute.list("PARTITIONMASK", Formats.names(":,[]"), Set.of());

    /** The node of each task, of task 0 first. */
    public static final TextAttribute<List<String>> TASKLIST =
            TextAttribute.list("TASKLIST", Formats.list(",:", Limit.PROCS), List.of());

    /** Nodes the job wants. */
    public static final TextAttribute<List<String>> HOSTLIST =
            TextAttribute.list("HOSTLIST", Formats.list(",:", Limit.NODES), List.of());

    /** Program. */
    public static final TextAttribute<String> EXEC = TextAttribute.of("EXEC", Formats::text);

    /** Directory it starts in. */
    public static final TextAttribute<String> IWD = TextAttribute.of("IWD", Formats::text);

    /** Arguments of the program. */
    public static final TextAttribute<String> ARGS = TextAttribute.of("ARGS", Formats::text);

    /** Environment of the program. */
    public static final TextAttribute<String> ENV = TextAttribute.of("ENV", Formats::text);

    /** Extensions, as written; {@link #extensions} takes them apart. */
    public static final TextAttribute<String> COMMENT = TextAttribute.of("COMMENT", Formats::text);

    /** Preference expression, as written. */
    public static final TextAttribute<String> PREF = TextAttribute.of("PREF", Formats::text);

    /** Reservation the job wants to run in. */
    public static final TextAttribute<String> RESERVATION = TextAttribute.of("RESERVATION", Formats::text);

    /** Exit code. */
    public static final TextAttribute<Integer> EXITCODE =
            TextAttribute.of("EXITCODE", Formats.integer(Integer.MIN_VALUE, Integer.MAX_VALUE));

    /** How long the job was suspended. */
    public static final TextAttribute<Duration> SUSPENDTIME =
            TextAttribute.of("SUSPENDTIME", Formats::duration, Duration.ZERO);

    /** How often the resource manager refused to start it. */
    public static final TextAttribute<Integer> REJCOUNT =
            TextAttribute.of("REJCOUNT", Formats.integer(0, Integer.MAX_VALUE), 0);

    /** Why it did so last. */
    public static final TextAttribute<String> REJMESSAGE = TextAttribute.of("REJMESSAGE", Formats::text);

    /** What happened to the job, for people. */
    public static final TextAttribute<String> EVENT = TextAttribute.of("EVENT", Formats::text);

    /** Measured values by name. */
    public static final TextAttribute<SortedMap<String, Double>> GMETRIC = TextAttribute.gathering(
            "GMETRIC", Formats::metric, Collections.emptySortedMap(), Formats::joined, Map::size);

    /** Generic events, in the order told. */
    public static final TextAttribute<List<GenericEventMark>> GEVENT =
            TextAttribute.gathering("GEVENT", Formats::event, List.of(), Formats::joined, List::size);

    /** Variables by name. */
    public static final TextAttribute<SortedMap<String, String>> VARIABLE = TextAttribute.gathering(
            "VARIABLE", Formats::variable, Collections.emptySortedMap(), Formats::joined, Map::size);

    /** Kind of program, for statistics. */
    public static final TextAttribute<String> APPLICATION = TextAttribute.of("APPLICATION", Formats::text);

    /** Processor time used. */
    public static final TextAttribute<Duration> CPUTIME = TextAttribute.of("CPUTIME", Formats::duration);

    /** Memory used in MB. */
    public static final TextAttribute<Long> MEMUSED = TextAttribute.of("MEMUSED", Formats::megabytes);

    /** What a resource manager tells of every new job, in this order. */
    public static final List<TextAttribute<?>> REQUIRED =
            List.of(STATE, UPDATETIME, QUEUETIME, WCLIMIT, TASKS, UNAME, GNAME);

    /** What tells where a job runs. */
    public static final List<TextAttribute<?>> PLACE = List.of(TASKLIST, DPROCS, STARTTIME);

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
            UPRIORITY,
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

    private JobTextAttributes() {}

    /** Returns the extensions in {@link #COMMENT}, {@code KEY:value;KEY:value}, by upper-case key. */
    public static SortedMap<String, String> extensions(TextObject job) {
        return job.find(COMMENT).map(Formats::extensions).orElseGet(Collections::emptySortedMap);
    }
}
