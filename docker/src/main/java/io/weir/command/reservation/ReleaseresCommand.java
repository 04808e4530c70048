package io.weir.command.reservation;

import io.weir.command.client.ClusterClient;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestCommand;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir releaseres}: short for {@code weir mrsvctl -r}. */
@Command(name = "releaseres", description = "Releases reservations. Short for weir mrsvctl -r.")
public final class ReleaseresCommand extends RequestCommand {
    @Parameters(arity = "1..*", paramLabel = "RSV", description = "Ids.")
    private List<String> ids = List.of();

    @Override
    protected int run(ClusterClient client) throws IOException {
        List<OperatorRequest> requests = ids.stream()
                .map(id -> OperatorRequest.about(RequestKind.RELEASE_RESERVATION, id))
                .toList();
        return ask(client, options().cluster(client), requests);
    }

    @Override
    protected String done(OperatorRequest request) {
        return "reservation '" + request.objectId() + "' successfully released";
    }
}
