package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TaskRequirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Random configurations of parameters that the other property tests leave alone, changed while jobs run, over unlike nodes,
 * jobs with extensions, refused starts and operators' requests, senseless ones among them. Nothing of it may throw or go on
 * for ever, and the same facts give the same outputs after a rebuild and without a kept plan. A failure names its seed.
 */
class OddLivesPropertyTest {
    private static final int LIVES = 100;
    private static final int STEPS = 25;

    /** Groups of lines of which a configuration takes one or none. */
    static final List<List<String>> CHOICES = List.of(
            List.of(
                    "NODEALLOCATIONPOLICY FIRSTAVAILABLE",
                    "NODEALLOCATIONPOLICY PRIORITY",
                    "NODEALLOCATIONPOLICY CPULOAD",
                    "NODEALLOCATIONPOLICY MINRESOURCE",
                    "NODEALLOCATIONPOLICY CONTIGUOUS",
                    "NODEALLOCATIONPOLICY MAXBALANCE",
                    "NODEALLOCATIONPOLICY FASTEST"),
            List.of(
                    "NODECFG[DEFAULT] PRIORITYF='SPEED+.01*AMEM -10 * JOBCOUNT'",
                    "NODECFG[DEFAULT] PRIORITYF='1000000*RANDOM - LOAD'",
                    "NODECFG[DEFAULT] PRIORITYF='- -5 + FREETIME - PARAPROCS*2'",
                    "NODECFG[DEFAULT] PRIORITYF='5*RSVAFFINITY - LOAD + APPLAFFINITY'"),
            List.of(
                    "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETISOPTIONAL FALSE\nNODESETLIST a, b",
                    "NODESETPOLICY ONEOF\nNODESETATTRIBUTE PROCSPEED\nNODESETTOLERANCE 0.5\nNODESETDELAY 30",
                    "NODESETPOLICY FIRSTOF\nNODESETATTRIBUTE MEMORY\nNODESETDELAY INFINITY",
                    "NODESETPOLICY ANYOF\nNODESETATTRIBUTE PROCSPEED\nNODESETLIST 500,750\nNODESETISOPTIONAL FALSE",
                    "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETPLUS SPANEVENLY\nNODESETDELAY 1:00",
                    "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETPRIORITYTYPE WORSTFIT\nNODESETLIST a, b, c",
                    "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETPRIORITYTYPE BESTFIT\nNODESETISOPTIONAL FALSE",
                    "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETPRIORITYTYPE AFFINITY\nNODESETDELAY 40",
                    "NODESETPOLICY ONEOF\nNODESETATTRIBUTE PROCSPEED\nNODESETPRIORITYTYPE BESTRESOURCE\nNODESETTOLERANCE 0.8",
                    "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETPLUS DELAY\nNODESETDELAY 50\nPARCFG[DEFAULT] FLAGS=SHAREDMEM",
                    "NODESETPOLICY FIRSTOF\nNODESETATTRIBUTE CLASS\nNODESETLIST batch other",
                    "NODESETPOLICY ANYOF\nNODESETATTRIBUTE ARCH"),
            List.of(
                    "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 2",
                    "RESERVATIONPOLICY NEVER",
                    "RESERVATIONDEPTH INFINITY",
                    "RESERVATIONDEPTH 2\nRESERVATIONPOLICY CURRENTHIGHEST",
                    "RESERVATIONDEPTH INFINITY\nRESERVATIONPOLICY HIGHEST",
                    "PARCFG[other] RESERVATIONPOLICY=NEVER\nRESERVATIONDEPTH 3",
                    "RESERVATIONDEPTH 0\nRESERVATIONQOSLIST[0] hi\nRESERVATIONDEPTH[0] 3"),
            List.of("RESERVATIONRETRYTIME 30", "RESERVATIONRETRYTIME INFINITY", "JOBRETRYTIME 0\nDEFERTIME 0"),
            List.of(
                    "BACKFILLPOLICY BESTFIT\nBACKFILLMETRIC PESECONDS",
                    "BACKFILLPOLICY GREEDY",
                    "BACKFILLPOLICY NONE",
                    "BACKFILLDEPTH 2",
                    "BFCHUNKDURATION 60\nBFCHUNKSIZE 3"),
            List.of(
                    "NODEACCESSPOLICY SINGLEJOB",
                    "NODEACCESSPOLICY SINGLEUSER",
                    "NODEACCESSPOLICY SINGLETASK",
                    "NODEACCESSPOLICY UNIQUEUSER",
                    "CLASSCFG[batch] FORCENODEACCESSPOLICY=SINGLEGROUP",
                    "NODEACCESSPOLICY SINGLEJOB\nCLASSCFG[batch] NODEACCESSPOLICY=SHARED",
                    "NODECFG[n0] ACCESS=SINGLETASK\nNODECFG[n1] ACCESS=SINGLEJOB",
                    "PARCFG[other] NODEACCESSPOLICY=SINGLEACCOUNT\nNODEACCESSPOLICY SHAREDONLY"),
            List.of(
                    "NODEAVAILABILITYPOLICY DEDICATED",
                    "NODEAVAILABILITYPOLICY DEDICATED:PROC COMBINED:MEM",
                    "NODEMAXLOAD 2.5\nNODELOADPOLICY ADJUSTPROCS"),
            List.of(
                    "JOBNODEMATCHPOLICY EXACTNODE",
                    "JOBNODEMATCHPOLICY EXACTPROC",
                    "TASKDISTRIBUTIONPOLICY RR",
                    "TASKDISTRIBUTIONPOLICY DISPERSE"),
            List.of(
                    "SRCFG[s1] PERIOD=DAY STARTTIME=13:47:00 ENDTIME=13:49:00 TASKCOUNT=2 USERLIST=ann DEPTH=1",
                    "SRCFG[s1] PERIOD=INFINITY HOSTLIST=n[0-1] CLASSLIST=batch-,other+ FLAGS=SPACEFLEX",
                    "SRCFG[s1] PERIOD=DAY STARTTIME=30:00:00 DAYS=Mon DEPTH=3 QOSLIST=hi& GROUPLIST=^g1",
                    "SRCFG[s1] TASKCOUNT=2 USERLIST=!joe,*ann TIMELIMIT=*1:00 FLAGS=TIMEFLEX:SINGLEUSE RSVREALLOCPOLICY=OPTIMAL",
                    "SRCFG[s1] PERIOD=WEEK STARTTIME=14:00:00 ENDTIME=13:49:00 TASKCOUNT=3 RESOURCES=PROCS:1;MEM:500"),
            List.of(
                    "RSVREALLOCPOLICY FAILURE",
                    "RSVREALLOCPOLICY OPTIMAL\nNODECFG[n0] CHARGERATE=2\nNODECFG[n2] CHARGERATE=0.5",
                    "RSVREALLOCPOLICY REMAP"),
            List.of(
                    "FSPOLICY DEDICATEDPS\nFSWEIGHT 10\nFSUSERWEIGHT 10\nFSINTERVAL 0\nUSERCFG[ann] FSTARGET=20-",
                    "FSPOLICY DEDICATEDPS\nFSWEIGHT 10\nFSUSERWEIGHT 10\nFSINTERVAL INFINITY\nUSERCFG[bob] FSTARGET=5",
                    "FSPOLICY DEDICATEDPS\nFSWEIGHT -3\nFSUSERWEIGHT 10\nFSINTERVAL 7\nFSDECAY 0\nUSERCFG[bob] FSTARGET=9"),
            List.of(
                    "QUEUETIMEWEIGHT -5\nENABLENEGJOBPRIORITY TRUE\nRESWEIGHT 2\nPROCWEIGHT 50\nRESCAP 60",
                    "XFACTORWEIGHT 1000000000\nQUEUETIMEWEIGHT 1000000000",
                    "QOSCFG[hi] PRIORITY=100 QTTARGET=0 XFTARGET=0.1 QFLAGS=NOBF\nTARGETQUEUETIMEWEIGHT 10"),
            List.of(
                    "CLASSCFG[batch] HOSTLIST=n0,n1",
                    "CLASSCFG[batch] MAX.WCLIMIT=100 DEFAULT.WCLIMIT=50",
                    "CLASSCFG[batch] DEFAULT.NODESET=ONEOF:FEATURE:a,b",
                    "USERCFG[DEFAULT] QLIST=hi& QDEF=low",
                    "NODECFG[n0] RCPROC=0 MAXJOB=1",
                    "NODECFG[n0] MAXPROCPERUSER=1 MAXPE=2\nNODECFG[GLOBAL] GRES=lic:3"));

    static final List<String> EXTENSIONS = List.of(
            "nodes=2:ppn=2",
            "nodes=1:ppn=2+2:a",
            "tpn=2+,procs=3",
            "naccesspolicy=SINGLEUSER",
            "naccesspolicy=SHARED",
            "nallocpolicy=CONTIGUOUS,taskdist=RR",
            "nallocpolicy=MAXBALANCE,taskdist=DISPERSE",
            "deadline=+3:00",
            "pref=mem>=2000|feature:b",
            "nodeset=ONEOF:FEATURE:a,b;nodesetisoptional=FALSE",
            "nodeset=NONE",
            "gres=lic:2",
            "gres=tape:1,mem=500",
            "advres=s1",
            "flags=ADVRES",
            "qos=hi",
            "walltime=0",
            "walltime=INFINITY",
            "nodes=999999999",
            "=,nodes=,colour=red");

    private Random random = new Random();
    private final List<String> ids = new ArrayList<>();
    private int requests;

    @Test
    void shouldDecideTheSameWhateverHappens() {
        int started = 0;
        for (long seed = 1; seed <= LIVES; seed++) {
            List<Output> plain = live(new SchedulerFixture(), seed);

            checkSame(
                    "rebuilt before every input, seed " + seed,
                    live(new SchedulerFixture().rebuildingAlways(), seed),
                    plain);
            checkSame(
                    "every pass complete, seed " + seed,
                    live(new SchedulerFixture().forgettingThePlanAlways(), seed),
                    plain);
            started +=
                    (int) plain.stream().filter(OddLivesPropertyTest::isStart).count();
        }
        assertThat(started).as("jobs started").isGreaterThan(2 * LIVES);
    }

    /** Compares one by one, so that a failure shows the first difference alone. */
    private static void checkSame(String what, List<Output> actual, List<Output> expected) {
        for (int i = 0; i < Math.min(actual.size(), expected.size()); i++) {
            assertThat(actual.get(i)).as(what).isEqualTo(expected.get(i));
        }
        assertThat(actual).as(what).hasSameSizeAs(expected);
    }

    private static boolean isStart(Output output) {
        return output.value() instanceof RmCommand command && command.getKind() == CommandKind.START_JOB;
    }

    private List<Output> live(SchedulerFixture weir, long seed) {
        random = new Random(seed);
        ids.clear();
        requests = 0;
        weir.policy(configuration());
        int nodes = 2 + random.nextInt(5);
        for (int i = 0; i < nodes; i++) {
            weir.fact(node("n" + i));
        }
        Map<String, Long> runs = new TreeMap<>();
        long now = 0;
        for (int step = 0; step < STEPS; step++) {
            now += random.nextInt(40);
            endJobs(weir, runs, now);
            for (int i = random.nextInt(3); i > 0; i--) {
                String id = "j" + (1000 + ids.size());
                weir.fact(job(id, now));
                ids.add(id);
                runs.put(id, 1L + random.nextInt(150));
            }
            if (oneIn(6)) {
                weir.fact(node("n" + random.nextInt(nodes)));
            }
            if (oneIn(2)) {
                request(weir);
            }
            if (oneIn(12)) {
                weir.policy(configuration());
            }
            if (oneIn(3)) {
                weir.iterateSilently(now);
                answer(weir, now);
            } else {
                weir.iterate(now);
            }
        }
        return weir.outputs;
    }

    private String configuration() {
        StringBuilder text = new StringBuilder();
        for (List<String> choice : CHOICES) {
            if (oneIn(3)) {
                text.append(one(choice)).append('\n');
            }
        }
        return text.toString();
    }

    private static void endJobs(SchedulerFixture weir, Map<String, Long> runs, long now) {
        for (Map.Entry<String, Long> run : Map.copyOf(runs).entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .toList()) {
            JobStatus job = weir.knows(run.getKey()) ? weir.job(run.getKey()) : null;
            if (job == null) {
                runs.remove(run.getKey());
            } else if (job.getState() == JobState.RUNNING
                    && Duration.between(job.getStartTime(), SchedulerFixture.at(now))
                                    .toSeconds()
                            >= run.getValue()) {
                weir.end(run.getKey(), now);
                runs.remove(run.getKey());
            }
        }
    }

    /** Answers the starts of the last iteration, and now and then does not. */
    private void answer(SchedulerFixture weir, long now) {
        for (RmCommand command : weir.lastCommands()) {
            String id = command.getJobId();
            if (id != null && command.getKind() == CommandKind.START_JOB && !oneIn(4)) {
                weir.answer(id, one(List.of(CommandOutcome.DONE, CommandOutcome.REFUSED, CommandOutcome.EXPIRED)), now);
            }
        }
    }

    private NodeReport node(String id) {
        NodeState trouble = one(List.of(NodeState.DOWN, NodeState.DRAINED, NodeState.BUSY, NodeState.UNKNOWN));
        return NodeReport.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setNodeId(id)
                .setState(oneIn(8) ? trouble : NodeState.IDLE)
                .setProcs(1 + random.nextInt(8))
                .setMemoryMb(one(List.of(0L, 1000L, 4000L)))
                .setLoad(oneIn(3) ? random.nextDouble() * 4 : null)
                .setFeatures(one(List.of(List.of("a"), List.of("b"), List.of("a", "b"), List.<String>of())))
                .setGres(oneIn(3) ? List.of(new NameCount("tape", 2L)) : List.of())
                .setProcSpeedMhz(oneIn(2) ? one(List.of(500, 750, 900)) : null)
                .setPartition(oneIn(8) ? "other" : null)
                .setAvailableMemoryMb(oneIn(5) ? one(List.of(0L, 500L)) : null)
                .setMaxTasks(oneIn(6) ? 1 + random.nextInt(3) : null)
                .build();
    }

    private JobReport job(String id, long now) {
        int tasks = 1 + random.nextInt(4);
        int procs = oneIn(3) ? 1 + random.nextInt(4) : 1;
        List<TaskRequirement> requirements = new ArrayList<>();
        for (int i = oneIn(6) ? 2 : random.nextInt(2); i > 0; i--) {
            requirements.add(TaskRequirement.newBuilder()
                    .setTasks(tasks)
                    .setProcsPerTask(procs)
                    .setMemoryMb(oneIn(3) ? 500L : 0L)
                    .setFeatures(oneIn(4) ? List.of(one(List.of("a", "b", "nope"))) : List.of())
                    .setGres(oneIn(6) ? List.of(new NameCount("tape", 1L)) : List.of())
                    .setTasksPerNode(oneIn(6) ? 1 + random.nextInt(2) : null)
                    .build());
        }
        return JobReport.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setJobId(id)
                .setQueueSequence(ids.size())
                .setState(JobState.IDLE)
                .setUser(one(List.of("ann", "bob", "joe")))
                .setGroup(one(List.of("g1", "g2")))
                .setJobClass(oneIn(3) ? one(List.of("batch", "other")) : null)
                .setQos(oneIn(3) ? "hi" : null)
                .setTasks(tasks)
                .setProcsPerTask(procs)
                .setRequirements(requirements)
                .setWalltimeSeconds(oneIn(12) ? null : 1L + random.nextInt(200))
                .setSubmitTime(SchedulerFixture.at(now))
                .setAsOfCommand(Long.MAX_VALUE)
                .setExtension(oneIn(2) ? one(EXTENSIONS) : null)
                .setNodeAccess(
                        oneIn(8) ? one(List.of("SINGLEJOB", "UNIQUEUSER", "SINGLEUSER", "SHARED", "SINGLETASK")) : null)
                .build();
    }

    private void request(SchedulerFixture weir) {
        String id = "q" + requests++;
        String job = ids.isEmpty() ? "nobody" : one(ids);
        switch (random.nextInt(11)) {
            case 0 -> weir.request(id, RequestKind.HOLD_JOB, job);
            case 1 -> weir.request(id, RequestKind.RELEASE_JOB, job);
            case 2 ->
                weir.request(id, RequestKind.SET_JOB_PRIORITY, job, pair("priority", one(List.of("5", "-3", "x"))));
            case 3, 4 -> {
                List<NameValue> arguments = new ArrayList<>();
                arguments.addAll(pair("hostexp", one(List.of("n0", "n[0-2]", "^n1$", "ALL", "(", "nope"))));
                arguments.addAll(pair(
                        "acl",
                        one(List.of(
                                "USER==ann",
                                "CLASS==batch-",
                                "USER==&bob",
                                "GROUP==^g1-",
                                "USER==!joe,QOS==*hi",
                                "junk"))));
                arguments.addAll(pair("start", one(List.of("+30", "+1:00", "13:00", "x"))));
                arguments.addAll(pair("duration", one(List.of("60", "10:00", "INFINITY", "0"))));
                arguments.addAll(pair("flags", one(List.of("SPACEFLEX", "TIMEFLEX", "EXCLUSIVE", "IGNRSV", "junk"))));
                weir.request(id, RequestKind.CREATE_RESERVATION, "new", arguments);
            }
            case 5 ->
                weir.request(
                        id,
                        RequestKind.MODIFY_RESERVATION,
                        one(List.of("system.1", "ann.1", "s1.0.1")),
                        pair(one(List.of("endtime", "hostexp", "duration")), one(List.of("+=60", "-=n0", "=1", "x"))));
            case 6 -> weir.request(id, RequestKind.RELEASE_RESERVATION, one(List.of("system.1", "s1.0.1", "nope")));
            case 7 -> weir.request(id, RequestKind.EXPLAIN_JOB, job);
            case 8 -> weir.request(id, RequestKind.SHOW_START, one(List.of(job, "2@60", "x@y")));
            case 9 -> weir.request(id, RequestKind.SHOW_BACKFILL, "-", pair("duration", one(List.of("60", "x"))));
            default ->
                weir.request(id, RequestKind.CONTROL_SCHEDULER, "-", pair("action", oneIn(2) ? "stop" : "resume"));
        }
    }

    private static List<NameValue> pair(String name, String value) {
        return List.of(new NameValue(name, value));
    }

    private boolean oneIn(int many) {
        return random.nextInt(many) == 0;
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
