package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.ExitCode;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir showstart}: when a job could start. */
@Command(
        name = "showstart",
        description = {
            "Estimates when a job starts and ends, or when PROCS processors are to be had for a time.",
            "",
            "  weir showstart 17",
            "  weir showstart 64@2:00:00",
            "",
            "A running job has started; one with a reservation starts then; for others it is worked out."
        })
public final class ShowstartCommand extends SiteCommand {
    private static final Set<String> METHODS = Set.of("rsv", "prio", "hist", "all");

    @Option(
            names = "-e",
            paramLabel = "METHOD",
            defaultValue = "rsv",
            description = "rsv: as if it had top priority; prio: by its priority; hist: by statistics; all.")
    private String method = "rsv";

    @Parameters(paramLabel = "JOB|PROCS[@DURATION]", description = "Job id, or what to look for.")
    private String what = "";

    @Override
    void check() {
        if (!METHODS.contains(method.toLowerCase(Locale.ROOT))) {
            throw usage("-e " + method + " is no method; give rsv, prio, hist or all");
        }
    }

    @Override
    int run(Site site) throws IOException {
        String cluster = options().cluster(site);
        JsonNode job = site.view(cluster, "jobs", what).orElse(null);
        if (job != null && !options().structured()) {
            requires(job);
            String section = job.path("section").asText();
            if (section.equals("ACTIVE") || section.equals("COMPLETED")) {
                Instant now = Shown.instant(job, "now").orElse(Instant.EPOCH);
                Instant start = Shown.instant(job, "startTime").orElse(now);
                Instant end = Shown.instant(job, "endTime")
                        .orElse(start.plusSeconds(job.path("walltimeSeconds").asLong()));
                line("Actual start", start, now);
                line(section.equals("ACTIVE") ? "Latest completion" : "Completion", end, now);
                return ExitCode.FINE;
            }
            if (!job.path("reservations").isEmpty() && method.equals("rsv")) {
                Instant now = Shown.instant(job, "now").orElse(Instant.EPOCH);
                JsonNode held = job.path("reservations").get(0);
                line("Reserved start", Shown.instant(held, "start").orElse(now), now);
                line("Reserved completion", Shown.instant(held, "end").orElse(now), now);
                return ExitCode.FINE;
            }
        }
        JsonNode answer = site.ask(
                cluster, Wish.about(RequestKind.SHOW_START, what).with("method", method.toLowerCase(Locale.ROOT)));
        if (options().structured()) {
            print(answer);
        } else if (Answers.accepted(answer)) {
            estimates(answer);
        }
        if (!Answers.accepted(answer)) {
            err().println("ERROR:  no estimate for " + what + ": " + Answers.message(answer));
            return ExitCode.FAILED;
        }
        return ExitCode.FINE;
    }

    private void requires(JsonNode job) {
        out().printf(
                        "job %s requires %s procs for %s%n",
                        Shown.text(job, "jobId"), Shown.text(job, "procs"), Shown.span(job, "walltimeSeconds"));
    }

    private void estimates(JsonNode answer) {
        List<Map<String, String>> rows = Answers.rows(answer.path("details"), "estimate");
        for (JsonNode detail : answer.path("details")) {
            if (!detail.path("name").asText().equals("estimate")) {
                out().printf("%s: %s%n", Shown.text(detail, "name"), Shown.text(detail, "value"));
            }
        }
        for (Map<String, String> row : rows) {
            String kind = row.getOrDefault("method", method);
            out().printf(
                            "Estimated %s based start on    %s%n",
                            kind, row.containsKey("start") ? Shown.time(Instant.parse(row.get("start"))) : "never");
            if (row.containsKey("end")) {
                out().printf("Estimated %s based completion on %s%n", kind, Shown.time(Instant.parse(row.get("end"))));
            }
            if (row.containsKey("partition")) {
                out().printf("Best Partition: %s%n", row.get("partition"));
            }
        }
        if (!Answers.message(answer).isEmpty()) {
            out().println(Answers.message(answer));
        }
    }

    private void line(String label, Instant at, Instant now) {
        out().printf("%-20s in %12s  on %s%n", label, Shown.relative(at, now), Shown.time(at));
    }
}
