package io.weir.command.slurm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * slurm.conf, and Weir's lines in it: they stand between two marks at its end, and the lines they replace are made comments,
 * so that the file is given back as it was, with what was changed in it since.
 */
final class SlurmConf {
    private static final String BEGIN = "# BEGIN Weir";
    private static final String END = "# END Weir";
    private static final String BEFORE = "#before Weir: ";

    private static final Set<String> REPLACED =
            Set.of("jobsubmitplugins", "clifilterplugins", "schedulertype", "schedulerparameters");

    /**
     * Half a second between passes: the few ends of jobs that cause one come before the next job there is released; further ends
     * put off the pass behind it so long that it finds that one.
     */
    private static final String SPARSE_PASSES = "sched_min_interval=500000";

    /** Where an epilog runs, each end causes a pass, and one of the next is never far from a release. */
    private static final String FREQUENT_PASSES = "sched_min_interval=100000";

    /** What Slurm runs on a node when a job has left it. */
    private static final String EPILOG = "Epilog";

    private static final String SUBMISSION = "JobSubmitPlugins";
    private static final String LUA = "lua";
    private static final String SCHEDULER = "SchedulerType";
    private static final String BACKFILL = "sched/backfill";
    private static final String PARAMETERS = "SchedulerParameters";

    /** What no build of Weir went without. */
    private static final List<String> AT_ONCE = List.of("batch_sched_delay=0", "permit_job_expansion");

    /** Scheduling parameters that say what users may do and what becomes of their jobs, not when and where these run: they stay. */
    private static final Set<String> KEPT_PARAMETERS = Set.of(
            "allow_zero_lic",
            "delay_boot",
            "disable_user_top",
            "enable_user_top",
            "ignore_constraint_validation",
            "kill_invalid_depend",
            "max_array_tasks",
            "max_depend_depth",
            "max_script_size",
            "max_submit_line_size",
            "no_env_cache",
            "nohold_on_prolog_fail",
            "requeue_setup_env_fail",
            "salloc_wait_nodes",
            "sbatch_wait_nodes",
            "spec_cores_first",
            "step_retry_count",
            "step_retry_time",
            "whole_hetjob",
            "whole_pack");

    private static final List<String> LINES =
            List.of(SUBMISSION + "=" + LUA, "CliFilterPlugins=" + LUA, SCHEDULER + "=" + BACKFILL);

    private static final String HOLD_PLUGIN = "job_submit.lua";
    private static final String COMMAND_PLUGIN = "cli_filter.lua";

    /** Has the connector poll at once when a job has ended, without a process of its own. */
    private static final String COMPLETION_PLUGIN = "jobcomp.lua";

    /** Has the connector poll at once; for sites that have a job completion plug-in of their own. */
    static final String POKE = "poke.sh";

    /** All files that stand beside slurm.conf under Weir, with those of sites of one kind or the other. */
    static final List<String> PLUGINS = List.of(HOLD_PLUGIN, COMMAND_PLUGIN, COMPLETION_PLUGIN, POKE);

    /** What Slurm logs ends of jobs with; a site's own stays. */
    private static final String COMPLETION = "JobCompType";

    private static final String COMPLETION_LUA = "jobcomp/lua";

    /** The script that Slurm runs when a job has ended; a site's own stays. */
    private static final String HOOK = "EpilogSlurmctld";

    /** Whose business of others users do not see; and whether anybody sees nodes of {@code State=CLOUD} that are off. */
    private static final String PRIVATE = "PrivateData";

    /** The words by which everybody sees these. */
    private static final Set<String> ALL_NODES_SEEN = Set.of("cloud", "all");

    /** What switches nodes on; without it none are ever off. */
    private static final String RESUME = "ResumeProgram";

    /** A partition that gives processors to several jobs at a time: to all, or to those that want to share theirs. */
    private static final Pattern OVERSUBSCRIBED = Pattern.compile(
            "(?i)^\\s*PartitionName\\s*=[^#]*\\b(?:OverSubscribe|Shared)\\s*=\\s*(FORCE|YES)\\b(?!:1\\b)");

    /** A partition that has Slurm take the least loaded nodes first. */
    private static final Pattern LEAST_LOADED =
            Pattern.compile("(?i)^\\s*PartitionName\\s*=[^#]*\\bLLN\\s*=\\s*YES\\b");

    /** A partition whose jobs come before those of others. */
    private static final Pattern TIERED = Pattern.compile(
            "(?i)^\\s*PartitionName\\s*=[^#]*\\b(PriorityTier|PriorityJobFactor|Priority)\\s*=\\s*(?!1\\b)\\d");

    /** Nodes that Slurm takes after others, or before them. */
    private static final Pattern WEIGHED = Pattern.compile("(?i)^\\s*NodeName\\s*=[^#]*\\bWeight\\s*=\\s*(?!1\\b)\\d");

    /** Which nodes Slurm takes first. */
    private static final Pattern NODE_ORDER = Pattern.compile("(?i)\\bCR_(LLN|Pack_Nodes)\\b");

    /** A partition that gives some of the processors of a node. */
    private static final Pattern CAPPED =
            Pattern.compile("(?i)^\\s*PartitionName\\s*=[^#]*\\bMaxCPUsPerNode\\s*=\\s*\\d");

    /** Nodes with generic resources that jobs do not use up. */
    private static final Pattern UNCONSUMED =
            Pattern.compile("(?i)^\\s*NodeName\\s*=[^#]*\\bGres\\s*=\\s*\\S*:no_consume\\b");

    /** Hosts of the controller: the first, and those that take over from it. */
    private static final Set<String> CONTROLLER_HOSTS = Set.of("slurmctldhost", "controlmachine", "backupcontroller");

    private final Path file;

    SlurmConf(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    /** Returns a file beside it. */
    SiteFile beside(String name) {
        return new SiteFile(file.resolveSibling(name));
    }

    private List<String> lines() {
        return new SiteFile(file).content().lines().toList();
    }

    /** Says whether the cluster is Weir's by this file. */
    boolean isWeirs() {
        return lines().contains(BEGIN);
    }

    /** Returns the value of a parameter, which may stand in a file that is included; the last one counts, and case does not. */
    Optional<String> value(String name) {
        return value(name, lines());
    }

    private Optional<String> value(String name, List<String> lines) {
        return includes().with(lines).stream()
                .filter(line -> nameOf(line).equals(name.toLowerCase(Locale.ROOT)))
                .map(line -> line.substring(line.indexOf('=') + 1)
                        .replaceFirst("\\s+#.*", "")
                        .strip())
                .reduce((first, second) -> second);
    }

    private ConfIncludes includes() {
        return new ConfIncludes(file);
    }

    /** Returns the parameter that a line sets, in lower case; empty for none. */
    private static String nameOf(String line) {
        int equals = line.indexOf('=');
        return equals < 0 ? "" : line.substring(0, equals).strip().toLowerCase(Locale.ROOT);
    }

    /** Returns what would behave otherwise under Weir, or should be looked at before. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        value("PriorityType")
                .filter(type -> type.endsWith("multifactor"))
                .ifPresent(type -> warnings.add("PriorityType=" + type
                        + ": Weir orders jobs by its own priority (SERVICEWEIGHT, FSWEIGHT …), not by Slurm's; weir slurm"
                        + " policy proposes weights; sprio shows nothing of them, weir mdiag -p does"));
        value("PreemptType")
                .filter(type -> !type.endsWith("none"))
                .ifPresent(type -> warnings.add("PreemptType=" + type
                        + ": who preempts whom is Weir's to say then, by JOBFLAGS and QFLAGS, which weir slurm policy"
                        + " proposes; nobody is suspended for others"));
        value(RESUME)
                .ifPresent(program -> warnings.add("ResumeProgram=" + program
                        + ": Slurm goes on switching nodes off that are idle for SuspendTime; Weir counts such nodes, of"
                        + " State=CLOUD too, as idle, and Slurm switches them on when Weir starts a job there; to have Weir"
                        + " take nodes that are on first, use NODEALLOCATIONPOLICY PRIORITY with POWER"));
        if (hidesNodes() && !isWeirs()) {
            warnings.add(PRIVATE
                    + " gets cloud: without it Slurm tells nobody of nodes of State=CLOUD that are off, and so Weir"
                    + " would start nothing there");
        }
        value("JobSubmitPlugins")
                .filter(plugins -> !isWeirs())
                .ifPresent(plugins -> warnings.add("JobSubmitPlugins=" + plugins
                        + " is replaced: what these plug-ins do has to be added to Weir's job_submit.lua"));
        value("CliFilterPlugins")
                .filter(plugins -> !isWeirs())
                .ifPresent(plugins -> warnings.add("CliFilterPlugins=" + plugins + " is replaced"));
        value("SchedulerParameters")
                .filter(parameters -> !isWeirs())
                .ifPresent(parameters -> warnings.add("SchedulerParameters=" + parameters + " is replaced"
                        + (keptParameters().isEmpty() ? "" : ", but for " + String.join(",", keptParameters()))));
        value("SchedulerParameters")
                .filter(parameters ->
                        isWeirs() && !List.of(parameters.split(",")).contains(passes()))
                .ifPresent(parameters -> warnings.add("SchedulerParameters=" + parameters + ": set " + passes()
                        + ", or jobs that are released when others end wait longer for Slurm"));
        value("SchedulerType")
                .filter(type -> isWeirs() && !type.equals("sched/backfill"))
                .ifPresent(type -> warnings.add("SchedulerType=" + type
                        + ": Slurm refuses heterogeneous jobs;"
                        + " set sched/backfill, and bf_interval=1 in SchedulerParameters"));
        if (hasCompletionPlugin() && !isWeirs()) {
            value(HOOK)
                    .ifPresent(script -> warnings.add(HOOK + "=" + script + " stays, and so does " + COMPLETION
                            + ": have the script call " + POKE
                            + ", or Weir sees the end of a job at the next poll"));
        }
        value("TopologyPlugin")
                .filter(plugin -> !plugin.endsWith("none"))
                .ifPresent(plugin -> warnings.add("TopologyPlugin=" + plugin
                        + ": which nodes jobs get is Weir's policy, for which the switches of topology/tree are features of nodes"
                        + " (switch/NAME) that may form node sets (NODESETATTRIBUTE FEATURE); jobs that ask for one switch"
                        + " (--switches=1) wait for it as with Slurm"));
        if (!value("AuthInfo").orElse("").contains("cred_expire")) {
            warnings.add(
                    "AuthInfo has no cred_expire: a requeued job may not start for two minutes; add cred_expire=10");
        }
        if (!value("JobRequeue").orElse("1").equals("0")) {
            warnings.add("JobRequeue=1: Slurm puts a job back whose node dies; Weir ends it unless the policy says"
                    + " NODEALLOCRESFAILUREPOLICY REQUEUE");
        }
        warnings.add(
                "A node that failed for a moment, or refused a start: Slurm gives it to jobs at once, Weir after five minutes"
                        + " unless the policy says NODEFAILURERESERVETIME 0");
        Set<String> tiers = described(TIERED).map(tier -> tier.group(1)).collect(Collectors.toCollection(TreeSet::new));
        if (!tiers.isEmpty()) {
            warnings.add(String.join(", ", tiers)
                    + " of partitions: Weir orders jobs by its own priority; for the same order give the classes of these"
                    + " names one (CLASSCFG[NAME] PRIORITY), as weir slurm policy proposes");
        }
        if (described(WEIGHED).findAny().isPresent()) {
            warnings.add(
                    "Weight of nodes: Weir chooses nodes by its own policy, not the lightest first; for that set"
                            + " NODEALLOCATIONPOLICY PRIORITY and a NODECFG[NAME] PRIORITY for each, as weir slurm policy proposes");
        }
        value("SelectTypeParameters")
                .filter(parameters -> NODE_ORDER.matcher(parameters).find())
                .ifPresent(parameters -> warnings.add("SelectTypeParameters=" + parameters
                        + ": Weir chooses nodes by its own policy, not by CR_LLN or CR_Pack_Nodes; for the least loaded"
                        + " first set NODEALLOCATIONPOLICY CPULOAD"));
        Set<String> oversubscribed = described(OVERSUBSCRIBED)
                .map(found -> found.group(1).toUpperCase(Locale.ROOT))
                .collect(Collectors.toSet());
        if (oversubscribed.contains("FORCE")) {
            warnings.add(
                    "OverSubscribe=FORCE: Weir gives no processor to two jobs, so that fewer run at a time than under"
                            + " Slurm");
        }
        if (oversubscribed.contains("YES")) {
            warnings.add("OverSubscribe=YES: Weir gives no processor to two jobs, so that sbatch -s is without effect");
        }
        if (described(LEAST_LOADED).findAny().isPresent()) {
            warnings.add("LLN=YES: Weir chooses nodes by its own policy, not the least loaded first; for that set"
                    + " NODEALLOCATIONPOLICY CPULOAD");
        }
        if (described(CAPPED).findAny().isPresent()) {
            warnings.add(
                    "MaxCPUsPerNode: jobs that may run in several partitions may be tried in vain where one of them gives"
                            + " no more processors of a node");
        }
        if (described(UNCONSUMED).findAny().isPresent()) {
            warnings.add("no_consume in Gres of nodes: Slurm does not tell that jobs use up nothing of such a resource;"
                    + " Weir counts what they ask for, so that fewer run on a node at a time");
        }
        value("ScronParameters")
                .filter(parameters -> List.of(parameters.split(",")).contains("enable"))
                .ifPresent(parameters -> warnings.add("ScronParameters=" + parameters
                        + ": Slurm has nobody change jobs of scrontab, so that Weir cannot start them; users can add none, and"
                        + " Slurm goes on starting those that there are"));
        value("PreemptMode")
                .filter(mode -> mode.toLowerCase(Locale.ROOT).contains("gang"))
                .ifPresent(mode -> warnings.add(
                        "PreemptMode=" + mode + ": Weir gives no processor to two jobs, so that none takes turns"));
        if (controllerHosts() > 1) {
            warnings.add(
                    "there is a backup controller: " + file.getFileName() + " and the plug-ins beside it are changed"
                            + " here, and have to be the same on each of its hosts before one takes over, or jobs that arrive"
                            + " there are not held");
        }
        if (value("FederationParameters").isPresent()) {
            warnings.add("a federation: jobs of other clusters are not Weir's");
        }
        includes()
                .unreadable(lines())
                .forEach(included ->
                        warnings.add(file.getFileName() + " includes " + included + ", which cannot be read here"));
        return warnings;
    }

    /** Returns where the file describes nodes or partitions like that, also in lines that are continued. */
    private Stream<MatchResult> described(Pattern pattern) {
        return String.join("\n", includes().with(lines()))
                .replaceAll("\\\\\\r?\\n", " ")
                .lines()
                .map(pattern::matcher)
                .filter(Matcher::find)
                .map(Matcher::toMatchResult);
    }

    private long controllerHosts() {
        return includes().with(lines()).stream()
                .filter(line -> CONTROLLER_HOSTS.contains(nameOf(line)))
                .count();
    }

    /** Says whether the site, Weir apart, has a plug-in for ends of jobs: Slurm has room for one. */
    private boolean hasCompletionPlugin() {
        return value(COMPLETION, given()).filter(type -> !type.endsWith("none")).isPresent();
    }

    /** Says whether Slurm, by the site's own lines, may hide nodes from Weir. */
    private boolean hidesNodes() {
        return value(RESUME, given()).isPresent() && sitesPrivacy().stream().noneMatch(ALL_NODES_SEEN::contains);
    }

    private List<String> sitesPrivacy() {
        return Stream.of(value(PRIVATE, given())
                        .orElse("")
                        .toLowerCase(Locale.ROOT)
                        .split(","))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** Returns the site's own parameters that hold under Weir, too. */
    private List<String> keptParameters() {
        return Stream.of(value(PARAMETERS, given()).orElse("").split(","))
                .map(String::strip)
                .filter(parameter -> KEPT_PARAMETERS.contains(
                        parameter.replaceFirst("=.*", "").toLowerCase(Locale.ROOT)))
                .toList();
    }

    private String passes() {
        return value(EPILOG).isPresent() ? FREQUENT_PASSES : SPARSE_PASSES;
    }

    /** Returns the names of the files that are to stand beside slurm.conf under Weir. */
    List<String> plugins() {
        return PLUGINS.stream()
                .filter(name -> !name.equals(COMPLETION_PLUGIN) || !hasCompletionPlugin())
                .toList();
    }

    /** Returns the file as it is to be under Weir. */
    List<String> taken() {
        List<String> taken = new ArrayList<>();
        for (String line : lines()) {
            taken.add(isReplaced(nameOf(line)) ? BEFORE + line : line);
        }
        taken.add(BEGIN);
        taken.addAll(LINES);
        List<String> parameters = new ArrayList<>(List.of(
                "batch_sched_delay=0", passes(), "default_queue_depth=10000", "permit_job_expansion", "bf_interval=1"));
        parameters.addAll(keptParameters());
        taken.add(PARAMETERS + "=" + String.join(",", parameters));
        if (!hasCompletionPlugin()) {
            taken.add(COMPLETION + "=" + COMPLETION_LUA);
        } else if (value(HOOK).isEmpty()) {
            taken.add(HOOK + "=" + file.resolveSibling(POKE).toAbsolutePath());
        }
        if (hidesNodes()) {
            taken.add(PRIVATE + "="
                    + Stream.concat(sitesPrivacy().stream(), Stream.of("cloud")).collect(Collectors.joining(",")));
        }
        taken.add(END);
        return taken;
    }

    /**
     * Returns in what the controller runs otherwise than by this file, of what Weir sets, because it was not restarted since;
     * empty if in nothing. What a site sets otherwise than Weir is not looked at.
     */
    Optional<String> difference(Controller controller) {
        List<String> names = new ArrayList<>(List.of(SUBMISSION, SCHEDULER, PARAMETERS));
        if (!hasCompletionPlugin()) {
            names.add(COMPLETION);
        }
        return names.stream()
                .filter(name -> isAsUnderWeir(name, ownOrUsual(name)) != isAsUnderWeir(name, controller.value(name)))
                .findFirst()
                .map(name -> name + " is " + nameOfNone(controller.value(name)) + " there and "
                        + nameOfNone(ownOrUsual(name)) + " in " + file);
    }

    private static String nameOfNone(String value) {
        return value.isEmpty() ? "not set" : value;
    }

    private String ownOrUsual(String name) {
        return value(name).orElse(name.equals(SCHEDULER) ? BACKFILL : "");
    }

    /** Sites may add parameters to Weir's, and an earlier build had others. */
    private static boolean isAsUnderWeir(String name, String value) {
        return switch (name) {
            case SUBMISSION ->
                List.of(value.replace("job_submit/", "").split(",")).contains(LUA);
            case SCHEDULER -> value.equals(BACKFILL);
            case PARAMETERS -> List.of(value.split(",")).containsAll(AT_ONCE);
            default -> value.equals(COMPLETION_LUA);
        };
    }

    /** Says whether the controller, by what it says, holds each job that arrives for Weir. */
    boolean isHeldTo(Controller controller) {
        boolean sitesOwn = value(SUBMISSION, given())
                .filter(own -> isAsUnderWeir(SUBMISSION, own))
                .isPresent();
        return isAsUnderWeir(SUBMISSION, controller.value(SUBMISSION))
                && (!sitesOwn || isAsUnderWeir(PARAMETERS, controller.value(PARAMETERS)));
    }

    /** Says whether the controller holds each job that arrives by a plug-in of Weir's that somebody else put there. */
    boolean isHeldByHand(Controller controller) {
        return isAsUnderWeir(SUBMISSION, controller.value(SUBMISSION))
                && beside(HOLD_PLUGIN).content().contains(Holds.HELD_BY_USER);
    }

    private boolean isReplaced(String name) {
        return REPLACED.contains(name)
                || (name.equals(COMPLETION.toLowerCase(Locale.ROOT)) && !hasCompletionPlugin())
                || (name.equals(PRIVATE.toLowerCase(Locale.ROOT)) && hidesNodes());
    }

    /** Returns the file as it is to be without Weir. */
    List<String> given() {
        List<String> given = new ArrayList<>();
        boolean inside = false;
        for (String line : lines()) {
            if (line.equals(BEGIN)) {
                inside = true;
            } else if (line.equals(END)) {
                inside = false;
            } else if (!inside) {
                given.add(line.startsWith(BEFORE) ? line.substring(BEFORE.length()) : line);
            }
        }
        return given;
    }

    /** Writes the file at one stroke, keeping what may be done with it. */
    void write(List<String> lines) {
        new SiteFile(file).change(lines.stream().map(line -> line + "\n").collect(Collectors.joining()));
    }
}
