package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.command.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the operator's commands have in common: the options that find the site, and two ways to answer. */
abstract class SiteCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private SiteOptions options = new SiteOptions();

    @Override
    public final Integer call() throws IOException {
        if (options.xml() && xmlItem().isEmpty()) {
            throw usage("--format xml is offered by showq, checknode, mdiag -n and mdiag -r; give text or json");
        }
        check();
        OptionalInt alone = alone();
        if (alone.isPresent()) {
            return alone.getAsInt();
        }
        try (Site site = options.open()) {
            int code = run(site);
            out().flush();
            return code;
        }
    }

    /** Refuses a command line that makes no sense, before anything is opened. */
    void check() {}

    /** Returns what each object is called in XML; empty when that is not offered. */
    String xmlItem() {
        return "";
    }

    /** Does what needs no site, and returns the exit code; empty when one is needed. */
    OptionalInt alone() throws IOException {
        return OptionalInt.empty();
    }

    /** Does it; returns the exit code. */
    abstract int run(Site site) throws IOException;

    final SiteOptions options() {
        return options;
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    final ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    final void print(JsonNode answer) throws IOException {
        out().println(
                        options.xml()
                                ? XmlText.of(answer, xmlItem())
                                : JSON.writerWithDefaultPrettyPrinter().writeValueAsString(answer));
    }

    final JsonNode all(Site site, String cluster, String view) {
        return site.view(cluster, view, "")
                .orElseThrow(() -> new SiteException(ExitCode.FAILED, "Nothing is known of cluster " + cluster));
    }

    final JsonNode one(Site site, String cluster, String view, String id, String what) {
        return (id.isBlank() ? Optional.<JsonNode>empty() : site.view(cluster, view, id))
                .orElseThrow(() ->
                        new SiteException(ExitCode.FAILED, "cannot locate " + what + " '" + id + "' on " + cluster));
    }
}
