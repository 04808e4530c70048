package io.weir.scheduler.core.policy.language.parameter;

import static io.weir.scheduler.core.policy.language.value.ValueTypes.*;

import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry.Attributes;
import io.weir.scheduler.core.policy.language.value.ValueType;

/** Parameters of the scheduler as a whole. */
final class SchedulerEntries {
    private SchedulerEntries() {}

    static void define(ParameterRegistry r) {
        r.area("Scheduler");
        r.object(
                "SCHEDCFG",
                IndexRule.DEFAULT,
                "The scheduler itself; the index is its name.",
                new Attributes()
                        .with(
                                "MODE",
                                ValueType.choice("NORMAL", "MONITOR", "TEST"),
                                "NORMAL",
                                "NORMAL carries decisions out; MONITOR and TEST publish them and carry none out.")
                        .pending("SERVER", TEXT, "Address of the server; Weir has its own settings for that.")
                        .trigger());
        r.plain(
                "RMPOLLINTERVAL",
                TIME,
                "30",
                "Time between polls, which each connector has a setting of its own for; a node that was down for no longer"
                        + " has had a passing failure.");
        r.plain("JOBCPURGETIME", TIME, "5:00", "How long finished jobs stay visible.");
        r.plain(
                "DEFERTIME",
                TIME,
                "1:00:00",
                "How long a job waits that was refused too often, or that no nodes could ever hold, for as long as no node comes that may.");
        r.plain("DEFERCOUNT", COUNT, "24", "How often a job is deferred before it is held.");
        r.plain(
                "DEFERSTARTCOUNT",
                COUNT,
                "1",
                "Starts that failed, refused or never seen, after which a job is deferred.");
        r.plain("JOBRETRYTIME", TIME, "0:01:00", "How long a job waits after its first failed start.");
        r.plain("RANDOMSEED", WEIGHT, "0", "Seed of every random choice.");
        r.plain("EXPLAINDEPTH", COUNT, "1000", "For how many jobs at the head of the queue it is told why they wait.");
        r.object(
                "ADMINCFG",
                IndexRule.LEVEL,
                "Who may do what; level 1 may do everything.",
                new Attributes()
                        .with("USERS", NAMES, "Users of this level; ALL for everybody.")
                        .pending("GROUPS", NAMES, "Groups of this level.")
                        .pending("SERVICES", NAMES, "Commands this level may use.")
                        .pending("NAME", TEXT, "Name of the level.")
                        .with("EVENTSUBSCRIPTION", NAMES, "ALL", "Events the users of this level are told about."));
        r.deprecated("ADMIN1", "ADMINCFG", "1", "USERS");
        r.deprecated("ADMIN2", "ADMINCFG", "2", "USERS");
        r.deprecated("ADMIN3", "ADMINCFG", "3", "USERS");
        r.deprecated("ADMIN4", "ADMINCFG", "4", "USERS");
        r.pending("LOGLEVEL", ValueType.whole(0, 9), "3", "How much is logged; set for Weir in its logging file.");
        r.pending("LOGFILE", PROGRAM, null, "Where the log goes; set for Weir in its logging file.");
        r.plain(
                "RECORDEVENTLIST",
                ValueType.pattern("an event name, ALL, +name or -name", "[+-]?[A-Za-z0-9_]+")
                        .list(" ")
                        .as("list of event names, ALL, +name, -name"),
                "ALL",
                "Which events are told to all channels that take them, where GEVENTCFG says nothing of them.");
        r.plain("PROFILEINTERVAL", TIME, "1:00:00", "Length of a statistics interval.");
        r.pending("PROFILEDEPTH", POSITIVE, "720", "How many statistics intervals are kept.");
    }
}
