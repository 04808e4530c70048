package io.weir.loop;

import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Thinks up what is done to a site. Some lives have much of one thing and little of another. */
final class Mischief {
    private static final int MOST_CALLS = 80;
    private static final String CLUSTER = Site.CLUSTER;
    private static final List<String> REPEATED =
            List.of(Topics.RM_JOBS.name(), Topics.RM_NODES.name(), Topics.RM_HEARTBEATS.name(), Topics.RESULTS.name());
    private static final List<String> WRITTEN = List.of(
            Topics.RM_JOBS.name(),
            Topics.RM_NODES.name(),
            Topics.RM_HEARTBEATS.name(),
            Topics.RESULTS.name(),
            Topics.MONITORING_EVENTS.name(),
            Topics.REQUESTS.name(),
            Topics.POLICY.name(),
            Topics.PLUGIN_ANSWERS.name());
    private static final List<String> PRINCIPALS = List.of("admin", "operator", "user1", "user2", "mallory");
    private static final List<String> VALUES = List.of(
            "",
            "0",
            "1",
            "-1",
            "17",
            "2147483647",
            "-2147483648",
            "9223372036854775807",
            "-9223372036854775808",
            "1e308",
            "NaN",
            "user",
            "batch",
            "all",
            "ALL",
            "message",
            "pause",
            "resume",
            "00:00:01",
            "99999999:00:00:00",
            "+1:00",
            "INFINITY",
            "n0001",
            "n[0001-9999]",
            "(a+)+$",
            "^(.*)\\1$",
            "USER==user1",
            "\u0000\uFFFF\uD800",
            "x".repeat(3_000),
            "a=b,c=d;e=f");
    private static final List<String> NAMES = List.of(
            "type",
            "level",
            "action",
            "priority",
            "starttime",
            "duration",
            "endtime",
            "hostlist",
            "acl",
            "message",
            "messages",
            "variables",
            "variable",
            "features",
            "walltime",
            "wclimit",
            "notify",
            "gevent",
            "gmetric",
            "method",
            "name",
            "nodes",
            "procs",
            "user",
            "count",
            "iterations",
            "state",
            "hold",
            "persistent",
            "setting",
            "value",
            "\u2028");
    private static final List<String> EXTENSIONS = List.of(
            "nodes=2:ppn=1+1:ppn=2",
            "x=QOS:high;FLAGS:RESTARTABLE,PREEMPTEE",
            "x=GRES:lic:2147483647",
            "x=HOSTLIST:(.*)\\1",
            "x=HOSTLIST:^n000[12]$",
            "x=DEPEND:afterok:1",
            "x=DEPEND:2147483648",
            "x=TRIG:EType=start&AType=exec&Action=/bin/true",
            "x=SID:cluster;HASH:0;\u0000",
            "x=MINPROCSPEED:9999999999999999999",
            "x=NACCESSPOLICY:SINGLEJOB",
            "x=" + "A:b;".repeat(2_000));
    private static final List<String> POLICIES = List.of(
            "ADMINCFG[1] USERS=admin\nADMINCFG[2] USERS=operator\n",
            "ADMINCFG[1] USERS=admin\nBACKFILLPOLICY NONE\nRESERVATIONPOLICY NEVER\n",
            "ADMINCFG[1] USERS=admin\nBACKFILLPOLICY FIRSTFIT\nRESERVATIONDEPTH 5\nNODEALLOCATIONPOLICY CONTIGUOUS\n",
            "USERCFG[DEFAULT] MAXJOB=1 MAXPROC=2\nRMCFG[rm] TIMEOUT=5\n",
            "SRCFG[s] PERIOD=INFINITY HOSTLIST=n0001 USERLIST=user1\n",
            "SRCFG[s] PERIOD=DAY STARTTIME=00:00:10 ENDTIME=00:00:20 TASKCOUNT=1 RESOURCES=PROCS:-1\nJOBNODEMATCHPOLICY EXACTNODE\n",
            "QOSCFG[high] PRIORITY=2147483647 QFLAGS=PREEMPTOR\nPREEMPTPOLICY REQUEUE\nQUEUETIMEWEIGHT 9223372036854775807\n",
            "FSPOLICY PS\nFSDEPTH 3\nFSINTERVAL 00:00:10\nFSDECAY 0.5\nFSWEIGHT 1\nFSUSERWEIGHT 100\n",
            "JOBCPURGETIME 00:00:05\nDEFERTIME 00:00:03\nDEFERSTARTCOUNT 1\nRESERVATIONRETRYTIME 00:00:02\n",
            "NONSENSE \u0000 [[[[\nINCLUDE /etc/passwd\n");

    private final Random random;
    private final long troubledMillis;
    private final int jobs;
    private final int nodes;
    private final List<Deed> deeds = new ArrayList<>();

    Mischief(Random random, long troubledMillis, int jobs, int nodes) {
        this.random = random;
        this.troubledMillis = troubledMillis;
        this.jobs = jobs;
        this.nodes = nodes;
    }

    List<Deed> deeds() {
        deeds.add(new Deed.Configure(50, POLICIES.get(0)));
        some(6, () -> new Deed.Kill(when(), who(), calls(), 100 + random.nextInt(3_000)));
        some(5, () -> new Deed.Freeze(when(), who(), calls(), 200L << random.nextInt(7)));
        some(2, () -> new Deed.StepClock(when(), who(), (random.nextInt(200) - 100) * (1L << random.nextInt(12))));
        some(2, () -> new Deed.TakeBrokerAway(when(), 100L << random.nextInt(8)));
        some(2, () -> new Deed.TakeMachineAway(when(), 500L << random.nextInt(5)));
        some(2, () -> new Deed.TroubleMachine(when(), random.nextInt(30)));
        some(4, () -> new Deed.StartConnector(when(), random.nextBoolean() ? Who.CONNECTOR_1 : Who.CONNECTOR_2));
        some(2, () -> new Deed.Compact(when(), random.nextBoolean()));
        some(3, () -> new Deed.Repeat(when(), one(REPEATED), 1 + random.nextInt(12)));
        some(12, this::ask);
        some(3, () -> new Deed.Configure(when(), one(POLICIES)));
        some(4, () -> new Deed.WriteIntoJob(when(), job(), one(EXTENSIONS)));
        some(4, this::scribble);
        some(1, () -> new Deed.MeetFault(when()));
        deeds.sort(Comparator.comparingLong(Deed::at));
        return deeds;
    }

    /** Adds up to {@code most} deeds of a kind; often none. */
    private void some(int most, Supplier<Deed> kind) {
        int count = random.nextInt(3) == 0 ? 0 : random.nextInt(most + 1);
        for (int i = 0; i < count; i++) {
            deeds.add(kind.get());
        }
    }

    private Deed ask() {
        RequestKind kind = one(List.of(RequestKind.values()));
        List<NameValue> arguments = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            arguments.add(new NameValue(one(NAMES), one(VALUES)));
        }
        String object = random.nextInt(4) == 0 ? one(VALUES) : random.nextBoolean() ? job() : node();
        String principal = one(PRINCIPALS);
        String id = principal + ":" + random.nextInt(40);
        return new Deed.Ask(when(), id, principal, kind, object.isEmpty() ? "-" : object, arguments);
    }

    private Deed scribble() {
        byte[] value = random.nextBoolean()
                ? one(VALUES).getBytes(StandardCharsets.UTF_8)
                : new byte[] {0, 0, 0, 0, (byte) random.nextInt(30), 2, 'a', 0, -1};
        String key = random.nextInt(3) == 0 ? one(VALUES) : CLUSTER + "/x";
        long timestamp = random.nextInt(3) == 0 ? random.nextInt(2) : 946_684_800_000L + random.nextInt(100_000);
        return new Deed.Scribble(when(), one(WRITTEN), key, new String(value, StandardCharsets.ISO_8859_1), timestamp);
    }

    private long when() {
        return random.nextInt((int) troubledMillis);
    }

    private Who who() {
        return one(List.of(Who.values()));
    }

    private int calls() {
        return random.nextBoolean() ? 0 : random.nextInt(MOST_CALLS);
    }

    private String job() {
        return Integer.toString(1 + random.nextInt(jobs));
    }

    private String node() {
        return "n000" + (1 + random.nextInt(nodes));
    }

    private <T> T one(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
