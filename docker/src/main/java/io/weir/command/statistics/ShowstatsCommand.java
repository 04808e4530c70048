package io.weir.command.statistics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.ClientException;
import io.weir.command.client.ClusterClient;
import io.weir.command.client.ClusterCommand;
import io.weir.command.client.JobQuery;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestAnswer;
import io.weir.command.client.Views;
import io.weir.command.terminal.ExitCode;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir showstats}: how nodes spent their time, and what the jobs of credentials did. */
@Command(
        name = "showstats",
        description = {
            "Shows what the jobs of each credential did, how nodes spent their time, or a summary.",
            "",
            "  weir showstats -v              all jobs, and what is in use now",
            "  weir showstats -u              each user",
            "  weir showstats -u anna         one user; everybody may ask about himself",
            "  weir showstats -a physics      one account",
            "  weir showstats -n n0001        one node",
            "",
            "Jobs count since the statistics were cleared (mschedctl -f usage), by the credentials they had:",
            "Active and Procs are those running now; PHDed the dedicated processor-hours, those of running",
            "jobs included. Of jobs that ran and ended: PHReq what they had asked for, XF the expansion factor",
            "(wait and run by wallclock limit), AvgQTime the time from submission to start, WCAcc which part of",
            "their limits they used. Percentages are shares of all jobs. 20,000 credentials of each kind have",
            "a row of their own; what is more counts as (others).",
            "",
            "Labels of NODECATCREDLIST are credentials of every kind: -u, -g, -a, -q and -c list below the",
            "others what node time was charged to them since nodes are tracked.",
            "",
            "Nodes are tracked while ENABLEPROFILING is set for them. The details are in the topic",
            "node-categories, with one record for each period in one category."
        })
public final class ShowstatsCommand extends ClusterCommand {
    @ArgGroup(exclusive = true, multiplicity = "0..1")
    private Statistics of = new Statistics();

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Only this node or credential.")
    private @Nullable String id;

    /** Which statistics; at most one of these. */
    private static final class Statistics {
        @Option(
                names = "-n",
                description = "Statistics of nodes, by category, with the time charged to labels of NODECATCREDLIST.")
        private boolean nodes;

        @Option(names = "-u", description = "What the jobs of users did.")
        private boolean users;

        @Option(names = "-g", description = "What the jobs of groups did.")
        private boolean groups;

        @Option(names = "-a", description = "What the jobs of accounts did.")
        private boolean accounts;

        @Option(names = "-q", description = "What the jobs of qualities of service did.")
        private boolean qualities;

        @Option(names = "-c", description = "What the jobs of classes did.")
        private boolean classes;

        @Option(names = "-v", description = "Summary of the scheduler and all jobs (default).")
        @SuppressWarnings("UnusedVariable") // what is left when it is none of the others
        private boolean summary;

        /** Returns the kind of credential that is asked about; null for none. */
        @Nullable
        String kind() {
            return users
                    ? "user"
                    : groups ? "group" : accounts ? "account" : qualities ? "qos" : classes ? "class" : null;
        }
    }

    @Override
    protected void check() {
        if (id != null && !of.nodes && of.kind() == null) {
            throw usage("'" + id + "' is one word too many here; give -n, -u, -g, -a, -q or -c with it");
        }
    }

    @Override
    protected int run(ClusterClient client) throws IOException {
        String cluster = options().cluster(client);
        String kind = of.kind();
        String asked = id == null ? "ALL" : id;
        if (of.nodes) {
            nodes(answer(client, cluster, OperatorRequest.about(RequestKind.SHOW_NODE_STATISTICS, asked)));
            return ExitCode.FINE;
        }
        JsonNode answer = answer(
                client,
                cluster,
                OperatorRequest.about(RequestKind.SHOW_CREDENTIAL_STATISTICS, asked)
                        .withOptional("kind", kind));
        if (kind != null) {
            credentials(kind, answer);
        } else {
            summary(cluster, new Views(client, cluster).jobs("queue", JobQuery.COUNTS), answer);
        }
        return ExitCode.FINE;
    }

    private static JsonNode answer(ClusterClient client, String cluster, OperatorRequest request) {
        JsonNode answer = client.ask(cluster, request);
        if (!RequestAnswer.accepted(answer)) {
            throw new ClientException(ExitCode.FAILED, "no statistics: " + RequestAnswer.message(answer));
        }
        return answer;
    }

    private void nodes(JsonNode answer) throws IOException {
        ObjectNode read = NodeStatistics.read(answer.path("details"));
        if (options().structured()) {
            print(read);
        } else {
            new NodeStatistics(out()).print(read, RequestAnswer.message(answer));
            RequestAnswer.values(answer.path("details"), "line").forEach(out()::println);
        }
    }

    private void credentials(String kind, JsonNode answer) throws IOException {
        CredentialStatistics statistics = new CredentialStatistics(kind, out());
        ObjectNode read = statistics.read(answer.path("details"));
        if (options().structured()) {
            print(read);
        } else {
            statistics.print(read);
            RequestAnswer.values(answer.path("details"), "line").forEach(out()::println);
        }
    }

    private void summary(String cluster, JsonNode queue, JsonNode answer) throws IOException {
        ObjectNode read = CredentialStatistics.total(answer.path("details"));
        if (options().structured()) {
            for (String section : new String[] {"active", "eligible", "blocked"}) {
                read.put(section, queue.path("counts").path(section).asInt());
            }
            for (String number : new String[] {"procsInUse", "procs", "nodesInUse", "nodes"}) {
                read.set(number, queue.path(number));
            }
            read.set("scheduler", queue.path("scheduler"));
            print(read);
        } else {
            new SchedulerSummary(out()).print(cluster, queue, read.path("total"));
        }
    }
}
