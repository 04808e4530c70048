package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.ExitCode;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir checkjob}: one job, and why it waits. */
@Command(
        name = "checkjob",
        description = {
            "Shows one job: what it asks for, what it has, and, while it waits, why and until when.",
            "",
            "The reason is the scheduler's own, from its explanations; one that was not published is asked for."
        })
public final class CheckjobCommand extends SiteCommand {
    @Parameters(paramLabel = "JOB", description = "Job id.")
    private String id = "";

    @Option(names = "-v", description = "Say for each node why the job cannot use it.")
    private boolean verbose;

    @Option(names = "-n", paramLabel = "NODE", description = "Explain for this node alone.")
    private @Nullable String node;

    @Option(names = "-r", paramLabel = "RSV", description = "Explain for the nodes of this reservation.")
    private @Nullable String reservation;

    @Option(names = "-q", paramLabel = "QOS", description = "Explain as if the job had this quality of service.")
    private @Nullable String qos;

    @Override
    int run(Site site) throws IOException {
        String cluster = options().cluster(site);
        ObjectNode job = one(site, cluster, "jobs", id, "job").deepCopy();
        boolean waiting = "ELIGIBLE".equals(job.path("section").asText())
                || "BLOCKED".equals(job.path("section").asText());
        boolean special = verbose || node != null || reservation != null || qos != null;
        if (waiting && (special || job.path("explanation").isNull())) {
            explain(site, cluster, job);
        }
        if (options().json()) {
            print(job);
        } else {
            new JobText(out(), job, verbose).print();
        }
        return ExitCode.FINE;
    }

    /** Asks the scheduler; without one, or when it has nothing to say, what was published has to do. */
    private void explain(Site site, String cluster, ObjectNode job) {
        Wish wish = Wish.about(RequestKind.EXPLAIN_JOB, id)
                .withOptional("verbose", verbose ? "true" : null)
                .withOptional("node", node)
                .withOptional("reservation", reservation)
                .withOptional("qos", qos);
        try {
            JsonNode answer = site.ask(cluster, wish);
            if (Answers.accepted(answer)) {
                job.set("details", answer.path("details"));
                job.set("detailsMessage", answer.path("message"));
            }
        } catch (SiteException e) {
            if (e.exitCode() != ExitCode.UNREACHABLE) {
                err().println("weir: no explanation: " + e.getMessage());
            }
        }
    }
}
