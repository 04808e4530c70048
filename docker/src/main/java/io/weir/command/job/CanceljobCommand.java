package io.weir.command.job;

import io.weir.command.client.ClusterClient;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestCommand;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir canceljob}: short for {@code weir mjobctl -c}. */
@Command(name = "canceljob", description = "Cancels jobs. Short for weir mjobctl -c.")
public final class CanceljobCommand extends RequestCommand {
    @Parameters(arity = "1..*", paramLabel = "JOB", description = "Ids.")
    private List<String> ids = List.of();

    @Override
    protected int run(ClusterClient client) throws IOException {
        List<OperatorRequest> requests = ids.stream()
                .map(id -> OperatorRequest.about(RequestKind.CANCEL_JOB, id))
                .toList();
        return ask(client, options().cluster(client), requests);
    }

    @Override
    protected String done(OperatorRequest request) {
        return "job '" + request.objectId() + "' cancelled";
    }
}
