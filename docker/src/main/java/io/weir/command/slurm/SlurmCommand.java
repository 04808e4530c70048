package io.weir.command.slurm;

import io.weir.command.client.TopicsAccess;
import io.weir.command.terminal.ExitCode;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Scanner;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir slurm}: takes a Slurm cluster over, tells how it stands, gives it back. */
@Command(
        name = "slurm",
        mixinStandardHelpOptions = true,
        description = {
            "Hands a Slurm cluster over to Weir, and back. Runs as root on the controller's host.",
            "",
            "  weir slurm takeover   checks slurm.conf, installs the plug-ins, holds the waiting jobs",
            "  weir slurm policy     prints a policy that orders jobs and nodes as Slurm is configured to",
            "  weir slurm status     shows who schedules the cluster, and which jobs are held by whom",
            "  weir slurm giveback   restores slurm.conf and releases the jobs that wait for Weir",
            "",
            "Each step is shown and must be confirmed. If the command is interrupted, call it again to",
            "continue. The policy decides whether Weir starts jobs: set SCHEDCFG[x] MODE=MONITOR before a",
            "takeover, NORMAL after it."
        })
public final class SlurmCommand implements Callable<Integer> {
    private static final int LOOK_SECONDS = 10;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    enum Direction {
        takeover,
        policy,
        status,
        giveback
    }

    @Parameters(paramLabel = "takeover|policy|status|giveback", description = "What to do.")
    private Direction direction = Direction.status;

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            defaultValue = "${env:SLURM_CONF:-/etc/slurm/slurm.conf}",
            description = "slurm.conf. Default: ${DEFAULT-VALUE}.")
    private Path conf = Path.of("/etc/slurm/slurm.conf");

    @Option(
            names = "--restart",
            paramLabel = "COMMAND",
            defaultValue = "systemctl restart slurmctld",
            description = "Command that restarts the controller. Default: ${DEFAULT-VALUE}.")
    private String restart = "systemctl restart slurmctld";

    @Option(names = "--dry-run", description = "Shows the steps without doing them.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Does not ask for confirmation.")
    private boolean yes;

    @Option(
            names = "--wait",
            description = "With giveback: waits until no running job has nodes that Weir chose, and releases jobs that"
                    + " are requeued meanwhile.")
    private boolean wait;

    @Mixin
    private TopicsAccess topics = new TopicsAccess();

    @Option(
            names = "--cluster",
            paramLabel = "NAME",
            description = "With giveback and --data: the cluster whose jobs Weir holds (default: the only one).")
    private @Nullable String cluster;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (!Files.isRegularFile(conf)) {
            err.println((Files.exists(conf) ? conf + " is no file" : "There is no " + conf)
                    + ": name slurm.conf by --conf, on the controller's host.");
            return ExitCode.BAD_INPUT;
        }
        if (!Files.isReadable(conf)) {
            err.println(conf + " cannot be read: call this command as root, on the controller's host.");
            return ExitCode.NOT_PERMITTED;
        }
        SlurmConf file = new SlurmConf(conf);
        boolean changes = direction == Direction.takeover || direction == Direction.giveback;
        if (changes && !dryRun) {
            Optional<String> objection = objection(System.getProperty("user.name", ""), file);
            if (objection.isPresent()) {
                err.println(objection.get());
                return ExitCode.NOT_PERMITTED;
            }
        }
        RequestedHolds requested = direction == Direction.giveback ? requested(out) : RequestedHolds.NONE;
        Handover handover = new Handover(new Slurm(conf), file, restart, requested);
        try {
            switch (direction) {
                case status -> new HandoverStatus(new Slurm(conf), file).lines().forEach(out::println);
                case policy -> new PolicyDraft(new Slurm(conf)).lines().forEach(out::println);
                case takeover -> {
                    file.warnings().forEach(warning -> out.println("Note: " + warning + "."));
                    if (!carryOut(handover.takeover(), out)) {
                        return ExitCode.FAILED;
                    }
                }
                case giveback -> {
                    if (!carryOut(handover.giveback(), out)) {
                        return ExitCode.FAILED;
                    }
                    long traced = dryRun ? 0 : handover.traced();
                    if (traced > 0) {
                        out.println(traced + " running jobs would come back to the nodes Weir gave them: should they be"
                                + " requeued they wait, held, for another weir slurm giveback (or --wait).");
                    }
                    while (wait && !dryRun && handover.traced() > 0) {
                        out.flush();
                        TimeUnit.SECONDS.sleep(LOOK_SECONDS);
                        carryOut(handover.giveback(), out);
                    }
                }
            }
        } catch (IllegalStateException e) {
            err.println(e.getMessage());
            err.println("Nothing after this was done. Put it right and call the command again: it goes on from here.");
            return ExitCode.FAILED;
        } finally {
            out.flush();
        }
        return ExitCode.FINE;
    }

    private RequestedHolds requested(PrintWriter out) {
        if (topics.isGiven()) {
            return RequestedHolds.read(topics, cluster);
        }
        out.println("Note: without --data (or --bootstrap-server) Weir is not asked which jobs it holds for somebody"
                + " (mjobctl -h); Slurm does not know of these holds, and they end.");
        return RequestedHolds.NONE;
    }

    /**
     * Returns why a user cannot hand a cluster over, before the first step is done: only root and Slurm's own user can hold
     * the jobs of others.
     */
    static Optional<String> objection(String user, SlurmConf file) {
        String slurms = file.value("SlurmUser").orElse("root");
        if (!user.equals("root") && !user.equals(slurms)) {
            return Optional.of("A cluster is handed over by root" + (slurms.equals("root") ? "" : " or " + slurms)
                    + ", not by " + user + ". Nothing was done.");
        }
        Path conf = file.file();
        Path directory = conf.toAbsolutePath().getParent();
        for (Path written : directory == null ? List.of(conf) : List.of(conf, directory)) {
            if (!Files.isWritable(written)) {
                return Optional.of(user + " cannot write " + written + ". Nothing was done.");
            }
        }
        return Optional.empty();
    }

    /** Carries out step by step; returns false when somebody said no. */
    private boolean carryOut(List<Supplier<Step>> steps, PrintWriter out) {
        int number = 0;
        for (Supplier<Step> next : steps) {
            Step step = next.get();
            number++;
            out.println(number + ". " + step.title() + (step.actions().isEmpty() ? ": nothing to do." : ":"));
            step.actions().forEach(action -> out.println("     " + action.words()));
            out.flush();
            if (dryRun || step.actions().isEmpty()) {
                continue;
            }
            if (!yes && !confirmed(out)) {
                out.println("Nothing of this step was done.");
                return false;
            }
            step.actions().forEach(action -> action.deed().out());
        }
        return true;
    }

    private static boolean confirmed(PrintWriter out) {
        out.print("   Go on? [y/N] ");
        out.flush();
        Scanner answer = new Scanner(System.in, java.nio.charset.StandardCharsets.UTF_8);
        return answer.hasNextLine() && answer.nextLine().strip().equalsIgnoreCase("y");
    }
}
