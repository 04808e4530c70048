package io.weir.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import picocli.CommandLine;

/** Runs commands against prepared views and keeps what they print. */
abstract class PreparedSite {
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    FakeApi api;

    @BeforeEach
    final void serve() throws IOException {
        api = new FakeApi();
    }

    @AfterEach
    final void stop() {
        api.close();
    }

    /** Returns what was asked of the scheduler, a line for each request. */
    final List<String> asked() {
        List<String> lines = new ArrayList<>();
        for (JsonNode request : api.requests) {
            StringBuilder line = new StringBuilder(request.path("kind").asText() + " "
                    + request.path("objectId").asText());
            request.path("arguments")
                    .forEach(argument -> line.append(' ')
                            .append(argument.path("name").asText())
                            .append('=')
                            .append(argument.path("value").asText()));
            lines.add(line.toString());
        }
        return lines;
    }

    final int run(String... args) {
        List<String> words = new ArrayList<>(List.of(args));
        words.add("--server=" + api.url());
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(words.toArray(String[]::new));
    }
}
