package io.weir.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.Feature;
import io.weir.command.terminal.ExitCode;
import io.weir.scheduler.core.policy.language.RuntimeSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The operator's commands against prepared views: what they print, what they ask for, how they end. */
class OperatorCommandsTest extends PreparedSite {
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

    @BeforeEach
    void shouldServeTheQueue() {
        api.view("queue", QUEUE);
    }

    @Test
    void shouldPrintTheQueueInThreeSections() {
        assertThat(run("showq")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString())
                .contains("kth at Mon Jan 03 12:00:00 2000")
                .contains(
                        "17+                      anna          Running      6   1:01:00:00  Mon Jan 03 11:00:00 2000")
                .contains("1     active jobs   6 of 8 processors in use (75.00%), 1 of 1 nodes")
                .contains(
                        "18                        bob             Idle      4     01:00:00  Mon Jan 03 12:00:00 2000")
                .contains("1     eligible jobs")
                .contains(
                        "19                          -  User+SystemHold      1     00:01:00  Mon Jan 03 12:00:00 2000  held by ann")
                .contains("1     blocked jobs")
                .contains("Total jobs:  3");
    }

    /** A broker of the command's own would lock the directory when the one that is missed comes back. */
    @Test
    void shouldStartNoBrokerBesideASchedulerThatMissesItsOwn(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("api.properties"), "api.url=" + api.url() + "\n");
        Path broker = Files.createDirectories(directory.resolve("broker"));
        Files.writeString(broker.resolve("broker.properties"), "cluster.id=x\n");
        api.unavailable();

        assertThat(runOn(directory, "showq")).isEqualTo(ExitCode.UNREACHABLE);

        assertThat(err.toString())
                .contains("The scheduler runs, but the broker of " + directory, "cannot be read at present");
        assertThat(broker).isDirectoryContaining("glob:**broker.properties").isDirectoryNotContaining("glob:**kafka");
    }

    /** A service makes its directory ready for a broker, too, though its settings name another. */
    @Test
    void shouldStartNoBrokerWhereServicesUseBrokersElsewhere(@TempDir Path directory) throws IOException {
        Path broker = Files.createDirectories(directory.resolve("broker"));

        assertThat(runOn(directory, "showq")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(runOn(directory, "dead-letters", "list")).isEqualTo(ExitCode.BAD_INPUT);
        Files.writeString(directory.resolve("api.properties"), "api.url=" + api.url() + "\n");
        api.unavailable();
        assertThat(runOn(directory, "showq")).isEqualTo(ExitCode.UNREACHABLE);

        String elsewhere = directory + " holds no topics, for the services on it use brokers elsewhere: give these with"
                + " --bootstrap-server and --registry, and a login with --client-config";
        assertThat(err.toString()
                        .lines()
                        .filter(line -> !line.startsWith("Usage"))
                        .map(line -> line.replaceFirst("[^:]*: ", "")))
                .startsWith(elsewhere, elsewhere)
                .last()
                .asString()
                .contains("cannot be read at present")
                .doesNotContain("start it");
        assertThat(broker).isEmptyDirectory();
    }

    private int runOn(Path directory, String... arguments) {
        CommandLine command = Main.commandLine();
        command.setErr(new PrintWriter(err, true));
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--data";
        all[arguments.length + 1] = directory.toString();
        return command.execute(all);
    }

    @Test
    void shouldSayWhatIsWrongWithAFileThatHoldsNoTokenAlone(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("token"), "anna 0123456789abcdef\nbob fedcba9876543210\n");
        assertThat(run("showq", "--token-file=" + file)).isEqualTo(ExitCode.BAD_INPUT);
        Files.writeString(file, "anna 0123456789abcdef\n");
        assertThat(run("showq", "--token-file=" + file)).isEqualTo(ExitCode.BAD_INPUT);
        Files.writeString(file, "\n");
        assertThat(run("showq", "--token-file=" + file)).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(err.toString().lines())
                .map(line -> line.replace("weir showq: ", "").replace("weir: ", ""))
                .containsExactly(
                        "--token-file " + file + " holds several lines; it needs the token alone",
                        "--token-file " + file + " holds more than a token; it needs the token alone",
                        "--token-file " + file + " is empty; it needs the token alone");
    }

    @Test
    void shouldTakeSeveralConstraintsOnTheQueueInOneOption() {
        assertThat(run("showq", "-w", "user=bob,group=g")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("Total jobs:  1");

        assertThat(run("showq", "-w", "user=anna,state=Running")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err.toString()).contains("-w state=Running is not understood; give user=, group=");
    }

    /** A queue of a hundred thousand jobs is not sent for the few that are printed. */
    @Test
    void shouldAskForNoMoreOfTheQueueThanItPrints() {
        run("showq", "-w", "user=bob,acct=chem");
        run("showq", "-i");
        run("showq", "--format=json", "-w", "qos=high");

        assertThat(jobQueries()).hasSize(3).last().isEqualTo("/v1/kth/queue?qos=high");
        assertThat(jobQueries().get(0))
                .startsWith("/v1/kth/queue?user=bob&account=chem&section=active%2Celigible%2Cblocked&fields=")
                .contains("jobId", "remainingSeconds")
                .doesNotContain("expectedStart");
        assertThat(jobQueries().get(1))
                .startsWith("/v1/kth/queue?section=eligible&fields=")
                .contains("jobId");
    }

    @Test
    void shouldAskForTheJobsThatAreToBeChanged() {
        api.view("jobs", "[{'jobId':'17','section':'ACTIVE','user':'anna'}]");

        assertThat(run("mjobctl", "-r", "-w", "user=anna")).isEqualTo(ExitCode.FINE);

        assertThat(jobQueries())
                .singleElement()
                .asString()
                .startsWith("/v1/kth/jobs?section=active%2Celigible%2Cblocked&user=anna&fields=jobId%2Csection");
        assertThat(asked()).containsExactly("RESUME_JOB 17");
    }

    @Test
    void shouldDiagnoseByWhatIsNeededOfJobs() {
        api.view("jobs", "[{'jobId':'17','section':'ACTIVE','user':'anna','procs':6}]");
        api.view("policy", "{'text':''}");

        run("mdiag", "-j", "17");
        run("mdiag", "-b", "--format=json");
        run("mdiag", "-u", "anna");
        run("mdiag", "-S");

        assertThat(jobQueries()).hasSize(4);
        assertThat(jobQueries().get(0)).startsWith("/v1/kth/jobs?job=17&fields=");
        assertThat(jobQueries().get(1)).isEqualTo("/v1/kth/jobs?section=blocked");
        assertThat(jobQueries().get(2)).isEqualTo("/v1/kth/jobs?fields=user%2Csection%2Cprocs&user=anna");
        assertThat(jobQueries().get(3)).isEqualTo("/v1/kth/queue?limit=0");
        assertThat(out.toString()).contains("Jobs: 1 active, 1 eligible, 1 blocked, 0 completed");
    }

    @Test
    void shouldSayHowFarTheOrderOfTheQueueIsKnown() {
        api.view("queue", QUEUE.replace("'cluster'", "'ranked':17000,'cluster'"));
        String note =
                "Order and priorities are those of the first 17000 waiting jobs; the others follow in the order of"
                        + " their submission";

        run("showq", "-i");
        assertThat(out.toString()).contains(note);
        run("showq");
        assertThat(out.toString()).contains(note);

        api.view("queue", QUEUE.replace("'cluster'", "'ranked':0,'cluster'"));
        run("showq");
        assertThat(out.toString()).contains("does not tell the order of the queue at present");
    }

    private List<String> jobQueries() {
        return api.queries.stream()
                .filter(query -> query.startsWith("/v1/kth/queue") || query.startsWith("/v1/kth/jobs"))
                .toList();
    }

    @Test
    void shouldTellProgramsThatAJobNeverStarts() throws IOException {
        api.answer(200, """
            {'outcome':'ACCEPTED','message':'','details':[{'name':'estimate','value':'method=rsv'}]}
            """);

        assertThat(run("showstart", "--format", "json", "99")).isEqualTo(ExitCode.FINE);
        JsonNode estimate =
                new ObjectMapper().readTree(out.toString()).path("estimates").path(0);
        assertThat(estimate.path("never").asBoolean()).isTrue();
        assertThat(estimate.path("method").asText()).isEqualTo("rsv");
    }

    @Test
    void shouldShowAllReservationsInDetail() {
        api.view("reservations", "[{'reservationId':'system.1','nodes':['n0']},{'reservationId':'17','jobId':'17'}]");

        assertThat(run("mrsvctl", "-q", "ALL")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("system.1").doesNotContain("17");
    }

    @Test
    void shouldTakeAFlagThatIsGivenTwice() {
        assertThat(run("showq", "-v", "-v")).isEqualTo(ExitCode.FINE);
    }

    @Test
    void shouldRefuseAddressesThatAreNone() {
        CommandLine command = Main.commandLine();
        command.setErr(new PrintWriter(err, true));

        assertThat(command.execute("showq", "--host=h", "--port=99999")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err.toString()).contains("--port 99999 is no port; give 1 to 65535");

        assertThat(run("showq", "--host=h", "--port=24096")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("showq", "--host=h")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err.toString()).contains("Give --server or --host and --port, not both");
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
                .contains(
                        "NOTE:  scheduling is paused since Mon Jan 03 11:00:00 2000 by ann, resumes Mon Jan 03 13:00:00 2000")
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
        assertThat(run("mschedctl", "-c", "message", "hello", "-o", "rsv:system.1"))
                .isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-c", "message", "hello", "-o", "class:x")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("mschedctl", "-d", "message:2")).isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-f", "Usage")).isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-L", "5")).isEqualTo(ExitCode.FINE);

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
                        "MODIFY_RESERVATION system.1 message=hello",
                        "CONTROL_SCHEDULER  action=unmessage index=2",
                        "CONTROL_SCHEDULER  action=clear statistics=usage",
                        "CONTROL_SCHEDULER  action=loglevel level=5");
        api.view("scheduler", "{'state':'RUNNING','logLevel':3}");
        out.getBuffer().setLength(0);
        assertThat(run("mschedctl", "-L")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).isEqualToNormalizingNewlines("log level 3\n");
        assertThat(run("mschedctl", "-p", "-r")).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    @Feature("TRIG-1")
    void shouldMakeAndTakeAwayTriggers() {
        String spec = "EType=fail,AType=mail,Action=\"$OID failed\"";
        assertThat(run("mschedctl", "-c", "trigger", spec, "-o", "node:n1")).isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-c", "trigger", spec, "-o", "job:17")).isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-c", "trigger", spec, "-o", "rsv:system.1"))
                .isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-d", "trigger:t1", "-o", "node:n1")).isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-l", "trigger")).isEqualTo(ExitCode.FINE);

        assertThat(asked())
                .containsExactly(
                        "MODIFY_NODE n1 trigger=" + spec,
                        "MODIFY_JOB 17 trigger=" + spec,
                        "MODIFY_RESERVATION system.1 trigger=" + spec,
                        "MODIFY_NODE n1 untrigger=t1",
                        "SHOW_TRIGGERS ALL");
        for (String wrong : List.of("-c trigger x", "-c trigger -o node:n1", "-d trigger:1", "-p -o node:n1")) {
            assertThat(run(("mschedctl " + wrong).split(" "))).as(wrong).isEqualTo(ExitCode.BAD_INPUT);
        }
        assertThat(run("mschedctl", "-c", "trigger", "x", "-o", "sched:c")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("mschedctl", "-d", "trigger:1", "-o", "rsv:r")).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void shouldRaiseEventsOfNodesJobsAndTheScheduler() {
        assertThat(run("mschedctl", "-c", "gevent", "-n", "diskfail", "-m", "node=n1"))
                .isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-c", "gevent", "-n", "diskfail", "-m", "sdb is gone", "-o", "node:n1"))
                .isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-c", "gevent", "-n", "slow", "-m", "job=17,message=no progress, no output"))
                .isEqualTo(ExitCode.FINE);
        assertThat(run("mschedctl", "-c", "gevent", "-n", "powercut")).isEqualTo(ExitCode.FINE);
        assertThat(asked())
                .containsExactly(
                        "MODIFY_NODE n1 gevent=diskfail",
                        "MODIFY_NODE n1 gevent=diskfail:sdb is gone",
                        "MODIFY_JOB 17 gevent=slow:no progress, no output",
                        "CONTROL_SCHEDULER  action=gevent gevent=powercut");
        for (String wrong : List.of(
                "-c gevent",
                "-c gevent -n 2bad",
                "-c gevent -n x -o rsv:r",
                "-c gevent -n x text",
                "-n x -p",
                "-m config",
                "-p -m config",
                "")) {
            assertThat(run(("mschedctl " + wrong).strip().split(" "))).as(wrong).isEqualTo(ExitCode.BAD_INPUT);
        }
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
    void shouldCheckTheConfigurationInForceOrAFile(@TempDir Path directory) throws IOException {
        api.view("policy", "{'version':'v1','text':'BACKFILLPOLICY NOSUCHTHING'}");
        api.view("nodes", "[]");
        api.view("connectors", "[]");
        assertThat(run("mdiag", "-C")).isEqualTo(ExitCode.FAILED);
        assertThat(out.toString())
                .containsPattern("ERROR  line 1  BACKFILLPOLICY  .*NOSUCHTHING")
                .contains("1 errors");

        Path good = Files.writeString(directory.resolve("moab.cfg"), "BACKFILLPOLICY FIRSTFIT\n");
        api.close();
        assertThat(run("mdiag", "-C", good.toString())).isEqualTo(ExitCode.FINE);
        assertThat(run("mdiag", "-C", directory.resolve("none").toString())).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err.toString()).contains("There is no file").doesNotContain("Usage");
    }

    @Test
    void shouldWarnOfNodesThatAreNamedInVain() {
        String text = "CLASSCFG[c1] HOSTLIST=n1,n9,^n[12]$,^x\\nSRCFG[s1] HOSTLIST=n2,n8\\nSRCFG[s2] HOSTLIST=n\\n"
                + "SRCFG[s3] HOSTLIST=ALL\\nSRCFG[s4] HOSTLIST=r:n5-n9\\nSRCFG[s5] HOSTLIST=r:7-9\\n"
                + "SRCFG[s6] HOSTLIST=r:n1-n9\\nSRCFG[s7] HOSTLIST=r:0-9\\nSRCFG[s8] HOSTLIST=class:c9\\nRSVPROFILE[p1] HOSTLIST=m\\nNODECFG[n7] PRIORITY=1\\n"
                + "NODECFG[DEFAULT] PRIORITY=1\\nNODECFG[n1] PRIORITY=2\\nPARCFG[p9] NODEACCESSPOLICY=SHARED\\n"
                + "RMCFG[toy] TRIGGER=EType=fail,AType=mail,Action=x";
        api.view("policy", "{'version':'v1','text':'" + text + "'}");
        api.view(
                "nodes",
                "[{'nodeId':'n1','index':1,'partition':'DEFAULT','classes':{'c1':4}},{'nodeId':'n2','index':2,"
                        + "'partition':'DEFAULT','classes':{'c1':4}}]");
        api.view("jobs", "[]");
        api.view("connectors", "[{'connector':'rm'},{'connector':'other'}]");

        assertThat(run("mdiag", "-C")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString())
                .containsPattern("WARNING  line 1\\s+CLASSCFG\\[c1\\] HOSTLIST\\s+'n9' is none of the 2 nodes")
                .contains(
                        "'^x' is none",
                        "'n8' is none of the 2 nodes; without it the reservation has none",
                        "'m' is none",
                        "'r:n5-n9' is none",
                        "'r:7-9' is none",
                        "'class:c9' is none",
                        "NODECFG[n7]",
                        "PARCFG[p9]",
                        "no connector is called toy, so that its triggers never fire; there are other, rm")
                .doesNotContain(
                        "'r:n1-n9'",
                        "'r:0-9'",
                        "'n1'",
                        "'n2'",
                        "'^n[12]$'",
                        "'ALL'",
                        "'n'",
                        "NODECFG[n1]",
                        "NODECFG[DEFAULT]");
        out.getBuffer().setLength(0);
        assertThat(run("mdiag", "-c", "c1")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("WARNING:  CLASSCFG[c1] HOSTLIST: 'n9' is none of the 2 nodes");
        assertThat(run("mdiag", "-c", "c2")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("cannot locate class 'c2'");

        api.view("nodes", "[]");
        out.getBuffer().setLength(0);
        assertThat(run("mdiag", "-C")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).doesNotContain("is none");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mrsvctl -c -h n1 -b nosuch      | -b nosuch is no subtype; there are emain
            mrsvctl -c -h n1 -d -5          | -d -5 is no duration
            mrsvctl -c -h n1 -d 99999:0:0:0 | -d 99999:0:0:0 is no duration; give [[[DD:]HH:]MM:]SS of up to a century, or INFINITY
            mrsvctl -c -t 9999999999        | -t 9999999999 is no count of tasks; give a number of up to nine digits, or ALL
            setspri 9999999999 6            | 9999999999 is no priority; give a whole number of up to nine digits
            mjobctl -p 9999999999 6         | -p 9999999999 is no priority; give a whole number of up to nine digits, with + or -
            mrsvctl -c -h n[10-20]          | -h n[10-20] is a regular expression, where [10-20] stands for one character; for a range write r:n10-n20
            mrsvctl -c -h n[1-20]           | -h n[1-20] is a regular expression, where [1-20] stands for one character; for a range write r:n1-n20
            mnodectl -c message ^n[10-20]$  | '^n[10-20]$' is a regular expression, where [10-20] stands for one character; write NAME[A-B] alone
            mnodectl -c message n[12]       | 'n[12]': [12] may mean 12 or one of its digits
            mnodectl -c message n[3-]       | 'n[3-]': [3-] is no list of numbers
            mnodectl -c message n1,,n2      | An empty word names no node
            mnodectl -c message r:n1-m2     | 'r:n1-m2' is no range of names
            mnodectl -c message n(          | 'n(' is no regular expression
            mrsvctl -c -h n1 -s 25:99       | -s 25:99 is no time
            mrsvctl -c -h n1 -e soon        | -e soon is no time
            mrsvctl -l -i 0                 | -i 0 is no place in the list
            mdiag -r -w type=odd            | -w type=odd is no type of reservation; there are job, priority
            mjobctl -h Foo 6                | 'Foo' is neither a hold
            mjobctl -N foo 6                | -N foo is no signal
            showbf -d 99999:0:0:0           | -d 99999:0:0:0 is no duration; give [[[DD:]HH:]MM:]SS of up to a century
            showbf -n 0                     | -n 0 is too few
            showbf -m many                  | -m many is no amount of memory
            """)
    void shouldRefuseWhatMakesNoSenseBeforeItIsAskedFor(String words, String complaint) {
        assertThat(run(words.strip().split("\\s+"))).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(err.toString()).startsWith("Usage: weir ").contains("; see weir ", " --help");
        assertThat(err.toString().lines()).hasSize(2).last().asString().startsWith("weir: " + complaint);
        assertThat(api.requests).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ALL             | n1 n2 n3 n10 n21 m1
            *               | n1 n2 n3 n10 n21 m1
            n[1-3]          | n1 n2 n3
            n[2-20]         | n2 n3 n10
            n[1,3,20-30],m1 | n1 n3 n21 m1
            n[01-03]        | n1 n2 n3
            [1-3]n          |
            r:n2-n20        | n2 n3 n10
            r:n[2-20]       | n2 n3 n10
            n1.*            | n1 n10
            x:[mn]1         | n1 m1
            m1,n[1-2],n1    | m1 n1 n2
            n9,m1           | n9 m1
            n[4-9]          |
            """)
    void shouldChangeTheNodesThatAreMeantAndNoOthers(String word, @Nullable String expected) {
        api.view(
                "nodes",
                "[{'nodeId':'n1'},{'nodeId':'n2'},{'nodeId':'n3'},{'nodeId':'n10'},{'nodeId':'n21'},{'nodeId':'m1'},"
                        + "{'nodeId':'GLOBAL'}]");

        int code = run("mnodectl", "-c", "message", word);

        if (expected == null) {
            assertThat(code).isEqualTo(ExitCode.FAILED);
            assertThat(err.toString()).contains("'" + word + "' means none of the 6 nodes of kth");
            assertThat(asked()).isEmpty();
        } else {
            assertThat(code).isEqualTo(ExitCode.FINE);
            assertThat(asked())
                    .containsExactlyElementsOf(Stream.of(expected.split(" "))
                            .map(node -> "MODIFY_NODE " + node + " clear=message")
                            .toList());
        }
    }

    @Test
    void shouldShowAnAttributeOfSeveralNodes() {
        api.view("nodes", "[{'nodeId':'n1','state':'IDLE'},{'nodeId':'n2','state':'DOWN'}]");

        assertThat(run("mnodectl", "-q", "state", "n[1-2]")).isEqualTo(ExitCode.FINE);

        assertThat(out.toString().lines()).containsExactly("n1 state=IDLE", "n2 state=DOWN");
    }

    @Test
    void shouldShowSeveralNodes() {
        api.view("nodes", "[{'nodeId':'n1','state':'IDLE'},{'nodeId':'n2','state':'DOWN'},{'nodeId':'GLOBAL'}]");
        api.view("nodes/n2", "{'nodeId':'n2','state':'DOWN'}");

        assertThat(run("checknode", "ALL")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString().lines())
                .filteredOn(line -> line.startsWith("node "))
                .containsExactly("node n1", "node n2");
        out.getBuffer().setLength(0);
        assertThat(run("checknode", "--format=json", "n2,n1", "n[1-2]")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).startsWith("[ {").containsSubsequence("\"n2\"", "\"n1\"");
        assertThat(asked()).isEmpty();
        out.getBuffer().setLength(0);
        assertThat(run("checknode", "--format=json", "n2")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).startsWith("{");
        assertThat(asked()).containsExactly("SHOW_NODE n2");
        assertThat(run("checknode", "n[3-9]")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("'n[3-9]' means none of the 2 nodes of kth");
    }

    /** As of a variable of a script that is not set. */
    @ParameterizedTest
    @ValueSource(strings = {"mjobctl -c", "canceljob 17", "runjob", "setspri 5", "setqos high", "releaseres r.1"})
    void shouldChangeNothingWhereANameIsEmpty(String words) {
        List<String> line = new ArrayList<>(List.of(words.split(" ")));
        line.add("");

        assertThat(run(line.toArray(String[]::new))).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(err.toString()).contains("An empty name is nothing's; say which is meant");
        assertThat(api.requests).isEmpty();
    }

    @Test
    void shouldSayHowManyNodesMayBeNamed() {
        assertThat(run("mrsvctl", "-c", "-h", "n0001,".repeat(3_000) + "n1")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(err.toString())
                .contains("-h has 18002 characters, and at most 16384 are taken; name the nodes by r:A-B");
        assertThat(api.requests).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            showq -p p9               | cannot locate partition 'p9' on kth; there are p1
            mdiag -n -t p9            | cannot locate partition 'p9' on kth; there are p1
            mdiag -p -t p9            | cannot locate partition 'p9' on kth; there are p1
            showbf -p p9              | cannot locate partition 'p9' on kth; there are p1
            mdiag -n n9               | cannot locate node 'n9' on kth
            mdiag -s s9               | cannot locate standing reservation 's9' on kth
            mdiag -r r9               | cannot locate reservation 'r9' on kth
            showq -R r9               | cannot locate reservation 'r9' on kth
            mrsvctl -l r9             | cannot locate reservation 'r9' on kth
            mrsvctl -q r9             | cannot locate reservation 'r9' on kth
            mrsvctl -l -g spring      | cannot locate reservation of group 'spring' on kth
            """)
    void shouldSayWhatIsNotThere(String words, String complaint) {
        api.view("nodes", "[{'nodeId':'n1','partition':'p1'}]");
        api.view("reservations", "[]");
        api.view("policy", "{'version':'v1','text':''}");
        api.view("scheduler", "{}");

        assertThat(run(words.strip().split("\\s+"))).isEqualTo(ExitCode.FAILED);

        assertThat(err.toString().strip()).isEqualTo("weir: " + complaint);
        assertThat(out.toString()).isEmpty();
        assertThat(api.requests).isEmpty();
    }

    @Test
    void shouldTakeNoEmptyName() {
        assertThat(run("mrsvctl", "-r", "")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err.toString()).contains("An empty name is no reservation's");
        assertThat(run("checkjob", " ")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("cannot locate job ' '");
        assertThat(api.requests).isEmpty();
    }

    @Test
    void shouldNotSayThingsTwice() {
        api.answer(200, """
                {'outcome':'REFUSED','message':'node n5: job 3 until 2000-01-03T12:00:00Z',
                 'details':[{'name':'line','value':'node n5: job 3 until 2000-01-03T12:00:00Z'}]}
                """);
        assertThat(run("mrsvctl", "-c", "-E", "-h", "n5")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString().strip())
                .isEqualTo("ERROR:  cannot create reservation: node n5: job 3 until Mon Jan 03 12:00:00 2000");

        api.answer(200, """
                {'outcome':'ACCEPTED','message':'2 reservations released',
                 'details':[{'name':'line','value':'system.1'},{'name':'line','value':'system.2'}]}
                """);
        assertThat(run("mrsvctl", "-r", "system.*")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString().lines())
                .containsExactly(
                        "reservation system.* successfully released  (2 reservations released)",
                        "  system.1",
                        "  system.2");
        out.getBuffer().setLength(0);
        api.answer(200, "{'outcome':'ACCEPTED','message':'held','details':[]}");
        assertThat(run("mjobctl", "-h", "User", "6")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString().strip()).isEqualTo("job '6' held");
        out.getBuffer().setLength(0);
        api.answer(200, "{'outcome':'ACCEPTED','message':'system.1 released','details':[]}");
        assertThat(run("mrsvctl", "-r", "system.1")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString().strip()).isEqualTo("reservation system.1 successfully released");
    }

    @Test
    void shouldSayWhatAnAnswerAddsThoughItNamesTheObject() {
        api.answer(200, "{'outcome':'ACCEPTED','message':'3 instances of s2 made','details':[]}");
        assertThat(run("mrsvctl", "-B", "s2")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString().strip()).isEqualTo("reservation s2 built  (3 instances of s2 made)");
        out.getBuffer().setLength(0);
        api.answer(200, "{'outcome':'ACCEPTED','message':'has system priority 17','details':[]}");
        assertThat(run("setspri", "17", "7")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString().strip()).isEqualTo("job '7' modified  (has system priority 17)");
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
                    mnodectl -m Message:5:12:00:00=a:b=c n1 | MODIFY_NODE n1 message:5:12:00:00==a:b=c
                    mnodectl -m message:-1-=x n1 | MODIFY_NODE n1 message:-1=-=x
                    mnodectl -m message=a:b=c n1 | MODIFY_NODE n1 message==a:b=c
                    mnodectl -d message:1 n1    | MODIFY_NODE n1 delete=message:1
                    mnodectl -c stats n1        | MODIFY_NODE n1 clear=stats
                    mnodectl -c gevent:hitemp n1 | MODIFY_NODE n1 clear=gevent:hitemp
                    mnodectl -m variable=NODECATEGORY=site1 n1 | MODIFY_NODE n1 variable==NODECATEGORY=site1
                    mrsvctl -c -h node003 -a user=john,user=steve -S aaccount=jupiter | CREATE_RESERVATION - acl=user=john,user=steve hostexp=node003 accountable=aaccount=jupiter
                    mrsvctl -c -t ALL -d 2:00:00 -s 08:00 -R PROCS:2;MEM:512 -g maint -E | CREATE_RESERVATION - duration=2:00:00 exclusive=true group=maint resources=PROCS:2;MEM:512 start=08:00 tasks=ALL
                    setres -t 4 -p batch        | CREATE_RESERVATION - partition=batch tasks=4
                    mrsvctl -m starttime+=5:00:00 system.1 | MODIFY_RESERVATION system.1 starttime=+=5:00:00
                    mrsvctl -m -d +=5:00:00 system.1 | MODIFY_RESERVATION system.1 duration=+=5:00:00
                    mrsvctl -m -a USER+=john system.1 | MODIFY_RESERVATION system.1 acl=USER+=john
                    mrsvctl -m -n work -g spring -D text -b Standby -P course system.1 | MODIFY_RESERVATION system.1 label==work group==spring comment==text subtype==Standby profile==course
                    mrsvctl -m -R PROCS:2 -E -x 17 system.1 | MODIFY_RESERVATION system.1 resources==PROCS:2 exclusive=true jobs=17
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
                    mnodectl -m variable=NODECATEGORY=nice n1
                    mnodectl -m message:high=loud n1
                    mnodectl -m message:5:0=loud n1
                    mnodectl -m message:1000001=loud n1
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
                    mrsvctl -l -d 1:00:00
                    mrsvctl -r system.1 -a user=john
                    mrsvctl -m -f fast system.1
                    mrsvctl -c -h n1 system.1
                    mrsvctl -r -g spring system.1
                    mrsvctl -l --blocking
                    mrsvctl -r -i 1 system.1
                    mrsvctl -B -g spring interactive
                    mdiag -n -w type=job
                    mdiag -j -t p1
                    mdiag -S n1
                    mschedctl -f nodes
                    mschedctl -L 10
                    mschedctl -L debug
                    mschedctl -L 5 -p
                    mschedctl -p --flags persistent
                    mschedctl -f usage now
                    showstats n1
                    showstats -u -n
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
    void shouldTellAKnownStartInEveryFormat() {
        api.view("jobs/17", """
                {'jobId':'17','section':'ACTIVE','procs':6,'walltimeSeconds':3600,'startTime':'2000-01-03T11:30:00Z',
                 'now':'2000-01-03T12:00:00Z','reservations':[]}
                """);
        api.view("jobs/18", """
                {'jobId':'18','section':'ELIGIBLE','procs':6,'walltimeSeconds':3600,'now':'2000-01-03T12:00:00Z',
                 'reservations':[{'start':'2000-01-03T13:00:00Z','end':'2000-01-03T14:00:00Z'}]}
                """);

        assertThat(run("showstart", "17")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("Actual start").contains("Latest completion");
        assertThat(run("showstart", "--format", "json", "17")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString().replaceAll("\\s", ""))
                .endsWith("{\"jobId\":\"17\",\"method\":\"actual\",\"start\":\"2000-01-03T11:30:00Z\","
                        + "\"end\":\"2000-01-03T12:30:00Z\"}");
        assertThat(run("showstart", "--format", "json", "18")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString().replaceAll("\\s", ""))
                .endsWith("{\"jobId\":\"18\",\"method\":\"reserved\",\"start\":\"2000-01-03T13:00:00Z\","
                        + "\"end\":\"2000-01-03T14:00:00Z\"}");
        assertThat(api.requests).isEmpty();
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
                .contains("Estimated hist based start             on Mon Jan 03 12:15:00 2000")
                .contains("Estimated hist based completion        on Mon Jan 03 13:15:00 2000")
                .contains("(half of 9 jobs of this size and length waited no longer than 00:45:00)");
        assertThat(api.requests).isEmpty();
        assertThat(run("showstart", "-e", "hist", "8@30:00")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("half of 9 jobs of this size waited");
        assertThat(run("showstart", "-e", "hist", "noone")).isEqualTo(ExitCode.FAILED);
        api.view("waits", "[]");
        assertThat(run("showstart", "-e", "hist", "18")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("no experience");
    }
}
