package io.weir.command.topics;

import io.weir.command.client.KnownClusters;
import io.weir.command.client.TopicsAccess;
import io.weir.command.terminal.BadInputException;
import io.weir.command.terminal.ExitCode;
import io.weir.scheduler.cli.PolicyFile;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.standalone.Connection;
import io.weir.standalone.PolicyPublisher;
import io.weir.standalone.access.Account;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir policy}: makes a site configuration the one in force. */
@Command(
        name = "policy",
        mixinStandardHelpOptions = true,
        description = {
            "Publishes a site configuration with its INCLUDEs inlined. It takes effect between two iterations.",
            "Publishing the configuration in force again changes nothing. mschedctl -l config shows the one in",
            "force."
        },
        footer = {"", "Example: weir policy --cluster c1 --data /var/lib/weir site.cfg"})
public final class PolicyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private TopicsAccess topics = new TopicsAccess();

    @Option(names = "--cluster", paramLabel = "NAME", required = true, description = "The cluster it is for.")
    private String cluster = "";

    @Option(names = "--new", description = "No scheduler or connector has run for the cluster yet.")
    private boolean isNew;

    @Parameters(paramLabel = "FILE", description = "The configuration, in Moab syntax.")
    private Path file = Path.of("");

    @Override
    public Integer call() throws IOException {
        String text;
        try {
            text = PolicyFile.publishable(file);
        } catch (IOException e) {
            throw new BadInputException(String.valueOf(e.getMessage()));
        }
        try (TopicsAccess.Opened access = topics.open(Account.API)) {
            requireKnown(access.connection());
            String version = new PolicyPublisher(access.connection(), topics.names())
                    .publish(cluster, text, file.toAbsolutePath().toString());
            spec.commandLine()
                    .getOut()
                    .printf(
                            "%s is published for %s, version %s; a scheduler puts it in force with its next iteration%n",
                            file, cluster, version);
            List<PolicyProblem> problems = SitePolicy.read(text).problems();
            if (!problems.isEmpty()) {
                spec.commandLine()
                        .getOut()
                        .printf(
                                "%d errors, %d warnings; weir config check %s lists them%n",
                                count(problems, PolicyProblem.Level.ERROR),
                                count(problems, PolicyProblem.Level.WARNING),
                                file);
            }
            spec.commandLine().getOut().flush();
        }
        return ExitCode.FINE;
    }

    private static long count(List<PolicyProblem> problems, PolicyProblem.Level level) {
        return problems.stream().filter(problem -> problem.level() == level).count();
    }

    /** A slip would be reported as published, and end as a dead letter of the scheduler. */
    private void requireKnown(Connection connection) {
        if (isNew) {
            return;
        }
        Set<String> known = KnownClusters.read(connection, topics.names());
        if (!known.isEmpty() && !known.contains(cluster)) {
            throw new BadInputException("There is no cluster '" + cluster + "'; there are " + known
                    + ". If it is new, and no scheduler or connector has run for it yet, add --new");
        }
    }
}
