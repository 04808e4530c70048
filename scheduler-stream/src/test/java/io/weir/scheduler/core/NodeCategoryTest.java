package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.schemas.CategoryClass;
import io.weir.schemas.CategoryInterval;
import io.weir.schemas.CategorySource;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a node is busy with, or ails from, in one word; and what nodes spent in each. */
@NullUnmarked
class NodeCategoryTest {
    private static final String PROFILED = "NODECFG[DEFAULT] ENABLEPROFILING=TRUE\n";
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();
    private int asked;

    @Test
    @Feature({"CAT-20", "CAT-31"})
    void CA1() {
        hourOfTwoNodes("");

        assertThat(row("category", "HardwareFailure")).containsEntry("nodeSeconds", "1800");
        assertThat(row("category", "Active")).containsEntry("nodeSeconds", "1800");
        assertThat(row("category", "Idle")).containsEntry("nodeSeconds", "3600");
        Map<String, String> cluster = rows("cluster").get(0);
        assertThat(100.0 * number(cluster, "failedSeconds") / number(cluster, "totalSeconds"))
                .isEqualTo(25.0);
        assertThat(rows("node n1").get(0))
                .containsEntry("secondsBetweenFailures", "1800")
                .containsEntry("secondsToRepair", "1800")
                .containsEntry("failures", "1")
                .containsEntry("upSeconds", "1800");
        assertThat(rows("node n2").get(0)).containsEntry("secondsBetweenFailures", "3600");
    }

    @Test
    @Feature("CAT-30")
    void CA2() {
        hourOfTwoNodes("NODECATCREDLIST down=BatchFailure,HardwareFailure,NetworkFailure idle=Idle\n");

        assertThat(row("credit", "down")).containsEntry("nodeSeconds", "1800").containsEntry("procSeconds", "7200");
        assertThat(row("credit", "idle")).containsEntry("procSeconds", "14400");
        assertThat(rows("credit")).hasSize(2);
    }

    /** Two nodes of four processors: one works for half an hour and then breaks, the other is idle. */
    private void hourOfTwoNodes(String policy) {
        weir.policy(PROFILED + policy).nodes(2, 4);
        weir.adopt("j", 4, 2 * HOUR, 0, "n1").iterate(0);
        weir.node("n1", 4, NodeState.DOWN, node -> node.setReason("machine check"))
                .iterate(1800);
        ask(HOUR, "ALL");
    }

    @Test
    @Feature("CAT-1")
    void shouldCallANodeWithAJobActive() {
        weir.policy(PROFILED).nodes(1, 4);
        weir.adopt("j", 1, HOUR, 0, "n1").iterate(0);
        assertThat(category("n1")).isEqualTo("Active");
    }

    @Test
    @Feature("CAT-7")
    void shouldCallAHealthyNodeWithoutWorkIdle() {
        weir.policy(PROFILED).nodes(1, 4).iterate(0);
        assertThat(category("n1")).isEqualTo("Idle");
    }

    @ParameterizedTest
    @CsvSource({
        "DRAINED, false, true",
        "DRAINING, false, true",
        "UNKNOWN, false, true",
        "IDLE, true, true",
        "IDLE, false, false"
    })
    @Feature("CAT-10")
    void shouldCallANodeThatIsNeitherHealthyNorBrokenOther(NodeState state, boolean failing, boolean on) {
        weir.policy(PROFILED)
                .node("n1", 4, state, node -> node.setFailing(failing).setPoweredOn(on));
        weir.iterate(0);
        assertThat(category("n1")).isEqualTo("Other");
    }

    @Test
    @Feature("CAT-11")
    void shouldCallANodeThatIsDownWithoutACauseOtherFailure() {
        weir.policy(PROFILED).node("n1", 4, NodeState.DOWN).iterate(0);
        assertThat(category("n1")).isEqualTo("OtherFailure");
        assertThat(detail("categorySource")).isEqualTo("STATE");
    }

    @ParameterizedTest
    @Feature({"CAT-5", "CAT-9", "CAT-14", "CAT-17", "CAT-22"})
    @CsvSource({
        "machine check, HardwareFailure",
        "PSU 2 lost, HardwareFailure",
        "node overheated, HardwareFailure",
        "uncorrectable ECC error, HardwareFailure",
        "fan stopped, HardwareFailure",
        "link down, NetworkFailure",
        "IB port is off, NetworkFailure",
        "InfiniBand card lost, NetworkFailure",
        "gateway unreachable, NetworkFailure",
        "lustre mount lost, StorageFailure",
        "disk full on /tmp, StorageFailure",
        "I/O error on sda, StorageFailure",
        "pbs_mom daemon not running, BatchFailure",
        "slurmd died, BatchFailure",
        "Not responding, BatchFailure",
        "automount hangs, SoftwareFailure",
        "cron daemon is not running, SoftwareFailure",
        "sssd gone, SoftwareFailure",
        "sacked by a tribe of elves, OtherFailure"
    })
    void shouldFindTheCauseOfAFailureWithoutAnyConfiguration(String reason, String category) {
        weir.node("n1", 4, NodeState.DOWN, node -> node.setReason(reason)).iterate(0);
        assertThat(category("n1")).isEqualTo(category);
        assertThat(detail("categoryCause")).contains(reason);
    }

    @Test
    @Feature("CAT-22")
    void shouldFindTheCauseInMessagesAndEvents() {
        weir.node("m", 4, NodeState.DOWN, node -> node.setMessages(List.of("thermal trip")))
                .node("e", 4, NodeState.DOWN);
        weir.fact(event("e", "fsck", "filesystem is read-only"));
        weir.iterate(0);

        assertThat(category("m")).isEqualTo("HardwareFailure");
        assertThat(category("e")).isEqualTo("StorageFailure");
        assertThat(detail("categoryRule")).isEqualTo("built-in StorageFailure");
    }

    @Test
    @Feature("CAT-22")
    void shouldCallANodeThatIsUpBrokenOnlyWhereItsHealthIsReportedAsAnError() {
        weir.node("n1", 4, NodeState.IDLE, node -> node.setMessages(List.of("ERROR nfs stale handle")))
                .node("n2", 4, NodeState.IDLE, node -> node.setMessages(List.of("disk full by Friday")))
                .node("n3", 4, NodeState.IDLE, node -> node.setMessages(List.of("ERROR something")));
        weir.iterate(0);

        assertThat(category("n1")).isEqualTo("StorageFailure");
        assertThat(category("n2")).isEqualTo("Idle");
        assertThat(category("n3")).isEqualTo("OtherFailure");
    }

    @Test
    void shouldLetTheRankDecideBetweenTextsAndTheRulesWithinOne() {
        weir.node(
                        "n1",
                        4,
                        NodeState.DOWN,
                        node -> node.setReason("slurmd died").setMessages(List.of("sssd gone", "link down")))
                .node("n2", 4, NodeState.DOWN, node -> node.setReason("service slurmd failed"));
        weir.iterate(0);

        assertThat(category("n1")).isEqualTo("NetworkFailure");
        assertThat(category("n2")).isEqualTo("BatchFailure");
    }

    @Test
    void shouldTryTheSitesRulesFirst() {
        weir.policy("NODECATRULE[10] CATEGORY=netfail MATCH=elves\nNODECATRULE[2] CATEGORY=Site3 MATCH=\"elves|fan\"");
        weir.node("n1", 4, NodeState.DOWN, node -> node.setReason("a tribe of ELVES"))
                .iterate(0);

        assertThat(category("n1")).isEqualTo("Site3");
        assertThat(detail("categoryRule")).isEqualTo("NODECATRULE[2]");
    }

    @ParameterizedTest
    @Feature({"CAT-3", "CAT-4", "CAT-6", "CAT-13", "CAT-15", "CAT-21"})
    @CsvSource({
        "emain, EmergencyMaintenance, MAINTENANCE",
        "hwmain, HardwareMaintenance, MAINTENANCE",
        "swmain, SoftwareMaintenance, MAINTENANCE",
        "bench, Benchmark, RESERVED",
        "site1, Site1, SITE",
        "site2, Site2, SITE",
        "site3, Site3, SITE",
        "site4, Site4, SITE",
        "site5, Site5, SITE",
        "site6, Site6, SITE",
        "SITE7, Site7, SITE",
        "Site8, Site8, SITE"
    })
    void shouldTakeTheSubtypeOfAReservationFromItsStartToItsEnd(String subtype, String name, CategoryClass counts) {
        weir.policy(PROFILED).nodes(2, 4).iterate(0);
        create(0, "hosts", "n1", "subtype", subtype, "start", "+0:00:10", "duration", "100");
        assertThat(lastNextWake()).isEqualTo(10);
        weir.iterate(10);
        assertThat(category("n1")).isEqualTo(name);
        assertThat(category("n2")).isEqualTo("Idle");
        assertThat(lastNextWake()).isEqualTo(110);
        weir.iterate(110);

        assertThat(category("n1")).isEqualTo("Idle");
        CategoryInterval held = intervals("n1").get(1);
        assertThat(held.getCategory()).isEqualTo(name);
        assertThat(held.getCategoryClass()).isEqualTo(counts);
        assertThat(held.getSource()).isEqualTo(CategorySource.RESERVATION);
        assertThat(held.getCause()).isEqualTo("subtype of reservation system.1");
        assertThat(held.getSeconds()).isEqualTo(100);
        assertThat(held.getNext()).isEqualTo("Idle");
    }

    @Test
    void shouldTakeTheSubtypeOfAStandingReservation() {
        weir.policy(PROFILED + "SRCFG[fix] HOSTLIST=n1 PERIOD=INFINITY SUBTYPE=hwmain DEPTH=1")
                .nodes(2, 4);
        weir.iterate(0).iterate(1);
        assertThat(category("n1")).isEqualTo("HardwareMaintenance");
    }

    @Test
    @Feature("CAT-16")
    void shouldTellANodeInAStandingReservation() {
        weir.policy(PROFILED + "SRCFG[night] HOSTLIST=n1 PERIOD=INFINITY CLASSLIST=batch DEPTH=1")
                .nodes(2, 4);
        weir.iterate(0).iterate(1);
        assertThat(category("n1")).isEqualTo("StandingReservation");
        assertThat(category("n2")).isEqualTo("Idle");
    }

    @Test
    @Feature("CAT-12")
    void shouldTellANodeThatAUserReservedForHimself() {
        weir.policy(PROFILED + "RSVCTLPOLICY ANY").nodes(1, 4).iterate(0);
        weir.requestBy("joe", "own", RequestKind.CREATE_RESERVATION, "-", pair("hosts", "n1"))
                .iterate(1);
        assertThat(weir.lastAnswers().get(0).getOutcome())
                .as(weir.lastAnswers().get(0).getMessage())
                .isEqualTo(RequestOutcome.ACCEPTED);
        assertThat(category("n1")).isEqualTo("PersonalReservation");
    }

    /** The other user's name begins with the owner's. */
    @Test
    @Feature({"CAT-12", "CAT-18"})
    void shouldNotTakeAReservationForAnotherUserForAPersonalOne() {
        weir.policy(PROFILED + "RSVCTLPOLICY ANY").nodes(1, 4).iterate(0);
        weir.requestBy(
                        "joe",
                        "other",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        pair("hosts", "n1"),
                        pair("acl", "USER==joelle"))
                .iterate(1);
        assertThat(weir.lastAnswers().get(0).getOutcome())
                .as(weir.lastAnswers().get(0).getMessage())
                .isEqualTo(RequestOutcome.ACCEPTED);
        assertThat(category("n1")).isEqualTo("UserReservation");
    }

    @Test
    @Feature("CAT-18")
    void shouldTellANodeReservedForUsersUntilAJobRunsOnIt() {
        weir.policy(PROFILED).nodes(1, 4).iterate(0);
        create(1, "hosts", "n1", "acl", "USER==ann");
        assertThat(category("n1")).isEqualTo("UserReservation");

        weir.adopt("j", 1, HOUR, 0, "n1").iterate(2);
        assertThat(category("n1")).isEqualTo("Active");
    }

    @Test
    @Feature("CAT-18")
    void shouldKeepToAnExplicitUserReservationThoughAJobRuns() {
        weir.policy(PROFILED).nodes(1, 4).iterate(0);
        create(1, "hosts", "n1", "acl", "USER==ann", "subtype", "user");
        weir.adopt("j", 1, HOUR, 0, "n1").iterate(2);
        assertThat(category("n1")).isEqualTo("UserReservation");

        weir.node("n1", 4, NodeState.DOWN, node -> node.setReason("fan")).iterate(3);
        assertThat(category("n1")).isEqualTo("HardwareFailure");
    }

    /** The start was refused, so the nodes stay reserved for the job, which does not run. */
    @Test
    @Feature("CAT-8")
    void shouldTellANodeReservedForAJobThatDoesNotRunYet() {
        weir.policy(PROFILED + "NODECFG[n1] FEATURES=fast\nRESERVATIONRETRYTIME 1:00:00")
                .nodes(2, 4);
        weir.submit("j", 4, HOUR).iterateSilently(0);
        String node = weir.job("j").getAllocation().get(0).getNodeId();
        weir.answer("j", io.weir.schemas.CommandOutcome.REFUSED, 1)
                .iterateSilently(1)
                .iterateSilently(2);

        assertThat(weir.publishedReservations).containsKey("j");
        assertThat(category(node)).isEqualTo("JobReservation");
    }

    @Test
    @Feature("CAT-19")
    void shouldRankReservationsWithSubtypesBeforeExplicitCategoriesBeforeFailures() {
        weir.policy(PROFILED).node("n1", 4, NodeState.DOWN, node -> node.setReason("fan"));
        weir.iterate(0);
        modify(1, "n1", "category", "Site4");
        assertThat(category("n1")).isEqualTo("Site4");

        create(2, "hosts", "n1", "subtype", "idle");
        assertThat(category("n1")).isEqualTo("Idle");
        create(3, "hosts", "n1", "subtype", "site8", "start", "+0:00:01");
        weir.iterate(4);
        create(5, "hosts", "n1", "subtype", "site2");
        assertThat(category("n1")).as("the earliest of one rank").isEqualTo("Site8");
        create(6, "hosts", "n1", "subtype", "bench");
        assertThat(category("n1")).isEqualTo("Benchmark");
        create(7, "hosts", "n1", "subtype", "emain");
        assertThat(category("n1")).isEqualTo("EmergencyMaintenance");
    }

    @Test
    @Feature({"CAT-25", "CAT-28"})
    void shouldTakeTheCategoryThatTheResourceManagerReports() {
        weir.policy(PROFILED)
                .node("n1", 4, NodeState.IDLE, node -> node.setCategory("storfail"))
                .node("n2", 4, NodeState.IDLE, node -> node.setVariables(List.of(pair("NODECATEGORY", "site5"))));
        weir.iterate(0);

        assertThat(category("n1")).isEqualTo("StorageFailure");
        assertThat(detail("categorySource")).isEqualTo("RESOURCE_MANAGER");
        assertThat(category("n2")).isEqualTo("Site5");
    }

    @Test
    @Feature("CAT-28")
    void shouldWarnOfACategoryOfTheResourceManagerThatThereIsNot() {
        weir.policy(PROFILED)
                .node("n1", 4, NodeState.IDLE, node -> node.setCategory("StorageFailur"))
                .node("n2", 4, NodeState.DOWN, node -> node.setVariables(List.of(pair("NODECATEGORY", "disk"))));
        weir.iterate(0);

        assertThat(category("n1")).isEqualTo("Idle");
        assertThat(detail("warning")).contains("'StorageFailur'", "is ignored", "storfail");
        assertThat(category("n2")).isEqualTo("OtherFailure");
        assertThat(detail("warning")).contains("'disk'", "NODECATEGORY");
        assertThat(weir.outputs)
                .filteredOn(output -> output.value() instanceof Notification)
                .extracting(output -> (Notification) output.value())
                .filteredOn(notification -> notification.getEvent().equals("nodecategory"))
                .extracting(Notification::getObjectId)
                .containsExactly("n1", "n2");
        assertThat(weir.outputs)
                .filteredOn(output -> output.value() instanceof NodeStatus)
                .extracting(output -> (NodeStatus) output.value())
                .filteredOn(status -> status.getNodeId().equals("n1"))
                .allSatisfy(status -> assertThat(status.getMessages())
                        .singleElement()
                        .asString()
                        .contains("'StorageFailur'"));

        weir.node("n1", 4, NodeState.IDLE, node -> node.setCategory("NONE")).iterate(10);
        assertThat(category("n1")).isEqualTo("Idle");
        assertThat(detail("warning")).isNull();
    }

    @Test
    @Feature("CAT-28")
    void shouldEndTheCategoryOfTheResourceManagerWithTheFirstReportWithoutIt() {
        weir.policy(PROFILED)
                .node("n1", 4, NodeState.IDLE, node -> node.setCategory("bench"))
                .iterate(0);
        assertThat(category("n1")).isEqualTo("Benchmark");

        weir.node("n1", 4, NodeState.IDLE).iterate(10);
        assertThat(category("n1")).isEqualTo("Idle");
    }

    @Test
    @Feature("CAT-30")
    void shouldWarnOfALabelThatIsAUserWithJobsAndChargeItAllTheSame() {
        weir.nodes(1, 4).submit("a", 8, HOUR, job -> job.setUser("down")).iterate(0);
        weir.policy(PROFILED + "NODECATCREDLIST down=OtherFailure idle=Idle").iterate(10);
        ask(110, "ALL");

        assertThat(detail("line")).contains("label down", "user who has jobs");
        assertThat(row("credit", "idle")).containsEntry("nodeSeconds", "100");
        assertThat(weir.outputs)
                .filteredOn(output -> output.value() instanceof Notification)
                .extracting(output -> ((Notification) output.value()).getText())
                .anyMatch(message -> message.contains("label down is the name of a user"));
    }

    @Test
    @Feature("CAT-28")
    void shouldTakeTheCategoryAnOperatorGivesUntilItIsCleared() {
        weir.policy(PROFILED).nodes(1, 4).iterate(0);
        modify(1, "n1", "category", "netfail");
        assertThat(category("n1")).isEqualTo("NetworkFailure");
        assertThat(detail("categorySource")).isEqualTo("OPERATOR");

        modify(2, "n1", "category", "");
        assertThat(category("n1")).isEqualTo("Idle");
    }

    @Test
    @Feature("CAT-24")
    void shouldKeepTheHistoryOnlyOfNodesWithProfiling() {
        weir.policy("NODECFG[n2] ENABLEPROFILING=TRUE").nodes(2, 4).iterate(0);
        weir.node("n1", 4, NodeState.DOWN).node("n2", 4, NodeState.DOWN).iterate(60);

        assertThat(intervals("n1")).isEmpty();
        assertThat(intervals("n2")).singleElement().satisfies(idle -> {
            assertThat(idle.getCategory()).isEqualTo("Idle");
            assertThat(idle.getNext()).isEqualTo("OtherFailure");
            assertThat(idle.getProcessors()).isEqualTo(4);
            assertThat(idle.getFrom()).isEqualTo(SchedulerFixture.at(0));
            assertThat(idle.getTo()).isEqualTo(SchedulerFixture.at(60));
        });
        assertThat(category("n1")).isEqualTo("OtherFailure");
        ask(70, "n1");
        assertThat(weir.lastAnswers().get(0).getMessage()).contains("ENABLEPROFILING");
    }

    @Test
    @Feature("CAT-24")
    void shouldEndTheHistoryOfANodeThatGoesOrIsProfiledNoMore() {
        weir.policy(PROFILED).nodes(2, 4).iterate(0);
        weir.node("n1", 4, NodeState.REMOVED).iterate(60);
        weir.policy("NODECFG[n1] ENABLEPROFILING=TRUE").iterate(90);

        assertThat(intervals("n1")).extracting(CategoryInterval::getSeconds).containsExactly(60L);
        assertThat(intervals("n2")).extracting(CategoryInterval::getSeconds).containsExactly(90L);
        assertThat(intervals("n2").get(0).getNext()).isNull();
        ask(100, "ALL");
        assertThat(row("category", "Idle")).containsEntry("nodeSeconds", "150").containsEntry("nodes", "0");
    }

    /** Time with a job counts whatever the category of the node is. */
    @Test
    @Feature("CAT-31")
    void shouldTellHowLongJobsRanOnAllNodesTogether() {
        weir.policy(PROFILED).nodes(2, 4).iterate(0);
        create(0, "hosts", "n1", "subtype", "user");
        weir.adopt("j", 4, HOUR, 0, "n1").iterate(0);
        weir.end("j", 1800).iterate(1800);
        ask(HOUR, "ALL");
        assertThat(rows("cluster").get(0)).containsEntry("busySeconds", "1800").containsEntry("watchedSeconds", "7200");
    }

    @Test
    void shouldBeginAnotherIntervalWhenProcessorsChange() {
        weir.policy(PROFILED).nodes(1, 4).iterate(0);
        weir.node("n1", 8, NodeState.IDLE).iterate(100);
        ask(110, "ALL");

        assertThat(intervals("n1")).extracting(CategoryInterval::getProcessors).containsExactly(4);
        assertThat(row("category", "Idle")).containsEntry("procSeconds", "480").containsEntry("entries", "1");
    }

    @Test
    void shouldSayNothingOfANodeOfWhichNothingChanged() {
        weir.policy(PROFILED).nodes(3, 4).iterate(0);
        for (long minute = 1; minute < 10; minute++) {
            weir.iterate(60 * minute);
            assertThat(only(weir.outputs)).isEmpty();
        }
    }

    @Test
    @Feature("CAT-30")
    void shouldChargeWhatWasSpentBeforeTheListChangedByTheListOfThen() {
        weir.policy(PROFILED + "NODECATCREDLIST a=Idle").nodes(1, 2).iterate(0);
        weir.policy(PROFILED + "NODECATCREDLIST b=Idle c=Active").iterate(100);
        ask(130, "ALL");

        assertThat(row("credit", "a")).containsEntry("procSeconds", "200");
        assertThat(row("credit", "b")).containsEntry("procSeconds", "60");
        assertThat(row("credit", "c")).containsEntry("procSeconds", "0");
    }

    @Test
    void shouldSumReportIntervals() {
        weir.policy(PROFILED + "PROFILEINTERVAL 0:10:00").nodes(1, 1).iterate(0);
        long first = 600 - SchedulerFixture.T0 % 600;
        weir.node("n1", 1, NodeState.DOWN).iterate(first + 300);
        ask(first + 700, "ALL");

        assertThat(row("category", "Idle"))
                .containsEntry("nodeSeconds", Long.toString(first + 300))
                .containsEntry("lastIntervalNodeSeconds", "300")
                .containsEntry("intervalNodeSeconds", "0");
        assertThat(row("category", "OtherFailure"))
                .containsEntry("nodeSeconds", "400")
                .containsEntry("lastIntervalNodeSeconds", "300")
                .containsEntry("intervalNodeSeconds", "100");
    }

    @Test
    void shouldClearTheStatisticsOfANodeAndGoOnWithItsHistory() {
        weir.policy(PROFILED).nodes(1, 4).iterate(0);
        weir.node("n1", 4, NodeState.DOWN).iterate(100);
        weir.request("c", RequestKind.MODIFY_NODE, "n1", List.of(pair("clear", "stats")))
                .iterate(150);
        ask(160, "ALL");

        assertThat(rows("node n1").get(0)).containsEntry("totalSeconds", "10").containsEntry("failures", "0");
        assertThat(row("category", "OtherFailure")).containsEntry("nodeSeconds", "60");
        weir.node("n1", 4, NodeState.IDLE).iterate(200);
        assertThat(intervals("n1")).extracting(CategoryInterval::getSeconds).containsExactly(100L, 100L);
    }

    @Test
    void shouldKnowEveryNameInFullAndInShort() {
        assertThat(NodeCategory.of("OTHERFAIL")).isEqualTo(NodeCategory.OTHER_FAILURE);
        for (NodeCategory category : NodeCategory.values()) {
            assertThat(NodeCategory.of(category.label())).isEqualTo(category);
        }
    }

    // --- what the tests say ------------------------------------------------------------------------------------------

    private String category(String node) {
        long now = weir.lastResult.now().getEpochSecond() - SchedulerFixture.T0;
        answer = null;
        weir.request("show" + ++asked, RequestKind.SHOW_NODE, node).iterateSilently(now);
        answer = weir.lastAnswers().get(0);
        return detail("category");
    }

    private RequestResult answer;

    private String detail(String name) {
        return answer.getDetails().stream()
                .filter(detail -> detail.getName().equals(name))
                .map(NameValue::getValue)
                .findFirst()
                .orElse(null);
    }

    private void ask(long time, String node) {
        weir.request("ask" + ++asked, RequestKind.SHOW_NODE_STATISTICS, node).iterate(time);
        answer = weir.lastAnswers().get(0);
    }

    private List<Map<String, String>> rows(String name) {
        List<Map<String, String>> rows = new ArrayList<>();
        for (NameValue detail : answer.getDetails()) {
            if (detail.getName().equals(name)) {
                Map<String, String> row = new TreeMap<>();
                for (String pair : detail.getValue().split(" ", -1)) {
                    row.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    private Map<String, String> row(String kind, String name) {
        return rows(kind).stream()
                .filter(row -> row.containsValue(name))
                .findFirst()
                .orElseThrow();
    }

    private static long number(Map<String, String> row, String name) {
        return Long.parseLong(row.get(name));
    }

    private void create(long time, String... arguments) {
        List<NameValue> pairs = new ArrayList<>();
        for (int i = 0; i < arguments.length; i += 2) {
            pairs.add(pair(arguments[i], arguments[i + 1]));
        }
        weir.request("c" + ++asked, RequestKind.CREATE_RESERVATION, "-", pairs).iterate(time);
        RequestResult result = weir.lastAnswers().get(0);
        assertThat(result.getOutcome()).as(result.getMessage()).isEqualTo(RequestOutcome.ACCEPTED);
    }

    private void modify(long time, String node, String name, String value) {
        weir.request("m" + ++asked, RequestKind.MODIFY_NODE, node, List.of(pair(name, value)))
                .iterate(time);
        RequestResult result = weir.lastAnswers().get(0);
        assertThat(result.getOutcome()).as(result.getMessage()).isEqualTo(RequestOutcome.ACCEPTED);
    }

    private long lastNextWake() {
        return weir.lastResult.nextWake().getEpochSecond() - SchedulerFixture.T0;
    }

    private List<CategoryInterval> intervals(String node) {
        return only(weir.outputs).stream()
                .filter(interval -> interval.getNodeId().equals(node))
                .toList();
    }

    private static List<CategoryInterval> only(List<Output> outputs) {
        return outputs.stream()
                .map(Output::value)
                .filter(CategoryInterval.class::isInstance)
                .map(CategoryInterval.class::cast)
                .toList();
    }

    private static GenericEvent event(String node, String name, String text) {
        return GenericEvent.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setName(name)
                .setObjectType("node")
                .setObjectId(node)
                .setMessage(text)
                .setTime(SchedulerFixture.at(0))
                .build();
    }

    private static NameValue pair(String name, String value) {
        return new NameValue(name, value);
    }
}
