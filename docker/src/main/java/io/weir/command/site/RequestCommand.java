package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.command.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that asks the scheduler for something and says what it answered, a line for each wish. */
abstract class RequestCommand extends SiteCommand {
    @Option(names = "--msg", paramLabel = "TEXT", description = "Say why; it is recorded with the request.")
    private @Nullable String comment;

    /** Asks for each; the exit code is 1 when any was refused. */
    final int ask(Site site, String cluster, List<Wish> wishes) throws IOException {
        ArrayNode answers = JsonNodeFactory.instance.arrayNode();
        boolean refused = false;
        for (Wish wish : wishes) {
            JsonNode answer = site.ask(cluster, wish.commented(comment));
            answers.add(answer);
            refused |= !Answers.accepted(answer);
            if (!options().structured()) {
                tell(wish, answer);
            }
        }
        if (options().structured()) {
            print(answers);
        }
        return refused ? ExitCode.FAILED : ExitCode.FINE;
    }

    /** Says what became of a wish. */
    void tell(Wish wish, JsonNode answer) {
        String message = Shown.readable(Answers.message(answer));
        if (Answers.accepted(answer)) {
            boolean repeats = message.isEmpty()
                    || done(wish).endsWith(message)
                    || (!wish.objectId().isEmpty() && message.contains(wish.objectId()));
            out().printf("%s%n", repeats ? done(wish) : done(wish) + "  (" + message + ")");
            details(answer, wish.objectId(), out());
        } else {
            err().printf("ERROR:  %s: %s%n", failed(wish), message.isEmpty() ? "refused" : message);
            details(answer, message, err());
        }
        out().flush();
        err().flush();
    }

    /** Prints what else was answered, but for what {@code said} says already. */
    private static void details(JsonNode answer, String said, PrintWriter out) {
        for (JsonNode detail : answer.path("details")) {
            String text = Shown.readable(Shown.text(detail, "value"));
            if (!said.endsWith(text)) {
                out.println(
                        "  " + (detail.path("name").asText().equals("line") ? "" : Shown.text(detail, "name") + ": ")
                                + text);
            }
        }
    }

    /** Says what was done. */
    abstract String done(Wish wish);

    /** Says what was not. */
    String failed(Wish wish) {
        return wish.objectId();
    }
}
