package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.output.OutputKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.Explanation;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestResult;
import io.weir.schemas.TaskRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why jobs wait, as published and as answered. Times are seconds after the beginning. */
class ExplanationTest {
    private static final long HOUR = 3600;

    /** Two nodes of two processors; runs takes one of them for two hours, wide waits for both. */
    private static SchedulerFixture waiting(String policy) {
        return new SchedulerFixture()
                .policy(policy)
                .nodes(2, 2)
                .submit("runs", 2, 2 * HOUR)
                .iterate(0)
                .submit("wide", 4, 1, HOUR, 1)
                .submit("long", 1, 1, 3 * HOUR, 2)
                .iterate(2);
    }

    private static Explanation of(SchedulerFixture weir, String job) {
        Explanation explanation = weir.publishedExplanations.get(job);
        assertThat(explanation).as("explanation of job " + job).isNotNull();
        return Objects.requireNonNull(explanation);
    }

    private static List<Output> lastExplanations(SchedulerFixture weir) {
        return Objects.requireNonNull(weir.lastResult).outputs().stream()
                .filter(output -> output.kind() == OutputKind.EXPLANATION)
                .toList();
    }

    @Test
    void shouldNameWhatHoldsTheNodesAndWhenTheyComeFree() {
        Explanation wide = of(waiting(""), "wide");

        assertThat(wide.getConstraint()).isEqualTo("CPU");
        assertThat(wide.getNodesConsidered()).isEqualTo(2);
        assertThat(wide.getRejections()).containsExactly(new NameCount("CPU", 1L));
        assertThat(wide.getBlockers()).containsExactly("runs");
        assertThat(wide.getExpectedStart()).isEqualTo(SchedulerFixture.at(2 * HOUR));
        assertThat(wide.getQueuePosition()).isEqualTo(1);
        assertThat(wide.getMessage())
                .startsWith("has room for 2 of 4 tasks now (CPU); waits for runs; expected to start at ");
    }

    @Test
    void shouldNameTheReservationAJobWouldDelay() {
        Explanation after = of(waiting(""), "long");

        assertThat(after.getConstraint()).isEqualTo("Reserved");
        assertThat(after.getBlockers()).containsExactly("wide");
        assertThat(after.getRejections()).containsExactly(new NameCount("CPU", 1L), new NameCount("Reserved", 1L));
        assertThat(after.getExpectedStart()).isNull();
        assertThat(after.getQueuePosition()).isEqualTo(2);
    }

    @Test
    void shouldSayThatJobsAheadAreStillBeingPlanned() {
        SchedulerFixture weir = waiting("RESERVATIONDEPTH INFINITY\nRESERVATIONSLICE 1");
        assertThat(of(weir, "long").getConstraint()).isEqualTo("Policy");
        assertThat(of(weir, "long").getMessage()).isEqualTo("has room; jobs ahead of it are planned first, 1 so far");

        weir.iterate(2);
        assertThat(of(weir, "long").getConstraint()).isEqualTo("Reserved");
    }

    @Test
    void shouldSayWhyAJobFindsNoPlaceInsideItsReservation() {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("SRCFG[owned] PERIOD=INFINITY HOSTLIST=n1 USERLIST=ann\nEXPLAINDEPTH 9")
                .nodes(2, 2)
                .iterate(0)
                .submit("fills", 2, HOUR, job -> job.setUser("ann").setReservation("owned"))
                .submit("waits", 2, HOUR, job -> job.setUser("ann").setReservation("owned"))
                .submit("stranger", 2, HOUR, job -> job.setUser("bob").setReservation("owned"))
                .submit("lost", 2, HOUR, job -> job.setUser("ann").setReservation("gone"))
                .submit("free", 2, HOUR, job -> job.setUser("bob").setReservation(""))
                .iterate(1);

        assertThat(weir.started()).containsExactly("fills");
        assertThat(of(weir, "waits").getMessage())
                .startsWith("has to stay inside reservation owned, where there is no room for it now");
        assertThat(of(weir, "stranger").getMessage())
                .isEqualTo("has to stay inside reservation owned, which does not let it in");
        assertThat(of(weir, "lost").getMessage())
                .isEqualTo("has to stay inside reservation gone, which there is not at present");
        assertThat(of(weir, "free").getMessage())
                .isEqualTo("has to stay inside a reservation it may use, and there is none");
    }

    /**
     * A node of 8 processors and 8000 MB with 4 GPUs and 5 initiators of class batch; r runs there, j waits for more tasks of
     * its kind than there is room for.
     */
    @ParameterizedTest
    @CsvSource({
        "'', mem=4000, 1, mem=1500, 4, Memory, 2",
        "'', '', 6, mem=1500, 4, CPU, 2",
        "'', gres=gpu:2, 1, gres=gpu:1, 3, Features, 2",
        "'', class=batch, 4, class=batch, 2, Policy, 1",
        "NODECFG[n1] MAXPROC=3, '', 2, '', 2, Policy, 1",
        "NODECFG[n1] MAXPROC=4, mem=5000, 1, mem=1500, 3, Memory, 2"
    })
    void shouldNameWhatKeepsANodeFromTakingMoreTasks(
            String policy, String runs, int procs, String asks, int tasks, String constraint, int room) {
        SchedulerFixture weir = new SchedulerFixture()
                .policy(policy)
                .node(
                        "n1",
                        8,
                        NodeState.IDLE,
                        node -> node.setMemoryMb(8000)
                                .setGres(List.of(new NameCount("gpu", 4L)))
                                .setClasses(List.of(new NameCount("batch", 5L))))
                .submit("r", 1, HOUR, job -> job.setTasks(procs).setExtension(runs))
                .iterate(0)
                .submit("j", tasks, HOUR, job -> job.setExtension(asks))
                .iterate(1);

        assertThat(weir.started()).isEmpty();
        assertThat(of(weir, "j").getConstraint()).isEqualTo(constraint);
        assertThat(of(weir, "j").getMessage())
                .startsWith("has room for " + room + " of " + tasks + " tasks now (" + constraint + ")");
    }

    /** Nothing runs; the nodes could never hold all tasks, which processors alone do not show. */
    @ParameterizedTest
    @CsvSource({"NODEACCESSPOLICY SINGLETASK, 3, 2", "'', 5, 4"})
    void shouldNameWhatKeepsUnusedNodesFromTakingMoreTasks(String policy, int tasks, int room) {
        SchedulerFixture weir = new SchedulerFixture()
                .policy(policy)
                .node("n1", 4, NodeState.IDLE, node -> node.setClasses(List.of(new NameCount("batch", 2L))))
                .node("n2", 4, NodeState.IDLE, node -> node.setClasses(List.of(new NameCount("batch", 2L))))
                .submit("j", tasks, HOUR, job -> job.setJobClass("batch"))
                .iterate(0);
        weir.request("q", RequestKind.EXPLAIN_JOB, "j").iterate(0);

        assertThat(of(weir, "j").getConstraint()).isEqualTo("Policy");
        assertThat(of(weir, "j").getMessage())
                .startsWith("has room for " + room + " of " + tasks + " tasks now (Policy)");
    }

    @Test
    void shouldSayThatJobsStartStrictlyInOrder() {
        Explanation after = of(waiting("BACKFILLPOLICY NONE"), "long");

        assertThat(after.getConstraint()).isEqualTo("Policy");
        assertThat(after.getBlockers()).containsExactly("wide");
    }

    @Test
    void shouldPublishOnlyWhatChanged() {
        SchedulerFixture weir = waiting("");
        weir.iterate(60);
        assertThat(lastExplanations(weir)).isEmpty();

        weir.submit("late", 4, 1, HOUR, 70).iterate(70);
        assertThat(lastExplanations(weir)).extracting(Output::key).containsExactly("c/late");

        weir.end("runs", 1800).iterate(1800);
        assertThat(weir.started()).containsExactly("wide");
        assertThat(lastExplanations(weir))
                .filteredOn(output -> output.value() == null)
                .extracting(Output::key)
                .containsExactly("c/wide");
        assertThat(of(weir, "long").getBlockers()).containsExactly("wide");
        assertThat(of(weir, "long").getConstraint()).isEqualTo("CPU");
    }

    @Test
    void shouldPublishAnExpectedStartThatMovedNoticeably() {
        SchedulerFixture weir = waiting("");
        weir.request("1", RequestKind.MODIFY_JOB, "runs", List.of(new NameValue("wclimit", "1:55:00")))
                .iterate(10)
                .answer("runs", CommandOutcome.DONE, 10);
        weir.limit("runs", 2 * HOUR - 300).iterate(20);
        assertThat(weir.reservedStart("wide")).isEqualTo(2 * HOUR - 300);
        assertThat(lastExplanations(weir)).isEmpty();

        weir.limit("runs", HOUR).iterate(30);
        assertThat(of(weir, "wide").getExpectedStart()).isEqualTo(SchedulerFixture.at(HOUR));
    }

    /** The reservation of j is put off as long as the node is overloaded. */
    @Test
    void shouldNotPublishAnExpectedStartThatIsOver() {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("NODECFG[DEFAULT] MAXLOAD=2")
                .node("n1", 4, NodeState.IDLE, node -> node.setLoad(3.0))
                .submit("j", 1, HOUR);
        for (int time = 0; time <= 600; time += 20) {
            weir.iterate(time);

            assertThat(weir.reservedStart("j")).isEqualTo(time + 60);
            assertThat(of(weir, "j").getExpectedStart()).isAfter(SchedulerFixture.at(time));
        }
    }

    @Test
    void shouldTellNodesThatNeverDoFromNodesThatAreDown() {
        SchedulerFixture weir = new SchedulerFixture()
                .nodes(2, 2)
                .node("n3", 8, NodeState.DOWN)
                .submit("big", 1, 4, HOUR, 0)
                .submit("huge", 1, 16, HOUR, 0)
                .iterate(0);

        Explanation big = of(weir, "big");
        assertThat(big.getConstraint()).isEqualTo("State");
        assertThat(big.getRejections()).containsExactly(new NameCount("CPU", 2L), new NameCount("State", 1L));
        assertThat(of(weir, "huge").getConstraint()).isEqualTo("CPU");
        assertThat(of(weir, "huge").getMessage()).contains("all nodes together could hold 0");
    }

    @Test
    void shouldExplainOnlyTheHeadOfTheQueueUnasked() {
        SchedulerFixture weir = waiting("EXPLAINDEPTH 1");
        assertThat(weir.publishedExplanations).containsOnlyKeys("wide");

        weir.request("q", RequestKind.EXPLAIN_JOB, "long").iterate(3);
        assertThat(weir.lastAnswers())
                .flatExtracting(RequestResult::getDetails)
                .contains(
                        new NameValue("constraint", "Reserved"),
                        new NameValue("blocker", "wide"),
                        new NameValue("position", "2"));
    }

    @Test
    void shouldExplainHeldAndDeferredJobs() {
        SchedulerFixture weir = new SchedulerFixture()
                .nodes(1, 1)
                .submit("a", 1, HOUR)
                .submit("b", 1, HOUR, job -> job.setStartAfter(SchedulerFixture.at(HOUR)))
                .iterateSilently(0)
                .answer("a", CommandOutcome.REFUSED, 0)
                .iterate(0);
        assertThat(of(weir, "a").getConstraint()).isEqualTo("Deferred");
        assertThat(of(weir, "a").getExpectedStart()).isEqualTo(SchedulerFixture.at(60));
        assertThat(of(weir, "b").getConstraint()).isEqualTo("StartDate");
        assertThat(of(weir, "b").getExpectedStart()).isEqualTo(SchedulerFixture.at(HOUR));

        weir.request("h", RequestKind.HOLD_JOB, "a")
                .request("q", RequestKind.EXPLAIN_JOB, "a")
                .iterate(1);
        assertThat(weir.publishedExplanations).doesNotContainKey("a");
        assertThat(weir.lastAnswers())
                .flatExtracting(RequestResult::getDetails)
                .contains(new NameValue("constraint", "Hold"));
    }

    @Test
    void shouldStartNoJobBeforeItsDate() {
        SchedulerFixture weir = new SchedulerFixture()
                .nodes(1, 1)
                .submit("b", 1, HOUR, job -> job.setStartAfter(SchedulerFixture.at(HOUR)))
                .iterate(10);
        assertThat(weir.started()).isEmpty();
        assertThat(Objects.requireNonNull(weir.lastResult).nextWake()).isEqualTo(SchedulerFixture.at(HOUR));
        assertThat(weir.iterate(HOUR).started()).containsExactly("b");
    }

    /** Whatever happens: what is published is about waiting jobs, and names blockers that are there. */
    @Test
    void shouldExplainNobodyElseThanWaitingJobs() {
        for (long seed = 1; seed <= 30; seed++) {
            Random random = new Random(seed);
            SchedulerFixture weir = new SchedulerFixture()
                    .policy("EXPLAINDEPTH 5\nRESERVATIONDEPTH 2")
                    .nodes(3, 4);
            List<String> ids = new ArrayList<>();
            for (int step = 0; step < 60; step++) {
                long now = 10L * step;
                for (int i = random.nextInt(3); i > 0; i--) {
                    ids.add("j" + ids.size());
                    weir.submit(ids.get(ids.size() - 1), 1 + random.nextInt(8), 1, 10 + random.nextInt(200), now);
                }
                for (String id : ids) {
                    if (running(weir, id) && random.nextInt(6) == 0) {
                        weir.end(id, now);
                    }
                }
                weir.iterate(now);
                long seen = seed;
                weir.publishedExplanations.forEach((id, explanation) -> {
                    assertThat(weir.job(id).getAllocation())
                            .as("seed %d: %s", seen, explanation)
                            .isEmpty();
                    assertThat(explanation.getBlockers())
                            .as("seed %d: %s", seen, explanation)
                            .allMatch(blocker -> running(weir, blocker) || weir.reservedStart(blocker) >= 0);
                });
                assertThat(weir.publishedExplanations.size()).isLessThanOrEqualTo(5);
            }
        }
    }

    /** Two sets of two nodes, in each of which one node is taken; both jobs ask for two nodes of one set. */
    @Test
    void shouldNameTheSetThatIsMissingBeforeTheReservationBehindIt() {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETLIST a,b\n"
                        + "NODESETISOPTIONAL FALSE\nRESERVATIONDEPTH 2");
        for (String node : List.of("a1", "a2", "b1", "b2")) {
            weir.node(node, 1, NodeState.IDLE, report -> report.setFeatures(List.of(node.substring(0, 1))));
        }
        weir.adopt("R1", 1, HOUR, 0, "a1").adopt("R2", 1, 2 * HOUR, 0, "b1");
        weir.submit("first", 2, HOUR).submit("second", 2, HOUR).iterate(0);

        assertThat(weir.publishedExplanations.values())
                .extracting(Explanation::getConstraint)
                .containsExactly("Set", "Set");
        assertThat(weir.publishedExplanations.get("second").getMessage()).contains("not within one node set");
    }

    @Test
    void shouldSayThatAPluginWasAsked() {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("NODEALLOCATIONPOLICY PLUGIN:even\n"
                        + "NODEALLOCPLUGIN[even] CLASS=io.weir.scheduler.core.SamplePlugin ARGS=even")
                .nodes(6, 4);
        weir.submit("j", 2, 100).request("why", RequestKind.EXPLAIN_JOB, "j").iterateSilently(0);

        assertThat(weir.lastQuestions()).hasSize(1);
        Explanation why = weir.publishedExplanations.get("j");
        assertThat(why.getConstraint()).isEqualTo("Plugin");
        assertThat(why.getMessage()).isEqualTo("has room and waits for the answer of allocation plug-in even");
        assertThat(weir.lastAnswers().get(0).getDetails()).contains(new NameValue("constraint", "Plugin"));

        weir.answerQuestions(4).iterate(4);
        assertThat(weir.publishedExplanations).isEmpty();
        assertThat(weir.started()).containsExactly("j");
    }

    private static boolean running(SchedulerFixture weir, @Nullable String id) {
        return id != null && weir.knows(id) && !weir.job(id).getAllocation().isEmpty();
    }

    private static List<NameValue> ask(SchedulerFixture weir, String job, NameValue... arguments) {
        weir.request("why", RequestKind.EXPLAIN_JOB, job, List.of(arguments));
        weir.iterate(3);
        return weir.lastAnswers().get(0).getDetails();
    }

    /** Node n1 is reserved for jobs with the QOS qq. */
    @Test
    void shouldSayThatNothingKeepsAJobThatCouldStartWithAnotherQos() {
        SchedulerFixture weir = new SchedulerFixture()
                .policy(
                        "USERCFG[ann] QLIST=qq,other\nUSERCFG[bob] QLIST=low QDEF=low\nSRCFG[m] PERIOD=INFINITY QOSLIST=qq HOSTLIST=n1")
                .nodes(1, 4)
                .submit("anns", 4, HOUR)
                .submit("bobs", 4, HOUR, job -> job.setUser("bob"))
                .iterate(0);

        assertThat(answer(weir, "anns", "other")).isEqualTo("job anns is kept out by reservation " + reservation(weir));
        assertThat(answer(weir, "anns", "qq")).isEqualTo("job anns could start now with QOS qq");
        assertThat(weir.lastAnswers().get(0).getDetails()).contains(new NameValue("constraint", "None"));
        assertThat(answer(weir, "bobs", "qq")).isEqualTo("job bobs could start now with QOS qq; it may not use QOS qq");
    }

    /** With QOS qq it would share no node. */
    @Test
    void shouldSayWhatKeepsAJobThatCouldNotStartWithAnotherQosEither() {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("QOSCFG[qq] QFLAGS=DEDICATED")
                .nodes(1, 4)
                .submit("runs", 1, HOUR)
                .submit("wide", 4, HOUR)
                .submit("j", 3, 2 * HOUR)
                .iterate(0);

        assertThat(answer(weir, "j", "qq")).doesNotContain("could start now");
    }

    private static String reservation(SchedulerFixture weir) {
        return String.join("", weir.publishedReservations.keySet());
    }

    private static String answer(SchedulerFixture weir, String job, String qos) {
        weir.request("with " + job + qos, RequestKind.EXPLAIN_JOB, job, List.of(new NameValue("qos", qos)));
        weir.iterate(3);
        return weir.lastAnswers().get(0).getMessage();
    }

    @Test
    void shouldGiveTheReasonOfEveryNode() {
        SchedulerFixture weir = new SchedulerFixture()
                .nodes(2, 2)
                .node("n3", 2, NodeState.DRAINED)
                .node("small", 1, NodeState.IDLE)
                .submit("runs", 1, 2, 2 * HOUR, 0)
                .iterate(0)
                .request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(new NameValue("hostexp", "^n1$"), new NameValue("acl", "user=bob")))
                .iterate(1)
                .submit("waits", 2, 2, HOUR, 1);

        assertThat(ask(weir, "waits", new NameValue("verbose", "true")))
                .filteredOn(detail -> detail.getName().startsWith("node "))
                .containsExactly(
                        new NameValue("node n1", "Reserved (bob.1)"),
                        new NameValue("node n2", "CPU"),
                        new NameValue("node n3", "State"),
                        new NameValue("node small", "CPU"));
    }

    @Test
    void shouldGiveTheReasonOfTheNodesAskedAbout() {
        SchedulerFixture weir = waiting("");

        assertThat(ask(weir, "wide", new NameValue("node", "n1")))
                .filteredOn(detail -> detail.getName().startsWith("node "))
                .extracting(NameValue::getName)
                .containsExactly("node n1");
        weir.request("r", RequestKind.EXPLAIN_JOB, "wide", List.of(new NameValue("node", "n17")))
                .iterate(4);
        assertThat(weir.lastAnswers()).extracting(RequestResult::getMessage).containsExactly("no node n17");
    }

    @Test
    void shouldNameThePoliciesOfAJobAndWhereTheyComeFrom() {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("PARCFG[DEFAULT] NODEALLOCATIONPOLICY=FASTEST\nNODEACCESSPOLICY SINGLEUSER\n"
                        + "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\n"
                        + "CLASSCFG[batch] RESFAILPOLICY=REQUEUE DEFAULT.NODESET=FIRSTOF:FEATURE:a")
                .nodes(1, 1)
                .submit("runs", 1, HOUR)
                .iterate(0)
                .submit("plain", 1, HOUR, report -> {})
                .submit(
                        "own",
                        1,
                        HOUR,
                        report ->
                                report.setJobClass("batch").setExtension("nallocpolicy=CPULOAD,naccesspolicy=shared"));

        assertThat(ask(weir, "plain"))
                .contains(
                        new NameValue("policy NALLOCPOLICY", "FASTEST (partition, line 1)"),
                        new NameValue("policy NODESET", "ONEOF:FEATURE optional (site)"),
                        new NameValue("policy RESFAILPOLICY", "CANCEL (default)"),
                        new NameValue("policy NACCESSPOLICY", "SINGLEUSER (site, line 2)"));
        assertThat(ask(weir, "own"))
                .contains(
                        new NameValue("policy NALLOCPOLICY", "CPULOAD (job)"),
                        new NameValue("policy NODESET", "FIRSTOF:FEATURE:a (class)"),
                        new NameValue("policy RESFAILPOLICY", "REQUEUE (class, line 5)"),
                        new NameValue("policy NACCESSPOLICY", "SHARED (job)"));
    }

    @Test
    void shouldPublishAnewWhatIsAskedAboutAndNoLongerSo() {
        SchedulerFixture weir = waiting("");
        assertThat(of(weir, "long").getBlockers()).containsExactly("wide");

        weir.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(new NameValue("hostexp", "^n1$"), new NameValue("acl", "user=bob")))
                .iterate(3);
        List<NameValue> answer = ask(weir, "long");

        assertThat(answer).contains(new NameValue("constraint", of(weir, "long").getConstraint()));
        assertThat(answer)
                .filteredOn(detail -> detail.getName().equals("blocker"))
                .extracting(NameValue::getValue)
                .isEqualTo(of(weir, "long").getBlockers())
                .contains("bob.1");
    }

    /** What the nodes say is the same for all of them, as for jobs that leave the number of nodes open. */
    @Test
    void shouldLookAtTheNodesOnceForJobsOfDifferentSizesOnAsFewNodesAsWillDo() {
        SchedulerFixture weir = new SchedulerFixture().nodes(10_000, 1).iterate(0);
        weir.submit("runs", 10_000, 1_000).iterate(1);
        for (int i = 0; i < 5; i++) {
            int tasks = 2 + i;
            weir.submit(
                    "j" + i,
                    tasks,
                    100,
                    job -> job.setRequirements(List.of(TaskRequirement.newBuilder()
                            .setTasks(tasks)
                            .setFewestNodes(true)
                            .build())));
        }

        weir.iterate(2);

        assertThat(weir.publishedExplanations).hasSize(5);
    }

    /** One look takes more than an iteration should spend: it is made in every second one. */
    @Test
    void shouldLookAtTheNodesOfALargeClusterInSomeIterationsOnly() {
        SchedulerFixture large = new SchedulerFixture().nodes(25_000, 1).iterate(0);
        large.submit("runs", 25_000, 1_000).iterate(1);
        for (int i = 0; i < 3; i++) {
            large.submit("j" + i, 1, 100);
        }
        List<Integer> explained = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            large.iterate(2 + i);
            explained.add(large.publishedExplanations.size());
        }

        assertThat(explained).isIn(List.of(1, 1, 2, 2, 3, 3), List.of(0, 1, 1, 2, 2, 3));
    }
}
