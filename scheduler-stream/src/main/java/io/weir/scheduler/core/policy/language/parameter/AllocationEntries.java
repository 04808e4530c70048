package io.weir.scheduler.core.policy.language.parameter;

import static io.weir.scheduler.core.policy.language.value.ValueTypes.*;

import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry.Attributes;
import io.weir.scheduler.core.policy.language.value.ValueType;

/** Parameters about which nodes a job gets: allocation, access, limits and node sets. */
final class AllocationEntries {
    private AllocationEntries() {}

    static void define(ParameterRegistry r) {
        r.area("Allocation");
        r.plain("NODEALLOCATIONPOLICY", ALLOCATION, "LASTAVAILABLE", "Which of the nodes that would do a job gets.");
        r.object(
                "NODEALLOCPLUGIN",
                IndexRule.ZERO,
                "A plug-in for NODEALLOCATIONPOLICY PLUGIN:name; the one called local serves LOCAL.",
                new Attributes()
                        .with("CLASS", TEXT, "Java class on the scheduler's class path.")
                        .with(
                                "EXEC",
                                PROGRAM,
                                "A program of the scheduler's setting plugin.programs, by name or path: request on its"
                                        + " input, answer on its output, both JSON.")
                        .with("ARGS", TEXT, "Arguments.")
                        .with("TIMEOUT", TIME, "5", "How long it may take."));
        r.plain("NODEACCESSPOLICY", NODE_ACCESS, "SHARED", "Who may share a node.");
        r.plain(
                "JOBNODEMATCHPOLICY",
                ValueType.choice("EXACTNODE", "EXACTPROC").list(" "),
                null,
                "Whether the nodes, or their processors, have to be exactly as many as asked for.");
        r.plain(
                "TASKDISTRIBUTIONPOLICY",
                ValueType.choice("DEFAULT", "PACK", "RR", "DISPERSE"),
                "DEFAULT",
                "How a job's tasks are dealt to its nodes.");
        r.plain(
                "PARALLOCATIONPOLICY",
                ValueType.choice("FIRSTSTART", "BESTFIT", "LOADBALANCE", "ROUNDROBIN", "RANDOM"),
                "FIRSTSTART",
                "In which partition a job starts that could start in several.");
        r.plain(
                "RESOURCELIMITPOLICY",
                RESOURCE_LIMIT,
                null,
                "What happens to a running job that uses more than it asked for. WALLTIME takes the place of the cancel at the end of the wallclock limit. A suspended job keeps its processors, except with Slurm, which gives them to others.");
        nodeSets(r);
    }

    private static void nodeSets(ParameterRegistry r) {
        r.area("Node sets");
        r.plain(
                "NODESETPOLICY",
                ValueType.choice("ONEOF", "FIRSTOF", "ANYOF"),
                null,
                "How jobs are kept within node sets; without it they are not.");
        r.plain(
                "NODESETATTRIBUTE",
                ValueType.choice("FEATURE", "PROCSPEED", "MEMORY", "NETWORK", "ARCH", "CLASS"),
                null,
                "What nodes of one set have in common.");
        r.plain(
                "NODESETLIST",
                ValueType.text("value").list(" :").as("list of values"),
                null,
                "Values that form sets, in order; without it, all that are found.");
        r.plain(
                "NODESETISOPTIONAL",
                FLAG,
                null,
                "Whether a job may do without a set. Unless written, it may, but not in a class with a DEFAULT.NODESET.");
        r.plain("NODESETDELAY", TIME, "0:00:00", "How long a job is kept waiting for a set it could do without.");
        r.plain("NODESETTOLERANCE", RATE, "0.0", "How far speeds within one PROCSPEED set may differ, as a fraction.");
        r.plain(
                "NODESETPRIORITYTYPE",
                ValueType.choice("AFFINITY", "BESTFIT", "BESTRESOURCE", "FIRSTFIT", "MINLOSS", "WORSTFIT"),
                "MINLOSS",
                "Which of several usable sets is taken.");
        r.plain(
                "NODESETPLUS",
                ValueType.choice("NONE", "SPANEVENLY", "DELAY"),
                "NONE",
                "What to do when no single set will do.");
    }
}
