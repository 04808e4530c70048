package io.weir.command.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.client.AttributeChange;
import io.weir.command.client.ClusterClient;
import io.weir.command.client.JobQuery;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestCommand;
import io.weir.command.client.Views;
import io.weir.command.terminal.ExitCode;
import io.weir.scheduler.core.policy.language.value.SignalName;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir mjobctl}: changes jobs. */
@Command(
        name = "mjobctl",
        description = {
            "Changes jobs: give one action, then the jobs, by id or with -w.",
            "",
            "  weir mjobctl -h User 17 18        hold two jobs",
            "  weir mjobctl -u 17                release it",
            "  weir mjobctl -m qos=high 17       change an attribute",
            "  weir mjobctl -m variable=owner=chem -m gmetric[temp]=41.5 17",
            "  weir mjobctl -N notify=USR1 17    send a signal to its processes",
            "  weir mjobctl -m hostlist+=n3 17   give a running job another node, -= takes it back",
            "  weir mjobctl -c -w user=anna      cancel all of anna's jobs",
            "",
            "Every request is recorded with your name; the scheduler answers whether it was carried out."
        })
public final class MjobctlCommand extends RequestCommand {
    private static final Set<String> HOLDS = Set.of("user", "system", "batch", "all", "defer");
    private static final Map<String, String> FIELDS = Map.of(
            "user", "user", "group", "group", "acct", "account", "class", "jobClass", "qos", "qos", "state", "state");

    @ArgGroup(exclusive = true, multiplicity = "1")
    private Action action = new Action();

    @Option(
            names = "-w",
            paramLabel = "WHO",
            split = ",",
            description = "Jobs of user=, group=, acct=, class=, qos= or state=NAME.")
    private List<String> who = List.of();

    @Parameters(arity = "0..*", paramLabel = "JOB", description = "Job ids.")
    private List<String> given = List.of();

    private List<String> jobs = List.of();

    /** What to do; one of these. */
    static final class Action {
        @Option(names = "-c", description = "Cancel.")
        private boolean cancel;

        @Option(names = "-C", description = "Cancel, whatever the resource manager answers.")
        private boolean force;

        @Option(names = "-F", description = "Cancel and count as failed.")
        @SuppressWarnings("UnusedVariable") // what is left when it is none of the others
        private boolean fail;

        @Option(
                names = "-h",
                arity = "0..1",
                fallbackValue = "",
                paramLabel = "TYPE",
                description = "Hold: User, System or Batch (default: User).")
        private @Nullable String hold;

        @Option(
                names = "-u",
                arity = "0..1",
                fallbackValue = "",
                paramLabel = "TYPE",
                description = "Release holds: User, System, Batch or All (default: All).")
        private @Nullable String release;

        @Option(
                names = "-m",
                paramLabel = "ATTR=VALUE",
                description =
                        "Change: qos, wclimit, nodelist, nodesetdelay, resfailpolicy, hostlist of a running job, message,"
                                + " variable=NAME[=VALUE], gmetric[NAME], gevent=NAME:'TEXT'; =, += or -=; may be"
                                + " repeated.")
        private @Nullable List<String> modify;

        @Option(
                names = "-p",
                paramLabel = "[+|-]PRIO",
                description = "Set the system priority, 0 for none; with a sign, change it by that amount.")
        private @Nullable String priority;

        @Option(names = "-s", description = "Suspend; the job keeps its nodes and processors.")
        private boolean suspend;

        @Option(names = "-r", description = "Resume.")
        private boolean resume;

        @Option(names = "-R", description = "Requeue.")
        private boolean requeue;

        @Option(
                names = "-N",
                paramLabel = "notify=SIGNAL",
                description = "Send a signal, by name or number, to the job's processes.")
        private @Nullable String notify;
    }

    /** An optional type swallows the first job when no type is given: {@code -h 17}. */
    @Override
    protected void check() {
        List<String> all = new ArrayList<>(given);
        action.hold = typeOrJob(action.hold, all);
        action.release = typeOrJob(action.release, all);
        jobs = List.copyOf(all);
        if (jobs.isEmpty() == who.isEmpty()) {
            throw usage("Give job ids, or -w; found " + (jobs.isEmpty() ? "neither" : "both"));
        }
        for (String constraint : who) {
            String[] parts = constraint.split("=", 2);
            if (parts.length != 2 || !FIELDS.containsKey(parts[0].toLowerCase(Locale.ROOT))) {
                throw usage("-w " + constraint
                        + " is not understood; give user=, group=, acct=, class=, qos= or state=NAME");
            }
        }
        if (action.priority != null && !action.priority.matches("[+-]?\\d{1,9}")) {
            throw usage("-p " + action.priority
                    + " is no priority; give a whole number of up to nine digits, with + or - for a change");
        }
        if (action.notify != null && SignalName.of(action.notify.replaceFirst("^notify=", "")) == null) {
            throw usage(
                    "-N " + action.notify + " is no signal; give notify=USR1, notify=SIGTERM, notify=15 or the like");
        }
        if (action.modify != null) {
            for (String text : action.modify) {
                if (AttributeChange.parse(text).isEmpty()) {
                    throw usage("-m " + text + " is not understood; give ATTR=VALUE");
                }
            }
        }
    }

    @Override
    protected int run(ClusterClient client) throws IOException {
        String cluster = options().cluster(client);
        List<String> chosen = jobs;
        if (!who.isEmpty()) {
            chosen = matching(new Views(client, cluster).jobs("jobs", query()));
            if (chosen.isEmpty()) {
                err().println("weir: no jobs match " + String.join(" ", who));
                return ExitCode.FAILED;
            }
        }
        return ask(client, cluster, chosen.stream().map(this::request).toList());
    }

    @Override
    protected String done(OperatorRequest request) {
        return "job '" + request.objectId() + "' "
                + switch (request.kind()) {
                    case CANCEL_JOB -> "cancelled";
                    case REQUEUE_JOB -> "requeued";
                    case HOLD_JOB -> "held";
                    case RELEASE_JOB -> "released";
                    case SUSPEND_JOB -> "suspended";
                    case RESUME_JOB -> "resumed";
                    case SET_JOB_PRIORITY -> "priority adjusted";
                    case SIGNAL_JOB -> "signalled";
                    default -> "modified";
                };
    }

    @Override
    protected String failed(OperatorRequest request) {
        return "job '" + request.objectId() + "' not changed";
    }

    private @Nullable String typeOrJob(@Nullable String value, List<String> all) {
        if (value == null || value.isEmpty() || HOLDS.contains(value.toLowerCase(Locale.ROOT))) {
            return value;
        }
        if (value.chars().noneMatch(Character::isDigit)) {
            throw usage("'" + value + "' is neither a hold (User, System, Batch, All) nor the id of a job");
        }
        all.add(0, value);
        return "";
    }

    private OperatorRequest request(String job) {
        if (action.hold != null) {
            return typed(RequestKind.HOLD_JOB, job, action.hold);
        } else if (action.release != null) {
            return typed(RequestKind.RELEASE_JOB, job, action.release);
        } else if (action.modify != null) {
            OperatorRequest request = OperatorRequest.about(RequestKind.MODIFY_JOB, job);
            for (String text : action.modify) {
                request = AttributeChange.parse(text).orElseThrow().addSignedTo(request);
            }
            return request;
        } else if (action.priority != null) {
            return priority(job, action.priority);
        } else if (action.notify != null) {
            return OperatorRequest.about(RequestKind.SIGNAL_JOB, job)
                    .with("signal", action.notify.replaceFirst("^notify=", ""));
        } else if (action.suspend) {
            return OperatorRequest.about(RequestKind.SUSPEND_JOB, job);
        } else if (action.resume) {
            return OperatorRequest.about(RequestKind.RESUME_JOB, job);
        } else if (action.requeue) {
            return OperatorRequest.about(RequestKind.REQUEUE_JOB, job);
        }
        String force = action.cancel ? null : action.force ? "true" : "fail";
        return OperatorRequest.about(RequestKind.CANCEL_JOB, job).withOptional("force", force);
    }

    private static OperatorRequest typed(RequestKind kind, String job, String type) {
        return OperatorRequest.about(kind, job)
                .withOptional("type", type.isEmpty() ? null : type.toLowerCase(Locale.ROOT));
    }

    /** Asks for a system priority; with a sign, for a change of it. */
    static OperatorRequest priority(String job, String text) {
        return OperatorRequest.about(RequestKind.SET_JOB_PRIORITY, job).with("priority", text);
    }

    /** Of jobs that have not ended, what {@link #matching} looks at. */
    private JobQuery query() {
        List<String> fields = new ArrayList<>(List.of("jobId", "section"));
        fields.addAll(FIELDS.values());
        return JobQuery.ALL
                .where("section", List.of("active", "eligible", "blocked"))
                .where(who)
                .fields(fields);
    }

    private List<String> matching(JsonNode all) {
        List<String> ids = new ArrayList<>();
        for (JsonNode job : all) {
            boolean ended = job.path("section").asText().equals("COMPLETED");
            if (!ended
                    && who.stream()
                            .map(constraint -> constraint.split("=", 2))
                            .allMatch(parts -> parts[1].equalsIgnoreCase(
                                    job.path(FIELDS.getOrDefault(parts[0].toLowerCase(Locale.ROOT), ""))
                                            .asText()))) {
                ids.add(job.path("jobId").asText());
            }
        }
        return ids;
    }
}
