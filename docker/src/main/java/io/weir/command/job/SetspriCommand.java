package io.weir.command.job;

import io.weir.command.client.ClusterClient;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestCommand;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir setspri}: short for {@code weir mjobctl -p}. */
@Command(name = "setspri", description = "Sets the system priority of jobs. Short for weir mjobctl -p.")
public final class SetspriCommand extends RequestCommand {
    @Parameters(index = "0", paramLabel = "PRIO", description = "Priority; 0 removes it.")
    private String value = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "JOB", description = "Job ids.")
    private List<String> ids = List.of();

    @Override
    protected void check() {
        if (!value.matches("[+-]?\\d{1,9}")) {
            throw usage(value + " is no priority; give a whole number of up to nine digits");
        }
    }

    @Override
    protected int run(ClusterClient client) throws IOException {
        List<OperatorRequest> requests =
                ids.stream().map(id -> MjobctlCommand.priority(id, value)).toList();
        return ask(client, options().cluster(client), requests);
    }

    @Override
    protected String done(OperatorRequest request) {
        return "job '" + request.objectId() + "' modified";
    }
}
