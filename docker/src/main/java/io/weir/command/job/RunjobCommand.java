package io.weir.command.job;

import io.weir.command.client.ClusterClient;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestCommand;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir runjob}: short for {@code weir mjobctl -p} with the highest priority. */
@Command(
        name = "runjob",
        description = {
            "Runs jobs next: each starts at once if its nodes are free, else before any other job.",
            "Short for weir mjobctl -p 1000000000."
        })
public final class RunjobCommand extends RequestCommand {
    private static final String HIGHEST = "1000000000";

    @Parameters(arity = "1..*", paramLabel = "JOB", description = "Ids.")
    private List<String> ids = List.of();

    @Override
    protected int run(ClusterClient client) throws IOException {
        List<OperatorRequest> requests = ids.stream()
                .map(id ->
                        OperatorRequest.about(RequestKind.SET_JOB_PRIORITY, id).with("priority", HIGHEST))
                .toList();
        return ask(client, options().cluster(client), requests);
    }

    @Override
    protected String done(OperatorRequest request) {
        return "job '" + request.objectId() + "' runs next";
    }

    @Override
    protected String failed(OperatorRequest request) {
        return "job '" + request.objectId() + "' not changed";
    }
}
