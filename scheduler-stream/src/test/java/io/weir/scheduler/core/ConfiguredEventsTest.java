package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.CommandKind;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RmCommand;
import io.weir.schemas.Severity;
import io.weir.schemas.TriggerFiring;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NullUnmarked
class ConfiguredEventsTest {
    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private SchedulerFixture with(String policy) {
        return site.policy(policy).nodes(2, 4).iterate(0);
    }

    private void down(String node) {
        site.node(node, 4, NodeState.DOWN);
    }

    private void up(String node) {
        site.node(node, 4, NodeState.IDLE);
    }

    private void event(String name, String node, boolean active, long time) {
        site.fact(new GenericEvent(
                SchedulerFixture.CLUSTER, name, "node", node, "measured", at(time), null, active, null));
    }

    private List<Notification> told(String event) {
        return site.lastNotifications().stream()
                .filter(notification -> notification.getEvent().equals(event))
                .toList();
    }

    @Test
    @Feature({"NOTE-1", "NOTE-3", "NOTE-4"})
    void GE1() {
        with("GEVENTCFG[nodedown] ACTION=notify REARM=00:20:00\nADMINCFG[1] USERS=root,ops");
        down("n1");
        site.iterate(60);
        assertThat(told("nodedown")).singleElement().satisfies(mail -> {
            assertThat(mail.getObjectId()).isEqualTo("n1");
            assertThat(mail.getRecipients()).containsExactly("root", "ops");
            assertThat(mail.getCount()).isEqualTo(1);
        });
        up("n1");
        site.iterate(360);
        down("n1");
        down("n2");
        site.iterate(660);
        assertThat(told("nodedown"))
                .singleElement()
                .satisfies(mail -> assertThat(mail.getObjectId()).isEqualTo("n2"));
        up("n1");
        site.iterate(900);
        down("n1");
        site.iterate(1560);
        assertThat(told("nodedown")).singleElement().satisfies(mail -> {
            assertThat(mail.getObjectId()).isEqualTo("n1");
            assertThat(mail.getText()).contains("number 3");
        });
    }

    @Test
    @Feature("NOTE-3")
    void GE2() {
        with("GEVENTCFG[fan] ACTION=notify ECOUNT=3 REARM=1:00\nGEVENTCFG[disk] ACTION=notify ECOUNT=3");
        for (int i = 1; i <= 6; i++) {
            event("fan", "n1", true, 10 * i);
            event("disk", "n1", true, 10 * i);
            site.iterate(10 * i);
            assertThat(told("fan")).as("report %s", i).hasSize(i == 3 ? 1 : 0);
            assertThat(told("disk")).as("report %s", i).hasSize(i % 3 == 0 ? 1 : 0);
        }
        event("fan", "n1", true, 90);
        site.iterate(90);
        assertThat(told("fan")).as("a minute after the third").hasSize(1);
    }

    @Test
    @Feature("NOTE-3")
    void shouldTellHowFarTheCountersAreAndWhenAnEventRearms() {
        with("GEVENTCFG[fan] ACTION=notify ECOUNT=3 REARM=1:00\nGEVENTCFG[disk] ACTION=notify ECOUNT=9");
        for (int i = 1; i <= 4; i++) {
            event("fan", "n1", true, 10 * i);
            event("disk", "n2", true, 10 * i);
            site.iterate(10 * i);
        }
        site.request("q1", RequestKind.SHOW_EVENTS, "ALL").iterate(50);
        assertThat(details())
                .containsExactly(
                        "event=fan",
                        "object=node:n1",
                        "active=true",
                        "total=4",
                        "counted=1",
                        "needed=3",
                        "fired=" + SchedulerFixture.at(30),
                        "rearms=" + SchedulerFixture.at(90),
                        "event=disk",
                        "object=node:n2",
                        "active=true",
                        "total=4",
                        "counted=4",
                        "needed=9");
        site.request("q2", RequestKind.SHOW_EVENTS, "n2").iterate(60);
        assertThat(details()).contains("event=disk").doesNotContain("event=fan");
        site.request("q3", RequestKind.SHOW_EVENTS, "fan").iterate(90);
        assertThat(details())
                .as("it is armed again")
                .contains("event=fan", "fired=" + SchedulerFixture.at(30))
                .noneMatch(detail -> detail.startsWith("rearms="));
        site.request("q4", RequestKind.SHOW_EVENTS, "n9").iterate(100);
        assertThat(site.lastAnswers().get(0).getMessage()).isEqualTo("no events");
    }

    private List<String> details() {
        return site.lastAnswers().get(0).getDetails().stream()
                .map(detail -> detail.getName() + "=" + detail.getValue())
                .toList();
    }

    @Test
    @Feature("NOTE-2")
    void GE3() {
        with("GEVENTCFG[cputemp>150] ACTION=notify");
        event("cputemp>150", "n1", true, 10); // 151
        site.iterate(10);
        assertThat(told("cputemp>150")).hasSize(1);
        event("cputemp>150", "n1", true, 20); // 152, told again
        site.iterate(20);
        assertThat(told("cputemp>150")).isEmpty();
        event("cputemp>150", "n1", false, 30); // 149
        site.iterate(30);
        event("cputemp>150", "n1", true, 40); // 155
        site.iterate(40);
        assertThat(told("cputemp>150")).hasSize(1);
    }

    @Test
    @Feature("NOTE-3")
    void GE4() {
        with("GEVENTCFG[fan] ACTION=notify ECOUNT=2");
        event("fan", "n1", true, 10);
        event("fan", "n1", true, 10);
        site.iterate(20);
        assertThat(told("fan")).isEmpty();
        event("fan", "n1", true, 11);
        site.iterate(30);
        assertThat(told("fan")).hasSize(1);
    }

    @Test
    @Feature("CAT-32")
    void GE5() {
        with("GEVENTCFG[nodedown] ACTION=notify:admin+manager+user\nADMINCFG[1] USERS=root\nADMINCFG[2] USERS=lead\n"
                + "USERCFG[bob] EMAILADDRESS=bob@site\nUSERCFG[ann] MANAGERS=chief");
        site.submit("a", 1, 1000, job -> job.setUser("ann"));
        site.submit("b", 1, 1000, job -> job.setUser("bob").setHosts(List.of()));
        site.iterate(10);
        String node = site.job("a").getAllocation().get(0).getNodeId();
        assertThat(site.job("b").getAllocation().get(0).getNodeId()).isEqualTo(node);
        down(node);
        site.iterate(20);
        assertThat(told("nodedown"))
                .extracting(Notification::getRecipients)
                .containsExactly(List.of("root"), List.of("lead", "chief"), List.of("ann"), List.of("bob@site"));
        assertThat(told("nodedown")).extracting(Notification::getOwner).containsExactly(null, null, "ann", "bob");
    }

    @Test
    @Feature("NOTE-3")
    void shouldActOnTheObjectOfAnEventAndTakeItBackWhenTheEventIsOver() {
        with("GEVENTCFG[hot] ACTION=disable,execute:/opt/cool?$OID?\"$MESSAGE\",reserve:1:00:00 SEVERITY=3");
        site.fact(new GenericEvent(
                SchedulerFixture.CLUSTER, "hot", "node", "n1", "hot; rm -rf / $OID\nx", at(10), null, true, null));
        site.iterate(10);
        assertThat(site.lastFirings()).singleElement().satisfies(firing -> {
            assertThat(firing.getActionType()).isEqualTo("exec");
            assertThat(firing.getTarget()).isEqualTo("/opt/cool");
            assertThat(firing.getArguments()).first().isEqualTo("n1");
            assertThat(firing.getArguments().get(1)).contains("hot; rm -rf / $OID x");
            assertThat(firing.getSeverity()).isEqualTo(Severity.ERROR);
        });
        assertThat(site.lastCommands())
                .extracting(command -> command.getKind().name())
                .contains("DRAIN_NODE");
        assertThat(site.publishedReservations).containsOnlyKeys("failure.n1.1");
        assertThat(site.publishedReservations.get("failure.n1.1").getEnd()).isEqualTo(at(3_610));
        event("hot", "n1", false, 20);
        site.iterate(20);
        assertThat(site.lastCommands())
                .extracting(command -> command.getKind().name())
                .contains("RESUME_NODE");
    }

    @Test
    @Feature("NOTE-3")
    void shouldKeepANodeOutOfServiceUntilTheLastEventThatDisablesItIsOver() {
        with("GEVENTCFG[hot] ACTION=disable\nGEVENTCFG[fan] ACTION=disable\nGEVENTCFG[leak] ACTION=disable:node:n1");
        event("hot", "n1", true, 10);
        event("fan", "n1", true, 10);
        event("leak", "n2", true, 10);
        site.iterate(10);
        assertThat(commands()).containsOnly("DRAIN_NODE n1");
        event("hot", "n1", false, 20);
        site.iterate(20);
        event("fan", "n1", false, 30);
        site.iterate(30);
        assertThat(commands()).isEmpty();
        event("leak", "n2", false, 40);
        site.iterate(40);
        assertThat(commands()).containsExactly("RESUME_NODE n1");
    }

    private void change(String id, String attribute, String value) {
        site.request(id, RequestKind.MODIFY_NODE, "n1", List.of(new NameValue(attribute, value)));
    }

    /** Whoever clears an event says that it is over, as its source may. */
    @ParameterizedTest
    @ValueSource(strings = {"gevent:hot", "gevent"})
    @Feature("NOTE-3")
    void shouldTakeBackWhatWasDoneAboutAnEventThatIsCleared(String what) {
        with("GEVENTCFG[hot] ACTION=disable,record ESCALATE=10:notify");
        change("r1", "gevent", "hot:fan stopped");
        site.iterate(10);
        site.iterate(11);
        assertThat(commands()).contains("DRAIN_NODE n1");
        site.node("n1", 4, NodeState.DRAINED, node -> node.setReason("requested by gevent"))
                .iterate(12);
        change("r2", "clear", what);
        site.iterate(13);
        site.iterate(14);
        assertThat(commands()).containsExactly("RESUME_NODE n1");
        assertThat(site.iterate(30).lastNotifications())
                .noneMatch(notice -> notice.getEvent().equals("hot"));
        site.request("r3", RequestKind.SHOW_EVENTS, "ALL").iterate(40);
        assertThat(details()).contains("event=hot", "active=false");
    }

    /** Some events are known to the configuration alone. */
    @Test
    @Feature("NOTE-3")
    void shouldClearAnEventThatTheNodeDoesNotHave() {
        with("GEVENTCFG[nodefailing] ACTION=record ESCALATE=10:notify:admin\nADMINCFG[1] USERS=ops");
        change("r1", "failing", "disk");
        site.iterate(10);
        change("r2", "clear", "gevent:nodefailing");
        site.iterate(11);
        assertThat(site.iterate(30).lastNotifications())
                .noneMatch(notice -> notice.getEvent().equals("nodefailing"));
        change("r3", "clear", "gevent:unknown");
        site.iterate(31);
        assertThat(site.lastAnswers())
                .singleElement()
                .satisfies(result -> assertThat(result.getMessage()).contains("has no gevent unknown"));
    }

    @Test
    @Feature("NOTE-3")
    void shouldKnowItsOwnEventsByAnyCase() {
        with("GEVENTCFG[NODEDOWN] ACTION=notify SEVERITY=4\nGEVENTCFG[Fan] ACTION=notify\nADMINCFG[1] USERS=ops");
        down("n1");
        event("fan", "n2", true, 10);
        site.iterate(10);
        assertThat(told("nodedown"))
                .singleElement()
                .satisfies(mail -> assertThat(mail.getRecipients()).containsExactly("ops"));
        assertThat(told("fan")).isEmpty();
    }

    @Test
    @Feature("NOTE-3")
    void shouldLeaveANodeToThoseWhoDrainedIt() {
        with("GEVENTCFG[hot] ACTION=disable");
        site.node("n1", 4, NodeState.DRAINED, node -> node.setReason("memory is replaced"));
        event("hot", "n1", true, 10);
        event("hot", "n2", true, 10);
        site.iterate(10);
        assertThat(commands()).containsExactly("DRAIN_NODE n2");
        site.node("n2", 4, NodeState.DRAINED, node -> node.setReason("requested by gevent"));
        event("hot", "n1", false, 20);
        event("hot", "n2", false, 20);
        site.iterate(20);
        assertThat(commands()).containsExactly("RESUME_NODE n2");
    }

    @Test
    @Feature("NOTE-3")
    void shouldPutANodeBackIntoServiceWhoseEventIsConfiguredNoMore() {
        with("GEVENTCFG[hot] ACTION=disable");
        event("hot", "n1", true, 10);
        site.iterate(10);
        assertThat(commands()).containsExactly("DRAIN_NODE n1");
        site.policy("").iterate(20);
        assertThat(commands()).containsExactly("RESUME_NODE n1");
        site.iterate(30);
        assertThat(commands()).isEmpty();
    }

    private List<String> commands() {
        return site.lastCommands().stream()
                .map(command -> command.getKind() + " " + command.getObjectId())
                .toList();
    }

    @Test
    @Feature("NOTE-3")
    void shouldTellOfNothingThatIsNotRecordedUnlessTheConfigurationActsOnIt() {
        with("RECORDEVENTLIST=-nodeup\nGEVENTCFG[nodedown] ACTION=record");
        down("n1");
        site.iterate(10);
        assertThat(told("nodedown")).hasSize(1);
        up("n1");
        site.iterate(20);
        assertThat(told("nodeup")).isEmpty();
        site.policy("RECORDEVENTLIST=nodeup +nodedown -nodeup").iterate(25);
        down("n1");
        site.iterate(30);
        assertThat(told("nodedown")).hasSize(1);
        up("n1");
        site.iterate(40);
        assertThat(told("nodeup")).isEmpty();
        site.policy("").iterate(45);
        down("n1");
        site.iterate(50);
        up("n1");
        site.iterate(60);
        assertThat(told("nodeup")).hasSize(1);
    }

    /** The same words as those of AType=jobpreempt. */
    @Test
    @Feature("NOTE-3")
    void shouldPreemptInEachOfTheWaysThereAre() {
        for (String way : List.of("requeue", "suspend", "checkpoint", "cancel")) {
            var reading = io.weir.scheduler.core.policy.SitePolicy.read("GEVENTCFG[a] ACTION=preempt:" + way);
            assertThat(reading.problems()).as(way).isEmpty();
        }
        with("GEVENTCFG[hot] ACTION=preempt:checkpoint")
                .adopt("j", 2, 1_000, 0, "n1")
                .iterate(1);
        event("hot", "n1", true, 10);
        site.iterate(10);
        assertThat(site.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.REQUEUE_JOB);
    }

    @Test
    @Feature("NOTE-3")
    void shouldLeaveOutActionsThatCannotBeCarriedOut() {
        for (String wrong : List.of(
                "notify:admins",
                "execute:cool",
                "execute",
                "disable:job:7",
                "reserve:soon",
                "reserve:0",
                "preempt:kill",
                "signal:$(x)",
                "off:now")) {
            var reading = io.weir.scheduler.core.policy.SitePolicy.read(
                    "GEVENTCFG[a] ACTION=record," + wrong + " ESCALATE=1:00:" + wrong);
            assertThat(reading.problems())
                    .extracting(Object::toString)
                    .filteredOn(problem ->
                            problem.contains("'" + wrong.split(":", 2)[0].toUpperCase(java.util.Locale.ROOT)))
                    .hasSize(1);
            assertThat(reading.problems()).hasSize(2);
            assertThat(reading.policy().events().byEvent().get("a").actions()).hasSize(1);
            assertThat(reading.policy().events().byEvent().get("a").escalations())
                    .isEmpty();
        }
    }

    @Test
    @Feature("NOTE-3")
    void shouldEscalateWhileAnEventLasts() {
        with("GEVENTCFG[hot] ACTION=record ESCALATE=10:00:notify:manager;20:00:signal:USR1\nADMINCFG[2] USERS=lead");
        event("hot", "n1", true, 0);
        event("hot", "n2", true, 0);
        site.iterate(0);
        assertThat(told("hot")).hasSize(2);
        event("hot", "n2", false, 300);
        site.iterate(600);
        assertThat(told("hot")).singleElement().satisfies(mail -> {
            assertThat(mail.getObjectId()).isEqualTo("n1");
            assertThat(mail.getRecipients()).containsExactly("lead");
        });
        site.iterate(601);
        assertThat(told("hot")).isEmpty();
        assertThat(site.lastResult.nextWake()).isEqualTo(at(1200));
    }

    @Test
    @Feature("NOTE-3")
    void shouldActOnAStormWithinItsBudget() {
        SchedulerFixture site = new SchedulerFixture().policy("GEVENTCFG[nodedown] ACTION=notify REARM=1:00:00");
        for (int i = 0; i < 2_500; i++) {
            site.node("s" + i, 1, NodeState.IDLE);
        }
        site.iterate(10);
        for (int i = 0; i < 2_500; i++) {
            site.node("s" + i, 1, NodeState.DOWN);
        }
        int told = 0;
        for (int i = 0; i < 3; i++) {
            site.iterate(20 + i);
            told += site.lastNotifications().size();
            assertThat(site.lastNotifications()).hasSizeLessThanOrEqualTo(2_000);
        }
        assertThat(told).isEqualTo(2_500);
        assertThat(site.snapshot().stream()
                        .filter(change -> change.kind().name().equals("EVENT"))
                        .count())
                .isEqualTo(2_500);
    }

    @Test
    @Feature("NOTE-3")
    void shouldReportWhatIsNoRule() {
        var reading = io.weir.scheduler.core.policy.SitePolicy.read(
                "GEVENTCFG[a] ECOUNT=2\nGEVENTCFG[b] ACTION=dance,notify\nGEVENTCFG[c] ACTION=record ESCALATE=soon:notify");
        assertThat(reading.problems())
                .extracting(Object::toString)
                .anySatisfy(
                        problem -> assertThat(problem).contains("GEVENTCFG[a]").contains("no ACTION"))
                .anySatisfy(problem -> assertThat(problem).contains("dance"))
                .anySatisfy(problem -> assertThat(problem).contains("soon:notify"));
        assertThat(reading.policy().events().byEvent()).containsKey("c");
    }

    @Test
    void shouldKeepTheIdsOfItsOwnRequestsToItself() {
        with("");
        site.request("weir:auto:7:0", RequestKind.MODIFY_NODE, "n1").iterate(10);
        assertThat(site.lastAnswers())
                .singleElement()
                .satisfies(answer -> assertThat(answer.getMessage()).contains("choose another"));
        assertThat(site.lastCommands()).extracting(RmCommand::getKind).isEmpty();
        assertThat(site.lastFirings()).extracting(TriggerFiring::getTriggerId).isEmpty();
    }

    @Test
    @Feature("NOTE-4")
    void shouldTellEachLevelOfTheEventsItSubscribesToAtAddressesOfTheMailDomain() {
        with("GEVENTCFG[nodedown] ACTION=notify:admin+manager\nGEVENTCFG[fan] ACTION=notify:admin+manager\n"
                + "ADMINCFG[1] USERS=root,ops@site.org EVENTSUBSCRIPTION=FAN,jobfail\n"
                + "ADMINCFG[2] USERS=olga EVENTSUBSCRIPTION=nodedown\nADMINCFG[3] USERS=otto\n"
                + "USERCFG[otto] EMAILADDRESS=otto@home.org\nMAILDOMAIN example.org");
        down("n1");
        site.iterate(10);
        assertThat(told("nodedown"))
                .extracting(Notification::getRecipients)
                .containsExactly(List.of("olga@example.org", "otto@home.org"));
        event("fan", "n1", true, 20);
        site.iterate(20);
        assertThat(told("fan"))
                .extracting(Notification::getRecipients)
                .containsExactly(List.of("root@example.org", "ops@site.org"), List.of("otto@home.org"));
    }
}
