package io.weir.command.job;

import io.weir.command.client.ClusterClient;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestCommand;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir setqos}: short for {@code weir mjobctl -m qos=}. */
@Command(name = "setqos", description = "Sets the quality of service of jobs. Short for weir mjobctl -m qos=.")
public final class SetqosCommand extends RequestCommand {
    @Parameters(index = "0", paramLabel = "QOS", description = "Quality of service.")
    private String value = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "JOB", description = "Job ids.")
    private List<String> ids = List.of();

    @Override
    protected int run(ClusterClient client) throws IOException {
        List<OperatorRequest> requests = ids.stream()
                .map(id -> OperatorRequest.about(RequestKind.MODIFY_JOB, id).with("qos", value))
                .toList();
        return ask(client, options().cluster(client), requests);
    }

    @Override
    protected String done(OperatorRequest request) {
        return "job '" + request.objectId() + "' modified";
    }
}
