package io.weir.scheduler.core.policy.language.parameter;

import static io.weir.scheduler.core.policy.language.value.ValueTypes.*;

import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry.Attributes;
import io.weir.scheduler.core.policy.language.value.ValueType;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Parameters about reservations and backfill. */
final class ReservationEntries {
    private static final long MOST_INSTANCES = 1_000;

    /** Parameters that each set one attribute of the standing reservation in their index. */
    private static final SortedMap<String, String> OLD_NAMES = oldNames();

    private ReservationEntries() {}

    static void define(ParameterRegistry r) {
        r.area("Reservations and backfill");
        r.plain(
                "RESERVATIONPOLICY",
                RESERVATION_POLICY,
                "CURRENTHIGHEST",
                "What becomes of priority reservations from one iteration to the next.");
        r.indexed(
                "RESERVATIONDEPTH",
                IndexRule.DEFAULT,
                LIMIT,
                "1",
                "How many jobs of a group get a priority reservation; INFINITY for conservative backfill.");
        r.indexed(
                "RESERVATIONQOSLIST",
                IndexRule.DEFAULT,
                ValueType.text("QoS").list(" ").as("list of QoS names, or ALL"),
                "ALL",
                "Which jobs form a group.");
        r.indexed(
                "RESERVATIONRETRYTIME",
                IndexRule.DEFAULT,
                TIME,
                "0",
                "How long the start of a job is tried again on the nodes reserved for it.");
        r.plain(
                "RESERVATIONSLICE",
                COUNT,
                "100",
                "How many reservations of waiting jobs one iteration plans before it lets what happened meanwhile in; the"
                        + " next goes on behind them. 0 for all at once.");
        r.plain("RSVREALLOCPOLICY", REALLOCATION, "NEVER", "Whether reservations may change their nodes.");
        r.plain("RSVCTLPOLICY", ValueType.choice("ADMINONLY", "ANY"), "ADMINONLY", "Who may make reservations.");
        r.plain(
                "BACKFILLPOLICY",
                ValueType.choice("FIRSTFIT", "BESTFIT", "GREEDY", "PREEMPT", "NONE"),
                "FIRSTFIT",
                "Which jobs may start before one that waits ahead of them.");
        r.plain(
                "BACKFILLMETRIC",
                ValueType.choice("PROCS", "PROCSECONDS", "SECONDS", "PE", "PESECONDS"),
                "PROCS",
                "What BESTFIT and GREEDY make the most of.");
        r.plain(
                "BACKFILLDEPTH",
                COUNT,
                "0",
                "How many jobs after the first blocked one may be blocked, too, before no more are tried; jobs that start do not count; 0 for all.");
        r.plain("BFCHUNKDURATION", TIME, "0", "How long free room is kept for wide jobs; 0 for not at all.");
        r.plain("BFCHUNKSIZE", COUNT, "0", "From how many processors on a job counts as wide; 0 for none.");
        r.plain(
                "PREEMPTPOLICY",
                ValueType.choice("REQUEUE", "CHECKPOINT", "CANCEL", "SUSPEND"),
                "REQUEUE",
                "What becomes of a job that is preempted: REQUEUE and CHECKPOINT put it back into the queue, or cancel it where it"
                        + " cannot be started again.");
        r.plain("JOBPREEMPTMINACTIVETIME", TIME, "0", "How long a job has to have run before it is preempted.");
        r.plain(
                "JOBPREEMPTMAXACTIVETIME",
                TIME,
                "0",
                "How long a job has to have run so that it is not preempted any more; 0 for no such time.");
        r.deprecated("RESDEPTH", "RESERVATIONDEPTH");
        r.deprecated("RSVDEPTH", "RESERVATIONDEPTH");
        r.deprecated("RESCTLPOLICY", "RSVCTLPOLICY");
        r.deprecated("RSVPOLICY", "RESERVATIONPOLICY");
        r.deprecated("RSVQOSLIST", "RESERVATIONQOSLIST");
        r.deprecated("RSVRETRYTIME", "RESERVATIONRETRYTIME");
        r.object(
                "SRCFG",
                IndexRule.ZERO,
                "A standing reservation. When it is changed, instances that exist keep their terms and times until"
                        + " `weir mrsvctl -B NAME` makes them anew.",
                reservation(new Attributes()
                        .with(
                                "PERIOD",
                                ValueType.choice("DAY", "WEEK", "INFINITY"),
                                "DAY",
                                "How often it recurs; a WEEK begins on Sunday.")
                        .with(
                                "DAYS",
                                ValueType.choices(
                                                List.of("ALL", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
                                                Map.of())
                                        .list(),
                                "ALL",
                                "Days on which a daily one begins.")
                        .with("STARTTIME", TIME, "0", "When it begins within the period, which is reckoned in UTC.")
                        .with(
                                "ENDTIME",
                                TIME,
                                "When it ends within the period; without it, with the period. If it is STARTTIME, a period later.")
                        .with(
                                "DEPTH",
                                ValueType.whole(0, MOST_INSTANCES),
                                "2",
                                "How many instances are kept ahead; one at least, also with 0.")));
        OLD_NAMES.forEach((name, attribute) -> r.deprecated(name, "SRCFG", null, attribute));
        r.object(
                "RSVPROFILE",
                IndexRule.ZERO,
                "Attributes for reservations that name this profile.",
                reservation(new Attributes())
                        .with("AACCOUNT", TEXT, "Account that pays for unused time.")
                        .with("AUSER", TEXT, "User who pays for unused time.")
                        .with("AGROUP", TEXT, "Group that pays for unused time.")
                        .with("AQOS", TEXT, "QoS that pays for unused time."));
    }

    private static SortedMap<String, String> oldNames() {
        SortedMap<String, String> names = new TreeMap<>();
        for (String attribute : List.of(
                "ACCESS",
                "ACCOUNTLIST",
                "CHARGEACCOUNT",
                "CLASSLIST",
                "DAYS",
                "DEPTH",
                "ENDTIME",
                "FLAGS",
                "GROUPLIST",
                "HOSTLIST",
                "PARTITION",
                "PERIOD",
                "QOSLIST",
                "RESOURCES",
                "STARTTIME",
                "TASKCOUNT",
                "TPN",
                "USERLIST")) {
            names.put("SR" + attribute, attribute);
        }
        names.put("SRFEATURES", "NODEFEATURES");
        names.put("SRMAXTIME", "TIMELIMIT");
        return names;
    }

    private static Attributes reservation(Attributes attributes) {
        return attributes
                .with("TASKCOUNT", COUNT, "0", "How many tasks; 0 for all that the listed nodes hold.")
                .with("RESOURCES", TASK_RESOURCES, "PROCS:-1", "What a task is; PROCS:-1 for a whole node.")
                .with("HOSTLIST", ValueType.text("node").list().as("list of nodes"), "ALL", "Nodes it may be on.")
                .with(
                        "NODEFEATURES",
                        ValueType.text("feature").list(":").as("list of features"),
                        "Features its nodes have to have.")
                .with("PARTITION", TEXT, "ALL", "Partition its nodes have to be in.")
                .with("TPN", TASKS_PER_NODE, "0", "Tasks on each node; nodes that hold fewer are passed over.")
                .with("USERLIST", ACL, "Users who may use it.")
                .with("GROUPLIST", ACL, "Groups that may use it.")
                .with("ACCOUNTLIST", ACL, "Accounts that may use it.")
                .with("CLASSLIST", ACL, "Classes that may use it.")
                .with("QOSLIST", ACL, "QoS that may use it.")
                .with("JOBATTRLIST", ACL, "Job attributes that may use it.")
                .with(
                        "TIMELIMIT",
                        ValueType.pattern("a time with modifiers", "[-+=!*^&~]*[0-9:]+[-+=!*^&~]*"),
                        "How long jobs in it may be.")
                .with(
                        "ACCESS",
                        ValueType.choice("DEDICATED", "SHARED"),
                        "DEDICATED",
                        "Whether it keeps other reservations away.")
                .with(
                        "FLAGS",
                        ValueType.choice(
                                        "BYNAME",
                                        "OWNERPREEMPT",
                                        "PREEMPTEE",
                                        "SPACEFLEX",
                                        "SINGLEUSE",
                                        "TIMEFLEX",
                                        "FORCE",
                                        "BESTEFFORT",
                                        "IGNRSV",
                                        "IGNSTATE",
                                        "IGNJOBRSV",
                                        "EXCLUSIVE",
                                        "STANDINGRSV")
                                .list(":"),
                        "What is special about it.")
                .with("OWNER", OWNER, "Who owns it.")
                .with("PRIORITY", WEIGHT, "0", "Its rank among reservations.")
                .with("SUBTYPE", CATEGORY, "Category of its nodes.")
                .trigger()
                .with("CHARGEACCOUNT", TEXT, "Account that pays for unused time.")
                .with("RSVREALLOCPOLICY", REALLOCATION, "As the parameter, for this reservation.")
                .with("PROFILE", TEXT, "Profile whose attributes hold where it says nothing.")
                .with("COMMENT", TEXT, "Note for people.");
    }
}
