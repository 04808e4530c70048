package io.weir.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.scheduler.core.policy.language.RuntimeSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The operator's commands against prepared views: what they print, what they ask for, how they end. */
class OperatorCommandsTest {
    private static final String QUEUE = """
            {'cluster':'kth','now':'2000-01-03T12:00:00Z','procsInUse':6,'procs':8,'nodesInUse':1,'nodes':1,
             'active':[{'jobId':'17','user':'anna','state':'RUNNING','procs':6,'walltimeSeconds':93600,
               'remainingSeconds':90000,'startTime':'2000-01-03T11:00:00Z','backfilled':true,'partition':'DEFAULT',
               'firstNode':'n0'}],
             'eligible':[{'jobId':'18','user':'bob','group':'g','state':'IDLE','procs':4,'walltimeSeconds':3600,
               'submitTime':'2000-01-03T12:00:00Z','reserved':true,'xfactor':1.5,'priority':12,'constraint':'Procs'}],
             'blocked':[{'jobId':'19','user':null,'state':'IDLE','held':true,'holds':['USER','SYSTEM'],'procs':1,'walltimeSeconds':60,
               'submitTime':'2000-01-03T12:00:00Z','reason':'held by ann'}],
             'completed':[]}
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private FakeApi api;

    @BeforeEach
    void shouldServe() throws IOException {
        api = new FakeApi();
        api.view("queue", QUEUE);
    }

    @AfterEach
    void shouldStop() {
        api.close();
    }

    @Test
    void shouldPrintTheQueueInThreeSections() {
        assertThat(run("showq")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString())
                .contains("kth at Mon Jan 03 12:00:00")
                .contains("17+                      anna          Running      6   1:01:00:00  Mon Jan 03 11:00:00")
                .contains("1     active jobs   6 of 8 processors in use (75.00%), 1 of 1 nodes")
                .contains("18                        bob             Idle      4     01:00:00  Mon Jan 03 12:00:00")
                .contains("1     eligible jobs")
                .contains(
                        "19                          -  User+SystemHold      1     00:01:00  Mon Jan 03 12:00:00  held by ann")
                .contains("1     blocked jobs")
                .contains("Total jobs:  3");
    }

    @Test
    void shouldKeepColumnsTogetherHoweverLongANameIs() {
        String id = "12345678901234567890.server.example.org";
        api.view("queue", QUEUE.replace("'18'", "'" + id + "'"));

        assertThat(run("showq")).isEqualTo(ExitCode.FINE);

        String[] lines = out.toString().split("\\R");
        int user = column(lines, "17+", "anna");
        assertThat(column(lines, id, "bob")).isEqualTo(user);
        assertThat(column(lines, "JOBID", "USERNAME")).isEqualTo(user);
    }

    /** Returns where {@code word} ends in the line that begins with {@code start}. */
    private static int column(String[] lines, String start, String word) {
        for (String line : lines) {
            if (line.startsWith(start)) {
                return line.indexOf(word) + word.length();
            }
        }
        throw new AssertionError("no line begins with " + start);
    }

    @Test
    void shouldSayThatSchedulingIsPaused() {
        api.view(
                "queue",
                QUEUE.replace(
                        "'completed':[]",
                        "'completed':[],'scheduler':{'state':'PAUSED','since':'2000-01-03T11:00:00Z','by':'ann',"
                                + "'resumeAt':'2000-01-03T13:00:00Z','messages':['disk is full']},'systemReservations':"
                                + "[{'reservationId':'system.1','start':'2000-01-03T14:00:00Z','end':'2000-01-03T15:00:00Z'}]"));

        assertThat(run("showq")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString())
                .contains("NOTE:  scheduling is paused since Mon Jan 03 11:00:00 by ann, resumes Mon Jan 03 13:00:00")
                .contains("NOTE:  reservation 'system.1' takes all nodes  (02:00:00 -> 03:00:00)")
                .contains("MESSAGE[1]:  disk is full");
    }

    @Test
    void shouldControlTheScheduler() {
        assertThat(run("mschedctl", "-p")).isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-r")).isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-r", "+1:00")).isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-s")).isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-s", "17")).isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-S")).isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-k")).isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-c", "message", "hello")).isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-d", "message:2")).isEqualTo(ExitCode.FINE);

        assertThat(asked())
                .containsExactly(
                        "CONTROL_SCHEDULER  action=pause",
                        "CONTROL_SCHEDULER  action=resume",
                        "CONTROL_SCHEDULER  action=resume at=+1:00",
                        "CONTROL_SCHEDULER  action=stop",
                        "CONTROL_SCHEDULER  action=stop iteration=17",
                        "CONTROL_SCHEDULER  action=step count=1",
                        "CONTROL_SCHEDULER  action=shutdown",
                        "CONTROL_SCHEDULER  action=message text=hello",
                        "CONTROL_SCHEDULER  action=unmessage index=2");
        assertThat(run("mschedctl", "-p", "-r")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("mschedctl", "-c", "trigger", "x")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("mschedctl", "-d", "trigger:1")).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void shouldFindTheSiteByHostAndPort() {
        int port = URI.create(api.url()).getPort();
        CommandLine command =
                Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));

        assertThat(command.execute("showq", "--host", "127.0.0.1", "--port", Integer.toString(port)))
                .isEqualTo(ExitCode.FINE);
        assertThat(command.execute("showq", "--host", "127.0.0.1")).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void shouldPrintOneSectionWithMoreColumns() {
        assertThat(run("showq", "-i", "-v")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString())
                .contains("PRIORITY", "XFACTOR")
                .containsPattern("18\\*\\s+12\\s+1\\.5\\s+-\\s+bob\\s+g\\s+4\\s+01:00:00")
                .contains("waits for: Procs")
                .doesNotContain("active jobs", "blocked jobs");
    }

    @Test
    void shouldFilterTheQueue() throws IOException {
        assertThat(run("showq", "-w", "user=bob", "--format", "json")).isEqualTo(ExitCode.FINE);

        JsonNode queue = new ObjectMapper().readTree(out.toString()).get(0);
        assertThat(queue.path("active")).isEmpty();
        assertThat(queue.path("eligible").findValuesAsText("jobId")).containsExactly("18");
        assertThat(run("showq", "-w", "shoe=43")).isEqualTo(ExitCode.BAD_INPUT);
    }

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
                .contains("Expected start: Mon Jan 03 13:00:00 (in 01:00:00)");
        assertThat(asked()).containsExactly("EXPLAIN_JOB 18");
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
                .contains("Expected start: Mon Jan 03 13:00:00")
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
    void shouldDiagnoseNodesWithTotalsAndWarnings() {
        api.view("nodes", """
                [{'nodeId':'n0','state':'IDLE','shownState':'BUSY','procs':8,'freeProcs':0,'dedicatedProcs':8,'memoryMb':512,
                  'partition':'DEFAULT','features':['a','b'],'classes':{'batch':4},'jobs':[{'jobId':'1','procs':8}]},
                 {'nodeId':'n1','state':'DOWN','shownState':'DOWN','procs':8,'freeProcs':4,'dedicatedProcs':4,
                  'jobs':[{'jobId':'2','procs':4}]}]
                """);

        assertThat(run("mdiag", "-n")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString())
                .containsPattern("n0\\s+Busy\\s+0:8\\s+512:512")
                .contains("batch:4")
                .contains("a,b")
                .contains("WARNING:  node is down but has 1 jobs")
                .contains("Total Nodes: 2  (Active: 1  Idle: 0  Down: 1)");
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
    void shouldCheckTheConfigurationInForceOrAFile(@TempDir Path directory) throws IOException {
        api.view("policy", "{'version':'v1','text':'BACKFILLPOLICY NOSUCHTHING'}");
        assertThat(run("mdiag", "-C")).isEqualTo(ExitCode.FAILED);
        assertThat(out.toString()).contains("BACKFILLPOLICY NOSUCHTHING", "1 errors");

        Path good = Files.writeString(directory.resolve("moab.cfg"), "BACKFILLPOLICY FIRSTFIT\n");
        api.close();
        assertThat(run("mdiag", "-C", good.toString())).isEqualTo(ExitCode.FINE);
    }

    @Test
    void shouldPrintBackfillWindows() {
        api.answer(200, """
                {'outcome':'ACCEPTED','details':[{'name':'window','value':
                 'partition=DEFAULT tasks=8 nodes=2 offsetSeconds=0 durationSeconds=93600 start=2000-01-03T12:00:00Z'}]}
                """.replace("\n ", " "));

        assertThat(run("showbf", "-u", "anna")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .containsPattern("DEFAULT\\s+8\\s+2\\s+00:00:00\\s+1:02:00:00\\s+Mon Jan 03 12:00:00");
        assertThat(asked()).containsExactly("SHOW_BACKFILL - user=anna");

        api.answer(200, "{'outcome':'ACCEPTED','details':[]}");
        assertThat(run("showbf")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("no procs available");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    mjobctl -h 17 18            | HOLD_JOB 17;HOLD_JOB 18
                    mjobctl -h User 17          | HOLD_JOB 17 type=user
                    mjobctl -u 17               | RELEASE_JOB 17
                    mjobctl -u All 17           | RELEASE_JOB 17 type=all
                    mjobctl -c 17               | CANCEL_JOB 17
                    mjobctl -C 17               | CANCEL_JOB 17 force=true
                    mjobctl -F 17               | CANCEL_JOB 17 force=fail
                    mjobctl -p 100 17           | SET_JOB_PRIORITY 17 priority=100
                    mjobctl -p +5 17            | SET_JOB_PRIORITY 17 priority=+5
                    mjobctl -p -5 17            | SET_JOB_PRIORITY 17 priority=-5
                    mjobctl -m qos=high -m wclimit+=600 17 | MODIFY_JOB 17 qos=high wclimit=+600
                    mjobctl -s 17               | SUSPEND_JOB 17
                    mjobctl -r 17               | RESUME_JOB 17
                    mjobctl -R 17               | REQUEUE_JOB 17
                    mjobctl -N notify=USR1 17   | SIGNAL_JOB 17 signal=USR1
                    canceljob 17 18             | CANCEL_JOB 17;CANCEL_JOB 18
                    setspri 10 17               | SET_JOB_PRIORITY 17 priority=10
                    setqos high 17              | MODIFY_JOB 17 qos=high
                    mnodectl -m state=Drained n1 n2 | MODIFY_NODE n1 state==Drained;MODIFY_NODE n2 state==Drained
                    mnodectl -m features+=x -m gmetric[temp]=40 n1 | MODIFY_NODE n1 features=+=x gmetric[temp]==40
                    mnodectl -m gmetric[CpuTemp]=40 -m variable=a=b n1 | MODIFY_NODE n1 gmetric[CpuTemp]==40 variable==a=b
                    mnodectl -d message:1 n1    | MODIFY_NODE n1 delete=message:1
                    mnodectl -c stats n1        | MODIFY_NODE n1 clear=stats
                    mrsvctl -c -h node003 -a user=john,user=steve -S aaccount=jupiter | CREATE_RESERVATION - acl=user=john,user=steve hostexp=node003 accountable=aaccount=jupiter
                    mrsvctl -c -t ALL -d 2:00:00 -s 08:00 -R PROCS:2;MEM:512 -g maint -E | CREATE_RESERVATION - duration=2:00:00 exclusive=true group=maint resources=PROCS:2;MEM:512 start=08:00 tasks=ALL
                    setres -t 4 -p batch        | CREATE_RESERVATION - partition=batch tasks=4
                    mrsvctl -m starttime+=5:00:00 system.1 | MODIFY_RESERVATION system.1 starttime=+=5:00:00
                    mrsvctl -m -d +=5:00:00 system.1 | MODIFY_RESERVATION system.1 duration=+=5:00:00
                    mrsvctl -m -a USER+=john system.1 | MODIFY_RESERVATION system.1 acl=USER+=john
                    mrsvctl -r system.1 system.2 | RELEASE_RESERVATION system.1;RELEASE_RESERVATION system.2
                    mrsvctl -r -g maint         | RELEASE_RESERVATION - group=maint
                    mrsvctl -C slot.0.1         | ENABLE_RESERVATION slot.0.1
                    mrsvctl -B interactive      | REBUILD_RESERVATION interactive
                    releaseres system.1         | RELEASE_RESERVATION system.1
                    """)
    void shouldAskForWhatTheCommandLineSays(String line, String expected) {
        assertThat(run(line.split(" +"))).as(err.toString()).isEqualTo(ExitCode.FINE);

        assertThat(String.join(";", asked())).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    mjobctl 17
                    mjobctl -c
                    mjobctl -c -h 17
                    mjobctl -p high 17
                    mjobctl -m qos 17
                    mjobctl -c -w shoe=43
                    mjobctl -c 17 -w user=anna
                    mnodectl -m state=Broken n1
                    mnodectl -m category=nice n1
                    checkjob -l LOUD 17
                    checkjob --flags past 17
                    mdiag -A chem -p
                    mdiag -n -t
                    mrsvctl -c -d 1:00:00
                    mrsvctl -c -h [
                    mrsvctl -c -t some
                    mrsvctl -r
                    mrsvctl -m system.1
                    mrsvctl -q
                    setspri high 17
                    showstart -e guess 17
                    mdiag
                    mdiag -n -p
                    """)
    void shouldFindMistakesBeforeAskingAnyone(String line) {
        assertThat(run(line.split(" +"))).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(api.requests).isEmpty();
    }

    @Test
    void shouldTellWhatWasMade() {
        api.answer(200, "{'outcome':'ACCEPTED','objectId':'john.1','message':null,'details':[]}");

        assertThat(run("mrsvctl", "-c", "-h", "n1")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("NOTE:  reservation john.1 created");
    }

    @Test
    void shouldChooseJobsByWhoseTheyAre() {
        api.view("jobs", """
                [{'jobId':'1','user':'anna','section':'ACTIVE'},{'jobId':'2','user':'bob','section':'ELIGIBLE'},
                 {'jobId':'3','user':'anna','section':'COMPLETED'}]
                """);

        assertThat(run("mjobctl", "-c", "-w", "user=anna")).isEqualTo(ExitCode.FINE);
        assertThat(asked()).containsExactly("CANCEL_JOB 1");
        assertThat(run("mjobctl", "-c", "-w", "user=carl")).isEqualTo(ExitCode.FAILED);
    }

    @ParameterizedTest
    @CsvSource({"401, 4", "403, 4", "400, 2", "503, 5", "504, 1", "500, 1"})
    void shouldEndAsTheAnswerSays(int status, int exitCode) {
        api.answer(status, "{'error':'CANCEL_JOB on job 17 needs level 4'}");

        assertThat(run("mjobctl", "-c", "17")).isEqualTo(exitCode);
        assertThat(err.toString()).contains("needs level 4");
    }

    @Test
    void shouldFailWhenTheSchedulerRefuses() {
        api.answer(200, "{'outcome':'REFUSED','message':'no job 17','details':[]}");

        assertThat(run("mjobctl", "-c", "17")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("job '17' not changed: no job 17");
    }

    @Test
    void shouldSayThatNobodyAnswers() {
        api.close();

        assertThat(run("showq")).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(err.toString()).contains(api.url()).contains("cannot be reached");
    }

    @Test
    void shouldWriteXmlWhereItIsOffered() {
        api.view("nodes", """
                [{'nodeId':'n0','state':'IDLE','procs':8,'reason':null,'features':['a','b'],'metrics':{'a b':1.5},
                  'jobs':[{'jobId':'1','user':'x<y'}]}]
                """);

        assertThat(run("mdiag", "-n", "--format", "xml")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .contains("<Data><node nodeId=\"n0\" state=\"IDLE\" procs=\"8\">")
                .contains("<features>a</features><features>b</features>")
                .contains("<metrics><entry name=\"a b\">1.5</entry></metrics>")
                .contains("<jobs jobId=\"1\" user=\"x&lt;y\">");
        assertThat(run("showq", "--format", "xml")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("<queue cluster=\"kth\"").contains("<eligible jobId=\"18\"");
        assertThat(run("checkjob", "18", "--format", "xml")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err.toString()).contains("--format xml is offered by showq");
    }

    @Test
    void shouldShowResourceManagersPartitionsAndMetrics() {
        api.view("connectors", """
                [{'connector':'slurm','rmType':'slurm','rmVersion':'23.11','rmTime':'2000-01-03T11:59:30Z','number':7,
                  'epoch':42,'silentSeconds':30,'silent':false,'nodes':2,'jobs':3,'lastCommand':4,'issuedCommand':5,
                  'counts':{'rm.jobs':9}}]
                """);
        api.view("nodes", """
                [{'nodeId':'n0','state':'IDLE','partition':'p1','procs':8,'freeProcs':3,'metrics':{'temp':40.5}},
                 {'nodeId':'n1','state':'DOWN','partition':'p2','procs':4,'freeProcs':4,'metrics':{}}]
                """);
        api.view("policy", "{'version':'v1','text':'PARCFG[p1] NODEALLOCATIONPOLICY=FASTEST'}");

        assertThat(run("mdiag", "-R")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .contains("RM[slurm]  Type: slurm 23.11  State: Active")
                .contains("(00:00:30 ago), number 7 of epoch 42")
                .contains("Reports: 2 nodes, 3 jobs; records of this epoch: rm.jobs:9")
                .contains("Commands: 5 issued, 4 finished");
        assertThat(run("mdiag", "-t")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .containsPattern("p1\\s+1\\s+1\\s+8\\s+3")
                .containsPattern("p2\\s+1\\s+0\\s+4\\s+4")
                .contains("PARCFG[p1] NODEALLOCATIONPOLICY=FASTEST");
        assertThat(run("mdiag", "-G")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).containsPattern("n0\\s+temp\\s+40.5");
        assertThat(run("mdiag", "-t", "p3")).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void shouldShowANodeWithAllItsResources() {
        api.view("nodes/n0", """
                {'nodeId':'n0','state':'IDLE','shownState':'RUNNING','stateSeconds':90,'now':'2000-01-03T12:00:00Z',
                 'resources':{'PROC':{'configured':8,'utilized':1.25,'dedicated':2,'available':6,'policy':'COMBINED'},
                   'MEM':{'configured':4000,'utilized':1500.0,'dedicated':512,'available':2500,'policy':'DEDICATED'}},
                 'messages':['fan is loud','bios is old'],'marks':[{'name':'message','value':'fan is loud'}],
                 'nodeAccess':'SHARED','jobs':[],'reservations':[]}
                """);

        assertThat(run("checknode", "n0")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
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
    void shouldListTheConfigurationWithWhatWasChangedAtRunTime() {
        api.view(
                "policy",
                "{'version':'v1','text':'"
                        + RuntimeSettings.NONE
                                .with("BACKFILLDEPTH 7", false)
                                .appendedTo("BACKFILLDEPTH 5\n")
                                .replace("\\", "\\\\")
                                .replace("\"", "\\\"")
                                .replace("\n", "\\n")
                        + "'}");

        assertThat(run("mschedctl", "-l", "config")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).containsPattern("BACKFILLDEPTH\\s+7\\s+run time:1");
    }

    @Test
    void shouldEstimateByExperience() {
        api.view("jobs/18", """
                {'jobId':'18','section':'ELIGIBLE','procs':6,'walltimeSeconds':3600,'submitTime':'2000-01-03T11:30:00Z',
                 'now':'2000-01-03T12:00:00Z','reservations':[]}
                """);
        api.view("waits", """
                [{'mostProcs':8,'longestSeconds':4096,'jobs':9,'medianWaitSeconds':2700},
                 {'mostProcs':1,'longestSeconds':4096,'jobs':90,'medianWaitSeconds':1}]
                """);

        assertThat(run("showstart", "-e", "hist", "18")).as(err.toString()).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .contains("Estimated hist based start             on Mon Jan 03 12:15:00")
                .contains("Estimated hist based completion        on Mon Jan 03 13:15:00")
                .contains("(half of 9 jobs of this size and length waited no longer than 00:45:00)");
        assertThat(api.requests).isEmpty();
        assertThat(run("showstart", "-e", "hist", "8@30:00")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("half of 9 jobs of this size waited");
        assertThat(run("showstart", "-e", "hist", "noone")).isEqualTo(ExitCode.FAILED);
        api.view("waits", "[]");
        assertThat(run("showstart", "-e", "hist", "18")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("no experience");
    }

    private List<String> asked() {
        List<String> lines = new ArrayList<>();
        for (JsonNode request : api.requests) {
            StringBuilder line = new StringBuilder(request.path("kind").asText() + " "
                    + request.path("objectId").asText());
            request.path("arguments")
                    .forEach(argument -> line.append(' ')
                            .append(argument.path("name").asText())
                            .append('=')
                            .append(argument.path("value").asText()));
            lines.add(line.toString());
        }
        return lines;
    }

    private int run(String... args) {
        List<String> words = new ArrayList<>(List.of(args));
        words.add("--server=" + api.url());
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(words.toArray(String[]::new));
    }
}
