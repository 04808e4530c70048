package io.weir.scheduler.core.policy.language.parameter;

import com.google.re2j.Pattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What configurations of this language often say and Weir leaves out, and why: whoever brings a site's file along should
 * not take it for a slip of the pen. The first kind that matches counts.
 *
 * @param names parameters, or parameters with an attribute behind a blank, in upper case
 * @param reason what to know or to do about it
 */
public record UnsupportedParameters(Pattern names, String reason) {
    private static final List<UnsupportedParameters> PARAMETERS = List.of(
            of("MAX(RSVPERNODE|GRES|GMETRIC|ACL|DEPENDS)|JOBMAX(NODE|TASK)COUNT", "Weir has bounds of its own"),
            of(
                    "MAX(JOB|NODE|PROC|PE|PS|WC|RSV).*|SYSTEMMAX.*|RSVLIMITPOLICY|ENFORCERESOURCELIMITS",
                    "Weir limits nobody's jobs in number or size; set such limits in the resource manager"),
            of(
                    "JOBMAXOVERRUN|WCVIOLATIONACTION",
                    "write RESOURCELIMITPOLICY WALLTIME:EXTENDEDVIOLATION:CANCEL:time, or another of its actions"),
            of(
                    "(RESERVATION|RSV)THRESHOLD.*",
                    "the jobs first in the queue get reservations, as many as RESERVATIONDEPTH says"),
            of("SIM.*|SERVERMODE|STOPITERATION|STEPCOUNT", "simulations are run by weir simulate"),
            of(
                    "RMTYPE|RMNAME|RMPORT|RMEPORT|RMHOST|RMSERVER|RMAUTHTYPE|RMTIMEOUT|NODEPOLLFREQUENCY",
                    "resource managers are reached by connectors, each with settings of its own"),
            of(
                    "STAT(DIR|PROC.*)|LOG(DIR|FACILITY|FILEMAXSIZE|FILEROLLDEPTH)|PLOGFILE|CHECKPOINT.*|LOCKFILE"
                            + "|(SPOOL|TOOLS|HOME|MAUIHOME)DIR|UMASK|SERVER(HOST|PORT|NAME)"
                            + "|CLIENT(CFG|TIMEOUT|MAXCONNECTIONS)|DISPLAYFLAGS|USEDATABASE|MONGOSERVER|THREADPOOLSIZE"
                            + "|HAPOLLINTERVAL|SCHEDLOCK.*|LIMITED.*CP|LOADALLJOBCP|(MSUB|MSCHED)QUERYINTERVAL",
                    "Weir's processes have settings of their own"),
            of(
                    "PREEMPT.*|.*PREEMPTION|JOBPREEMPT.*",
                    "jobs of the lowest priority are preempted first, of these the youngest; PREEMPTPOLICY,"
                            + " JOBPREEMPTMINACTIVETIME, QFLAGS and JOBFLAGS say the rest"),
            of("BFPRIORITYPOLICY|BFVIRTUAL.*|BFMINVIRTUAL.*", "no job starts for the idle time of others alone"),
            of("VM.*|VPC.*|HIDEVIRTUALNODES|.*POWER.*|AGGREGATENODEACTIONS", "Weir switches and provisions no nodes"),
            of("QOS(NAME|PRIORITY|FLAGS|FEATURES|FSTARGET|QTTARGET|XFTARGET)", "write QOSCFG[name]"),
            of("ENABLEFSTREE|FSTREE", "Weir has fairshare targets, no tree of them"),
            of(
                    "SUBMITFILTER|SERVERSUBMITFILTER|STOREJOBSUBMISSION|USEMOABJOBID",
                    "jobs are submitted to the resource manager"));

    private static final List<UnsupportedParameters> ATTRIBUTES = List.of(
            of(
                    "(USER|GROUP|ACCOUNT|CLASS|QOS|PAR)CFG (O?MAXI?(JOB|NODE|PROC|PS|PE|WC|MEM|GRES|ARRAYJOB|SUBMITJOBS).*"
                            + "|M(AX|IN)\\.(NODE|PS))",
                    "Weir limits nobody's jobs in number or size; set such limits in the resource manager"),
            of(
                    "(USER|GROUP|ACCOUNT|CLASS|QOS)CFG P(LIST|DEF)",
                    "jobs go to partitions as the resource manager and NODECFG PARTITION= say"),
            of("(USER|GROUP|ACCOUNT|CLASS|QOS)CFG J(DEF|LIST|FLAGS)", "Weir has no job templates"),
            of(
                    "(NODE|PAR|RM|CLASS)CFG (.*POWER.*|PROVDURATION|RESOURCETYPE|OSLIST|VM.*)",
                    "Weir switches and provisions no nodes"),
            of("NODECFG FRAME", "write RACK="));

    private static UnsupportedParameters of(String names, String reason) {
        return new UnsupportedParameters(Pattern.compile(names), reason);
    }

    /** Returns why there is no parameter {@code name}; null when nothing is known about it. */
    public static @Nullable String parameter(String name) {
        return first(PARAMETERS, name);
    }

    /** Returns why {@code parameter} has no attribute {@code name}; null when nothing is known about it. */
    public static @Nullable String attribute(String parameter, String name) {
        return first(ATTRIBUTES, parameter + " " + name);
    }

    private static @Nullable String first(List<UnsupportedParameters> kinds, String name) {
        for (UnsupportedParameters kind : kinds) {
            if (kind.names.matcher(name).matches()) {
                return kind.reason;
            }
        }
        return null;
    }
}
