package io.weir.command;

import io.weir.command.letters.DeadLettersCommand;
import io.weir.command.site.CanceljobCommand;
import io.weir.command.site.CheckjobCommand;
import io.weir.command.site.ChecknodeCommand;
import io.weir.command.site.MdiagCommand;
import io.weir.command.site.MjobctlCommand;
import io.weir.command.site.MnodectlCommand;
import io.weir.command.site.MrsvctlCommand;
import io.weir.command.site.MschedctlCommand;
import io.weir.command.site.ReleaseresCommand;
import io.weir.command.site.RunjobCommand;
import io.weir.command.site.SetqosCommand;
import io.weir.command.site.SetresCommand;
import io.weir.command.site.SetspriCommand;
import io.weir.command.site.ShowbfCommand;
import io.weir.command.site.ShowqCommand;
import io.weir.command.site.ShowresCommand;
import io.weir.command.site.ShowstartCommand;
import io.weir.scheduler.cli.BrokerAccess;
import io.weir.scheduler.cli.ConfigCommand;
import io.weir.scheduler.cli.RebuildCommand;
import io.weir.scheduler.cli.ReplayCommand;
import io.weir.scheduler.cli.SimulateCommand;
import io.weir.standalone.BackboneAccess;
import io.weir.standalone.DataDirectory;
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
            "config");

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
            case "replay" -> new ReplayCommand(directories());
            case "rebuild" -> new RebuildCommand(directories());
            case "config" -> ConfigCommand.with(directories());
            default -> throw new IllegalArgumentException("There is no command " + name);
        };
    }

    private static BrokerAccess.OfDirectory directories() {
        return data -> BackboneAccess.open(new DataDirectory(data), Account.READER);
    }
}
