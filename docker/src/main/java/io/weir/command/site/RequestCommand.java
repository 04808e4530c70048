package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.command.ExitCode;
import java.io.IOException;
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
        String message = Answers.message(answer);
        if (Answers.accepted(answer)) {
            out().printf("%s%n", message.isEmpty() ? done(wish) : done(wish) + "  (" + message + ")");
            for (JsonNode detail : answer.path("details")) {
                out().printf("  %s: %s%n", Shown.text(detail, "name"), Shown.text(detail, "value"));
            }
        } else {
            err().printf("ERROR:  %s: %s%n", failed(wish), message.isEmpty() ? "refused" : message);
            for (JsonNode detail : answer.path("details")) {
                err().printf("  %s: %s%n", Shown.text(detail, "name"), Shown.text(detail, "value"));
            }
        }
        out().flush();
        err().flush();
    }

    /** Says what was done. */
    abstract String done(Wish wish);

    /** Says what was not. */
    String failed(Wish wish) {
        return wish.objectId();
    }
}
