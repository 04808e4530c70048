package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.TriggerFiring;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** BlockTime, and the flags objectxmlstdin and cleanup: what the scheduler does for a program and because of it. */
@NullUnmarked
class TriggerAttributesTest {
    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private SchedulerFixture of(String policy) {
        site.policy(policy).iterate(0);
        return site;
    }

    private static String exec(String object, String type, String more) {
        return object + " TRIGGER=EType=" + type + ",AType=exec,Action=/opt/run" + more + "\n";
    }

    private List<TriggerFiring> firings(String actionType) {
        return site.outputs.stream()
                .map(Output::value)
                .filter(TriggerFiring.class::isInstance)
                .map(TriggerFiring.class::cast)
                .filter(firing -> firing.getActionType().equals(actionType))
                .toList();
    }

    private TriggerFiring run() {
        assertThat(firings("exec")).hasSize(1);
        return firings("exec").get(0);
    }

    private void answer(TriggerFiring firing, DeliveryOutcome outcome) {
        site.fact(DeliveryResult.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setDeliveryId(firing.getFiringId())
                .setChannel("exec")
                .setOutcome(outcome)
                .setAttempts(1)
                .setTime(at(0))
                .setKind("firing")
                .build());
    }

    private static Element parsed(String xml) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(xml)))
                    .getDocumentElement();
        } catch (Exception e) {
            throw new AssertionError(xml, e);
        }
    }

    private String reserve(String duration, String trigger) {
        site.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(
                                new NameValue("hostexp", "^n2$"),
                                new NameValue("duration", duration),
                                new NameValue("comment", "\"/><x a='&"),
                                new NameValue("trigger", trigger)))
                .iterate(1);
        assertThat(site.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        return site.publishedReservations.keySet().iterator().next();
    }

    @Test
    @Feature("TRIG-4")
    void shouldGiveAProgramItsNodeAsXml() {
        of(exec("NODECFG[n1]", "fail", ",Flags=objectxmlstdin")).nodes(1, 4).iterate(1);
        site.request("v", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("variable", "rack=\"<7>'&")))
                .iterate(2);
        site.node("n1", 4, NodeState.DOWN, node -> node.setOs("<os & \"more\">"))
                .iterate(10);
        Element node = parsed(run().getBody());
        assertThat(node.getTagName()).isEqualTo("node");
        assertThat(node.getAttribute("OID")).isEqualTo("n1");
        assertThat(node.getAttribute("STATE")).isEqualTo("DOWN");
        assertThat(node.getAttribute("OS")).isEqualTo("<os & \"more\">");
        assertThat(node.getAttribute("CATEGORY")).isNotEmpty();
    }

    @Test
    @Feature("TRIG-4")
    void shouldGiveAProgramItsJobAsXml() {
        of(exec("CLASSCFG[batch]", "end", ",Flags=objectxmlstdin"))
                .nodes(1, 4)
                .submit("j", 2, 1_000, report -> report.setJobClass("batch"))
                .iterate(5);
        site.report("j", JobState.RUNNING, Long.MAX_VALUE).end("j", 20).iterate(20);
        Element job = parsed(run().getBody());
        assertThat(job.getTagName()).isEqualTo("job");
        assertThat(job.getAttribute("JOBID")).isEqualTo("j");
        assertThat(job.getAttribute("HOSTLIST")).isEqualTo("n1");
        assertThat(job.getAttribute("COMPLETIONCODE")).isEqualTo("0");
    }

    @Test
    @Feature("TRIG-4")
    void shouldGiveAProgramItsReservationAsXml() {
        of("").nodes(2, 4).iterate(0);
        String id = reserve("1:00:00", "EType=start,AType=exec,Action=/opt/run,Flags=objectxmlstdin");
        site.iterate(2);
        Element reservation = parsed(run().getBody());
        assertThat(reservation.getTagName()).isEqualTo("rsv");
        assertThat(reservation.getAttribute("Name")).isEqualTo(id);
        assertThat(reservation.getAttribute("Comment")).startsWith("\"/><x a='&");
    }

    @Test
    @Feature("TRIG-4")
    void shouldBoundTheXmlOfAnObjectAndSayNothingUnasked() {
        of(exec("CLASSCFG[batch]", "start", ",Flags=objectxmlstdin") + exec("NODECFG[n1]", "fail", ""))
                .nodes(1, 4)
                .submit("j", 2, 1_000, report -> report.setJobClass("batch"))
                .iterate(0);
        List<NameValue> variables = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            variables.add(new NameValue("variable", "v" + i + "=" + "&".repeat(1_000)));
        }
        site.submit("k", 1, 1_000, report -> report.setJobClass("batch"));
        site.request("v", RequestKind.MODIFY_JOB, "k", variables).iterate(10);
        site.iterate(11);
        assertThat(firings("exec")).hasSize(2).allSatisfy(firing -> {
            assertThat(firing.getBody().length()).isLessThan(65_536);
            assertThat(parsed(firing.getBody()).getTagName()).isEqualTo("job");
        });
        site.node("n1", 4, NodeState.DOWN).iterate(20);
        assertThat(firings("exec"))
                .hasSize(3)
                .last()
                .satisfies(firing -> assertThat(firing.getBody()).isNull());
    }

    /** A node fails whose trigger blocks; a job waits that another node could run. */
    private void blocked(String time) {
        of(exec("NODECFG[n1]", "fail", ",BlockTime=" + time)).nodes(2, 4).iterate(1);
        site.node("n1", 4, NodeState.DOWN).submit("j", 1, 1_000).iterate(10);
        assertThat(run().getObjectId()).isEqualTo("n1");
        assertThat(site.started()).isEmpty();
    }

    @Test
    @Feature("TRIG-4")
    void shouldStartNoJobUntilAProgramHasEnded() {
        blocked("20");
        site.iterate(15);
        assertThat(site.started()).isEmpty();
        answer(run(), DeliveryOutcome.DELIVERED);
        site.iterate(16);
        assertThat(site.started()).containsExactly("j");
    }

    @Test
    @Feature("TRIG-4")
    void shouldWakeForTheSameWhileBlockedAfterARestart() {
        SchedulerFixture plain = new SchedulerFixture()
                .policy(exec("NODECFG[n1]", "gevent:go", ",BlockTime=30"))
                .nodes(1, 4)
                .submit("a", 4, 15)
                .submit("b", 4, 1_000);
        plain.iterate(0);
        plain.request("g", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("gevent", "go:now")))
                .iterate(5);
        plain.iterate(6);
        assertThat(plain.lastResult.nextWake()).isEqualTo(at(15));

        plain.rebuildingAlways().iterate(7);

        assertThat(plain.lastResult.nextWake()).isEqualTo(at(15));
    }

    @ParameterizedTest
    @ValueSource(strings = {"20", "5:00"})
    @Feature("TRIG-4")
    void shouldStartJobsAgainWhenTheBlockTimeIsOver(String time) {
        blocked(time);
        long until = 10 + (time.equals("20") ? 20 : 30);
        assertThat(site.lastResult.nextWake()).isEqualTo(at(until));
        site.iterate(until - 1);
        assertThat(site.started()).isEmpty();
        site.iterate(until);
        assertThat(site.started()).containsExactly("j");
    }

    @Test
    @Feature("TRIG-4")
    void shouldStartJobsOnceInAWhileHoweverManyTriggersBlock() {
        of(exec("NODECFG[DEFAULT]", "fail", ",BlockTime=30")).nodes(9, 16).iterate(1);
        List<Long> passes = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            long now = 10L * i;
            site.node("n" + i, 16, NodeState.DOWN).submit("j" + i, 1, 10_000).iterate(now);
            if (!site.lastCommands().isEmpty()) {
                passes.add(now);
            }
        }
        assertThat(passes).containsExactly(40L, 80L);
    }

    @Test
    @Feature("TRIG-4")
    void shouldNotLetUsersBlockTheScheduler() {
        of("QOSCFG[q] QFLAGS=TRIGGER").nodes(1, 4).submit("j", 1, 1_000).iterate(1);
        site.request(
                        "t",
                        "bob",
                        null,
                        RequestKind.MODIFY_JOB,
                        "j",
                        List.of(new NameValue("trigger", "EType=end,AType=mail,Action=x,BlockTime=10")))
                .iterate(2);
        assertThat(site.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.REFUSED);
    }

    @Test
    @Feature("TRIG-4")
    void shouldHaveAProgramStoppedWhoseJobIsOver() {
        of(exec("CLASSCFG[batch]", "start", ",Flags=cleanup,MaxRetry=3") + exec("CLASSCFG[other]", "start", ""))
                .nodes(1, 4)
                .submit("j", 1, 1_000, report -> report.setJobClass("batch"))
                .submit("k", 1, 1_000, report -> report.setJobClass("other"))
                .iterate(5);
        site.iterate(6);
        assertThat(firings("exec")).hasSize(2);
        site.report("j", JobState.RUNNING, Long.MAX_VALUE).report("k", JobState.RUNNING, Long.MAX_VALUE);
        site.iterate(7);
        assertThat(firings("stop")).isEmpty();
        site.end("j", 20).end("k", 20).iterate(20);
        site.iterate(21);
        TriggerFiring program = firings("exec").stream()
                .filter(firing -> firing.getObjectId().equals("j"))
                .findFirst()
                .orElseThrow();
        assertThat(firings("stop")).singleElement().satisfies(stop -> {
            assertThat(stop.getTarget()).isEqualTo(program.getFiringId());
            assertThat(stop.getTriggerId()).isEqualTo(program.getTriggerId());
        });
        answer(program, DeliveryOutcome.FAILED);
        site.iterate(30);
        site.iterate(31);
        assertThat(firings("exec"))
                .as("it is not tried again for a job that is over")
                .hasSize(2);
    }

    @Test
    @Feature("TRIG-4")
    void shouldHaveAProgramStoppedWhoseReservationIsReleased() {
        of("").nodes(2, 4).iterate(0);
        String id = reserve("1:00:00", "EType=start,AType=exec,Action=/opt/run,Flags=cleanup");
        site.iterate(2);
        assertThat(firings("exec")).hasSize(1);
        site.request("x", RequestKind.RELEASE_RESERVATION, id).iterate(10);
        site.iterate(11);
        assertThat(firings("stop"))
                .singleElement()
                .satisfies(stop -> assertThat(stop.getTarget()).isEqualTo(run().getFiringId()));
    }

    @Test
    @Feature("TRIG-4")
    void shouldHaveAProgramStoppedWhoseReservationGoesWithItsConfiguration() {
        of("SRCFG[always] HOSTLIST=n2 PERIOD=INFINITY\n" + exec("SRCFG[always]", "start", ",Flags=cleanup"))
                .nodes(2, 4)
                .iterate(1);
        site.iterate(2);
        TriggerFiring program = run();
        site.policy("").iterate(10);
        site.iterate(11);
        assertThat(firings("stop")).singleElement().satisfies(stop -> {
            assertThat(stop.getTarget()).isEqualTo(program.getFiringId());
            assertThat(stop.getTriggerId()).isEqualTo(program.getTriggerId());
        });
    }

    @Test
    @Feature("TRIG-4")
    void shouldStopNothingThatHasEnded() {
        of("").nodes(2, 4).iterate(0);
        String id = reserve("1:00:00", "EType=start,AType=exec,Action=/opt/run,Flags=cleanup");
        site.iterate(2);
        answer(run(), DeliveryOutcome.DELIVERED);
        site.request("x", RequestKind.RELEASE_RESERVATION, id).iterate(10);
        site.iterate(11);
        assertThat(firings("stop")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SCHEDCFG[c] TRIGGER=EType=fail,AType=mail,Action=x|never fires",
                "NODECFG[n] TRIGGER=EType=fail,AType=mail,Action=x,MaxRetry=1000|MaxRetry is 100, the most",
                "NODECFG[n] TRIGGER=EType=fail,AType=mail,Action=x,Flags=checkpoint|flag checkpoint has no effect",
                "NODECFG[n] TRIGGER=EType=fail,AType=mail,Action=x,Flags=cleanup|AType mail runs no program",
                "NODECFG[n] TRIGGER=EType=fail,AType=exec,Action=/x,BlockTime=31|no more than 30 are waited",
                "NODECFG[n] TRIGGER=EType=fail,AType=exec,Action=/x,Timeout=24:00:01|AType exec is ended after 86400",
                "NODECFG[n] TRIGGER=EType=fail,AType=http,Action=http://h/,Timeout=2:01|AType http is ended after 120",
                "NODECFG[n] TRIGGER=EType=fail,AType=exec,Action=/x,Flags=user|a node has no owner",
                "CLASSCFG[c] TRIGGER=EType=fail,AType=mail,Action=x,Flags=user+ann|AType mail runs no program"
            })
    @Feature("TRIG-1")
    void shouldWarnOfWhatHasNoEffect(String line) {
        String[] parts = line.split("\\|", -1);
        SitePolicy.Reading reading = SitePolicy.read(parts[0]);
        assertThat(reading.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.level()).isEqualTo(PolicyProblem.Level.WARNING);
            assertThat(problem.message()).contains(parts[1]);
        });
        assertThat(reading.policy().triggers().all()).hasSize(1);
    }

    @Test
    @Feature("TRIG-4")
    void shouldTakeJsonWithItsQuotesAsTheBodyOfARequest() {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=gevent:sick,AType=http,"
                        + "Action=\"POST http://desk/issue {\\\"node\\\":\\\"$OID\\\",\\\"why\\\":\\\"$MESSAGE\\\"}\"")
                .node("n1", 4, NodeState.IDLE)
                .iterate(0);
        site.fact(new GenericEvent(
                SchedulerFixture.CLUSTER, "sick", "node", "n1", "a \"fan\" \\ stopped", at(1), null, true, null));
        site.iterate(1);

        TriggerFiring firing = site.lastFirings().get(0);
        assertThat(firing.getTarget()).isEqualTo("http://desk/issue");
        assertThat(firing.getBody()).isEqualTo("{\"node\":\"n1\",\"why\":\"a \\\"fan\\\" \\\\ stopped\"}");
    }
}
