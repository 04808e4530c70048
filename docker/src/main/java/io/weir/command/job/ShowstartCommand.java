package io.weir.command.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.ClientException;
import io.weir.command.client.ClusterClient;
import io.weir.command.client.ClusterCommand;
import io.weir.command.client.JobQuery;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestAnswer;
import io.weir.command.client.Views;
import io.weir.command.format.FieldText;
import io.weir.command.format.TimeText;
import io.weir.command.terminal.ExitCode;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir showstart}: when a job could start. */
@Command(
        name = "showstart",
        description = {
            "Estimates when a job starts and ends, or when PROCS processors are available for a time.",
            "",
            "  weir showstart 17",
            "  weir showstart 64@2:00:00",
            "",
            "For a running job, the actual start is shown; for a job with a reservation, the reserved start;",
            "for others an estimate. hist shows how long similar jobs waited recently; it needs no running",
            "scheduler."
        })
public final class ShowstartCommand extends ClusterCommand {
    private static final Set<String> METHODS = Set.of("rsv", "prio", "hist", "all");

    /** How long processors are wanted when nothing is said. */
    private static final long DEFAULT_SECONDS = 3_600;

    @Option(
            names = "-e",
            paramLabel = "METHOD",
            defaultValue = "rsv",
            description = "rsv: as if it had top priority; prio: by its priority; hist: by past waits; all.")
    private String method = "rsv";

    @Parameters(paramLabel = "JOB|PROCS[@DURATION]", description = "Job id, or what to look for.")
    private String what = "";

    /** The instant the answer is of, if known. */
    private Optional<Instant> clock = Optional.empty();

    @Override
    protected void check() {
        if (!METHODS.contains(method.toLowerCase(Locale.ROOT))) {
            throw usage("-e " + method + " is no method; give rsv, prio, hist or all");
        }
    }

    @Override
    protected int run(ClusterClient client) throws IOException {
        String cluster = options().cluster(client);
        clock = client.view(cluster, "scheduler", "").flatMap(scheduler -> FieldText.instant(scheduler, "now"));
        JsonNode job = client.view(cluster, "jobs", what).orElse(null);
        if (job != null) {
            String section = job.path("section").asText();
            if (section.equals("ACTIVE") || section.equals("COMPLETED")) {
                Instant now = FieldText.instant(job, "now").orElse(Instant.EPOCH);
                Instant start = FieldText.instant(job, "startTime").orElse(now);
                Instant end = FieldText.instant(job, "endTime")
                        .orElse(start.plusSeconds(job.path("walltimeSeconds").asLong()));
                return known(
                        job, "Actual", start, section.equals("ACTIVE") ? "Latest completion" : "Completion", end, now);
            }
            if (!job.path("reservations").isEmpty() && method.equals("rsv")) {
                Instant now = FieldText.instant(job, "now").orElse(Instant.EPOCH);
                JsonNode held = job.path("reservations").get(0);
                return known(
                        job,
                        "Reserved",
                        FieldText.instant(held, "start").orElse(now),
                        "Reserved completion",
                        FieldText.instant(held, "end").orElse(now),
                        now);
            }
        }
        String by = method.toLowerCase(Locale.ROOT);
        Optional<WaitEstimator.Estimate> past =
                by.equals("hist") || by.equals("all") ? past(client, cluster, job) : Optional.empty();
        if (by.equals("hist")) {
            return experience(job, past);
        }
        JsonNode answer = client.ask(
                cluster, OperatorRequest.about(RequestKind.SHOW_START, what).with("method", by));
        if (options().structured()) {
            if (answer instanceof ObjectNode object) {
                past.ifPresent(estimate -> object.set("hist", estimate.toJson()));
                object.set("estimates", structured(answer));
            }
            print(answer);
        } else if (RequestAnswer.accepted(answer)) {
            requires(job);
            estimates(answer);
            past.ifPresent(this::print);
        }
        if (!RequestAnswer.accepted(answer)) {
            err().println("ERROR:  no estimate for " + what + ": " + RequestAnswer.message(answer));
            return ExitCode.FAILED;
        }
        return ExitCode.FINE;
    }

    /** Shows a start that need not be estimated: where the job has begun, or where it has a reservation. */
    private int known(JsonNode job, String kind, Instant start, String completion, Instant end, Instant now)
            throws IOException {
        if (options().structured()) {
            print(JsonNodeFactory.instance
                    .objectNode()
                    .put("jobId", FieldText.text(job, "jobId"))
                    .put("method", kind.toLowerCase(Locale.ROOT))
                    .put("start", start.toString())
                    .put("end", end.toString()));
        } else {
            requires(job);
            line(kind + " start", start, now);
            line(completion, end, now);
        }
        return ExitCode.FINE;
    }

    private Optional<WaitEstimator.Estimate> past(ClusterClient client, String cluster, @Nullable JsonNode job) {
        WaitEstimator waits = new WaitEstimator(all(client, cluster, "waits"));
        Instant now = FieldText.instant(new Views(client, cluster).jobs("queue", JobQuery.COUNTS), "now")
                .orElse(Instant.EPOCH);
        if (job != null) {
            return waits.estimate(
                    job.path("procs").asInt(),
                    job.path("walltimeSeconds").asLong(),
                    FieldText.instant(job, "submitTime").orElse(now),
                    now);
        }
        String[] parts = what.split("@", 2);
        long seconds = parts.length < 2 ? DEFAULT_SECONDS : PolicyTime.seconds(parts[1]);
        if (!parts[0].matches("[0-9]{1,9}") || seconds < 1) {
            throw new ClientException(
                    ExitCode.FAILED, "no job " + what + ", and it is no number of processors, as in 16@2:00:00");
        }
        return waits.estimate(Integer.parseInt(parts[0]), seconds, now, now);
    }

    private int experience(@Nullable JsonNode job, Optional<WaitEstimator.Estimate> past) throws IOException {
        if (past.isEmpty()) {
            throw new ClientException(ExitCode.FAILED, "no job has started of late: there is no experience to go by");
        }
        if (options().structured()) {
            print(past.get().toJson());
        } else {
            requires(job);
            print(past.get());
        }
        return ExitCode.FINE;
    }

    private void print(WaitEstimator.Estimate estimate) {
        estimate("hist", "start", estimate.start());
        estimate("hist", "completion", estimate.end());
        out().printf(
                        "  (half of %d %s waited no longer than %s)%n",
                        estimate.jobs(), estimate.like(), TimeText.span(estimate.median()));
    }

    private void requires(@Nullable JsonNode job) {
        if (job != null) {
            out().printf(
                            "job %s requires %s procs for %s%n%n",
                            FieldText.text(job, "jobId"),
                            FieldText.text(job, "procs"),
                            FieldText.span(job, "walltimeSeconds"));
            return;
        }
        String[] parts = what.split("@", 2);
        long seconds = parts.length < 2 ? DEFAULT_SECONDS : PolicyTime.seconds(parts[1]);
        if (parts[0].matches("[0-9]{1,9}") && seconds > 0) {
            out().printf(
                            "job %s requires %s procs for %s%n%n",
                            what, parts[0], TimeText.span(Duration.ofSeconds(seconds)));
        }
    }

    /** The estimates as objects; {@code never} is true where the nodes that are up cannot hold it. */
    private ArrayNode structured(JsonNode answer) {
        ArrayNode estimates = JsonNodeFactory.instance.arrayNode();
        for (Map<String, String> row : RequestAnswer.rows(answer.path("details"), "estimate")) {
            ObjectNode estimate = estimates.addObject();
            row.forEach(estimate::put);
            estimate.put("never", !row.containsKey("start"));
        }
        return estimates;
    }

    private void estimates(JsonNode answer) {
        List<Map<String, String>> rows = RequestAnswer.rows(answer.path("details"), "estimate");
        for (JsonNode detail : answer.path("details")) {
            if (!detail.path("name").asText().equals("estimate")) {
                out().printf("%s: %s%n", FieldText.text(detail, "name"), FieldText.text(detail, "value"));
            }
        }
        for (Map<String, String> row : rows) {
            String kind = row.getOrDefault("method", method);
            if (row.containsKey("start")) {
                estimate(kind, "start", Instant.parse(row.get("start")));
            } else {
                out().printf(
                                "%-38s never: the nodes that are up cannot hold it, however long it waits%n",
                                "Estimated " + kind + " based start");
            }
            if (row.containsKey("end")) {
                estimate(kind, "completion", Instant.parse(row.get("end")));
            }
            if (row.containsKey("partition")) {
                out().printf("Best Partition: %s%n", row.get("partition"));
            }
        }
        if (!RequestAnswer.message(answer).isEmpty()) {
            out().println(RequestAnswer.message(answer));
        }
    }

    private void estimate(String kind, String what, Instant at) {
        String in = clock.map(from -> String.format(Locale.ROOT, "in %12s  ", TimeText.relative(at, from)))
                .orElse("");
        out().printf("%-38s %son %s%n", "Estimated " + kind + " based " + what, in, TimeText.time(at));
    }

    private void line(String label, Instant at, Instant now) {
        out().printf("%-20s in %12s  on %s%n", label, TimeText.relative(at, now), TimeText.time(at));
    }
}
