package io.weir.scheduler.core;

import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.scheduler.core.trigger.TriggerActionKind;
import io.weir.scheduler.core.trigger.TriggerEvent;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Measurement;
import io.weir.schemas.NodeMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * What a site says of events, triggers, charging, categories and the failure service, and what its monitoring reports, by
 * chance: every kind of trigger with every kind of action, senseless pairs among them.
 */
final class OddAutomation {
    private static final List<String> ACTIONS = List.of(
            "job:-:cancel",
            "job:-:requeue",
            "job:-:hold",
            "job:$OID:modify:qos=hi;wclimit=+=60",
            "job:-:modify:=;x",
            "node:-:reserve:40",
            "node:-:reserve:99999999:99:99:99",
            "node:n0:release",
            "node:$OID:drain",
            "node:-:resume",
            "node:-:evacuate",
            "node:n1:modify:category=HardwareFailure;gmetric[temp]=9;gevent=fan:hot",
            "node:-:modify:trigger=x;failing=soon",
            "rsv:-:cancel",
            "rsv:-:extend:60",
            "rsv:-:extend:-36600:00:00:00",
            "rsv:system.1:modify:hostexp=-=n0",
            "sched:-:pause",
            "sched:-:resume",
            "sched:-",
            "cancel",
            "requeue;class=batch;user=ann",
            "hold;;=",
            "suspend",
            "checkpoint",
            "signal:USR1",
            "signal:",
            "modify:priority=5",
            "modify:=",
            "BACKFILLDEPTH 3",
            "NODECFG[n0] TRIGGER=EType=fail,AType=mail,Action=again",
            "GEVENTCFG[fan] ACTION=off",
            "FAILURESERVICE nonstop",
            "INCLUDE /etc/passwd",
            "$NOTHING $OID $METRIC ${a} $a$$",
            "/opt/fix $OID $HOSTLIST",
            "/opt/fix \u0001\u001b[0m",
            "https://h/$JOBID",
            "d UPDATE t SET a=? | $OID",
            "fan too hot");

    private static final List<String> CONDITIONS = List.of(
            "",
            ",Threshold=gmetric[temp]>3",
            ",Threshold=gmetric[temp]<2",
            ",Threshold=gmetric[temp]>=1e15",
            ",Threshold=gmetric[]>0",
            ",Threshold=cpuload>1",
            ",Threshold=availmem<500",
            ",Threshold=usage>10",
            ",Threshold=usage==0",
            ",Threshold=backlog>1",
            ",Threshold=freenodes<1",
            ",Threshold=downnodes>=1");

    private static final List<String> OPTIONS = List.of(
            ",Offset=20",
            ",Offset=-30",
            ",Offset=-36600:00:00:00",
            ",Offset=99999999:00:00:00",
            ",FailOffset=20",
            ",RearmTime=0",
            ",RearmTime=30",
            ",RearmTime=36600:00:00:00",
            ",MultiFire=TRUE",
            ",Interval=TRUE",
            ",Period=MINUTE",
            ",Period=MONTH",
            ",Requires=a",
            ",Requires=b.!a",
            ",Sets=a",
            ",Sets=!a.^b.c",
            ",Unsets=a.b",
            ",Timeout=+0",
            ",Timeout=36600:00:00:00",
            ",MaxRetry=999999999999",
            ",FailurePolicy=cancel",
            ",ExpireTime=0",
            ",ExpireTime=1000040",
            ",ExpireTime=999999999999",
            ",Flags=user",
            ",Flags=globalvars.cleanup",
            ",Flags=objectxmlstdin.cleanup.checkpoint",
            ",BlockTime=20",
            ",BlockTime=36600:00:00:00",
            ",Name=again",
            ",Env=A=b;B=$OID");

    private static final List<String> EVENT_RULES = List.of(
            "off",
            "on",
            "disable",
            "disable:node:n1",
            "FAILING",
            "record",
            "notify:admin+manager+user",
            "reserve",
            "reserve:36600:00:00:00",
            "preempt",
            "objectmessage",
            "execute:/opt/x?$OID?$MESSAGE",
            "signal:USR1",
            "nonsense");

    private static final List<String> EVENT_OPTIONS = List.of(
            " REARM=0",
            " REARM=40",
            " REARM=36600:00:00:00",
            " ECOUNT=2",
            " ECOUNT=999999999",
            " SEVERITY=1",
            " SEVERITY=4",
            " ESCALATE=30:notify;1:00:signal:USR1",
            " ESCALATE=0:reserve;0:off",
            " ESCALATE=36600:00:00:00:record;x",
            " CATEGORY=HardwareFailure",
            " CATEGORY=Active",
            " DESCRIPTION=x");

    private static final List<String> EVENTS =
            List.of("fan", "temp>3", "temp<2", "temp>=1e15", "ecc>100", "nodedown", "nodeup", "jobhold", "hour", "x");

    private static final List<String> FAILURE_POLICIES = List.of(
            "CANCEL", "FAIL", "HOLD", "IGNORE", "NOTIFY", "REQUEUE", "MIGRATE", "MIGRATE*", "CANCEL*", "IGNORE*");

    private static final List<String> CATEGORIES = List.of(
            "Active",
            "Idle",
            "HardwareFailure",
            "NetworkFailure",
            "SoftwareMaintenance",
            "Benchmark",
            "Site1",
            "PersonalReservation",
            "nonsense",
            "");

    private static final List<String> NONSTOP = List.of(
            "HotSpareCount=DEFAULT:1",
            "HotSpareCount=DEFAULT:999999999,other:1",
            "HotSpareCount=DEFAULT:0,nope:2",
            "MaxSpareNodeCount=1",
            "MaxSpareNodeCount=4",
            "TimeLimitDelay=600",
            "TimeLimitDelay=65533",
            "TimeLimitExtend=2",
            "TimeLimitExtend=65533",
            "TimeLimitDrop=30",
            "UserDrainAllow=ann",
            "UserDrainAllow=ALL",
            "UserDrainDeny=ann",
            "ReadTimeout=1",
            "Port=0",
            "Nonsense=1");

    private final Random random;

    OddAutomation(Random random) {
        this.random = random;
    }

    /** A trigger of any event with any action. */
    String trigger() {
        TriggerEvent event = one(List.of(TriggerEvent.values()));
        TriggerActionKind kind = one(List.of(TriggerActionKind.values()));
        StringBuilder text = new StringBuilder("EType=").append(event.word());
        if (event == TriggerEvent.GEVENT) {
            text.append(':').append(one(EVENTS));
        }
        text.append(",AType=")
                .append(kind.word())
                .append(",Action=\"")
                .append(one(ACTIONS))
                .append('"');
        boolean fits = random.nextInt(5) > 0;
        if (fits ? event == TriggerEvent.THRESHOLD : random.nextBoolean()) {
            text.append(one(CONDITIONS));
        }
        if (fits && (event == TriggerEvent.STANDING || event == TriggerEvent.EPOCH)) {
            text.append(",Period=MINUTE");
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(one(OPTIONS));
        }
        return text.toString();
    }

    /** Lines about events, triggers, failures, categories and charging, and the failure service's own file at the end. */
    String configuration() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append("GEVENTCFG[").append(one(EVENTS)).append("] ACTION=").append(some(EVENT_RULES, ","));
            text.append(some(EVENT_OPTIONS, "")).append('\n');
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(one(List.of(
                            "NODECFG[DEFAULT]",
                            "NODECFG[n0]",
                            "CLASSCFG[batch]",
                            "SRCFG[DEFAULT]",
                            "SRCFG[s1]",
                            "RSVPROFILE[p]",
                            "RMCFG[rm]",
                            "SCHEDCFG[DEFAULT]")))
                    .append(" TRIGGER")
                    .append(one(List.of("=", "+=")))
                    .append(trigger())
                    .append('\n');
        }
        if (random.nextInt(3) == 0) {
            text.append(one(List.of(
                            "NODEALLOCRESFAILUREPOLICY ",
                            "JOBACTIONONNODEFAILURE ",
                            "CLASSCFG[batch] RESFAILPOLICY=",
                            "PARCFG[DEFAULT] JOBACTIONONNODEFAILURE=")))
                    .append(one(FAILURE_POLICIES))
                    .append('\n');
        }
        if (random.nextInt(3) == 0) {
            text.append("NODECATCREDLIST down=").append(some(CATEGORIES, ","));
            text.append(" idle=").append(one(CATEGORIES)).append("\nNODECFG[DEFAULT] ENABLEPROFILING=TRUE\n");
        }
        if (random.nextInt(4) == 0) {
            text.append("AMCFG[a] SERVER=file:///c CHARGEPOLICY=")
                    .append(one(List.of("DEBITALLWC", "DEBITALLCPU", "DEBITSUCCESSFULCPU", "DEBITSUCCESSFULWC", "x")))
                    .append(" FLUSHINTERVAL=")
                    .append(one(List.of("0", "60", "HOUR", "MONTH", "36600:00:00:00")))
                    .append("\nNODECFG[DEFAULT] CHARGERATE=")
                    .append(one(List.of("0", "1e6", "0.333", "-1", "NaN")))
                    .append("\nAMCFG[a] REFUNDPOLICY=SYSTEMFAILURE")
                    .append('\n');
        }
        if (random.nextInt(3) == 0) {
            text.append(nonstop());
        }
        return text.toString();
    }

    /** The failure service switched on, and its own file. */
    private String nonstop() {
        StringBuilder text = new StringBuilder("FAILURESERVICE nonstop\n");
        text.append(PolicyLine.marker("nonstop.conf", 1)).append("\nControlAddr=control\n");
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(one(NONSTOP)).append('\n');
        }
        return text.append(PolicyLine.marker("weir.cfg", 1)).append('\n').toString();
    }

    /** The name of a category, or of none. */
    String category() {
        return one(CATEGORIES);
    }

    /** How a job wants the loss of a node to be dealt with. */
    String failurePolicy() {
        return "resfailpolicy=" + one(FAILURE_POLICIES).toLowerCase(Locale.ROOT);
    }

    /** A measured value, now and then of a node that nobody knows, or beyond all thresholds. */
    NodeMetric metric(long now) {
        return new NodeMetric(
                SchedulerFixture.CLUSTER,
                "n" + random.nextInt(7),
                one(List.of("temp", "temp", "ecc", "watts", "x y[z]")),
                one(List.of(0.0, 1.0, 3.5, 5.0, 150.0, -1e15, 1e15)),
                SchedulerFixture.at(Math.max(0, now - one(List.of(0, 0, 10, 100_000)))));
    }

    /** Something that happens, begins or is over, on one of {@code jobs}, a node, or something that is not there. */
    GenericEvent event(List<String> jobs, long now) {
        String type = one(List.of("node", "node", "job", "rm", "scheduler", "x"));
        String object = switch (type) {
            case "node" -> "n" + random.nextInt(7);
            case "job" -> jobs.isEmpty() ? "j999" : one(jobs);
            case "rm" -> SchedulerFixture.CONNECTOR;
            default -> one(List.of("", "scheduler"));
        };
        return new GenericEvent(
                SchedulerFixture.CLUSTER,
                one(List.of("fan", "nodedown", "hour", "x", "temp>3")),
                type,
                object,
                one(List.of("", "hot $OID", "line\nline")),
                SchedulerFixture.at(now),
                one(List.of("test", "")),
                random.nextInt(4) > 0,
                random.nextInt(3) > 0 ? null : measurements());
    }

    /** Makes metrics as monitoring may tell them, some twice. */
    List<Measurement> measurements() {
        return Stream.generate(() ->
                        new Measurement(one(List.of("temp", "load", "x", "a b")), one(List.of(-1e15, 0.0, -0.0, 61.5))))
                .limit(random.nextInt(4))
                .toList();
    }

    private String some(List<String> of, String between) {
        List<String> chosen = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            chosen.add(one(of));
        }
        return String.join(between, chosen);
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
