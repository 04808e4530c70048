package io.weir.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Feature;
import io.weir.command.terminal.ExitCode;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the operator's commands print of jobs, nodes and reservations in full. */
class OperatorViewsTest extends PreparedSite {
    @Test
    void shouldExplainAJob() {
        api.view("jobs/18", """
            {'jobId':'18','user':'bob','state':'IDLE','section':'ELIGIBLE','now':'2000-01-03T12:00:00Z',
             'submitTime':'2000-01-03T11:00:00Z','walltimeSeconds':3600,'tasks':4,'procsPerTask':2,
             'requirements':[{'tasks':4,'procsPerTask':2,'memoryMb':512,'features':['fast']}],
             'reservations':[{'reservationId':'18','start':'2000-01-03T13:00:00Z','end':'2000-01-03T14:00:00Z',
               'durationSeconds':3600}],
             'explanation':{'constraint':'Procs','message':'','time':'2000-01-03T11:59:00Z','nodesConsidered':9,
               'rejections':{'Features':4,'State':1},'blockers':['17'],'queuePosition':1,
               'expectedStart':'2000-01-03T13:00:00Z'}}
            """);

        assertThat(run("checkjob", "18")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString())
                .contains("State: Idle")
                .contains("WallTime:   00:00:00 of 01:00:00")
                .contains("(Time Queued  Total: 01:00:00")
                .contains("Dedicated Resources Per Task: PROCS: 2  MEM: 512M")
                .contains("Required Features: fast")
                .contains("Reservation '18' (01:00:00 -> 02:00:00  Duration: 01:00:00)")
                .contains("NOTE:  job cannot run  (Procs)")
                .contains("Features       4 nodes")
                .contains("Held by: 17")
                .contains("Expected start: Mon Jan 03 13:00:00 2000 (in 01:00:00)");
        assertThat(asked()).containsExactly("EXPLAIN_JOB 18");
    }

    /** Until then it is not tried; nothing says that it fits when it is. */
    @Test
    void shouldTellNoStartOfADeferredJob() {
        api.view("jobs/18", """
            {'jobId':'18','state':'IDLE','section':'BLOCKED','now':'2000-01-03T12:00:00Z',
             'explanation':{'constraint':'Deferred','message':'is not tried again before 2000-01-03T13:00:00Z',
               'time':'2000-01-03T11:59:00Z','expectedStart':'2000-01-03T13:00:00Z'}}
            """);

        assertThat(run("checkjob", "18")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString())
                .contains("Earliest start: Mon Jan 03 13:00:00 2000 (in 01:00:00)")
                .doesNotContain("Expected start");
    }

    @Test
    void shouldTellTheTasksOnEachNodeElseTheProcessors() {
        api.view("jobs/18", """
            {'jobId':'18','state':'RUNNING','section':'ACTIVE','tasks':3,'procsPerTask':2,
             'allocation':[{'nodeId':'n1','procs':6},{'nodeId':'n2','procs':4}],
             'placements':[{'nodeId':'n1','requirement':0,'tasks':2},{'nodeId':'n1','requirement':1,'tasks':1}]}
            """);

        assertThat(run("checkjob", "18")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString()).contains("[n1:3][n2:4]");
    }

    /** Looking through all tasks for each node takes minutes. */
    @Test
    @Timeout(20)
    void shouldTellTheTasksOfAJobOnThousandsOfNodes() {
        int nodes = 50_000;
        String allocation = joined(nodes, "{'nodeId':'n%d','procs':2}");
        String placements = joined(nodes, "{'nodeId':'n%d','requirement':0,'tasks':1}");
        api.view("jobs/18", """
            {'jobId':'18','state':'RUNNING','section':'ACTIVE','tasks':%d,'procsPerTask':2,'allocation':[%s],'placements':[%s]}
            """.formatted(nodes, allocation, placements));

        assertThat(run("checkjob", "18")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString()).contains("[n0:1][n1:1]").contains("[n49999:1]");
    }

    private static String joined(int count, String each) {
        return IntStream.range(0, count)
                .mapToObj(i -> each.replace("%d", Integer.toString(i)))
                .collect(Collectors.joining(","));
    }

    @Test
    void shouldTellWhereEachPartOfAJobMayRun() {
        api.view("jobs/18", """
            {'jobId':'18','state':'RUNNING','section':'ACTIVE','tasks':3,'procsPerTask':1,'hosts':['n9'],
             'requirements':[{'tasks':2,'procsPerTask':1,'classes':['cpu','big'],'excludedHosts':['n1'],'apart':true},
               {'tasks':1,'procsPerTask':1,'hosts':['n7']}]}
            """);

        assertThat(run("checkjob", "18")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString().replaceAll("\\R", " ").replaceAll(" +", " "))
                .contains("Classes: cpu,big Excluded Hosts: n1 Nodes: of their own Req[1] TaskCount: 1")
                .contains(
                        "Req[1] TaskCount: 1 Partition: ALL Dedicated Resources Per Task: PROCS: 1 Hosts: n7 Hosts: n9");
    }

    @Test
    void shouldTellOnHowManyNodesAJobMayRun() {
        api.view("jobs/18", """
            {'jobId':'18','state':'IDLE','section':'ELIGIBLE','tasks':16,'procsPerTask':1,'explanation':null,
             'requirements':[{'tasks':4,'procsPerTask':1,'fewestNodes':true},
               {'tasks':4,'procsPerTask':1,'leastNodes':2,'mostNodes':2},
               {'tasks':4,'procsPerTask':1,'leastNodes':1,'mostNodes':3,'fewestNodes':true},
               {'tasks':2,'procsPerTask':1,'leastNodes':2,'mostNodes':4,'moldable':true},
               {'tasks':4,'procsPerTask':1,'leastNodes':2,'mostTasksPerNode':2}]}
            """);

        assertThat(run("checkjob", "18")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString().lines().filter(line -> line.matches("(Nodes|TasksPerNode): .*")))
                .containsExactly(
                        "Nodes: 1 or more, as few as will do",
                        "Nodes: 2",
                        "Nodes: 1 to 3, as few as will do",
                        "Nodes: 2 to 4, as many as are free at its start",
                        "Nodes: 2 or more",
                        "TasksPerNode: at most 2");
    }

    @Test
    void shouldAskForAnExplanationThatWasNotPublished() {
        api.view("jobs/18", "{'jobId':'18','state':'IDLE','section':'ELIGIBLE','explanation':null}");
        api.answer(200, """
            {'outcome':'ACCEPTED','message':'job 18 waits for what is reserved',
             'details':[{'name':'job','value':'18'},{'name':'constraint','value':'Reserved'},
             {'name':'nodes','value':'9'},{'name':'rejected Class','value':'3'},{'name':'blocker','value':'17'},
             {'name':'position','value':'1'},{'name':'start','value':'2000-01-03T13:00:00Z'},
             {'name':'policy NALLOCPOLICY','value':'FASTEST (partition, site.cfg:3)'},
             {'name':'node n7','value':'Class'},{'name':'node node-with-a-long-name-0001','value':'CPU'}]}
            """);

        assertThat(run("checkjob", "-v", "18")).isEqualTo(ExitCode.FINE);

        assertThat(asked()).containsExactly("EXPLAIN_JOB 18 verbose=true");
        assertThat(out.toString())
                .contains("job cannot run  (waits for what is reserved)")
                .contains("Constraint: Reserved", "Nodes considered: 9", "Held by: 17", "Queue position: 1")
                .contains("Expected start: Mon Jan 03 13:00:00 2000")
                .contains("Class          3 nodes")
                .contains("NALLOCPOLICY: FASTEST (partition, site.cfg:3)")
                .contains("node n7                          Class")
                .contains("node node-with-a-long-name-0001  CPU");
    }

    @Test
    void shouldFailOnAJobThatIsNotThere() {
        assertThat(run("checkjob", "99")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("cannot locate job '99' on kth");
    }

    @Test
    void shouldListReservationsRelativeToNow() {
        api.view("reservations", """
            [{'reservationId':'system.1','type':'ADMINISTRATIVE','category':'User','active':false,'running':false,
              'start':'2000-01-04T13:00:00Z','end':'2000-01-04T15:00:00Z','now':'2000-01-03T12:00:00Z',
              'durationSeconds':7200,'nodes':2,'procs':16,'allocation':[{'nodeId':'n1','procs':8}]},
             {'reservationId':'17','type':'JOB','category':'Job','active':true,'running':true,
              'start':'2000-01-03T11:00:00Z','end':'2000-01-03T13:00:00Z','now':'2000-01-03T12:00:00Z',
              'durationSeconds':7200,'nodes':1,'procs':6,'allocation':[{'nodeId':'n0','procs':6}]}]
            """);

        assertThat(run("showres")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .containsPattern("17\\s+Job\\s+R\\s+-01:00:00\\s+01:00:00\\s+02:00:00\\s+1/6")
                .containsPattern("system.1\\s+User\\s+I\\s+1:01:00:00\\s+1:03:00:00\\s+02:00:00\\s+2/16")
                .contains("2 reservations located");
        assertThat(out.toString().indexOf("17 ")).isLessThan(out.toString().indexOf("system.1"));

        assertThat(run("showres", "-n", "system.1")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).containsPattern("n1\\s+User\\s+system.1\\s+N/A\\s+8");
        assertThat(run("showres", "nothing")).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void shouldShowTheCandidatesOfAReservationThatCountsProcessors() {
        api.view("reservations", """
            [{'reservationId':'17','type':'PRIORITY','category':'Job','active':false,'running':false,'jobId':'17',
              'start':'2000-01-03T13:00:00Z','end':'2000-01-03T14:00:00Z','now':'2000-01-03T12:00:00Z',
              'durationSeconds':3600,'nodes':0,'procs':6,'allocation':[]},
             {'reservationId':'18','type':'PRIORITY','category':'Job','active':false,'running':false,'jobId':'18',
              'partition':'left','start':'2000-01-03T13:00:00Z','end':'2000-01-03T14:00:00Z',
              'now':'2000-01-03T12:00:00Z','durationSeconds':3600,'nodes':0,'procs':4,'allocation':[]}]
            """);

        api.view("nodes", """
            [{'nodeId':'n1','partition':'left','state':'BUSY'},{'nodeId':'n2','partition':'left','state':'IDLE'},
             {'nodeId':'n3','partition':'right','state':'IDLE'},{'nodeId':'n4','partition':'left','state':'DOWN'}]
            """);

        assertThat(run("showres", "-n")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString())
                .containsPattern("\\(any of 3\\)\\s+Job\\s+17\\s+N/A\\s+6p\\s+01:00:00")
                .containsPattern("\\(any of 2 in left\\)\\s+Job\\s+18\\s+N/A\\s+4p")
                .contains("processors (p) are reserved on any of the N nodes in service; the nodes are chosen when the"
                        + " job starts");
    }

    @Test
    void shouldDiagnoseNodesWithTotalsAndWarnings() {
        api.view("nodes", """
            [{'nodeId':'n0','state':'IDLE','shownState':'BUSY','procs':8,'freeProcs':0,'dedicatedProcs':8,'memoryMb':512,
              'partition':'DEFAULT','features':['a','b'],'classes':{'batch':4},'jobs':[{'jobId':'1','procs':8}]},
             {'nodeId':'n1','state':'DOWN','shownState':'DOWN','procs':8,'freeProcs':4,'dedicatedProcs':4,
              'warnings':['node is down but has 1 job'],'jobs':[{'jobId':'2','procs':4}]}]
            """);

        assertThat(run("mdiag", "-n")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString())
                .containsPattern("n0\\s+Busy\\s+0:8\\s+512:512")
                .contains("batch:4")
                .contains("a,b")
                .contains("WARNING:  node is down but has 1 job")
                .contains("Total Nodes: 2  (Active: 1  Idle: 0  Down: 1  Other: 0)");
    }

    /** Idle is what could take a job. */
    @Test
    void shouldCountNoBusyUnknownOrFailingNodeAmongTheIdleOnes() {
        api.view("nodes", """
            [{'nodeId':'n0','state':'IDLE','shownState':'IDLE','procs':8},
             {'nodeId':'n1','state':'BUSY','shownState':'BUSY','procs':8},
             {'nodeId':'n2','state':'UNKNOWN','shownState':'UNKNOWN','procs':8},
             {'nodeId':'n3','state':'IDLE','shownState':'IDLE','failing':true,'procs':8},
             {'nodeId':'n4','state':'DRAINED','shownState':'DRAINED','procs':8}]
            """);

        assertThat(run("mdiag", "-n")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString()).contains("Total Nodes: 5  (Active: 0  Idle: 1  Down: 1  Other: 3)");
    }

    @Test
    void shouldSayWhatBlocksAJob() {
        String jobs = """
            {'jobId':'5','user':'bob','state':'IDLE','section':'BLOCKED','procs':4,'walltimeSeconds':60,
             'submitTime':'2000-01-03T11:00:00Z','now':'2000-01-03T12:00:00Z','notBefore':'2000-01-03T13:00:00Z',
             'lastMessage':'too large','messages':['too large'],'holds':[]},
            {'jobId':'6','user':'bob','state':'HOLD','section':'BLOCKED','procs':4,'walltimeSeconds':60,
             'submitTime':'2000-01-03T11:00:00Z','now':'2000-01-03T12:00:00Z','holds':[],'messages':[]},
            {'jobId':'7','user':'bob','state':'IDLE','section':'BLOCKED','procs':4,'walltimeSeconds':60,'held':true,
             'submitTime':'2000-01-03T11:00:00Z','now':'2000-01-03T12:00:00Z','holds':['USER'],'messages':[]},
            {'jobId':'8','user':'bob','state':'IDLE','section':'BLOCKED','procs':4,'walltimeSeconds':60,
             'submitTime':'2000-01-03T11:00:00Z','now':'2000-01-03T12:00:00Z','notBefore':'2000-01-03T13:00:00Z',
             'reason':'its start failed','lastMessage':'hello','messages':['hello'],'holds':[]}
            """;
        api.view(
                "queue",
                "{'cluster':'kth','now':'2000-01-03T12:00:00Z','active':[],'eligible':[],'blocked':[" + jobs
                        + "],'completed':[]}");
        api.view("jobs", "[" + jobs + "]");

        assertThat(run("showq", "-b")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .contains("Mon Jan 03 11:00:00 2000  deferred until Mon Jan 03 13:00:00 2000: too large")
                .contains("Mon Jan 03 11:00:00 2000  deferred until Mon Jan 03 13:00:00 2000: its start failed")
                .contains("Mon Jan 03 11:00:00 2000  held by the resource manager")
                .containsPattern("7\\s+bob\\s+UserHold");
        out.getBuffer().setLength(0);
        assertThat(run("mdiag", "-b")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .contains("  deferred until Mon Jan 03 13:00:00 2000: too large")
                .contains("  held by the resource manager", "  held: user");
    }

    @Test
    void shouldCountReservationsByType() {
        api.view("reservations", """
            [{'reservationId':'system.1','type':'ADMINISTRATIVE','active':true,'procs':16,
              'start':'2000-01-04T13:00:00Z'},
             {'reservationId':'system.2','type':'ADMINISTRATIVE','active':false,'procs':8,
              'start':'2000-01-04T13:00:00Z'},
             {'reservationId':'17','type':'JOB','active':true,'procs':6,'start':'2000-01-03T11:00:00Z'}]
            """);

        assertThat(run("showres", "-s")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .containsPattern("Administrative\\s+2\\s+1\\s+16")
                .containsPattern("Job\\s+1\\s+1\\s+6")
                .contains("3 reservations located");
    }

    @Test
    void shouldSayThatSomethingHasNoEnd() {
        api.view("reservations", """
            [{'reservationId':'hosts.0.1','type':'STANDING','standing':'hosts','active':true,'nodes':0,'procs':0,
              'hostExpression':'n5,n6','allocation':[],'placements':[],'durationSeconds':3155760000,
              'start':'2000-01-03T11:00:00Z','end':'2100-01-01T00:00:00Z','now':'2000-01-03T12:00:00Z'}]
            """);

        assertThat(run("mdiag", "-r")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .contains("EndTime: INFINITY")
                .contains("WARNING:  reservation 'hosts.0.1' has no nodes; HostExp: n5,n6");
    }

    @Test
    void shouldDiagnosePrioritiesByComponent() {
        api.answer(200, """
            {'outcome':'ACCEPTED','details':[
             {'name':'job','value':'18'},{'name':'priority','value':'200'},
             {'name':'Cred','value':'150'},{'name':'Cred(QOS)','value':'150 15 10'},
             {'name':'Serv','value':'50'},{'name':'Serv(QTime)','value':'50 25 2'},
             {'name':'Res','value':'0'},{'name':'Res(Proc)','value':'0 4 0'},
             {'name':'job','value':'19'},{'name':'system','value':'7'},{'name':'priority','value':'10'},
             {'name':'Cred','value':'0'},{'name':'Cred(QOS)','value':'0 0 10'},
             {'name':'Serv','value':'10'},{'name':'Serv(QTime)','value':'10 5 2'}]}
            """);

        assertThat(run("mdiag", "-p")).isEqualTo(ExitCode.FINE);

        assertThat(asked()).containsExactly("SHOW_PRIORITY ALL");
        assertThat(out.toString())
                .contains("Cred(QOS)", "Serv(QTime)")
                .containsPattern("Weights\\s+-+\\s+\\(10\\)\\s+\\(2\\)")
                .containsPattern("18\\s+200\\s+75.0\\(150.0\\)\\s+25.0\\(50.0\\)")
                .containsPattern("19\\s+10\\*\\s+0.0\\(0.0\\)\\s+100.0\\(10.0\\)")
                .containsPattern("Percent Contribution\\s+-+\\s+37.5\\s+62.5")
                .doesNotContain("Res(");
    }

    @Test
    void shouldSayOfHowManyJobsPrioritiesAreShown() {
        api.answer(200, """
            {'outcome':'ACCEPTED','message':'5003 jobs wait','details':[
             {'name':'job','value':'18'},{'name':'priority','value':'200'},
             {'name':'job','value':'19'},{'name':'priority','value':'10'}]}
            """);

        run("mdiag", "-p");
        assertThat(out.toString()).contains("the first 2 of 5003 waiting jobs are shown");

        api.answer(200, """
            {'outcome':'ACCEPTED','message':'1 jobs wait','details':[
             {'name':'job','value':'18'},{'name':'priority','value':'200'}]}
            """);
        run("mdiag", "-p");
        assertThat(out.toString()).containsOnlyOnce("are shown");
    }

    @Test
    void shouldPrintBackfillWindows() {
        api.answer(200, """
            {'outcome':'ACCEPTED','details':[{'name':'window','value':
             'partition=DEFAULT tasks=8 nodes=2 offsetSeconds=0 durationSeconds=93600 start=2000-01-03T12:00:00Z'}]}
            """.replace("\n ", " "));

        assertThat(run("showbf", "-u", "anna")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .containsPattern("DEFAULT\\s+8\\s+2\\s+00:00:00\\s+1:02:00:00\\s+Mon Jan 03 12:00:00 2000");
        assertThat(asked()).containsExactly("SHOW_BACKFILL - user=anna");

        api.answer(200, "{'outcome':'ACCEPTED','details':[]}");
        assertThat(run("showbf")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("no procs available");
    }

    @Test
    void shouldShowResourceManagersPartitionsAndMetrics() {
        api.view("connectors", """
            [{'connector':'slurm','rmType':'slurm','rmVersion':'23.11','rmTime':'2000-01-03T11:59:30Z','number':7,
              'epoch':42,'silentSeconds':30,'silent':false,'nodes':2,'jobs':3,'lastCommand':4,'issuedCommand':5,
              'counts':{'rm.jobs':9},'failures':6,'malformed':8}]
            """);
        api.view("nodes", """
            [{'nodeId':'n0','state':'IDLE','partition':'p1','procs':8,'freeProcs':3,'metrics':{'temp':40.5},
              'metricSummaries':{'temp':{'average':38.256,'least':20,'most':90.5,'since':'2000-01-03T10:00:00Z'}},
              'events':[{'name':'hitemp','active':true,'count':3,'severity':2,'text':'too hot',
                'firstTime':'2000-01-03T10:00:00Z','time':'2000-01-03T11:00:00Z'}]},
             {'nodeId':'n1','state':'DOWN','partition':'p2','procs':4,'freeProcs':4,'metrics':{}}]
            """);
        api.view(
                "policy",
                "{'version':'v1','text':'PARCFG[p1] NODEALLOCATIONPOLICY=FASTEST\\nGEVENTCFG[hitemp] SEVERITY=2'}");

        assertThat(run("mdiag", "-R")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .contains("RM[slurm]  Type: slurm 23.11  State: Active")
                .contains("(00:00:30 ago), number 7 of epoch 42")
                .contains("Reports: 2 nodes, 3 jobs; records of this epoch: rm.jobs:9")
                .contains("Failures: 6 polls or commands without an answer; malformed input of the last poll: 8")
                .contains("Commands: 5 issued, 4 finished");
        assertThat(run("mdiag", "-t")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .containsPattern("p1\\s+1\\s+1\\s+8\\s+3")
                .containsPattern("p2\\s+1\\s+0\\s+4\\s+4")
                .contains("PARCFG[p1] NODEALLOCATIONPOLICY=FASTEST");
        api.answer(200, """
            {'outcome':'ACCEPTED','message':'2 events','details':[{'name':'event','value':'hitemp'},
             {'name':'object','value':'node:n0'},{'name':'active','value':'true'},{'name':'total','value':'9'},
             {'name':'counted','value':'2'},{'name':'needed','value':'3'},
             {'name':'fired','value':'2000-01-03T11:00:00Z'},{'name':'rearms','value':'2000-01-03T11:20:00Z'},
             {'name':'event','value':'jobfail'},{'name':'object','value':'job:17'},{'name':'active','value':'false'},
             {'name':'total','value':'1'},{'name':'counted','value':'1'},{'name':'needed','value':'5'}]}
            """.replace("\n ", " "));
        assertThat(run("mdiag", "-G")).isEqualTo(ExitCode.FINE);
        assertThat(asked()).containsExactly("SHOW_EVENTS ALL");
        assertThat(out.toString())
                .containsPattern("node:n0\\s+hitemp\\s+Active\\s+2/3\\s+9\\s+Mon Jan 03 11:00:00 2000"
                        + "\\s+Mon Jan 03 11:20:00 2000")
                .containsPattern("job:17\\s+jobfail\\s+Over\\s+1/5\\s+1\\s+-\\s+-")
                .containsPattern("n0\\s+temp\\s+40.50\\s+38.26\\s+20\\s+90.50\\s+Mon Jan 03 10:00:00 2000")
                .containsPattern("n0\\s+hitemp\\s+Active\\s+3\\s+2\\s+Mon Jan 03 11:00:00 2000\\s+too hot")
                .contains("Total Metrics: 1", "Total Events: 1", "  GEVENTCFG[hitemp] SEVERITY=2");
        assertThat(run("mdiag", "-G", "n2")).isEqualTo(ExitCode.FAILED);
        assertThat(run("mdiag", "-t", "p3")).isEqualTo(ExitCode.FAILED);
    }

    /** What sinfo shows of partition, host, state and processors after a node was replaced. */
    @Test
    @Feature("SMD-56")
    void shouldListTheNodesOfPartitionsWithTheirProcessors() {
        api.view("nodes", """
            [{'nodeId':'dario','state':'IDLE','partition':'batch','procs':16,'freeProcs':15},
             {'nodeId':'ercole','state':'DOWN','partition':'batch','procs':16,'freeProcs':16},
             {'nodeId':'prometeo','state':'RUNNING','partition':'batch','procs':16,'freeProcs':15},
             {'nodeId':'spartaco','state':'IDLE','partition':'batch','procs':16,'freeProcs':16},
             {'nodeId':'tiberio','state':'DRAINED','partition':'batch','procs':16,'freeProcs':10},
             {'nodeId':'ugo','state':'BUSY','partition':'batch','procs':16,'freeProcs':0}]
            """);
        api.view("policy", "{'version':'v1','text':''}");
        assertThat(run("mdiag", "-t", "-v")).as(err.toString()).isEqualTo(ExitCode.FINE);
        assertThat(out.toString().lines().map(line -> line.strip().replaceAll(" +", " ")))
                .containsExactly(
                        "PARTITION HOSTNAMES STATE CPUS(A/I/O/T)",
                        "batch* dario mixed 1/15/0/16",
                        "batch* ercole down 0/0/16/16",
                        "batch* prometeo mixed 1/15/0/16",
                        "batch* spartaco idle 0/16/0/16",
                        "batch* tiberio drained 6/0/10/16",
                        "batch* ugo allocated 16/0/0/16");
    }

    /** Its connector counts the polls that fail, and tells of them when one is answered again. */
    @Test
    void shouldSayThatPollsFailWhileTheyDo() {
        api.view("connectors", """
            [{'connector':'slurm','rmType':'slurm','rmVersion':'23.11','rmTime':'2000-01-03T11:59:11Z','number':7,
              'epoch':42,'silentSeconds':49,'late':true,'silent':false,'nodes':2,'jobs':3,'lastCommand':4,
              'issuedCommand':5,'counts':{},'failures':0,'malformed':0}]
            """);
        run("mdiag", "-R");
        assertThat(out.toString())
                .contains(
                        "State: Late (polls fail, the connector is away, or it cannot publish: too few brokers are there)")
                .contains("Failures: 0 polls or commands without an answer before the last poll");
    }

    @Test
    void shouldReportPartitionsAndUsersThatNonstopConfNamesInVain() {
        api.view("connectors", "[]");
        api.view(
                "nodes",
                "[{'nodeId':'n0','state':'IDLE','partition':'DEFAULT','classes':{'batch':8},'procs':8,'freeProcs':8}]");
        api.view(
                "policy",
                "{'version':'v1','text':'FAILURESERVICE nonstop\\n#line 1 \\\"nonstop.conf\\\"\\nControlAddr=head\\n"
                        + "HotSpareCount=batch:1,DEFAULT:1,batsch:2\\nUserDrainAllow=ann,1001\\n'}");
        run("mdiag", "-C");
        assertThat(out.toString())
                .contains("nonstop.conf:2")
                .contains("no node is in a partition or class 'batsch'")
                .contains("'1001' is a number")
                .doesNotContain("'batch'")
                .doesNotContain("'DEFAULT'")
                .doesNotContain("'ann'");
    }

    @Test
    void shouldShowANodeWithAllItsResources() {
        api.view("nodes/n0", """
            {'nodeId':'n0','state':'IDLE','shownState':'RUNNING','stateSeconds':90,'now':'2000-01-03T12:00:00Z',
             'resources':{'PROC':{'configured':8,'utilized':1.25,'dedicated':2,'available':6,'policy':'COMBINED'},
               'MEM':{'configured':4000,'utilized':1500.0,'dedicated':512,'available':2500,'policy':'DEDICATED'}},
             'messages':['fan is loud','bios is old'],'marks':[{'name':'message','value':'fan is loud'}],
             'nodeAccess':'SHARED','poweredOn':true,'load':1.25,'procs':8,'plannable':false,'failing':true,
             'nodeSets':['switch1'],'metrics':{'temp':41},
             'metricSummaries':{'temp':{'average':38.256,'least':20,'most':90.5,'since':'2000-01-03T10:00:00Z'}},
             'events':[{'name':'hitemp','active':true,'count':3,'severity':2,'text':'too hot',
                'firstTime':'2000-01-03T10:00:00Z','time':'2000-01-03T11:00:00Z'}],
             'warnings':['node is odd'],
             'jobs':[{'jobId':'17','user':'anna','procs':2,'start':'2000-01-03T11:00:00Z',
                'end':'2000-01-03T13:00:00Z'}],
             'reservations':[{'reservationId':'system.1','type':'ADMINISTRATIVE','procs':8,'active':false,
                'start':'2000-01-03T14:00:00Z','end':'2000-01-03T15:00:00Z'}],
             'blocked':[{'from':'2000-01-03T12:00:00Z','procs':2},{'from':'2000-01-03T13:00:00Z','procs':0}]}
            """);
        api.answer(200, "{'outcome':'ACCEPTED','details':[{'name':'plannedFrom','value':''}]}");

        assertThat(run("checknode", "n0")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .contains("CPULoad: 1.25", "Power: On", "Node Sets: switch1")
                .contains("Planned as unavailable until: INFINITY  (no job is planned on the node while it is failing)")
                .contains(
                        "GMetric[temp]: current: 41  avg: 38.26  min: 20  max: 90.50  (since Mon Jan 03 10:00:00 2000)")
                .contains("GEvent[hitemp]: active  count: 3  last: Mon Jan 03 11:00:00 2000 (01:00:00 ago)  severity: 2"
                        + "  'too hot'")
                .contains("17        Job:Running     2x PROCS  -01:00:00  ->  01:00:00  (02:00:00)  user anna")
                .contains("system.1  Administrative  8x PROCS   02:00:00  ->  03:00:00  (01:00:00)")
                .contains("Blocked Resources@00:00:00  Procs: 2/8 (25.00%)")
                .contains("Blocked Resources@01:00:00  Procs: 0/8 (0.00%)")
                .contains("WARNING:  node is odd")
                .contains("State:      Running  (in current state for 00:01:30)")
                .contains("Configured Resources: PROCS: 8  MEM: 4000M")
                .contains("Utilized   Resources: PROCS: 1.25  MEM: 1500M")
                .contains("Dedicated  Resources: PROCS: 2  MEM: 512M")
                .contains("Available  Resources: PROCS: 6  MEM: 2500M")
                .contains("Availability Policy: PROC: COMBINED  MEM: DEDICATED")
                .contains("Message[1]: fan is loud", "Message[2]: bios is old")
                .contains("Attached by operators: message=fan is loud");
    }

    @Test
    @Feature("CAT-29")
    void shouldShowWhoSaidAMessageAndHowOften() {
        api.view("nodes/n0", """
            {'nodeId':'n0','state':'IDLE','shownState':'IDLE','stateSeconds':90,'now':'2000-01-03T12:00:00Z',
             'resources':{},'messages':['fan is loud','bios is old'],
             'messageTallies':[{'source':'ann','count':2,
               'firstTime':'2000-01-03T10:00:00Z','time':'2000-01-03T11:00:00Z'},
              {'source':'slurm','count':1,'firstTime':'2000-01-03T09:00:00Z','time':'2000-01-03T09:00:00Z'}],
             'jobs':[],'reservations':[]}
            """);

        assertThat(run("checknode", "n0")).as(err.toString()).isEqualTo(ExitCode.FINE);
        assertThat(out.toString().lines())
                .contains(
                        "Message[1]: fan is loud  (ann  count: 2  since: Mon Jan 03 10:00:00 2000"
                                + "  last: Mon Jan 03 11:00:00 2000)",
                        "Message[2]: bios is old  (slurm  count: 1  since: Mon Jan 03 09:00:00 2000"
                                + "  last: Mon Jan 03 09:00:00 2000)");
    }

    @Test
    @Feature("CAT-29")
    void shouldShowHowMuchAMessageMattersAndUntilWhen() {
        String node = """
            {'nodeId':'n0','state':'IDLE','shownState':'IDLE','stateSeconds':90,'now':'2000-01-03T12:00:00Z',
             'resources':{},'messages':['fan is loud','bios is old'],
             'messageTallies':[{'source':'ann','count':1,'firstTime':'2000-01-03T10:00:00Z',
               'time':'2000-01-03T10:00:00Z','priority':5,'expireTime':'2000-01-03T22:00:00Z'},
              {'source':'bob','count':1,'firstTime':'2000-01-03T09:00:00Z','time':'2000-01-03T09:00:00Z',
               'priority':0,'expireTime':null}],
             'jobs':[],'reservations':[]}
            """;
        api.view("nodes/n0", node);
        api.view("nodes", "[" + node + "]");
        String first = "Message[1]: fan is loud  (ann  count: 1  since: Mon Jan 03 10:00:00 2000"
                + "  last: Mon Jan 03 10:00:00 2000  priority: 5  expires: Mon Jan 03 22:00:00 2000)";
        String second = "Message[2]: bios is old  (bob  count: 1  since: Mon Jan 03 09:00:00 2000"
                + "  last: Mon Jan 03 09:00:00 2000)";

        assertThat(run("checknode", "n0")).as(err.toString()).isEqualTo(ExitCode.FINE);
        assertThat(out.toString().lines()).contains(first, second);

        out.getBuffer().setLength(0);
        assertThat(run("mdiag", "-n", "-v")).as(err.toString()).isEqualTo(ExitCode.FINE);
        assertThat(out.toString().lines()).contains("    " + first, "    " + second);
    }

    @Test
    void shouldShowWhatTheConfigurationSaysOfANodeAndHowItSpentItsTime() {
        api.view("nodes/n0", """
            {'nodeId':'n0','state':'IDLE','shownState':'IDLE','stateSeconds':90,'now':'2000-01-03T12:00:00Z',
             'resources':{},'rack':'3','slot':'7','nodeType':'fat','procSpeedMhz':2400,'comment':'rented',
             'category':'Idle','categorySource':'nothing runs on it','chargeRate':1.5,'jobs':[],'reservations':[]}
            """);
        api.answer(200, """
            {'outcome':'ACCEPTED','message':'node n0','details':[{'name':'totalSeconds','value':'7200'},
             {'name':'upSeconds','value':'5400'},{'name':'busySeconds','value':'1800'},
             {'name':'failures','value':'2'},{'name':'secondsBetweenFailures','value':'2700'},
             {'name':'assumedLoad','value':'2.5'}]}
            """);

        assertThat(run("checknode", "n0")).as(err.toString()).isEqualTo(ExitCode.FINE);

        assertThat(asked()).containsExactly("SHOW_NODE n0");
        assertThat(out.toString())
                .contains("Rack/Slot: 3/7")
                .contains("NodeType: fat")
                .contains("ProcSpeed: 2400 MHz")
                .contains("Category: Idle  (nothing runs on it)")
                .contains("ChargeRate: 1.5")
                .contains("Comment: rented")
                .contains("(counts as 2.50: 2.50 for jobs started since)")
                .contains("Total Time: 02:00:00  Up: 01:30:00 (75.00%)  Busy: 00:30:00 (25.00%)")
                .contains("MTBF: 00:45:00  (failures: 2)");
    }

    @Test
    void shouldShowTheCategoryOfANodeWithItsCauseAndWhatItSpentInEach() {
        api.view("nodes/n0", """
            {'nodeId':'n0','state':'DOWN','shownState':'DOWN','stateSeconds':90,'now':'2000-01-03T12:00:00Z',
             'resources':{},'category':'HardwareFailure','categorySource':'machine check',
             'categoryRule':'built-in HardwareFailure','jobs':[],'reservations':[]}
            """);
        api.answer(200, """
            {'outcome':'ACCEPTED','message':'node n0','details':[{'name':'category','value':'HardwareFailure'},
             {'name':'categorySince','value':'2000-01-03T11:30:00Z'},
             {'name':'spent','value':'category=HardwareFailure seconds=1800 entries=1'},
             {'name':'spent','value':'category=Active seconds=5400 entries=3'}]}
            """);

        assertThat(run("checknode", "n0")).as(err.toString()).isEqualTo(ExitCode.FINE);

        assertThat(out.toString())
                .contains("Category: HardwareFailure  (machine check; rule built-in HardwareFailure)")
                .contains("  since Mon Jan 03 11:30:00 2000")
                .containsPattern("HardwareFailure\\s+00:30:00 \\(25.00%\\)\\s+entered: 1")
                .containsPattern("Active\\s+01:30:00 \\(75.00%\\)\\s+entered: 3");
    }

    @Test
    void shouldShowTriggers() throws Exception {
        api.answer(200, """
                {'outcome':'ACCEPTED','message':'1 triggers','details':[{'name':'trigger','value':'NODECFG.DEFAULT.1'},
                 {'name':'object','value':'node:n1'},{'name':'state','value':'FAILURE'},{'name':'event','value':'fail'},
                 {'name':'type','value':'exec'},{'name':'action','value':'/opt/fix $OID'},
                 {'name':'multifire','value':'false'},{'name':'output','value':'FAILED 3: no disk'}]}
                """.replace("\n ", " "));

        assertThat(run("mdiag", "-T", "n1")).as(err.toString()).isEqualTo(ExitCode.FINE);

        assertThat(asked()).containsExactly("SHOW_TRIGGERS n1");
        assertThat(out.toString())
                .containsPattern("NODECFG.DEFAULT.1\\s+node:n1\\s+fail\\s+exec\\s+false\\s+FAILURE")
                .contains("action: /opt/fix $OID")
                .contains("output: FAILED 3: no disk");
        out.getBuffer().setLength(0);
        assertThat(run("mdiag", "-T", "n1", "--format", "xml")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .contains("<trigger")
                .contains("NODECFG.DEFAULT.1")
                .contains("node:n1");
    }

    @Test
    @Feature("CAT-31")
    void shouldTellHowNodesSpentTheirTime() {
        api.answer(200, """
            {'outcome':'ACCEPTED','message':'2 nodes','details':[{'name':'cluster','value':'nodes=2
              since=2000-01-03T11:00:00Z intervalStart=2000-01-03T11:00:00Z lastIntervalSeconds=0 totalSeconds=7200
              upSeconds=5400 failedSeconds=1800 maintenanceSeconds=0 failures=1 secondsBetweenFailures=5400
              secondsToRepair=1800 busySeconds=1800 watchedSeconds=7200'},
             {'name':'category','value':'category=HardwareFailure class=FAILURE nodes=1 entries=1 nodeSeconds=1800
              procSeconds=7200 intervalNodeSeconds=1800 lastIntervalNodeSeconds=0'},
             {'name':'credit','value':'label=down nodeSeconds=1800 procSeconds=7200'},
             {'name':'node n1','value':'category=HardwareFailure since=2000-01-03T11:30:00Z totalSeconds=3600
              upSeconds=1800 failures=1 secondsBetweenFailures=1800 secondsToRepair=1800 busySeconds=1800
              watchedSeconds=3600'}]}
            """.replace("\n ", " "));

        assertThat(run("showstats", "-n")).as(err.toString()).isEqualTo(ExitCode.FINE);

        assertThat(asked()).containsExactly("SHOW_NODE_STATISTICS ALL");
        assertThat(out.toString())
                .containsPattern("HardwareFailure\\s+Failure\\s+1\\s+1\\s+0.50\\s+2.00\\s+25.00%")
                .contains("Availability: 75.00%  Failed: 25.00%  Maintenance: 0.00%  Failures: 1")
                .contains("MTBF: 01:30:00  MTTR: 00:30:00  BusyTime: 25.00%")
                .containsPattern("down\\s+0.50\\s+2.00")
                .containsPattern("n1\\s+HardwareFailure\\s+Mon Jan 03 11:30:00 2000\\s+01:00:00\\s+50.00%\\s+50.00%");
        out.getBuffer().setLength(0);
        assertThat(run("showstats", "-n", "--format", "json", "n1")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("\"node\" : \"n1\"", "\"failures\" : 1");
    }

    @Test
    @Feature("CMD-5")
    void shouldTellWhatTheJobsOfEachUserDid() {
        String row = "since=2000-01-03T11:00:00Z activeJobs=%d activeProcs=%d started=%d ended=%d succeeded=1"
                + " procSeconds=%d requestedProcSeconds=7200 averageQueueSeconds=600 longestQueueSeconds=900"
                + " averageExpansionMillis=1250 largestExpansionMillis=2000 usedSeconds=1800 limitSeconds=7200";
        api.answer(
                200,
                "{'outcome':'ACCEPTED','message':'2 rows by user','details':[{'name':'total','value':'"
                        + row.formatted(2, 8, 9, 4, 14400)
                        + "'},{'name':'user anna b','value':'" + row.formatted(1, 4, 3, 1, 3600) + " fsTarget=12.5+"
                        + "'},{'name':'others','value':'" + row.formatted(0, 0, 6, 3, 10800)
                        + "'},{'name':'credit','value':'label=down since=2000-01-03T11:00:00Z nodeSeconds=1800"
                        + " procSeconds=7200'}]}");

        assertThat(run("showstats", "-u")).as(err.toString()).isEqualTo(ExitCode.FINE);

        assertThat(asked()).containsExactly("SHOW_CREDENTIAL_STATISTICS ALL kind=user");
        assertThat(out.toString())
                .contains("statistics since Mon Jan 03 11:00:00 2000")
                .containsPattern(
                        "anna b\\s+1\\s+4\\s+3\\s+1\\s+25.00%\\s+2.00\\s+1.00\\s+25.00%\\s+12.5\\+\\s+1.25\\s+2.00"
                                + "\\s+00:10:00\\s+25.00%")
                .containsPattern("\\(others\\)\\s+0\\s+0\\s+6\\s+3\\s+75.00%")
                .containsPattern("\\(all jobs\\)\\s+2\\s+8\\s+9\\s+4\\s+100.00%")
                .containsPattern(
                        "Pseudo-credentials \\(NODECATCREDLIST\\)\\s+Label\\s+Node-Hours\\s+Proc-Hours\\s+[-\\s]*"
                                + "down\\s+0.50\\s+2.00");
        out.getBuffer().setLength(0);
        assertThat(run("showstats", "-u", "--format", "json", "anna b")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("\"user\" : \"anna b\"", "\"procSeconds\" : 3600", "\"label\" : \"down\"");
        assertThat(asked().get(1)).isEqualTo("SHOW_CREDENTIAL_STATISTICS anna b kind=user");
    }

    @Test
    @Feature("CMD-5")
    void shouldSummariseTheScheduler() {
        api.view("queue", """
            {'now':'2000-01-03T12:00:00Z','active':[{'jobId':'1'}],'eligible':[{'jobId':'2'}],'blocked':[],
             'procsInUse':6,'procs':8,'nodesInUse':2,'nodes':4,'scheduler':{'iteration':7,'state':'RUNNING'}}
            """);
        api.answer(200, """
            {'outcome':'ACCEPTED','message':'all jobs','details':[{'name':'total','value':'since=2000-01-03T11:00:00Z
              activeJobs=1 activeProcs=6 started=9 ended=4 succeeded=3 procSeconds=14400 requestedProcSeconds=7200
              averageQueueSeconds=600 longestQueueSeconds=900 averageExpansionMillis=1250 largestExpansionMillis=2000
              usedSeconds=1800 limitSeconds=7200 upProcSeconds=57600'}]}
            """.replace("\n ", " "));

        assertThat(run("showstats", "-v")).as(err.toString()).isEqualTo(ExitCode.FINE);

        assertThat(asked()).containsExactly("SHOW_CREDENTIAL_STATISTICS ALL");
        assertThat(out.toString())
                .contains("iteration 7, statistics since Mon Jan 03 11:00:00 2000")
                .containsPattern("Eligible/Idle Jobs:\\s+1/1")
                .containsPattern("Successful/Ended Jobs:\\s+3/4")
                .containsPattern("Avg/Max Queue Time:\\s+00:10:00/00:15:00")
                .containsPattern("Dedicated/Total ProcHours:\\s+4.00/16.00 \\(25.00%\\)")
                .containsPattern("Active/Total Procs:\\s+6/8 \\(75.00%\\)");
        out.getBuffer().setLength(0);
        assertThat(run("showstats", "--format", "json")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("\"started\" : 9", "\"procsInUse\" : 6", "\"eligible\" : 1");
    }

    @Test
    void shouldSayWhyThereAreNoStatistics() {
        api.answer(200, "{'outcome':'REFUSED','message':'no job of user carl ran','details':[]}");

        assertThat(run("showstats", "-u", "carl")).isEqualTo(ExitCode.FAILED);

        assertThat(err.toString()).contains("no statistics: no job of user carl ran");
    }

    @Test
    void shouldShowANodeWithoutAnAnswerFromTheScheduler() {
        api.view("nodes/n0", """
            {'nodeId':'n0','state':'IDLE','shownState':'IDLE','stateSeconds':90,'now':'2000-01-03T12:00:00Z',
             'resources':{},'jobs':[],'reservations':[]}
            """);
        api.answer(403, "{'error':'no'}");

        assertThat(run("checknode", "n0")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString()).contains("node n0").doesNotContain("Total Time");
    }

    @Test
    void shouldShowRackTypeAndCommentOfNodesInFull() {
        api.view("nodes", """
            [{'nodeId':'n0','state':'IDLE','shownState':'IDLE','procs':4,'freeProcs':4,'rack':'3','slot':'7',
              'nodeType':'fat','comment':'rented','jobs':[],'reservations':[]}]
            """);

        assertThat(run("mdiag", "-n", "-v")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString()).contains("rack: 3", "slot: 7", "nodeType: fat", "comment: rented");
    }

    @Test
    void shouldTellDeadlinesOfJobsAndReservations() {
        String reservation = """
            {'reservationId':'18','jobId':'18','type':'DEADLINE','category':'Job','now':'2000-01-03T12:00:00Z',
             'start':'2000-01-03T13:00:00Z','end':'2000-01-03T14:00:00Z','durationSeconds':3600,'procs':4,
             'deadline':'2000-01-03T15:00:00Z','comment':'nightly','nodes':1,'allocation':[]}
            """;
        api.view("reservations", "[" + reservation + "]");
        api.view("jobs/18", """
            {'jobId':'18','state':'IDLE','now':'2000-01-03T12:00:00Z','section':'ELIGIBLE','tasks':4,
             'deadline':'2000-01-03T15:00:00Z','reservations':[\
            """ + reservation + "]}");

        assertThat(run("showres")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).containsPattern("18\\s+Job:Deadline\\s+I\\s+01:00:00");
        assertThat(run("mdiag", "-r")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .containsPattern("18\\s+Deadline")
                .contains("Deadline: Mon Jan 03 15:00:00 2000", "Comment: nightly");
        assertThat(run("checkjob", "18")).as(err.toString()).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .contains("Reservation '18' (01:00:00 -> 02:00:00  Duration: 01:00:00)  Type: Deadline");
    }

    @Test
    void shouldShowTheTriggersOfAReservation() {
        api.view("reservations", """
            [{'reservationId':'system.1','type':'ADMINISTRATIVE','start':'2000-01-03T11:00:00Z',
              'end':'2000-01-03T13:00:00Z','now':'2000-01-03T12:30:00Z','nodes':1,'procs':4,
              'allocation':[{'nodeId':'n1','procs':4}]},
             {'reservationId':'system.2','type':'ADMINISTRATIVE','start':'2000-01-03T11:00:00Z',
              'end':'2000-01-03T13:00:00Z','now':'2000-01-03T12:30:00Z','nodes':1,'procs':4,
              'allocation':[{'nodeId':'n2','procs':4}]}]
            """);
        api.answer(200, """
            {'outcome':'ACCEPTED','message':'2 triggers','details':[{'name':'trigger','value':'t1'},
             {'name':'object','value':'rsv:system.2'},{'name':'state','value':'SUCCESSFUL'},
             {'name':'event','value':'end'},{'name':'type','value':'exec'},{'name':'trigger','value':'t2'},
             {'name':'object','value':'node:system.1'},{'name':'state','value':'INACTIVE'}]}
            """.replace("\n ", " "));

        assertThat(run("mdiag", "-r", "-v")).as(err.toString()).isEqualTo(ExitCode.FINE);

        assertThat(asked()).containsExactly("SHOW_TRIGGERS ALL");
        assertThat(out.toString())
                .contains("Trigger: t1  end exec  State: SUCCESSFUL")
                .doesNotContain("t2");
        assertThat(out.toString().indexOf("Trigger: t1"))
                .isGreaterThan(out.toString().indexOf("system.2"));
    }

    @Test
    void shouldShowHowOftenAJobBegan() {
        String job = "{'jobId':'18','state':'RUNNING','now':'2000-01-03T12:00:00Z','starts':3,'startFailures':1}";
        api.view("jobs", "[" + job + "]");
        api.view("jobs/18", job);

        assertThat(run("checkjob", "18")).as(err.toString()).isEqualTo(ExitCode.FINE);

        assertThat(out.toString()).contains("StartCount: 3", "StartFailures: 1");
    }

    @Test
    @Feature({"CMD-2", "CHG-6"})
    void shouldShowWhatOfAReservationIsUsedAndChargedSoFar() {
        api.view("reservations", """
            [{'reservationId':'system.1','type':'ADMINISTRATIVE','active':true,'nodes':1,'procs':4,
              'allocation':[{'nodeId':'n1','procs':4}],'start':'2000-01-03T11:00:00Z','end':'2000-01-03T13:00:00Z',
              'now':'2000-01-03T12:30:00Z','reservedProcSeconds':28800,'usedProcSeconds':7200,'chargedMillis':14400500,
              'accountable':[{'name':'aaccount','value':'jupiter'}]}]
            """);

        assertThat(run("mdiag", "-r")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .contains(
                        "Active PH: 2.00/8.00 (25.00%)", "Accountable: aaccount=jupiter", "Charged so far: 14400.500");
    }
}
