package io.weir.schemas.bound;

/**
 * The numbers that the bounds are made of. They leave every machine room for growth and keep what is made of them within
 * 64 bits and within a record of the log: processors × seconds, amounts × tasks, all texts of a record together.
 */
public final class Limit {
    /** Characters of a name or an id. */
    public static final int NAME_LENGTH = 256;

    /** Characters of a note, such as a reason or a message. */
    public static final int NOTE_LENGTH = 4_096;

    /** Characters of a job's extension. */
    public static final int EXTENSION_LENGTH = 32_768;

    /** Characters of the value of a request's argument. */
    public static final int ARGUMENT_LENGTH = 65_536;

    /** Characters of the value of an argument of a request that is carried out. */
    public static final int REQUEST_VALUE = 16_384;

    /** Connectors of a cluster. */
    public static final int CONNECTORS = 64;

    /** Arguments of a request. */
    public static final int ARGUMENTS = 256;

    /** Characters of a configuration. */
    public static final int POLICY_LENGTH = 500_000;

    /** Characters of all texts of a record together; where a job runs is not counted. */
    public static final int RECORD_TEXT = 250_000;

    /** Characters of the id of a command or question: the cluster, an iteration and a number. */
    public static final int COMMAND_ID_LENGTH = NAME_LENGTH + 64;

    /** Processors or tasks of a node, a job, a cluster. */
    public static final int PROCS = 10_000_000;

    /** Number of a heartbeat, or of facts that it counts: what a number of JSON holds exactly. */
    public static final long COUNTED = 1L << 53;

    /** Nodes of a list. */
    public static final int NODES = 131_072;

    /** Index of a node. */
    public static final int NODE_INDEX = 999_999_999;

    /** Megabytes, or units of a counted resource. */
    public static final long AMOUNT = 10_000_000_000L;

    /** Seconds of an interval: a hundred years. */
    public static final long SECONDS = 100L * 366 * 86_400;

    /** Processor seconds. */
    public static final long PROC_SECONDS = SECONDS * PROCS;

    /** Features, classes, counted resources, flags and the like in one list. */
    public static final int WORDS = 1_024;

    /** Requirements of a job. */
    public static final int REQUIREMENTS = 64;

    /**
     * Features with all their alternatives, conditions and generic resources of a waiting job's requirements together: each
     * is looked up for the job by itself.
     */
    public static final int DEMANDS = 2_048;

    /** Metrics of a node, as reported. */
    public static final int METRICS = 256;

    /** Variables of a node, as reported. */
    public static final int VARIABLES = 256;

    /** Messages about a node, as reported. */
    public static final int MESSAGES = 64;

    /** Attempts at one delivery. */
    public static final int ATTEMPTS = 1_000_000;

    /** Variables that an action of a trigger may report. */
    public static final int WANTED_VARIABLES = 32;

    /** A measured value, and less than 0 as much. */
    public static final double MEASURED = 1e15;

    /** Load average. */
    public static final double LOAD = 1e6;

    /** Relative speed. */
    public static final double SPEED = 100;

    /** Megahertz of a processor. */
    public static final int MEGAHERTZ = 10_000_000;

    /** Relative price. */
    public static final double CHARGE_RATE = 1e6;

    /** A number of the configuration that may have a fraction, and less than 0 as much. */
    public static final double RATE = 1e12;

    /** Characters of a line of the configuration, continuations joined. */
    public static final int LINE_LENGTH = 65_536;

    /** Characters of one value, or of one item of a list, in the configuration. */
    public static final int VALUE_LENGTH = 4_096;

    /** Entries of the configuration for one kind of object, such as USERCFG. */
    public static final int OBJECTS = 10_000;

    /** Tasks that a job's requirements but the largest have together: where each is, is told for each of them. */
    public static final int FURTHER_TASKS = 10_000;

    /** Bytes that the names of a cluster's nodes have together, each with {@link #NODE_NAME_EXTRA} more. */
    public static final int NODE_NAMES = 2_500_000;

    /** Bytes that a node takes in a list besides its name. */
    public static final int NODE_NAME_EXTRA = 8;

    /** Reservations that are no job's, of operators, users and standing reservations. */
    public static final int RESERVATIONS = 5_000;

    /** Reservations that the scheduler makes by itself, as of nodes that failed. */
    public static final int SYSTEM_RESERVATIONS = 5_000;

    /** Notices that wait for an iteration; more of them are counted. */
    public static final int NOTICES = 2_000;

    private Limit() {}
}
