package io.weir.command.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.command.format.FieldText;
import io.weir.command.format.TimeText;
import io.weir.command.terminal.ExitCode;
import io.weir.scheduler.core.request.form.RequestSubject;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that sends requests to the scheduler and prints a line for each answer. */
public abstract class RequestCommand extends ClusterCommand {
    @Option(names = "--msg", paramLabel = "TEXT", description = "A reason; it is recorded with the request.")
    private @Nullable String comment;

    /** Sends the requests in order, unless one is about an empty name; returns exit code 1 when any was refused. */
    protected final int ask(ClusterClient client, String cluster, List<OperatorRequest> requests) throws IOException {
        if (requests.stream().anyMatch(RequestCommand::namesNothing)) {
            throw usage("An empty name is nothing's; say which is meant. Nothing was changed");
        }
        ArrayNode answers = JsonNodeFactory.instance.arrayNode();
        List<OperatorRequest> commented =
                requests.stream().map(request -> request.commented(comment)).toList();
        client.ask(cluster, commented, (request, answer) -> {
            answers.add(answer);
            if (!options().structured()) {
                tell(request, answer);
            }
        });
        if (options().structured()) {
            print(answers);
        }
        boolean refused = false;
        for (JsonNode answer : answers) {
            refused |= !RequestAnswer.accepted(answer);
        }
        return refused ? ExitCode.FAILED : ExitCode.FINE;
    }

    private static boolean namesNothing(OperatorRequest request) {
        return request.objectId().isBlank() && RequestSubject.of(request.kind()).goesWithOthers();
    }

    /** Prints the answer to a request. */
    protected void tell(OperatorRequest request, JsonNode answer) {
        String message = TimeText.readable(RequestAnswer.message(answer));
        if (RequestAnswer.accepted(answer)) {
            String done = done(request);
            out().printf("%s%n", words(done).containsAll(words(message)) ? done : done + "  (" + message + ")");
            details(answer, request.objectId(), out());
        } else {
            err().printf("ERROR:  %s: %s%n", failed(request), message.isEmpty() ? "refused" : message);
            details(answer, message, err());
        }
        out().flush();
        err().flush();
    }

    private static Set<String> words(String text) {
        return Arrays.stream(text.split("[\\s'\",;:]+", -1))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toSet());
    }

    /** Prints what else was answered, but for what {@code said} says already. */
    private static void details(JsonNode answer, String said, PrintWriter out) {
        for (JsonNode detail : answer.path("details")) {
            String text = TimeText.readable(FieldText.text(detail, "value"));
            if (!said.endsWith(text)) {
                out.println("  "
                        + (detail.path("name").asText().equals("line") ? "" : FieldText.text(detail, "name") + ": ")
                        + text);
            }
        }
    }

    /** Says what was done. */
    protected abstract String done(OperatorRequest request);

    /** Says what was not. */
    protected String failed(OperatorRequest request) {
        return request.objectId();
    }
}
