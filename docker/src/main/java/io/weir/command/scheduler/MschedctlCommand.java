package io.weir.command.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.command.client.ClusterClient;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestAnswer;
import io.weir.command.client.RequestCommand;
import io.weir.command.format.FieldText;
import io.weir.command.terminal.BadInputException;
import io.weir.command.terminal.ExitCode;
import io.weir.scheduler.cli.PolicyFile;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir mschedctl}: the scheduler itself: its configuration, whether it schedules, messages for everybody. */
@Command(
        name = "mschedctl",
        description = {
            "Shows or changes the configuration in force, halts and resumes scheduling, and leaves messages.",
            "",
            "While scheduling is halted, no job is started and no job gets a reservation. Running jobs",
            "continue and end at their limit; reports and commands are still processed. Scheduling stays",
            "halted across a restart."
        },
        footer = {
            "",
            "Examples: weir mschedctl -l config",
            "          weir mschedctl -m config 'BACKFILLDEPTH 100' --flags persistent",
            "          weir mschedctl -p --msg 'file server is down'    pause",
            "          weir mschedctl -r +0:30:00                       resume in half an hour",
            "          weir mschedctl -c message 'maintenance on Friday'",
            "          weir mschedctl -c trigger 'EType=fail,AType=mail,Action=\"$OID failed\"' -o node:n1",
            "          weir mschedctl -d trigger:t1 -o node:n1",
            "          weir mschedctl -c gevent -n diskfail -m 'sdb is gone' -o node:n1",
            "          weir mschedctl -l gevent",
            "          weir mschedctl -L 5                have the scheduler log details, without a restart",
            "          weir mschedctl -f usage            begin the statistics of weir showstats anew",
            "",
            "Triggers of the scheduler and of resource managers are made in the configuration: -m config",
            "'RMCFG[rm] TRIGGER=...'. Triggers of a reservation are removed with it."
        })
public final class MschedctlCommand extends RequestCommand {
    private static final String CONFIG = "config";
    private static final List<String> STATISTICS = List.of("all", "fairshare", "usage");

    @ArgGroup(exclusive = true, multiplicity = "0..1")
    private SchedulerAction what = new SchedulerAction();

    @Option(
            names = "-m",
            paramLabel = "config|TEXT",
            description = "Change a setting until the next policy version; with -c gevent: what happened, as TEXT or"
                    + " node=ID, job=ID, message=TEXT separated by commas.")
    private @Nullable String modify;

    @Option(names = "-n", paramLabel = "NAME", description = "With -c gevent: the name of the event.")
    private @Nullable String event;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "TEXT",
            description =
                    "Setting as in a file, 'PARAM value'; the text of a message; or a trigger, as on TRIGGER lines.")
    private @Nullable String text;

    @Option(
            names = "--flags",
            paramLabel = "FLAGS",
            description = "persistent: the change outlives the next policy version.")
    private @Nullable String flags;

    @Option(
            names = "-o",
            paramLabel = "TYPE:ID",
            description =
                    "With trigger and message: the object it belongs to, node:ID, job:ID or rsv:ID; with gevent: the node"
                            + " or job it happened to (default for messages and events: the scheduler).")
    private @Nullable String object;

    @Override
    protected void check() {
        if (flags != null && (modify == null || what.create != null)) {
            throw usage("--flags belongs to -m config");
        }
        if (SchedulerAction.EVENT.equals(what.create)) {
            checkEvent();
            return;
        }
        if (event != null) {
            throw usage("-n belongs to -c gevent");
        }
        if (what.isNothing() == (modify == null)) {
            throw usage(modify == null ? "nothing is asked for" : "-m config stands alone");
        }
        if (modify != null) {
            only(CONFIG, modify, "changed");
            if (text == null) {
                throw usage("-m config needs a setting: 'PARAM value'");
            }
        } else if (what.create != null) {
            if (!what.create.equals(SchedulerAction.TRIGGER)) {
                only(SchedulerAction.MESSAGE, what.create, "created, or trigger, or gevent");
            }
            if (text == null) {
                throw usage("-c " + what.create + " needs a text");
            }
        } else if (text != null) {
            throw usage("'" + text + "' is one word too many here");
        } else if (what.list != null
                && !List.of(SchedulerAction.MESSAGE, SchedulerAction.TRIGGER, SchedulerAction.EVENT)
                        .contains(what.list)) {
            only(CONFIG, what.list, "listed, or message, or trigger, or gevent");
        } else if (what.logLevel != null && !what.logLevel.matches("[0-9]?")) {
            throw usage("-L " + what.logLevel + " is no log level; give 0 to 9");
        } else if (what.clear != null && !STATISTICS.contains(what.clear.toLowerCase(Locale.ROOT))) {
            throw usage("'" + what.clear + "': only all, fairshare or usage can be cleared");
        } else if (what.delete != null && !what.delete.matches("message:[0-9]{1,4}|trigger:.{1,100}")) {
            throw usage("'" + what.delete + "': only message:INDEX and trigger:ID can be deleted");
        }
        checkObject();
    }

    private void checkEvent() {
        if (event == null || !event.matches("[A-Za-z_][A-Za-z0-9_.-]*")) {
            throw usage("-c gevent needs -n NAME, a letter and then letters, digits, '_', '.' or '-'");
        }
        if (text != null) {
            throw usage("'" + text + "' is one word too many here; what happened goes with -m");
        }
        if (object != null && !object.matches("(node|job):.+")) {
            throw usage("-o " + object + ": an event happens to node:ID or job:ID; without -o, to the scheduler");
        }
    }

    private void checkObject() {
        boolean removes = what.delete != null && what.delete.startsWith(SchedulerAction.TRIGGER);
        boolean needed = removes || SchedulerAction.TRIGGER.equals(what.create);
        if (needed && (object == null || !object.matches(removes ? "(node|job):.+" : "(node|job|rsv):.+"))) {
            throw usage("trigger needs -o node:ID" + (removes ? " or job:ID" : ", job:ID or rsv:ID"));
        }
        boolean message = SchedulerAction.MESSAGE.equals(what.create);
        if (message && object != null && !object.matches("(node|job|rsv):.+")) {
            throw usage("-o " + object + ": a message is about node:ID, job:ID or rsv:ID; without -o, the scheduler");
        }
        if (!needed && !message && object != null) {
            throw usage("-o belongs to -c trigger, -c message and -d trigger:ID");
        }
    }

    private void only(String object, String given, String done) {
        if (!object.equals(given)) {
            throw usage("'" + given + "': only " + object + " can be " + done);
        }
    }

    @Override
    protected int run(ClusterClient client) throws IOException {
        String cluster = options().cluster(client);
        String setting = text;
        if (SchedulerAction.EVENT.equals(what.create)) {
            return ask(
                    client,
                    cluster,
                    List.of(RaisedEvent.of(String.valueOf(event), modify, object)
                            .request()));
        }
        if (modify != null && setting != null) {
            return ask(
                    client,
                    cluster,
                    List.of(OperatorRequest.about(RequestKind.MODIFY_CONFIG, "")
                            .with("setting", setting)
                            .withOptional("flags", flags)));
        } else if (what.list != null) {
            return switch (what.list) {
                case SchedulerAction.MESSAGE -> messages(client, cluster);
                case SchedulerAction.TRIGGER -> showTriggers(client, cluster, "ALL");
                case SchedulerAction.EVENT -> events(client, cluster);
                default -> configuration(client, cluster);
            };
        } else if (what.reload != null) {
            return reload(client, cluster, what.reload);
        } else if (what.logLevel != null && what.logLevel.isEmpty()) {
            return logLevel(client, cluster);
        }
        String owner = object;
        return ask(client, cluster, List.of(owner == null ? what.control(text) : what.attachment(owner, text)));
    }

    private int configuration(ClusterClient client, String cluster) throws IOException {
        List<PolicySettings.Effective> values = SitePolicy.read(
                        all(client, cluster, "policy").path("text").asText())
                .settings()
                .effective();
        if (options().structured()) {
            print(ConfigurationListing.values(values));
        } else {
            ConfigurationListing.print(values, out());
        }
        return ExitCode.FINE;
    }

    private int logLevel(ClusterClient client, String cluster) throws IOException {
        JsonNode scheduler = all(client, cluster, "scheduler");
        if (options().structured()) {
            print(JsonNodeFactory.instance.objectNode().set("logLevel", scheduler.path("logLevel")));
        } else {
            out().printf("log level %s%n", FieldText.text(scheduler, "logLevel"));
        }
        return ExitCode.FINE;
    }

    private int messages(ClusterClient client, String cluster) throws IOException {
        JsonNode messages = all(client, cluster, "scheduler").path("messages");
        if (options().structured()) {
            print(messages);
            return ExitCode.FINE;
        }
        int index = 0;
        for (JsonNode message : messages) {
            out().printf("message:%d  %s%n", ++index, message.asText());
        }
        out().printf("%d messages%n", messages.size());
        return ExitCode.FINE;
    }

    private int events(ClusterClient client, String cluster) throws IOException {
        ArrayNode events = NodeEventListing.events(all(client, cluster, "nodes"));
        if (options().structured()) {
            print(events);
        } else {
            NodeEventListing.print(events, out());
        }
        return ExitCode.FINE;
    }

    private int reload(ClusterClient client, String cluster, String named) throws IOException {
        String source = named.isEmpty() ? FieldText.text(all(client, cluster, "policy"), "source") : named;
        Path file = Path.of(source);
        if (!Files.isReadable(file)) {
            throw new BadInputException(
                    named.isEmpty()
                            ? "The configuration in force comes from '" + source
                                    + "', which is no file here; name the file: weir mschedctl -R FILE"
                            : "Cannot read " + file);
        }
        String content = PolicyFile.publishable(file);
        JsonNode version =
                client.publish(cluster, content, file.toAbsolutePath().toString());
        if (options().structured()) {
            print(version);
            return ExitCode.FINE;
        }
        List<PolicyProblem> problems = SitePolicy.read(content).problems();
        long errors = count(problems, PolicyProblem.Level.ERROR);
        long warnings = count(problems, PolicyProblem.Level.WARNING);
        out().printf(
                        Locale.ROOT,
                        "configuration reloaded from %s, version %s: %d errors, %d warnings%s%n",
                        FieldText.text(version, "source"),
                        FieldText.text(version, "version"),
                        errors,
                        warnings,
                        errors + warnings > 0 ? "; weir mdiag -C lists them" : "");
        return ExitCode.FINE;
    }

    private static long count(List<PolicyProblem> problems, PolicyProblem.Level level) {
        return problems.stream().filter(problem -> problem.level() == level).count();
    }

    @Override
    protected String done(OperatorRequest request) {
        return request.kind() == RequestKind.MODIFY_CONFIG ? "configuration changed: " + text : "done";
    }

    @Override
    protected void tell(OperatorRequest request, JsonNode answer) {
        if (request.kind() == RequestKind.CONTROL_SCHEDULER && RequestAnswer.accepted(answer)) {
            out().println(RequestAnswer.message(answer));
            out().flush();
        } else {
            super.tell(request, answer);
        }
    }

    @Override
    protected String failed(OperatorRequest request) {
        if (object != null) {
            return object;
        }
        return request.kind() == RequestKind.MODIFY_CONFIG ? String.valueOf(text) : "scheduler not changed";
    }
}
