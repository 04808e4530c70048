package io.weir.command.slurm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

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
     * Half a second between passes: Slurm makes one when a job's nodes are free, which is before the next job there is released;
     * further ends put off the pass behind it so long that it finds that one.
     */
    private static final String PASSES = "sched_min_interval=500000";

    private static final List<String> LINES = List.of(
            "JobSubmitPlugins=lua",
            "CliFilterPlugins=lua",
            "SchedulerType=sched/backfill",
            "SchedulerParameters=batch_sched_delay=0," + PASSES + ",default_queue_depth=10000,permit_job_expansion,"
                    + "bf_interval=1");

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

    /** The script that Slurm runs when a job has ended; a site's own stays. */
    private static final String HOOK = "EpilogSlurmctld";

    /** A partition that gives processors to several jobs at a time. */
    private static final Pattern OVERSUBSCRIBED =
            Pattern.compile("(?i)^\\s*PartitionName\\s*=[^#]*\\b(OverSubscribe|Shared)\\s*=\\s*FORCE\\b(?!:1\\b)");

    private final Path file;

    SlurmConf(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    private List<String> lines() {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says whether the cluster is Weir's by this file. */
    boolean isWeirs() {
        return lines().contains(BEGIN);
    }

    /** Returns the value of a parameter; the last one counts, and case does not. */
    Optional<String> value(String name) {
        return value(name, lines());
    }

    private static Optional<String> value(String name, List<String> lines) {
        return lines.stream()
                .filter(line -> nameOf(line).equals(name.toLowerCase(Locale.ROOT)))
                .map(line -> line.substring(line.indexOf('=') + 1)
                        .replaceFirst("\\s+#.*", "")
                        .strip())
                .reduce((first, second) -> second);
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
                        + ": Weir orders jobs by its own priority (SERVICEWEIGHT, FSWEIGHT …), not by Slurm's; sprio"
                        + " shows nothing of it, weir mdiag -p does"));
        value("PreemptType")
                .filter(type -> !type.endsWith("none"))
                .ifPresent(type ->
                        warnings.add("PreemptType=" + type + ": under Weir jobs are preempted by Weir's policy alone"));
        value("JobSubmitPlugins")
                .filter(plugins -> !isWeirs())
                .ifPresent(plugins -> warnings.add("JobSubmitPlugins=" + plugins
                        + " is replaced: what these plug-ins do has to be added to Weir's job_submit.lua"));
        value("CliFilterPlugins")
                .filter(plugins -> !isWeirs())
                .ifPresent(plugins -> warnings.add("CliFilterPlugins=" + plugins + " is replaced"));
        value("SchedulerParameters")
                .filter(parameters -> !isWeirs())
                .ifPresent(parameters -> warnings.add("SchedulerParameters=" + parameters + " is replaced"));
        value("SchedulerParameters")
                .filter(parameters ->
                        isWeirs() && !List.of(parameters.split(",")).contains(PASSES))
                .ifPresent(parameters -> warnings.add("SchedulerParameters=" + parameters + ": set " + PASSES
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
                        + ": Weir knows switches as features and node sets (NODESETATTRIBUTE FEATURE),"
                        + " not from there"));
        if (!value("AuthInfo").orElse("").contains("cred_expire")) {
            warnings.add(
                    "AuthInfo has no cred_expire: a requeued job may not start for two minutes; add cred_expire=10");
        }
        if (!value("JobRequeue").orElse("1").equals("0")) {
            warnings.add("JobRequeue=1: Slurm puts a job back whose node dies; Weir ends it unless the policy says"
                    + " NODEALLOCRESFAILUREPOLICY REQUEUE");
        }
        if (lines().stream().anyMatch(line -> OVERSUBSCRIBED.matcher(line).find())) {
            warnings.add(
                    "OverSubscribe=FORCE: Weir gives no processor to two jobs, so that fewer run at a time than under"
                            + " Slurm");
        }
        if (value("FederationParameters").isPresent()) {
            warnings.add("a federation: jobs of other clusters are not Weir's");
        }
        if (lines().stream().anyMatch(line -> line.matches("(?i)\\s*include\\s+.*"))) {
            warnings.add("slurm.conf includes other files, which were not looked at");
        }
        return warnings;
    }

    /** Says whether the site, Weir apart, has a plug-in for ends of jobs: Slurm has room for one. */
    private boolean hasCompletionPlugin() {
        return value(COMPLETION, given()).filter(type -> !type.endsWith("none")).isPresent();
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
        if (!hasCompletionPlugin()) {
            taken.add(COMPLETION + "=jobcomp/lua");
        } else if (value(HOOK).isEmpty()) {
            taken.add(HOOK + "=" + file.resolveSibling(POKE).toAbsolutePath());
        }
        taken.add(END);
        return taken;
    }

    private boolean isReplaced(String name) {
        return REPLACED.contains(name) || (name.equals(COMPLETION.toLowerCase(Locale.ROOT)) && !hasCompletionPlugin());
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
        try {
            Path fresh = file.resolveSibling(file.getFileName() + ".weir-new");
            Files.copy(file, fresh, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
            Files.write(fresh, lines, StandardCharsets.UTF_8);
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
