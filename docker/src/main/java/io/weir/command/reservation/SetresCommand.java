package io.weir.command.reservation;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.client.ClusterClient;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestAnswer;
import io.weir.command.client.RequestCommand;
import io.weir.command.format.FieldText;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir setres}: short for {@code weir mrsvctl -c}. */
@Command(name = "setres", description = "Creates a reservation. Short for weir mrsvctl -c.")
public final class SetresCommand extends RequestCommand {
    @Mixin
    private ReservationForm form = new ReservationForm();

    @Option(names = "-g", paramLabel = "GROUP", description = "Group of reservations.")
    private @Nullable String group;

    @Override
    protected void check() {
        if (!form.problem().isEmpty()) {
            throw usage(form.problem());
        }
    }

    @Override
    protected int run(ClusterClient client) throws IOException {
        return ask(client, options().cluster(client), List.of(form.request(group)));
    }

    @Override
    protected void tell(OperatorRequest request, JsonNode answer) {
        if (RequestAnswer.accepted(answer)) {
            out().printf("NOTE:  reservation %s created%n", FieldText.text(answer, "objectId"));
            RequestAnswer.values(answer.path("details"), "line").forEach(line -> out().printf("  %s%n", line));
            out().flush();
        } else {
            super.tell(request, answer);
        }
    }

    @Override
    protected String done(OperatorRequest request) {
        return "reservation created";
    }

    @Override
    protected String failed(OperatorRequest request) {
        return "cannot create reservation";
    }
}
