package io.weir.scheduler.core;

import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.Measurement;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TaskRequirement;
import io.weir.schemas.TriggerFiring;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes unlike nodes, jobs with extensions, configurations and operators' requests, senseless ones among them, by chance. */
final class OddInputs {
    /** Groups of lines of which a configuration takes one or none. */
    static final List<List<String>> CHOICES = List.of(
            List.of(
                    "NODEALLOCRESFAILUREPOLICY MIGRATE",
                    "NODEALLOCRESFAILUREPOLICY IGNORE\nJOBREALLOCATE TRUE",
                    "NODEALLOCRESFAILUREPOLICY REQUEUE*\nNODEPOLLTIMEOUT 60",
                    "NODEALLOCRESFAILUREPOLICY HOLD\nJOBACTIONONNODEFAILUREDURATION 30",
                    "NODEALLOCRESFAILUREPOLICY MIGRATE\nNODEPOLLTIMEOUT 0"),
            List.of(
                    "NODEDOWNSTATEDELAYTIME 0",
                    "NODEDOWNSTATEDELAYTIME 20",
                    "NODEDOWNSTATEDELAYTIME 2:00\nNODEFAILURERESERVETIME 30",
                    "NODEFAILURERESERVETIME 0",
                    "NODEFAILURERESERVETIME 40",
                    "NODEFAILURERESERVETIME 1:00:00\nNODEBUSYSTATEDELAYTIME 15"),
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
                    "NODESETPOLICY ONEOF\n"
                            + "NODESETATTRIBUTE FEATURE\n"
                            + "NODESETPRIORITYTYPE BESTFIT\n"
                            + "NODESETISOPTIONAL FALSE",
                    "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETPRIORITYTYPE AFFINITY\nNODESETDELAY 40",
                    "NODESETPOLICY ONEOF\n"
                            + "NODESETATTRIBUTE PROCSPEED\n"
                            + "NODESETPRIORITYTYPE BESTRESOURCE\n"
                            + "NODESETTOLERANCE 0.8",
                    "NODESETPOLICY ONEOF\n"
                            + "NODESETATTRIBUTE FEATURE\n"
                            + "NODESETPLUS DELAY\n"
                            + "NODESETDELAY 50\n"
                            + "PARCFG[DEFAULT] FLAGS=SHAREDMEM",
                    "NODESETPOLICY FIRSTOF\nNODESETATTRIBUTE CLASS\nNODESETLIST batch other",
                    "NODESETPOLICY ANYOF\nNODESETATTRIBUTE ARCH"),
            List.of(
                    "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 2",
                    "RESERVATIONPOLICY NEVER",
                    "RESERVATIONDEPTH INFINITY",
                    "RESERVATIONDEPTH 2\nRESERVATIONPOLICY CURRENTHIGHEST",
                    "RESERVATIONDEPTH INFINITY\nRESERVATIONPOLICY HIGHEST",
                    "RESERVATIONDEPTH INFINITY\nRESERVATIONSLICE 1",
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
                    "SRCFG[s1] TASKCOUNT=2 USERLIST=!joe,*ann TIMELIMIT=*1:00 FLAGS=TIMEFLEX:SINGLEUSE"
                            + " RSVREALLOCPOLICY=OPTIMAL",
                    "SRCFG[s1] PERIOD=WEEK STARTTIME=14:00:00 ENDTIME=13:49:00 TASKCOUNT=3 RESOURCES=PROCS:1;MEM:500"),
            List.of(
                    "RSVREALLOCPOLICY FAILURE",
                    "RSVREALLOCPOLICY OPTIMAL\nNODECFG[n0] CHARGERATE=2\nNODECFG[n2] CHARGERATE=0.5",
                    "RSVREALLOCPOLICY REMAP"),
            List.of(
                    "FSPOLICY DEDICATEDPS\nFSWEIGHT 10\nFSUSERWEIGHT 10\nFSINTERVAL 0\nUSERCFG[ann] FSTARGET=20-",
                    "FSPOLICY DEDICATEDPS\nFSWEIGHT 10\nFSUSERWEIGHT 10\nFSINTERVAL INFINITY\nUSERCFG[bob] FSTARGET=5",
                    "FSPOLICY DEDICATEDPS\n"
                            + "FSWEIGHT -3\n"
                            + "FSUSERWEIGHT 10\n"
                            + "FSINTERVAL 7\n"
                            + "FSDECAY 0\n"
                            + "USERCFG[bob] FSTARGET=9"),
            List.of(
                    "QUEUETIMEWEIGHT -5\nENABLENEGJOBPRIORITY TRUE\nRESWEIGHT 2\nPROCWEIGHT 50\nRESCAP 60",
                    "XFACTORWEIGHT 1000000000\nQUEUETIMEWEIGHT 1000000000",
                    "QOSCFG[hi] PRIORITY=100 QTTARGET=0 XFTARGET=0.1 QFLAGS=NOBF\nTARGETQUEUETIMEWEIGHT 10"),
            List.of(
                    "GEVENTCFG[nodedown] ACTION=notify:admin+manager+user,disable REARM=40 ECOUNT=2\nADMINCFG[1] USERS=root",
                    "GEVENTCFG[jobhold] ACTION=record,objectmessage ESCALATE=30:notify;1:00:signal:USR1;x:record",
                    "GEVENTCFG[temp>3] ACTION=reserve:1:00,preempt,execute:/opt/x?$OID?$MESSAGE SEVERITY=3\n"
                            + "GEVENTCFG[fan] ACTION=off,on,disable:node:n1"),
            List.of(
                    "NODECFG[DEFAULT] TRIGGER=EType=fail,AType=exec,Action='/opt/fix $OID',MaxRetry=2,Sets=!a.b,Timeout=30",
                    "NODECFG[DEFAULT] TRIGGER=EType=threshold,Threshold=gmetric[temp]>3,AType=internal,"
                            + "Action=node:-:reserve,RearmTime=30,FailOffset=20,Sets=hot\n"
                            + "NODECFG[DEFAULT] TRIGGER=EType=threshold,Threshold=gmetric[temp]<2,AType=internal,"
                            + "Action=node:-:release,RearmTime=10,Requires=hot,Unsets=hot",
                    "CLASSCFG[batch] TRIGGER=EType=start,AType=mail,Action=$JOBID,Offset=20\n"
                            + "CLASSCFG[batch] TRIGGER=EType=end,AType=http,Action=https://h/$JOBID,Offset=-30",
                    "SCHEDCFG[DEFAULT] TRIGGER=EType=epoch,Period=MINUTE,AType=changeparam,Action='BACKFILLDEPTH 3'\n"
                            + "SCHEDCFG[DEFAULT] TRIGGER=EType=threshold,Threshold=backlog>2,AType=internal,"
                            + "Action=sched:-:pause,RearmTime=50",
                    "SRCFG[DEFAULT] TRIGGER=EType=start,AType=jobaction,Action=requeue;class=batch,FailurePolicy=cancel\n"
                            + "NODECFG[n0] TRIGGER=EType=gevent:fan,AType=jobpreempt,Action=suspend,MultiFire=TRUE\n"
                            + "NODECFG[n1] TRIGGER=EType=end,AType=dbupdate,Action='d UPDATE t SET a=? | $OID',Interval=TRUE",
                    "QOSCFG[hi] QFLAGS=TRIGGER\nSRCFG[DEFAULT] TRIGGER=EType=threshold,Threshold=usage>10,AType=cancel"),
            List.of(
                    "AMCFG[a] SERVER=file:///c FLUSHINTERVAL=60 REFUNDPOLICY=SYSTEMFAILURE",
                    "AMCFG[a] SERVER=file:///c\nNODECFG[n0] CHARGERATE=1000000\nUSERCFG[ann] CHARGERATE=0.333",
                    "AMCFG[a] SERVER=file:///c CHARGEPOLICY=DEBITSUCCESSFULCPU FLUSHINTERVAL=HOUR",
                    "AMCFG[a] SERVER=file:///c CHARGEPOLICY=DEBITALLCPU"),
            List.of(
                    nonstop("HotSpareCount=DEFAULT:1"),
                    nonstop("TimeLimitDelay=1\nTimeLimitExtend=2\nTimeLimitDrop=1"),
                    nonstop("HotSpareCount=DEFAULT:2\nMaxSpareNodeCount=1\nUserDrainAllow=ann")),
            List.of(
                    "NODECFG[DEFAULT] ENABLEPROFILING=TRUE\nNODECATCREDLIST down=HardwareFailure,BatchFailure idle=Idle",
                    "GEVENTCFG[temp>3] ACTION=FAILING CATEGORY=HardwareFailure\nGEVENTCFG[fan] ACTION=off REARM=30"),
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
            "resfailpolicy=requeue",
            "resfailpolicy=migrate*,nokill=TRUE",
            "trig=EType=hold,AType=mail,Action=held",
            "trig=EType=start,AType=jobaction,Action=hold",
            "nodes=999999999",
            "=,nodes=,colour=red");

    /** Triggers, senseless ones among them. */
    static final List<String> TRIGGERS = List.of(
            "EType=start,AType=mail,Action=$OID,Offset=-10",
            "EType=end,AType=cancel,Action=x",
            "EType=cancel,AType=exec,Action=/opt/x $HOSTLIST,Flags=user",
            "EType=fail,AType=internal,Action=node:-:modify:message=x,MultiFire=TRUE",
            "EType=hold,AType=jobaction,Action=release",
            "EType=threshold,Threshold=cpuload>1,AType=event,Action=fan hot,RearmTime=0",
            "EType=create,AType=internal,Action=job:-:cancel",
            "EType=modify,AType=jobpreempt,Action=\"checkpoint\"",
            "EType=start,AType",
            "");

    private static final List<List<String>> CLASSES =
            List.of(List.of("batch"), List.of("other"), List.of("other", "batch"));

    private final Random random;
    private int requests;

    OddInputs(Random random) {
        this.random = random;
    }

    /** Lines of a configuration, each of them right by itself. */
    String configuration() {
        StringBuilder text = new StringBuilder();
        for (List<String> choice : CHOICES) {
            if (oneIn(3)) {
                text.append(one(choice)).append('\n');
            }
        }
        return text.toString();
    }

    /** A node report that makes sense. */
    NodeReport node(String id) {
        NodeState trouble = one(List.of(NodeState.DOWN, NodeState.DRAINED, NodeState.BUSY, NodeState.UNKNOWN));
        return NodeReport.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setNodeId(id)
                .setState(oneIn(8) ? trouble : NodeState.IDLE)
                .setProcs(1 + random.nextInt(8))
                .setMemoryMb(one(List.of(0L, 1000L, 4000L)))
                .setMetrics(oneIn(3) ? List.of(new Measurement("temp", (double) random.nextInt(6))) : List.of())
                .setLoad(oneIn(3) ? random.nextDouble() * 4 : null)
                .setFeatures(one(List.of(List.of("a"), List.of("b"), List.of("a", "b"), List.<String>of())))
                .setGres(oneIn(3) ? List.of(new NameCount("tape", 2L)) : List.of())
                .setProcSpeedMhz(oneIn(2) ? one(List.of(500, 750, 900)) : null)
                .setPartition(oneIn(8) ? "other" : null)
                .setAvailableMemoryMb(oneIn(5) ? one(List.of(0L, 500L)) : null)
                .setMaxTasks(oneIn(6) ? 1 + random.nextInt(3) : null)
                .setClasses(
                        oneIn(4)
                                ? List.of(new NameCount("batch", 1L + random.nextInt(3)), new NameCount("other", 2L))
                                : List.of())
                .setProcUnit(oneIn(4) ? 2 : 1)
                .build();
    }

    /** A waiting job that makes sense; {@code sequence} is its place in the queue. */
    JobReport job(String id, int sequence, long now) {
        int tasks = 1 + random.nextInt(4);
        int procs = oneIn(3) ? 1 + random.nextInt(4) : 1;
        List<TaskRequirement> requirements = new ArrayList<>();
        for (int i = oneIn(6) ? 2 : random.nextInt(2); i > 0; i--) {
            requirements.add(TaskRequirement.newBuilder()
                    .setTasks(tasks)
                    .setProcsPerTask(procs)
                    .setMemoryMb(oneIn(3) ? 500L : 0L)
                    .setFeatures(oneIn(4) ? List.of(one(List.of("a", "b", "nope", "a|b", "nope|a|"))) : List.of())
                    .setGres(oneIn(6) ? List.of(new NameCount("tape", 1L)) : List.of())
                    .setTasksPerNode(oneIn(6) ? 1 + random.nextInt(2) : null)
                    .setLeastNodes(oneIn(6) ? random.nextInt(4) : 0)
                    .setMostNodes(oneIn(6) ? random.nextInt(4) : 0)
                    .setFewestNodes(oneIn(4))
                    .setMoldable(oneIn(4))
                    .setMostTasksPerNode(oneIn(8) ? random.nextInt(3) : 0)
                    .setClasses(oneIn(6) ? one(CLASSES) : List.of())
                    .setHosts(oneIn(8) ? one(List.of(List.of("n1"), List.of("n2", "n1", "nowhere"))) : List.of())
                    .setExcludedHosts(oneIn(8) ? List.of(one(List.of("n1", "n2", "nowhere"))) : List.of())
                    .setApart(oneIn(3))
                    .setNodeProcs(oneIn(6) ? 1 + random.nextInt(3) : 0)
                    .setNodeMemoryMb(oneIn(6) ? 700L : 0L)
                    .setNodeGres(oneIn(8) ? List.of(new NameCount("tape", 1L)) : List.of())
                    .build());
        }
        return JobReport.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setJobId(id)
                .setQueueSequence(sequence)
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
                .setExcludedHosts(oneIn(8) ? List.of(one(List.of("n1", "n2", "nowhere"))) : List.of())
                .setOtherClasses(oneIn(8) ? List.of(one(List.of("batch", "other"))) : List.of())
                .setNodeAccess(
                        oneIn(8) ? one(List.of("SINGLEJOB", "UNIQUEUSER", "SINGLEUSER", "SHARED", "SINGLETASK")) : null)
                .build();
    }

    /** A request of user ann about one of {@code jobs}. */
    Request request(List<String> jobs) {
        String id = "q" + requests++;
        String job = jobs.isEmpty() ? "nobody" : one(jobs);
        return switch (random.nextInt(16)) {
            case 0 -> asked(id, RequestKind.HOLD_JOB, job);
            case 1 -> asked(id, RequestKind.RELEASE_JOB, job);
            case 2 -> asked(id, RequestKind.SET_JOB_PRIORITY, job, pair("priority", one(List.of("5", "-3", "x"))));
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
                if (oneIn(3)) {
                    arguments.addAll(pair("accountable", one(List.of("aaccount=jupiter", "auser=joe", "x"))));
                }
                if (oneIn(3)) {
                    arguments.addAll(pair("trigger", one(TRIGGERS)));
                }
                yield asked(id, RequestKind.CREATE_RESERVATION, "new", arguments);
            }
            case 5 ->
                asked(
                        id,
                        RequestKind.MODIFY_RESERVATION,
                        one(List.of("system.1", "ann.1", "s1.0.1")),
                        pair(one(List.of("endtime", "hostexp", "duration")), one(List.of("+=60", "-=n0", "=1", "x"))));
            case 6 -> asked(id, RequestKind.RELEASE_RESERVATION, one(List.of("system.1", "s1.0.1", "nope")));
            case 7 -> asked(id, RequestKind.EXPLAIN_JOB, job);
            case 8 -> asked(id, RequestKind.SHOW_START, one(List.of(job, "2@60", "x@y")));
            case 11 ->
                asked(
                        id,
                        RequestKind.MODIFY_NODE,
                        one(List.of("n0", "n1", "nope")),
                        pair(oneIn(4) ? "untrigger" : "trigger", oneIn(4) ? "t1" : one(TRIGGERS)));
            case 13 -> asked(id, RequestKind.REPLACE_JOB_NODE, job, pair("node", one(List.of("n0", "n1", "n2"))));
            case 14 ->
                oneIn(2)
                        ? asked(id, RequestKind.EXTEND_JOB, job, pair("minutes", one(List.of("1", "9", "x"))))
                        : asked(id, RequestKind.DROP_JOB_NODE, job, pair("node", one(List.of("n0", "n1"))));
            case 15 ->
                oneIn(2)
                        ? asked(id, RequestKind.DRAIN_NODES, job, drained(one(List.of("n0", "n[1-2]", "nope"))))
                        : asked(
                                id,
                                RequestKind.MODIFY_NODE,
                                one(List.of("n0", "n1")),
                                pair("category", one(List.of("Site1", "HardwareFailure", "x"))));
            case 12 -> asked(id, RequestKind.MODIFY_JOB, job, pair("trigger", one(TRIGGERS)));
            case 9 -> asked(id, RequestKind.SHOW_BACKFILL, "-", pair("duration", one(List.of("60", "x"))));
            default -> asked(id, RequestKind.CONTROL_SCHEDULER, "-", pair("action", oneIn(2) ? "stop" : "resume"));
        };
    }

    /** The answer to one of {@code firings}, or to none of them, with a right or a senseless value. */
    DeliveryResult delivery(List<TriggerFiring> firings, long now) {
        TriggerFiring firing = firings.isEmpty() ? null : one(firings);
        return DeliveryResult.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setDeliveryId(firing == null || oneIn(5) ? "c/1/7" : firing.getFiringId())
                .setChannel("exec")
                .setOutcome(one(List.of(DeliveryOutcome.values())))
                .setAttempts(1)
                .setTime(SchedulerFixture.at(now))
                .setKind(oneIn(6) ? "notification" : "firing")
                .setTriggerId(firing == null ? null : firing.getTriggerId())
                .setCode(oneIn(2) ? random.nextInt(3) : null)
                .setOutput(oneIn(3) ? "done" : null)
                .setVariables(oneIn(2) ? List.of(new NameValue("b", "45"), new NameValue("odd", "$OID")) : List.of())
                .build();
    }

    private static Request asked(String id, RequestKind kind, String objectId) {
        return asked(id, kind, objectId, List.of());
    }

    private static Request asked(String id, RequestKind kind, String objectId, List<NameValue> arguments) {
        return new Request(
                SchedulerFixture.CLUSTER, id, "ann", kind, objectId, null, SchedulerFixture.at(0), arguments, 1);
    }

    private static List<NameValue> drained(String nodes) {
        return List.of(new NameValue("nodes", nodes), new NameValue("reason", "flaky"));
    }

    /** The failure service with the lines of its own file. */
    private static String nonstop(String lines) {
        return "FAILURESERVICE nonstop\n" + PolicyLine.marker("nonstop.conf", 1) + "\nControlAddr=control\n" + lines
                + "\n" + PolicyLine.marker("weir.cfg", 1);
    }

    static List<NameValue> pair(String name, String value) {
        return List.of(new NameValue(name, value));
    }

    boolean oneIn(int many) {
        return random.nextInt(many) == 0;
    }

    <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
