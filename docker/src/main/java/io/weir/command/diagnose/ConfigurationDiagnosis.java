package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.Views;
import io.weir.command.format.FieldText;
import io.weir.command.format.TextTable;
import io.weir.scheduler.cli.PolicyFile;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.PolicySettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with a configuration, a line each: how bad it is, where it stands, what it is about, and why. */
final class ConfigurationDiagnosis implements DiagnosisReport {
    @Override
    public String what() {
        return "configuration";
    }

    /** Looks at the one in force, and whether the nodes and resource managers it names are there. */
    @Override
    public JsonNode read(Views views) {
        PolicySettings settings = settings(views.all("policy").path("text").asText());
        List<PolicyProblem> problems = new ArrayList<>(settings.problems());
        problems.addAll(new NamedNodes(views.all("nodes")).problems(settings));
        problems.addAll(new NamedManagers(views.all("connectors")).problems(settings));
        return json(problems);
    }

    /** Looks at a file. */
    static JsonNode of(Path file) throws IOException {
        return json(PolicyFile.check(file).problems());
    }

    private static PolicySettings settings(String text) {
        return SitePolicy.read(text).settings();
    }

    static boolean hasErrors(JsonNode read) {
        return read.path("errors").asInt() > 0;
    }

    private static JsonNode json(List<PolicyProblem> problems) {
        ObjectNode read = JsonNodeFactory.instance
                .objectNode()
                .put("errors", count(problems, PolicyProblem.Level.ERROR))
                .put("warnings", count(problems, PolicyProblem.Level.WARNING));
        ArrayNode list = read.putArray("problems");
        for (PolicyProblem problem : problems) {
            list.addObject()
                    .put("level", problem.level().name())
                    .put("kind", problem.kind().name())
                    .put("file", problem.origin().file())
                    .put("line", problem.origin().line())
                    .put("place", problem.origin().toString())
                    .put("parameter", problem.parameter())
                    .put("message", problem.message());
        }
        return read;
    }

    private static long count(List<PolicyProblem> problems, PolicyProblem.Level level) {
        return problems.stream().filter(problem -> problem.level() == level).count();
    }

    @Override
    public void print(JsonNode read, PrintWriter out) {
        TextTable table = new TextTable("Level", "Place", "Parameter", "Message").silent();
        for (JsonNode problem : read.path("problems")) {
            table.row(
                    FieldText.text(problem, "level"),
                    FieldText.text(problem, "place"),
                    FieldText.text(problem, "parameter"),
                    FieldText.text(problem, "message"));
        }
        table.print(out);
        out.printf(
                "%d errors, %d warnings, %d others%n",
                read.path("errors").asInt(),
                read.path("warnings").asInt(),
                read.path("problems").size()
                        - read.path("errors").asInt()
                        - read.path("warnings").asInt());
    }
}
