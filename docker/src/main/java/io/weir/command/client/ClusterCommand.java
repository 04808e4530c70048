package io.weir.command.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.weir.command.format.TriggerListing;
import io.weir.command.format.XmlText;
import io.weir.command.terminal.ExitCode;
import io.weir.command.terminal.PrintableWriter;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Base of the operator's commands: options that find the cluster, and output as text, JSON or XML. */
public abstract class ClusterCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Override
    public final Integer call() throws IOException {
        if (options.xml() && xmlItem().isEmpty()) {
            throw usage("--format xml is offered by showq, checknode and mdiag -n, -r and -T; give text or json");
        }
        check();
        OptionalInt alone = alone();
        if (alone.isPresent()) {
            return alone.getAsInt();
        }
        try (ClusterClient client = options.open()) {
            int code = run(client);
            out().flush();
            client.warning().ifPresent(warning -> err().println("WARNING:  " + warning));
            return code;
        }
    }

    /** Refuses a command line that makes no sense; called before the cluster is contacted. */
    protected void check() {}

    /** Returns the element name of each object in XML; empty when XML is not offered. */
    protected String xmlItem() {
        return "";
    }

    /** Does what needs no cluster and returns the exit code; empty when a cluster is needed. */
    protected OptionalInt alone() throws IOException {
        return OptionalInt.empty();
    }

    /** Carries out the command and returns the exit code. */
    protected abstract int run(ClusterClient client) throws IOException;

    /** Returns the options that all commands of this kind have. */
    protected final ClusterOptions options() {
        return options;
    }

    /** Returns standard output; in text for people, nothing that was written by others steers the terminal. */
    protected final PrintWriter out() {
        PrintWriter standard = spec.commandLine().getOut();
        return options.structured() ? standard : new PrintWriter(new PrintableWriter(standard));
    }

    /** Returns standard error. */
    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Returns the error for a command line that makes no sense; it ends the command with code 2. */
    protected final ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Prints JSON, or XML where that was asked for. */
    protected final void print(JsonNode answer) throws IOException {
        out().println(
                        options.xml()
                                ? XmlText.of(answer, xmlItem())
                                : JSON.writerWithDefaultPrettyPrinter().writeValueAsString(answer));
    }

    /**
     * Returns a view of all objects of a kind.
     *
     * @throws ClientException when the cluster is unknown
     */
    protected final JsonNode all(ClusterClient client, String cluster, String view) {
        return client.view(cluster, view, "")
                .orElseThrow(() -> new ClientException(ExitCode.FAILED, "Nothing is known of cluster " + cluster));
    }

    /**
     * Returns one object of a view; {@code what} is its kind in the message.
     *
     * @throws ClientException when it is not there
     */
    protected final JsonNode one(ClusterClient client, String cluster, String view, String id, String what) {
        return (id.isBlank() ? Optional.<JsonNode>empty() : client.view(cluster, view, id))
                .orElseThrow(() ->
                        new ClientException(ExitCode.FAILED, "cannot locate " + what + " '" + id + "' on " + cluster));
    }

    /** Asks for the triggers of {@code object}, or of ALL, and prints them; returns the exit code. */
    protected final int showTriggers(ClusterClient client, String cluster, String object) throws IOException {
        JsonNode answer = client.ask(cluster, OperatorRequest.about(RequestKind.SHOW_TRIGGERS, object));
        if (!RequestAnswer.accepted(answer)) {
            err().println("ERROR:  no triggers: " + RequestAnswer.message(answer));
            return ExitCode.FAILED;
        }
        ArrayNode triggers = TriggerListing.triggers(answer.path("details"));
        if (options.structured()) {
            print(triggers);
        } else {
            TriggerListing.print(triggers, out());
            RequestAnswer.values(answer.path("details"), "line").forEach(out()::println);
        }
        return ExitCode.FINE;
    }
}
