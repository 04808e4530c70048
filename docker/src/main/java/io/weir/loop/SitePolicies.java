package io.weir.loop;

import io.weir.scheduler.core.policy.language.PolicyLine;
import java.util.List;
import java.util.Random;

/** Site configurations that somebody may put in force, those of features that act by themselves among them. */
final class SitePolicies {
    private static final String ADMINS = "ADMINCFG[1] USERS=admin\nADMINCFG[2] USERS=operator\n";

    private static final List<String> PLAIN = List.of(
            ADMINS,
            "ADMINCFG[1] USERS=admin\nBACKFILLPOLICY NONE\nRESERVATIONPOLICY NEVER\n",
            "ADMINCFG[1] USERS=admin\nBACKFILLPOLICY FIRSTFIT\nRESERVATIONDEPTH 5\nRESERVATIONSLICE 2\nNODEALLOCATIONPOLICY CONTIGUOUS\n",
            "USERCFG[DEFAULT] MAXJOB=1 MAXPROC=2\nRMCFG[rm] TIMEOUT=5\n",
            "SRCFG[s] PERIOD=INFINITY HOSTLIST=n0001 USERLIST=user1\n",
            "SRCFG[s] PERIOD=DAY STARTTIME=00:00:10 ENDTIME=00:00:20 TASKCOUNT=1 RESOURCES=PROCS:-1\nJOBNODEMATCHPOLICY EXACTNODE\n",
            "QOSCFG[high] PRIORITY=2147483647 QFLAGS=PREEMPTOR\nPREEMPTPOLICY REQUEUE\nQUEUETIMEWEIGHT 9223372036854775807\n",
            "USERCFG[DEFAULT] JOBFLAGS=PREEMPTEE\nUSERCFG[user1] JOBFLAGS=PREEMPTOR PRIORITY=9000\nUSERWEIGHT 1\nJOBPREEMPTMINACTIVETIME 3\n",
            "USERCFG[user1] JOBFLAGS=PREEMPTOR,PREEMPTEE PRIORITY=9000\nUSERCFG[user2] JOBFLAGS=PREEMPTEE\nUSERWEIGHT 1\nPREEMPTPOLICY CANCEL\nSRCFG[s] PERIOD=INFINITY HOSTLIST=n0001 USERLIST=user2\n",
            "SRCFG[own] PERIOD=INFINITY TASKCOUNT=2 RESOURCES=PROCS:1 USERLIST=user1,user2,user3 OWNER=USER:user1 FLAGS=OWNERPREEMPT\n",
            "QOSCFG[DEFAULT] QFLAGS=PREEMPTOR,PREEMPTEE\nBACKFILLPOLICY PREEMPT\nNODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\n",
            """
            ADMINCFG[1] USERS=admin
            AMCFG[a] SERVER=file:///c FLUSHINTERVAL=60
            GEVENTCFG[nodedown] ACTION=notify,disable,execute:/x?$OID REARM=10
            NODECFG[DEFAULT] TRIGGER=EType=fail,AType=exec,Action='/x $OID',MaxRetry=1,Timeout=5
            SCHEDCFG[DEFAULT] TRIGGER=EType=epoch,Period=MINUTE,AType=mail,Action=$TIME
            """,
            "FSPOLICY PS\nFSDEPTH 3\nFSINTERVAL 00:00:10\nFSDECAY 0.5\nFSWEIGHT 1\nFSUSERWEIGHT 100\n",
            "JOBCPURGETIME 00:00:05\nDEFERTIME 00:00:03\nDEFERSTARTCOUNT 1\nRESERVATIONRETRYTIME 00:00:02\n",
            "NONSENSE \u0000 [[[[\nINCLUDE /etc/passwd\n");

    /** The first of {@link #FAILURES}: those have the failure service, and leave nodes for jobs. */
    private static final int NONSTOP = 2;

    private static final List<String> FAILURES = List.of(
            nonstop("TimeLimitExtend=2", "TimeLimitDrop=30", "TimeLimitDelay=600"),
            nonstop("HotSpareCount=DEFAULT:1", "MaxSpareNodeCount=1", "UserDrainAllow=user1,admin"),
            nonstop("HotSpareCount=DEFAULT:5,nowhere:1", "TimeLimitExtend=525600"),
            "NODEALLOCRESFAILUREPOLICY REQUEUE\nNODEFAILURERESERVETIME 00:00:03\n",
            "NODEALLOCRESFAILUREPOLICY CANCEL\nJOBACTIONONNODEFAILURE HOLD\nNODEDOWNSTATEDELAYTIME 00:00:02\n");

    private static final List<String> TRIGGERS = List.of("""
            NODECFG[DEFAULT] TRIGGER=EType=threshold,Threshold=gmetric[temp]>34,AType=internal,Action="node:-:reserve",RearmTime=1,Sets=temp_rsv
            NODECFG[DEFAULT] TRIGGER=EType=threshold,Threshold=gmetric[temp]>40,AType=internal,Action="node:-:evacuate",RearmTime=1,Requires=temp_rsv,Sets=node_evac
            NODECFG[DEFAULT] TRIGGER=EType=threshold,Threshold=gmetric[temp]<25,AType=internal,Action="node:-:release",RearmTime=1,Requires=temp_rsv,Unsets=temp_rsv.node_evac
            """, """
            NODECFG[DEFAULT] TRIGGER=EType=fail,AType=exec,Action="/opt/fix $OID",Sets=!A.B,MultiFire=TRUE,MaxRetry=2,Timeout=2
            NODECFG[DEFAULT] TRIGGER=EType=gevent:hot,AType=jobpreempt,Action=requeue,MultiFire=TRUE
            NODECFG[DEFAULT] TRIGGER=EType=gevent:ask,AType=exec,Action=/opt/ask,Sets=Var1,MultiFire=TRUE
            NODECFG[DEFAULT] TRIGGER=EType=gevent:go,AType=mail,Action=go,Requires=Var1:eq:45,MultiFire=TRUE
            """, """
            JOBCFG[DEFAULT] TRIGGER=EType=start,AType=mail,Action="$OID $OWNER",Interval=TRUE,RearmTime=1
            JOBCFG[DEFAULT] TRIGGER=EType=end,AType=http,Action="http://h/$OID",MaxRetry=3,MultiFire=TRUE
            QOSCFG[DEFAULT] QFLAGS=TRIGGER
            RMCFG[DEFAULT] TRIGGER=EType=fail,AType=mail,Action=x
            """, """
            SCHEDCFG[DEFAULT] TRIGGER=EType=epoch,Period=MINUTE,AType=changeparam,Action="QUEUETIMEWEIGHT 3"
            SCHEDCFG[DEFAULT] TRIGGER=EType=modify,AType=event,Action=hot,MultiFire=TRUE
            """, """
            CLASSCFG[DEFAULT] TRIGGER=EType=start,AType=exec,Action=/opt/attend,BlockTime=3,Flags=cleanup.objectxmlstdin,MaxRetry=1
            CLASSCFG[DEFAULT] TRIGGER=EType=end,AType=exec,Action="/opt/note $HOSTLIST $MASTERHOST",Sets=^over
            NODECFG[DEFAULT] TRIGGER=EType=end,AType=mail,Action=$OID,Requires=over,Flags=globalvars,MultiFire=TRUE
            SRCFG[s] TRIGGER=EType=start,AType=exec,Action=/opt/hold,BlockTime=00:05:00,Flags=cleanup
            """);

    private static final List<String> EVENTS = List.of(
            "GEVENTCFG[hot] ACTION=notify,disable,reserve SEVERITY=3 REARM=00:00:01\n",
            "GEVENTCFG[hot] ACTION=off,fail,preempt:requeue ESCALATE=2:notify ECOUNT=2\nGEVENTCFG[go] ACTION=on,enable\n",
            "GEVENTCFG[nodedown] ACTION=notify,execute:/x?$OID REARM=00:00:01\nGEVENTCFG[nodeup] ACTION=enable\n",
            "GEVENTCFG[rsvstart] ACTION=notify\nGEVENTCFG[jobrequeue] ACTION=record\nGEVENTCFG[jobhold] ACTION=notify:user\nGEVENTCFG[nodetransient] ACTION=reserve:5\n",
            "GMETRICCFG[temp] ACTION=record\nMETRICCFG[temp] THRESHOLD>40\n");

    private static final List<String> CHARGES = List.of(
            "AMCFG[am] SERVER=file:///c FLUSHINTERVAL=00:00:02\nNODECFG[DEFAULT] CHARGERATE=1.5 ENABLEPROFILING=TRUE\n",
            "AMCFG[am] SERVER=file:///c CHARGEPOLICY=DEBITSUCCESSFULWC FLUSHINTERVAL=0:10:00\nQOSCFG[DEFAULT] CHARGERATE=1e12\n",
            "AMCFG[am] SERVER=file:///c CHARGEPOLICY=DEBITALLCPU\nSRCFG[s] PERIOD=DAY STARTTIME=00:00:10 ENDTIME=00:00:20 TASKCOUNT=1 CHARGEACCOUNT=a\nUSERCFG[DEFAULT] CHARGERATE=0.001\n");

    private static final List<List<String>> ALL = List.of(PLAIN, PLAIN, FAILURES, TRIGGERS, EVENTS, CHARGES);

    private SitePolicies() {}

    /** Returns the configuration that a site begins with: of every other site one with features that act by themselves. */
    static String first(Random random) {
        StringBuilder text = new StringBuilder(ADMINS);
        if (random.nextBoolean()) {
            for (List<String> feature : List.of(FAILURES, TRIGGERS, EVENTS, CHARGES)) {
                text.append(random.nextInt(3) == 0 ? "" : one(feature, random));
            }
        }
        return text.toString();
    }

    /** Returns a configuration with the failure service. */
    static String recovering(Random random) {
        return ADMINS + one(FAILURES.subList(0, NONSTOP), random);
    }

    /** Returns one of the configurations, often one of several features together. */
    static String draw(Random random) {
        if (random.nextBoolean()) {
            return one(PLAIN, random);
        }
        StringBuilder text = new StringBuilder(ADMINS);
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            text.append(one(one(ALL, random), random));
        }
        return text.toString();
    }

    private static <T> T one(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }

    private static String nonstop(String... lines) {
        return "NODEALLOCRESFAILUREPOLICY IGNORE\nFAILURESERVICE nonstop\n" + PolicyLine.marker("nonstop.conf", 1)
                + "\nControlAddr=control\n" + String.join("\n", lines) + "\n" + PolicyLine.marker("weir.cfg", 4) + "\n";
    }
}
