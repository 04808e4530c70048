package io.weir.rm.nativerm.text;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * What the text can say about a node. An attribute without a default stands for something unknown, except where its
 * comment tells what holds instead.
 */
public final class NodeTextAttributes {
    /** State, flag and reason. Not given: Unknown if anything else was, else Down. */
    public static final TextAttribute<ReportedNodeState> STATE = TextAttribute.of("STATE", Formats::nodeState);

    /** When the node was last heard of. */
    public static final TextAttribute<Instant> UPDATETIME = TextAttribute.of("UPDATETIME", Formats::instant);

    /** Configured processors. */
    public static final TextAttribute<Integer> CPROC = TextAttribute.of("CPROC", Formats.integer(0, 1_000_000), 1);

    /** Configured memory in MB. */
    public static final TextAttribute<Long> CMEMORY = TextAttribute.of("CMEMORY", Formats::megabytes, 0L);

    /** Configured virtual memory in MB. */
    public static final TextAttribute<Long> CSWAP = TextAttribute.of("CSWAP", Formats::megabytes, 0L);

    /** Configured local disk in MB. */
    public static final TextAttribute<Long> CDISK = TextAttribute.of("CDISK", Formats::megabytes, 0L);

    /** Available processors. Not given: all. */
    public static final TextAttribute<Integer> APROC = TextAttribute.of("APROC", Formats.integer(0, 1_000_000));

    /** Available memory in MB. Not given: all. */
    public static final TextAttribute<Long> AMEMORY = TextAttribute.of("AMEMORY", Formats::megabytes);

    /** Available virtual memory in MB. Not given: all. */
    public static final TextAttribute<Long> ASWAP = TextAttribute.of("ASWAP", Formats::megabytes);

    /** Available local disk in MB. Not given: all. */
    public static final TextAttribute<Long> ADISK = TextAttribute.of("ADISK", Formats::megabytes);

    /** One-minute load average. */
    public static final TextAttribute<Double> CPULOAD = TextAttribute.of("CPULOAD", Formats.decimal(0, 1e6), 0.0);

    /** Clock of the processors in MHz. */
    public static final TextAttribute<Integer> CPUSPEED = TextAttribute.of("CPUSPEED", Formats.integer(0, 10_000_000));

    /** Speed relative to other nodes. */
    public static final TextAttribute<Double> SPEED = TextAttribute.of("SPEED", Formats.decimal(0.01, 100));

    /** Processor architecture. */
    public static final TextAttribute<String> ARCH = TextAttribute.of("ARCH", Formats::text);

    /** Operating system. */
    public static final TextAttribute<String> OS = TextAttribute.of("OS", Formats::text);

    /** Partition. */
    public static final TextAttribute<String> PARTITION = TextAttribute.of("PARTITION", Formats::name);

    /** Rack. */
    public static final TextAttribute<String> RACK = TextAttribute.of("RACK", Formats::text);

    /** Place in the rack. */
    public static final TextAttribute<String> SLOT = TextAttribute.of("SLOT", Formats::text);

    /** Features. */
    public static final TextAttribute<Set<String>> FEATURE =
            TextAttribute.list("FEATURE", Formats.names(":"), Set.of());

    /** Networks the node is on. */
    public static final TextAttribute<Set<String>> NETWORK =
            TextAttribute.list("NETWORK", Formats.names(":"), Set.of());

    /** Networks the node can use now. Not given: all it is on. */
    public static final TextAttribute<Set<String>> ANET = TextAttribute.of("ANET", Formats.names(":"));

    /** Configured slots by class. Not given: every class is welcome. */
    public static final TextAttribute<SortedMap<String, Integer>> CCLASS = TextAttribute.of("CCLASS", Formats::classes);

    /** Available slots by class. Not given: all. */
    public static final TextAttribute<SortedMap<String, Integer>> ACLASS = TextAttribute.of("ACLASS", Formats::classes);

    /** Configured generic resources by name. */
    public static final TextAttribute<SortedMap<String, Integer>> CRES =
            TextAttribute.of("CRES", Formats::counts, Collections.emptySortedMap());

    /** Available generic resources by name. Not given: all. */
    public static final TextAttribute<SortedMap<String, Integer>> ARES = TextAttribute.of("ARES", Formats::counts);

    /** Measured values by name. */
    public static final TextAttribute<SortedMap<String, Double>> GMETRIC = TextAttribute.gathering(
            "GMETRIC", Formats::metric, Collections.emptySortedMap(), Formats::joined, Map::size);

    /** Generic events, in the order told. */
    public static final TextAttribute<List<GenericEventMark>> GEVENT =
            TextAttribute.gathering("GEVENT", Formats::event, List.of(), Formats::joined, List::size);

    /** Message about the node. */
    public static final TextAttribute<String> MESSAGE = TextAttribute.of("MESSAGE", Formats::text);

    /** Variables by name. */
    public static final TextAttribute<SortedMap<String, String>> VARIABLE = TextAttribute.gathering(
            "VARIABLE", Formats::variable, Collections.emptySortedMap(), Formats::joined, Map::size);

    /** Category of the node's trouble or use. */
    public static final TextAttribute<String> CAT = TextAttribute.of("CAT", Formats::text);

    /** Whether the node has power. */
    public static final TextAttribute<Boolean> POWER = TextAttribute.of("POWER", Formats::power, true);

    /** Most tasks at a time. Not given: the processors jobs may use. */
    public static final TextAttribute<Integer> MAXTASK = TextAttribute.of("MAXTASK", Formats.integer(0, 10_000_000));

    /** Tasks on the node now. */
    public static final TextAttribute<Integer> CURRENTTASK =
            TextAttribute.of("CURRENTTASK", Formats.integer(0, Integer.MAX_VALUE), 0);

    /** Ids of the jobs the node knows of. */
    public static final TextAttribute<List<String>> JOBLIST =
            TextAttribute.list("JOBLIST", Formats.list(",", Integer.MAX_VALUE), List.of());

    /** Factor of the charge for using the node. */
    public static final TextAttribute<Double> CHARGERATE = TextAttribute.of("CHARGERATE", Formats.decimal(0, 1e6));

    /** Position of the node among all. */
    public static final TextAttribute<Integer> NODEINDEX =
            TextAttribute.of("NODEINDEX", Formats.integer(0, 999_999_999));

    /** What a health check says about the node. */
    public static final TextAttribute<String> EVENT = TextAttribute.of("EVENT", Formats::text);

    /** Whether the node was taken away. */
    public static final TextAttribute<Boolean> REMOVED = TextAttribute.of("REMOVED", Formats::flag, false);

    /** All of them, with their other names. */
    public static final Vocabulary VOCABULARY = new Vocabulary(
                    STATE,
                    UPDATETIME,
                    CPROC,
                    CMEMORY,
                    CSWAP,
                    CDISK,
                    APROC,
                    AMEMORY,
                    ASWAP,
                    ADISK,
                    CPULOAD,
                    CPUSPEED,
                    SPEED,
                    ARCH,
                    OS,
                    PARTITION,
                    RACK,
                    SLOT,
                    FEATURE,
                    NETWORK,
                    ANET,
                    CCLASS,
                    ACLASS,
                    CRES,
                    ARES,
                    GMETRIC,
                    GEVENT,
                    MESSAGE,
                    VARIABLE,
                    CAT,
                    POWER,
                    MAXTASK,
                    CURRENTTASK,
                    JOBLIST,
                    CHARGERATE,
                    NODEINDEX,
                    EVENT,
                    REMOVED)
            .alias("CNET", NETWORK)
            .alias("GRES", CRES)
            .alias("CGRES", CRES)
            .alias("AGRES", ARES);

    private NodeTextAttributes() {}
}
