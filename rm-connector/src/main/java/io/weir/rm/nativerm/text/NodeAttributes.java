package io.weir.rm.nativerm.text;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * What the text can say about a node. An attribute without a default stands for something unknown, except where its
 * comment tells what holds instead.
 */
public final class NodeAttributes {
    /** State, flag and reason. Not given: Unknown if anything else was, else Down. */
    public static final Attribute<NodeCondition> STATE = Attribute.of("STATE", Formats::nodeState);

    /** When the node was last heard of. */
    public static final Attribute<Instant> UPDATETIME = Attribute.of("UPDATETIME", Formats::instant);

    /** Configured processors. */
    public static final Attribute<Integer> CPROC = Attribute.of("CPROC", Formats.integer(0, 1_000_000), 1);

    /** Configured memory in MB. */
    public static final Attribute<Long> CMEMORY = Attribute.of("CMEMORY", Formats::megabytes, 0L);

    /** Configured virtual memory in MB. */
    public static final Attribute<Long> CSWAP = Attribute.of("CSWAP", Formats::megabytes, 0L);

    /** Configured local disk in MB. */
    public static final Attribute<Long> CDISK = Attribute.of("CDISK", Formats::megabytes, 0L);

    /** Available processors. Not given: all. */
    public static final Attribute<Integer> APROC = Attribute.of("APROC", Formats.integer(0, 1_000_000));

    /** Available memory in MB. Not given: all. */
    public static final Attribute<Long> AMEMORY = Attribute.of("AMEMORY", Formats::megabytes);

    /** Available virtual memory in MB. Not given: all. */
    public static final Attribute<Long> ASWAP = Attribute.of("ASWAP", Formats::megabytes);

    /** Available local disk in MB. Not given: all. */
    public static final Attribute<Long> ADISK = Attribute.of("ADISK", Formats::megabytes);

    /** One-minute load average. */
    public static final Attribute<Double> CPULOAD = Attribute.of("CPULOAD", Formats.decimal(0), 0.0);

    /** Clock of the processors in MHz. */
    public static final Attribute<Integer> CPUSPEED = Attribute.of("CPUSPEED", Formats.integer(0, Integer.MAX_VALUE));

    /** Speed relative to other nodes. */
    public static final Attribute<Double> SPEED = Attribute.of("SPEED", Formats.decimal(0));

    /** Processor architecture. */
    public static final Attribute<String> ARCH = Attribute.of("ARCH", Formats::text);

    /** Operating system. */
    public static final Attribute<String> OS = Attribute.of("OS", Formats::text);

    /** Partition. */
    public static final Attribute<String> PARTITION = Attribute.of("PARTITION", Formats::text);

    /** Rack. */
    public static final Attribute<String> RACK = Attribute.of("RACK", Formats::text);

    /** Place in the rack. */
    public static final Attribute<String> SLOT = Attribute.of("SLOT", Formats::text);

    /** Features. */
    public static final Attribute<Set<String>> FEATURE = Attribute.of("FEATURE", Formats.names(":"), Set.of());

    /** Networks the node is on. */
    public static final Attribute<Set<String>> NETWORK = Attribute.of("NETWORK", Formats.names(":"), Set.of());

    /** Networks the node can use now. Not given: all it is on. */
    public static final Attribute<Set<String>> ANET = Attribute.of("ANET", Formats.names(":"));

    /** Configured slots by class. Not given: every class is welcome. */
    public static final Attribute<SortedMap<String, Integer>> CCLASS = Attribute.of("CCLASS", Formats::classes);

    /** Available slots by class. Not given: all. */
    public static final Attribute<SortedMap<String, Integer>> ACLASS = Attribute.of("ACLASS", Formats::classes);

    /** Configured generic resources by name. */
    public static final Attribute<SortedMap<String, Integer>> CRES =
            Attribute.of("CRES", Formats::counts, Collections.emptySortedMap());

    /** Available generic resources by name. Not given: all. */
    public static final Attribute<SortedMap<String, Integer>> ARES = Attribute.of("ARES", Formats::counts);

    /** Measured values by name. */
    public static final Attribute<SortedMap<String, Double>> GMETRIC =
            Attribute.gathering("GMETRIC", Formats::metric, Collections.emptySortedMap(), Formats::joined);

    /** Generic events, in the order told. */
    public static final Attribute<List<GenericEventMark>> GEVENT =
            Attribute.gathering("GEVENT", Formats::event, List.of(), Formats::joined);

    /** Message about the node. */
    public static final Attribute<String> MESSAGE = Attribute.of("MESSAGE", Formats::text);

    /** Variables by name. */
    public static final Attribute<SortedMap<String, String>> VARIABLE =
            Attribute.gathering("VARIABLE", Formats::variable, Collections.emptySortedMap(), Formats::joined);

    /** Category of the node's trouble or use. */
    public static final Attribute<String> CAT = Attribute.of("CAT", Formats::text);

    /** Whether the node has power. */
    public static final Attribute<Boolean> POWER = Attribute.of("POWER", Formats::power, true);

    /** Most tasks at a time. Not given: the processors jobs may use. */
    public static final Attribute<Integer> MAXTASK = Attribute.of("MAXTASK", Formats.integer(0, Integer.MAX_VALUE));

    /** Tasks on the node now. */
    public static final Attribute<Integer> CURRENTTASK =
            Attribute.of("CURRENTTASK", Formats.integer(0, Integer.MAX_VALUE), 0);

    /** Ids of the jobs the node knows of. */
    public static final Attribute<List<String>> JOBLIST = Attribute.of("JOBLIST", Formats.list(","), List.of());

    /** Factor of the charge for using the node. */
    public static final Attribute<Double> CHARGERATE = Attribute.of("CHARGERATE", Formats.decimal(0));

    /** Position of the node among all. */
    public static final Attribute<Integer> NODEINDEX = Attribute.of("NODEINDEX", Formats.integer(0, Integer.MAX_VALUE));

    /** What a health check says about the node. */
    public static final Attribute<String> EVENT = Attribute.of("EVENT", Formats::text);

    /** Whether the node was taken away. */
    public static final Attribute<Boolean> REMOVED = Attribute.of("REMOVED", Formats::flag, false);

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

    private NodeAttributes() {}
}
