package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.priority.CredentialKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What showstats tells of credentials, and how it is begun anew. The scheduler is rebuilt before every input. */
@NullUnmarked
class CredentialStatisticsTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture().rebuildingAlways();
    private int asked;

    @Test
    @Feature("CMD-5")
    void shouldTellWhatTheJobsOfEachUserDid() {
        weir.nodes(4, 1).iterate(0);
        weir.submit("a", 4, 2 * HOUR, job -> job.setUser("ann").setGroup("chem"))
                .iterate(0);
        weir.submit("b", 1, 2 * HOUR, job -> job.setUser("bob").setGroup("chem"))
                .iterate(10);
        weir.report("a", JobState.RUNNING, Long.MAX_VALUE).end("a", HOUR).iterate(HOUR);
        weir.report("b", JobState.RUNNING, Long.MAX_VALUE).end("b", 2 * HOUR).iterate(2 * HOUR);
        weir.submit("c", 2, HOUR, job -> job.setUser("ann")).iterate(2 * HOUR);
        weir.report("c", JobState.RUNNING, Long.MAX_VALUE);

        Map<String, Map<String, String>> users = ask(2 * HOUR + 600, "user", "ALL");

        assertThat(users.keySet()).containsExactly("total", "user ann", "user bob");
        assertThat(users.get("user ann"))
                .containsEntry("since", SchedulerFixture.at(0).toString())
                .containsEntry("activeJobs", "1")
                .containsEntry("activeProcs", "2")
                .containsEntry("started", "2")
                .containsEntry("ended", "1")
                .containsEntry("succeeded", "1")
                .containsEntry("procSeconds", Long.toString(4 * HOUR + 2 * 600))
                .containsEntry("requestedProcSeconds", Long.toString(8 * HOUR))
                .containsEntry("averageQueueSeconds", "0")
                .containsEntry("averageExpansionMillis", "500")
                .containsEntry("usedSeconds", Long.toString(HOUR))
                .containsEntry("limitSeconds", Long.toString(2 * HOUR));
        assertThat(users.get("user bob"))
                .containsEntry("activeJobs", "0")
                .containsEntry("averageQueueSeconds", Long.toString(HOUR))
                .containsEntry("longestQueueSeconds", Long.toString(HOUR))
                .containsEntry("averageExpansionMillis", "1000");
        assertThat(users.get("total"))
                .containsEntry("ended", "2")
                .containsEntry("procSeconds", Long.toString(5 * HOUR + 2 * 600))
                .containsEntry("averageExpansionMillis", "750")
                .containsEntry("largestExpansionMillis", "1000")
                .containsEntry("upProcSeconds", Long.toString(4 * (2 * HOUR + 600)));
        assertThat(ask(2 * HOUR + 700, "group", "ALL").get("group chem")).containsEntry("ended", "2");
        assertThat(ask(2 * HOUR + 800, "user", "bob").keySet()).containsExactly("total", "user bob");
        assertThat(ask(2 * HOUR + 900, null, "ALL").keySet()).containsExactly("total");
        assertThat(refusal(2 * HOUR + 1000, "user", "carl")).contains("no job of user carl ran since");
        assertThat(refusal(2 * HOUR + 1100, null, "ann")).contains("kind is missing");
    }

    @Test
    @Feature("CMD-5")
    void shouldCountTheProcessorsThatAJobHasToItself() {
        weir.policy("NODEACCESSPOLICY SINGLEJOB").nodes(2, 8).iterate(0);
        weir.submit("a", 1, HOUR, job -> job.setUser("ann")).iterate(0);
        weir.report("a", JobState.RUNNING, Long.MAX_VALUE);
        assertThat(ask(60, "user", "ann").get("user ann"))
                .containsEntry("activeProcs", "8")
                .containsEntry("procSeconds", "480");

        weir.end("a", 100).iterate(100);
        assertThat(ask(200, "user", "ann").get("user ann"))
                .containsEntry("procSeconds", "800")
                .containsEntry("requestedProcSeconds", Long.toString(HOUR));
    }

    @Test
    @Feature("CMD-5")
    void shouldBeginAnewWhenTheStatisticsOfUsageAreCleared() {
        weir.nodes(2, 1).iterate(0);
        weir.submit("a", 2, 2 * HOUR).iterate(0);
        weir.report("a", JobState.RUNNING, Long.MAX_VALUE);
        control("clear", "usage").iterate(HOUR);
        assertThat(weir.lastAnswers().get(0).getMessage()).isEqualTo("statistics of usage cleared");

        Map<String, String> ann = ask(HOUR + 60, "user", "ALL").get("user ann");

        assertThat(ann)
                .containsEntry("since", SchedulerFixture.at(HOUR).toString())
                .containsEntry("started", "0")
                .containsEntry("activeJobs", "1")
                .containsEntry("procSeconds", "120");
        weir.end("a", HOUR + 120).iterate(HOUR + 120);
        assertThat(ask(HOUR + 300, "user", "ann").get("user ann"))
                .containsEntry("ended", "1")
                .containsEntry("procSeconds", "240");
    }

    @Test
    @Feature("CMD-5")
    void shouldTellTheTargetsOfFairshareAsTheyAreConfigured() {
        weir.policy("FSPOLICY DEDICATEDPS\nUSERCFG[ann] FSTARGET=12.5+\nGROUPCFG[DEFAULT] FSTARGET=25-\n")
                .nodes(2, 1)
                .iterate(0);
        weir.submit("a", 1, HOUR, job -> job.setUser("ann").setGroup("chem")).iterate(0);
        weir.submit("b", 1, HOUR, job -> job.setUser("bob").setGroup("bio")).iterate(1);

        assertThat(ask(60, "user", "ALL").get("user ann")).containsEntry("fsTarget", "12.5+");
        assertThat(ask(120, "user", "ann").get("user ann")).containsEntry("fsTarget", "12.5+");
        assertThat(ask(180, "user", "bob").get("user bob")).doesNotContainKey("fsTarget");
        assertThat(ask(240, "group", "ALL").get("group bio"))
                .as("of the DEFAULT entry")
                .containsEntry("fsTarget", "25-");
        assertThat(ask(300, "user", "ALL").get("total")).doesNotContainKey("fsTarget");
    }

    @Test
    @Feature("CMD-5")
    void shouldForgetPastUseWhenTheStatisticsOfFairshareAreCleared() {
        weir.policy("FSPOLICY DEDICATEDPS\nFSWEIGHT 1\nFSUSERWEIGHT 1\nUSERCFG[ann] FSTARGET=10\n")
                .nodes(1, 1)
                .submit("a", 1, 2 * HOUR)
                .iterate(0);
        weir.report("a", JobState.RUNNING, Long.MAX_VALUE).submit("b", 1, HOUR).iterate(HOUR);
        assertThat(fairshare(HOUR + 1)).isEqualTo("-90 -90 1");

        control("clear", "usage").iterate(HOUR + 2);
        assertThat(fairshare(HOUR + 2)).isEqualTo("-90 -90 1");
        control("clear", "fairshare").iterate(HOUR + 3);

        assertThat(fairshare(HOUR + 3)).isEqualTo("10 10 1");
        assertThat(ask(HOUR + 3, "user", "ann").get("total"))
                .containsEntry("since", SchedulerFixture.at(HOUR + 2).toString());
        control("clear", "all").iterate(HOUR + 4);
        assertThat(weir.lastAnswers().get(0).getMessage()).isEqualTo("statistics of usage and fairshare cleared");
        assertThat(ask(HOUR + 4, "user", "ann").get("total"))
                .containsEntry("since", SchedulerFixture.at(HOUR + 4).toString());
    }

    /** A label is a user, a group, an account, a class and a quality of service (01 §5.2); CA2 has the amounts. */
    @ParameterizedTest
    @EnumSource(CredentialKind.class)
    @Feature("CAT-30")
    void shouldTellWhatNodeTimeWasChargedToLabels(CredentialKind credential) {
        String kind = credential.name().toLowerCase(Locale.ROOT);
        weir.policy("NODECFG[DEFAULT] ENABLEPROFILING=TRUE\n"
                        + "NODECATCREDLIST down=BatchFailure,HardwareFailure,NetworkFailure idle=Idle")
                .nodes(2, 4);
        weir.adopt("j", 4, 2 * HOUR, 0, "n1").iterate(0);
        weir.node("n1", 4, NodeState.DOWN, node -> node.setReason("machine check"))
                .iterate(1800);
        String since = " since=" + SchedulerFixture.at(0);

        assertThat(credits(kind, "ALL"))
                .containsExactly(
                        "label=down" + since + " nodeSeconds=1800 procSeconds=7200",
                        "label=idle" + since + " nodeSeconds=3600 procSeconds=14400");
        assertThat(credits(kind, "down")).containsExactly("label=down" + since + " nodeSeconds=1800 procSeconds=7200");
        assertThat(refusal(HOUR, kind, "up")).contains("no job of " + kind + " up ran since");
    }

    private List<String> credits(String kind, String name) {
        ask(HOUR, kind, name);
        return weir.lastAnswers().get(0).getDetails().stream()
                .filter(detail -> detail.getName().equals("credit"))
                .map(NameValue::getValue)
                .toList();
    }

    /** A label that is a user with jobs is told of twice: by what his jobs did, and by what was charged to it. */
    @Test
    @Feature("CAT-30")
    void shouldTellOfAUserAndOfTheLabelOfHisName() {
        weir.policy("NODECFG[DEFAULT] ENABLEPROFILING=TRUE\nNODECATCREDLIST ann=Idle")
                .nodes(2, 1)
                .iterate(0);
        weir.submit("a", 1, 2 * HOUR, job -> job.setUser("ann")).iterate(0);

        Map<String, Map<String, String>> ann = ask(HOUR, "user", "ann");

        assertThat(ann.get("user ann")).containsEntry("procSeconds", Long.toString(HOUR));
        assertThat(ann.get("credit")).containsEntry("procSeconds", Long.toString(HOUR));
    }

    @Test
    void shouldSayWhatIsMissing() {
        weir.iterate(0);
        control("clear", null).iterate(1);

        assertThat(weir.lastAnswers().get(0).getMessage())
                .isEqualTo("statistics is missing; all, fairshare or usage is needed");
    }

    @Test
    void shouldTellAUserOnlyAboutHimself() {
        weir.nodes(1, 1).submit("a", 1, HOUR).iterate(0);
        NameValue user = new NameValue("kind", "user");

        weir.requestBy("ann", "q1", RequestKind.SHOW_CREDENTIAL_STATISTICS, "ann", user)
                .requestBy("bob", "q2", RequestKind.SHOW_CREDENTIAL_STATISTICS, "ann", user)
                .iterate(1);

        assertThat(weir.lastAnswers())
                .filteredOn(answer -> answer.getOutcome() == RequestOutcome.ACCEPTED)
                .extracting(RequestResult::getRequestId)
                .containsExactly("q1");
    }

    @Test
    void shouldCountTheUseOfARunThatIsRequeuedButNotItsEnd() {
        weir.nodes(1, 1).iterate(0);
        weir.submit("a", 1, HOUR).iterate(0);
        weir.report("a", JobState.RUNNING, Long.MAX_VALUE);
        weir.request("r", RequestKind.REQUEUE_JOB, "a").iterate(100);
        weir.answer("a", CommandOutcome.DONE, 100).node("n1", 1, NodeState.DOWN);
        weir.report("a", JobState.IDLE, Long.MAX_VALUE).iterate(100);

        assertThat(ask(500, "user", "ann").get("user ann"))
                .containsEntry("started", "1")
                .containsEntry("ended", "0")
                .containsEntry("activeJobs", "0")
                .containsEntry("procSeconds", "100");
    }

    @Test
    void shouldNotCountAStartThatWasRefused() {
        weir.nodes(1, 1).iterate(0);
        weir.submit("a", 1, HOUR).iterateSilently(0);
        weir.answer("a", CommandOutcome.REFUSED, 0)
                .node("n1", 1, NodeState.DOWN)
                .iterate(1);

        assertThat(ask(2, null, "ALL").get("total"))
                .containsEntry("started", "0")
                .containsEntry("procSeconds", "0");
    }

    @Test
    void shouldCountARunningJobByTheCredentialsItHadAtTheTime() {
        weir.policy("QOSCFG[high] PRIORITY=1\nQOSCFG[low] PRIORITY=1\nUSERCFG[ann] QLIST=high,low QDEF=low\n")
                .nodes(1, 1)
                .iterate(0);
        weir.submit("a", 1, HOUR, job -> job.setQos("low")).iterate(0);
        weir.report("a", JobState.RUNNING, Long.MAX_VALUE);
        weir.request("m", RequestKind.MODIFY_JOB, "a", List.of(new NameValue("qos", "high")))
                .iterate(100);

        Map<String, Map<String, String>> now = ask(160, "qos", "ALL");

        assertThat(now.get("qos low")).containsEntry("procSeconds", "100").containsEntry("activeJobs", "0");
        assertThat(now.get("qos high")).containsEntry("procSeconds", "60").containsEntry("activeJobs", "1");
        weir.end("a", 200).iterate(200);
        Map<String, Map<String, String>> then = ask(300, "qos", "ALL");
        assertThat(then.get("qos low")).containsEntry("procSeconds", "100");
        assertThat(then.get("qos high")).containsEntry("procSeconds", "100").containsEntry("ended", "1");
    }

    @Test
    void shouldNotCountTheTimeOfNodesThatAreDown() {
        weir.nodes(2, 4).iterate(0).iterate(100);
        weir.node("n2", 4, NodeState.DOWN).iterate(100);

        assertThat(ask(250, null, "ALL").get("total")).containsEntry("upProcSeconds", Long.toString(8 * 100 + 4 * 150));
    }

    private String fairshare(long time) {
        weir.request("p" + ++asked, RequestKind.SHOW_PRIORITY, "b").iterate(time);
        return weir.lastAnswers().get(0).getDetails().stream()
                .filter(detail -> detail.getName().equals("FS(User)"))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    private SchedulerFixture control(String action, String statistics) {
        List<NameValue> arguments = new ArrayList<>(List.of(new NameValue("action", action)));
        if (statistics != null) {
            arguments.add(new NameValue("statistics", statistics));
        }
        return weir.request("c" + ++asked, RequestKind.CONTROL_SCHEDULER, "-", arguments);
    }

    private Map<String, Map<String, String>> ask(long time, String kind, String name) {
        RequestResult answer = answer(time, kind, name);
        assertThat(answer.getOutcome()).as(answer.getMessage()).isEqualTo(RequestOutcome.ACCEPTED);
        Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        for (NameValue detail : answer.getDetails()) {
            Map<String, String> row = new LinkedHashMap<>();
            for (String pair : detail.getValue().split(" ", -1)) {
                row.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
            }
            rows.put(detail.getName(), row);
        }
        return rows;
    }

    private String refusal(long time, String kind, String name) {
        RequestResult answer = answer(time, kind, name);
        assertThat(answer.getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        return answer.getMessage();
    }

    private RequestResult answer(long time, String kind, String name) {
        List<NameValue> arguments = kind == null ? List.of() : List.of(new NameValue("kind", kind));
        weir.request("q" + ++asked, RequestKind.SHOW_CREDENTIAL_STATISTICS, name, arguments)
                .iterate(time);
        return weir.lastAnswers().get(0);
    }
}
