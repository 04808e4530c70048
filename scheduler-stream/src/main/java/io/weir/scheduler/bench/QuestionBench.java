package io.weir.scheduler.bench;

import com.sun.management.ThreadMXBean;
import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.scheduler.state.DomainStatus;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Measures what requests add to an iteration on a full mixed cluster with a long queue, and what their budget takes them to
 * cost. Single-threaded.
 */
public final class QuestionBench {
    /** What the site needs for the requests about failed nodes: the failure service, which leaves jobs alone. */
    public static final String FAILURE_SERVICE = "FAILURESERVICE nonstop\nNODEALLOCRESFAILUREPOLICY IGNORE\n"
            + PolicyLine.marker("nonstop.conf", 1) + "\nControlAddr=localhost\n" + PolicyLine.marker("weir.cfg", 1)
            + "\n";

    private static final String PRINCIPAL = "curious";
    private static final String NODE = "n00001";
    private static final String TRIGGER_EVENT = "bench";
    private static final double NANOS = 1e6;

    private final IterationBench site;
    private @Nullable IterationResult last;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /**
     * What one request, or a flood of them, costs.
     *
     * @param name what was asked
     * @param millis processor time that it adds to an iteration, the median
     * @param worst the longest, milliseconds
     * @param looks what its budget was charged, in looks at nodes
     */
    public record Cost(String name, double millis, double worst, long looks) {
        /** Returns the nanoseconds that a look takes; 0 where nothing was charged. */
        public double nanosPerLook() {
            return looks == 0 ? 0 : millis * NANOS / looks;
        }

        /** Returns one line for people. */
        public String text() {
            return String.format(
                    Locale.ROOT, "%-44s %9.1f %9.1f %9d %9.0f", name, millis, worst, looks, nanosPerLook());
        }
    }

    private record Ask(RequestKind kind, String objectId, List<NameValue> arguments) {
        Ask(RequestKind kind, String objectId, String... arguments) {
            this(kind, objectId, List.of(arguments).stream().map(Ask::argument).toList());
        }

        private static NameValue argument(String text) {
            int equals = text.indexOf('=');
            return new NameValue(text.substring(0, equals), text.substring(equals + 1));
        }
    }

    /** Measures on {@code site}, which is filled here. */
    public QuestionBench(IterationBench site) {
        this.site = site;
    }

    /** Returns what each of the dear requests costs, asked {@code rounds} times, after as many that are not counted. */
    public List<Cost> run(int rounds) {
        site.fill();
        for (int i = 0; i < 3; i++) {
            site.carryOut(site.iterate());
            site.second();
        }
        List<String> waiting = site.waitingIds();
        String last = waiting.get(waiting.size() - 1);
        String half = site.processors() / 2 + "@4:00:00";
        List<Cost> costs = new ArrayList<>();
        costs.add(cost("showstart JOB, method=rsv", rounds, one(RequestKind.SHOW_START, last, "method=rsv")));
        costs.add(cost("showstart JOB, method=all", rounds, one(RequestKind.SHOW_START, last, "method=all")));
        costs.add(cost(
                "showstart half the cluster, method=all", rounds, one(RequestKind.SHOW_START, half, "method=all")));
        costs.add(cost("showbf", rounds, one(RequestKind.SHOW_BACKFILL, "ALL")));
        costs.add(cost("showbf 1 GB", rounds, one(RequestKind.SHOW_BACKFILL, "ALL", "memory=1024")));
        costs.add(cost("checkjob", rounds, one(RequestKind.EXPLAIN_JOB, last)));
        costs.add(cost("checkjob -v", rounds, one(RequestKind.EXPLAIN_JOB, last, "verbose=true")));
        costs.add(cost("mdiag -p", rounds, one(RequestKind.SHOW_PRIORITY, "ALL")));
        costs.add(cost("checknode", rounds, one(RequestKind.SHOW_NODE, NODE)));
        costs.add(cost("showstats -n", rounds, one(RequestKind.SHOW_NODE_STATISTICS, "ALL")));
        costs.add(cost("showstats -u", rounds, one(RequestKind.SHOW_CREDENTIAL_STATISTICS, "ALL", "kind=user")));
        costs.add(cost("mdiag -G", rounds, one(RequestKind.SHOW_EVENTS, "ALL")));
        costs.add(cost("mdiag -T", rounds, one(RequestKind.SHOW_TRIGGERS, "ALL")));
        costs.add(cost(
                "mrsvctl -c -t half, in a week",
                rounds,
                one(
                        RequestKind.CREATE_RESERVATION,
                        "NEW",
                        "taskcount=" + site.processors() / 2,
                        "starttime=+7:00:00:00",
                        "duration=1:00")));
        costs.add(cost(
                "mrsvctl -c -h REGEX",
                rounds,
                one(RequestKind.CREATE_RESERVATION, "NEW", "hostexp=.*7$", "starttime=+7:00:00:00", "duration=1:00")));
        costs.add(cost("changeparam", rounds, one(RequestKind.MODIFY_CONFIG, "-", "setting=QUEUETIMEWEIGHT 2")));
        costs.add(cost("48 x showstart JOB, method=all", rounds, flood(waiting, 48, "method=all")));
        costs.add(cost("100 x showstart JOB, method=prio", rounds, flood(waiting, 100, "method=prio")));
        costs.add(changesByTrigger(rounds));
        List<String> stricken = site.fail();
        settle();
        costs.add(cost(
                "replace a node where none is idle",
                rounds,
                one(RequestKind.REPLACE_JOB_NODE, stricken.get(0), "node=" + stricken.get(1))));
        return costs;
    }

    /** The configuration is changed by a trigger that an event on a node fires. */
    private Cost changesByTrigger(int rounds) {
        site.ask(
                PRINCIPAL,
                RequestKind.MODIFY_NODE,
                NODE,
                List.of(new NameValue(
                        "trigger",
                        "EType=gevent:" + TRIGGER_EVENT
                                + ",AType=changeparam,Action=\"QUEUETIMEWEIGHT 2\",RearmTime=0")));
        return measured("changeparam by a trigger", rounds, () -> site.event(TRIGGER_EVENT, NODE));
    }

    private static List<Ask> one(RequestKind kind, String objectId, String... arguments) {
        return List.of(new Ask(kind, objectId, arguments));
    }

    private static List<Ask> flood(List<String> waiting, int count, String method) {
        List<Ask> asks = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            asks.add(new Ask(RequestKind.SHOW_START, waiting.get(waiting.size() - i), method));
        }
        return asks;
    }

    private Cost cost(String name, int rounds, List<Ask> asks) {
        return measured(
                name,
                rounds,
                () -> asks.forEach(ask -> site.ask(PRINCIPAL, ask.kind(), ask.objectId(), ask.arguments())));
    }

    private Cost measured(String name, int rounds, Runnable input) {
        List<Double> millis = new ArrayList<>();
        long looks = 0;
        for (int i = 0; i < 2 * rounds; i++) {
            settle();
            double without = timed();
            site.second();
            input.run();
            double with = timed();
            looks = spent();
            if (i >= rounds) {
                millis.add(Math.max(0, with - without));
            }
        }
        millis.sort(null);
        return new Cost(name, millis.get(millis.size() / 2), millis.get(millis.size() - 1), looks);
    }

    /** Goes on until nothing waits for its budget. */
    private void settle() {
        do {
            site.second();
            last = site.iterate();
        } while (!domain().getRequests().isEmpty());
        site.second();
    }

    private double timed() {
        long before = threads.getCurrentThreadCpuTime();
        last = site.iterate();
        return (threads.getCurrentThreadCpuTime() - before) / NANOS;
    }

    private DomainStatus domain() {
        return Objects.requireNonNull(last).changes().stream()
                .map(change -> change.value())
                .filter(DomainStatus.class::isInstance)
                .map(DomainStatus.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private long spent() {
        return domain().getSpending().stream()
                .filter(spending -> spending.getPrincipal().equals(PRINCIPAL))
                .mapToLong(spending -> spending.getQuestions() + spending.getChanges())
                .sum();
    }
}
