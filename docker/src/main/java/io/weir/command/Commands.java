package io.weir.command;

import io.weir.command.bench.BenchCommand;
import io.weir.command.diagnose.MdiagCommand;
import io.weir.command.job.CanceljobCommand;
import io.weir.command.job.CheckjobCommand;
import io.weir.command.job.MjobctlCommand;
import io.weir.command.job.RunjobCommand;
import io.weir.command.job.SetqosCommand;
import io.weir.command.job.SetspriCommand;
import io.weir.command.job.ShowbfCommand;
import io.weir.command.job.ShowqCommand;
import io.weir.command.job.ShowstartCommand;
import io.weir.command.launcher.DemoCommand;
import io.weir.command.launcher.StandaloneCommand;
import io.weir.command.letters.DeadLettersCommand;
import io.weir.command.node.ChecknodeCommand;
import io.weir.command.node.MnodectlCommand;
import io.weir.command.nonstop.SmdCommand;
import io.weir.command.reservation.MrsvctlCommand;
import io.weir.command.reservation.ReleaseresCommand;
import io.weir.command.reservation.SetresCommand;
import io.weir.command.reservation.ShowresCommand;
import io.weir.command.scheduler.MschedctlCommand;
import io.weir.command.slurm.SlurmCommand;
import io.weir.command.statistics.ShowstatsCommand;
import io.weir.command.topics.AclsCommand;
import io.weir.command.topics.CompareCommand;
import io.weir.command.topics.PolicyCommand;
import io.weir.command.topics.TopicsCommand;
import io.weir.command.trial.CrashDrillCommand;
import io.weir.command.trial.LoopCommand;
import io.weir.command.trial.RunTraceCommand;
import io.weir.scheduler.cli.BrokerAccess;
import io.weir.scheduler.cli.ConfigCommand;
import io.weir.scheduler.cli.RebuildCommand;
import io.weir.scheduler.cli.ReplayCommand;
import io.weir.scheduler.cli.SimulateCommand;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.KafkaAccess;
import io.weir.standalone.access.Account;
import java.util.List;

/**
 * The subcommands of {@code weir} by name. A command is made, and its classes are loaded, only when it is asked for: to
 * make all of them takes longer than most of them run.
 */
final class Commands {
    /** In the order in which the help lists them. */
    static final List<String> NAMES = List.of(
            "demo",
            "standalone",
            "simulate",
            "run-trace",
            "crash-drill",
            "loop",
            "bench",
            "showq",
            "checkjob",
            "showstart",
            "showbf",
            "showres",
            "checknode",
            "showstats",
            "mdiag",
            "mjobctl",
            "mnodectl",
            "mrsvctl",
            "canceljob",
            "runjob",
            "mschedctl",
            "setqos",
            "setspri",
            "setres",
            "releaseres",
            "compare",
            "policy",
            "topics",
            "acls",
            "dead-letters",
            "version",
            "replay",
            "rebuild",
            "config",
            "smd",
            "slurm");

    private Commands() {}

    /** Returns a new command of one of the {@link #NAMES}. */
    static Object make(String name) {
        return switch (name) {
            case "demo" -> new DemoCommand();
            case "standalone" -> new StandaloneCommand();
            case "simulate" -> new SimulateCommand();
            case "run-trace" -> new RunTraceCommand();
            case "crash-drill" -> new CrashDrillCommand();
            case "loop" -> new LoopCommand();
            case "bench" -> new BenchCommand();
            case "showq" -> new ShowqCommand();
            case "checkjob" -> new CheckjobCommand();
            case "showstart" -> new ShowstartCommand();
            case "showbf" -> new ShowbfCommand();
            case "showres" -> new ShowresCommand();
            case "checknode" -> new ChecknodeCommand();
            case "showstats" -> new ShowstatsCommand();
            case "mdiag" -> new MdiagCommand();
            case "mjobctl" -> new MjobctlCommand();
            case "mnodectl" -> new MnodectlCommand();
            case "mrsvctl" -> new MrsvctlCommand();
            case "canceljob" -> new CanceljobCommand();
            case "runjob" -> new RunjobCommand();
            case "mschedctl" -> new MschedctlCommand();
            case "setqos" -> new SetqosCommand();
            case "setspri" -> new SetspriCommand();
            case "setres" -> new SetresCommand();
            case "releaseres" -> new ReleaseresCommand();
            case "compare" -> new CompareCommand();
            case "policy" -> new PolicyCommand();
            case "topics" -> new TopicsCommand();
            case "acls" -> new AclsCommand();
            case "dead-letters" -> new DeadLettersCommand();
            case "version" -> new VersionCommand();
            case "replay" -> new ReplayCommand(directories(Account.READER), directories(Account.AUDIT));
            case "rebuild" -> new RebuildCommand(directories(Account.READER));
            case "config" -> ConfigCommand.with(directories(Account.READER));
            case "smd" -> new SmdCommand();
            case "slurm" -> new SlurmCommand();
            default -> throw new IllegalArgumentException("There is no command " + name);
        };
    }

    private static BrokerAccess.OfDirectory directories(Account account) {
        return data -> KafkaAccess.open(new DataDirectory(data), account);
    }
}
