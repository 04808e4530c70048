package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.TestJob;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TaskPlacement;
import io.weir.schemas.TaskRequirement;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs of several requirements, each with classes and nodes of its own, that share no node and start at one instant. Nodes
 * c1, c2 and so on take class cpu, g1 and so on class gpu.
 */
class HeterogeneousJobTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    private SchedulerFixture nodes(String jobClass, long initiators, int procs, String... ids) {
        for (String id : ids) {
            weir.node(
                    id,
                    procs,
                    NodeState.IDLE,
                    (NodeReport.Builder node) -> node.setClasses(List.of(new NameCount(jobClass, initiators))));
        }
        return weir;
    }

    private static TaskRequirement.Builder part(int tasks, String... classes) {
        return TaskRequirement.newBuilder().setTasks(tasks).setClasses(List.of(classes));
    }

    private static TaskRequirement apart(int tasks, String... classes) {
        return part(tasks, classes).setApart(true).build();
    }

    private static Consumer<JobReport.Builder> parts(TaskRequirement... parts) {
        return job -> job.setJobClass("cpu").setRequirements(List.of(parts));
    }

    /** A part of nodes= that names a node lies there, and only that part. */
    @ParameterizedTest
    @CsvSource({
        "nodes=c1:ppn=2+c2:ppn=2, c1=2 c2=2",
        "nodes=c1:ppn=1+c2:ppn=3, c1=1 c2=3",
        "nodes=c1:ppn=4+1:ppn=1, c1=4 c3=1",
        "nodes=1:ppn=4+c3:ppn=4, c2=4 c3=4",
        "nodes=c1+c2, c1=1 c2=1"
    })
    @Feature("REQ-7")
    void shouldPutEachPartOnTheNodeItNames(String asked, String expected) {
        weir.node("c1", 4, NodeState.IDLE).node("c2", 4, NodeState.IDLE).node("c3", 4, NodeState.IDLE);
        weir.submit("j", 1, HOUR, job -> job.setExtension(asked)).iterate(0);
        assertThat(weir.job("j").getAllocation().stream()
                        .map(node -> node.getNodeId() + "=" + node.getProcs())
                        .sorted())
                .containsExactly(expected.split(" "));
    }

    private List<String> nodesOf(String job) {
        return weir.job(job).getAllocation().stream()
                .map(NodeAllocation::getNodeId)
                .toList();
    }

    private List<TaskPlacement> placementsOf(String job) {
        return weir.job(job).getPlacements();
    }

    private static List<TaskPlacement> reserved(SchedulerFixture weir, String job) {
        return Objects.requireNonNull(weir.publishedReservations.get(job)).getPlacements();
    }

    @Test
    @Feature("REQ-7")
    void shouldStartAllPartsAtOneInstantEachOnNodesOfItsClass() {
        nodes("cpu", 4, 4, "c1", "c2");
        nodes("gpu", 4, 4, "g1");
        weir.submit("j", 5, HOUR, parts(apart(2, "gpu"), apart(3, "cpu"))).iterate(7);

        assertThat(weir.job("j").getStartTime()).isEqualTo(SchedulerFixture.at(7));
        assertThat(placementsOf("j")).containsExactly(new TaskPlacement("g1", 0, 2), new TaskPlacement("c2", 1, 3));
    }

    @Test
    @Feature("REQ-7")
    void shouldWaitWithAllPartsForTheNodesOfOne() {
        nodes("cpu", 4, 4, "c1", "c2");
        nodes("gpu", 4, 4, "g1");
        weir.submit("busy", 4, 100, job -> job.setJobClass("gpu")).iterate(0);
        weir.submit("j", 10, HOUR, parts(apart(8, "cpu"), apart(2, "gpu"))).iterate(1);

        assertThat(weir.job("j").getState()).isEqualTo(JobState.IDLE);
        assertThat(weir.reservedStart("j")).isEqualTo(100);
        assertThat(reserved(weir, "j"))
                .containsExactlyInAnyOrder(
                        new TaskPlacement("c1", 0, 4), new TaskPlacement("c2", 0, 4), new TaskPlacement("g1", 1, 2));

        weir.submit("long", 1, 100, job -> job.setJobClass("cpu"))
                .submit("short", 1, 98, job -> job.setJobClass("cpu"))
                .iterate(2);
        assertThat(weir.started()).containsExactly("short");

        weir.end("short", 50).end("busy", 50).iterate(50);
        assertThat(weir.started()).containsExactly("j");
        assertThat(nodesOf("j")).containsExactlyInAnyOrder("c1", "c2", "g1");
    }

    @Test
    @Feature("REQ-7")
    void shouldShareNoNodeBetweenPartsThatLieApart() {
        weir.nodes(2, 4)
                .submit("j", 3, HOUR, parts(apart(1), part(1).build(), part(1).build()))
                .iterate(0);
        List<TaskPlacement> placed = placementsOf("j");
        assertThat(placed.get(1).getNodeId()).isEqualTo(placed.get(2).getNodeId());
        assertThat(placed.get(0).getNodeId()).isNotEqualTo(placed.get(1).getNodeId());

        weir.submit("three", 3, HOUR, parts(apart(1), apart(1), apart(1))).iterate(1);
        assertThat(weir.started()).as("nodes that others use, too").isEmpty();
        weir.node("n3", 4, NodeState.IDLE).iterate(2);
        assertThat(nodesOf("three")).containsExactlyInAnyOrder("n1", "n2", "n3");
    }

    /** The first part would take the only node that is large enough for the second. */
    @Test
    @Feature("REQ-7")
    void shouldLeaveTheLargeNodesToTheLargePart() {
        weir.policy("NODEALLOCATIONPOLICY FIRSTAVAILABLE")
                .node("n1", 4, NodeState.IDLE)
                .node("n2", 1, NodeState.IDLE)
                .submit("j", 5, HOUR, parts(apart(1), apart(4)))
                .iterate(0);

        assertThat(placementsOf("j")).containsExactly(new TaskPlacement("n2", 0, 1), new TaskPlacement("n1", 1, 4));
    }

    @Test
    @Feature("REQ-7")
    void shouldUseTheNodesThatAPartNamesInPlaceOfThoseOfTheJob() {
        weir.nodes(4, 1)
                .submit(
                        "j",
                        3,
                        HOUR,
                        job -> job.setHosts(List.of("n2", "n3", "n4"))
                                .setExcludedHosts(List.of("n3"))
                                .setRequirements(List.of(
                                        part(1).setHosts(List.of("n1")).build(),
                                        part(1).setExcludedHosts(List.of("n2")).build(),
                                        part(1).build())))
                .iterate(0);

        assertThat(placementsOf("j"))
                .containsExactly(
                        new TaskPlacement("n1", 0, 1), new TaskPlacement("n4", 1, 1), new TaskPlacement("n2", 2, 1));
    }

    @Test
    @Feature("REQ-7")
    void shouldDecideTheSameAfterARebuild() {
        assertThat(life(new SchedulerFixture().rebuildingAlways()).outputs)
                .isEqualTo(life(new SchedulerFixture()).outputs);
    }

    private static SchedulerFixture life(SchedulerFixture weir) {
        weir.policy("RESERVATIONDEPTH 3\nRESERVATIONPOLICY HIGHEST");
        for (String id : List.of("c1", "c2", "g1", "g2")) {
            String jobClass = id.startsWith("c") ? "cpu" : "gpu";
            weir.node(id, 2, NodeState.IDLE, node -> node.setClasses(List.of(new NameCount(jobClass, 2L))));
        }
        weir.submit("busy", 3, 100, job -> job.setJobClass("gpu")).iterate(0);
        for (int i = 0; i < 4; i++) {
            weir.submit("j" + i, 3, 50 + i, parts(apart(1, "cpu"), apart(2, "gpu"), apart(1, "gpu", "cpu")))
                    .iterate(1 + i);
        }
        weir.end("busy", 60).iterate(60);
        assertThat(weir.started()).containsExactly("j0");
        weir.end("j0", 90).iterate(90);
        assertThat(weir.started()).containsExactly("j1");
        return weir;
    }

    @Test
    @Feature("REQ-7")
    void shouldKeepWhatEachPartAsksForInTheStore() {
        Job job = TestJob.waiting(
                "j",
                report -> report.setRequirements(List.of(
                        apart(1, "cpu", "gpu"),
                        part(2).setHosts(List.of("n2", "n1"))
                                .setExcludedHosts(List.of("n3"))
                                .build())));

        assertThat(Job.from(job.toRecord("c")).request()).isEqualTo(job.request());
        JobStatus stored = job.toRecord("c");
        assertThat(stored.getRequirements().get(0).getClasses()).containsExactly("cpu", "gpu");
        assertThat(stored.getRequirements().get(0).getApart()).isTrue();
        assertThat(stored.getRequirements().get(1).getHosts()).containsExactly("n2", "n1");
        assertThat(stored.getRequirements().get(1).getExcludedHosts()).containsExactly("n3");
    }

    /** Node g1 takes two tasks of class gpu, whatever else lies there. */
    @Test
    @Feature("REQ-7")
    void shouldCountTheTasksOfAPartInItsOwnClass() {
        weir.node(
                "c1",
                8,
                NodeState.IDLE,
                (NodeReport.Builder node) -> node.setClasses(List.of(new NameCount("cpu", 8L))));
        weir.node(
                "g1",
                8,
                NodeState.IDLE,
                (NodeReport.Builder node) ->
                        node.setClasses(List.of(new NameCount("gpu", 2L), new NameCount("cpu", 8L))));
        weir.submit(
                        "j",
                        3,
                        100,
                        parts(
                                part(2, "gpu").build(),
                                part(1).setHosts(List.of("g1")).build()))
                .iterate(0);
        assertThat(placementsOf("j")).containsExactly(new TaskPlacement("g1", 0, 2), new TaskPlacement("g1", 1, 1));

        weir.submit("gpu", 1, HOUR, job -> job.setJobClass("gpu"))
                .submit("cpu", 5, HOUR, job -> job.setJobClass("cpu").setHosts(List.of("g1")))
                .iterate(1);
        assertThat(weir.started()).containsExactly("cpu");
        assertThat(weir.reservedStart("gpu")).isEqualTo(100);

        weir.end("j", 50).iterate(50);
        assertThat(weir.started()).contains("gpu");
    }

    /** A reservation that is kept holds for what the job asked for, not for what it asks for by now. */
    @Test
    @Feature("REQ-7")
    void shouldPlanAJobAnewThatAsksForOtherParts() {
        weir.policy("RESERVATIONPOLICY HIGHEST");
        nodes("cpu", 4, 4, "c1", "c2");
        nodes("gpu", 4, 4, "g1");
        weir.submit("busy", 4, 100, job -> job.setJobClass("gpu")).iterate(0);
        weir.submit("j", 6, HOUR, parts(apart(2, "gpu"), apart(4, "cpu"))).iterate(1);
        assertThat(weir.reservedStart("j")).isEqualTo(100);

        weir.submit(
                        "j",
                        6,
                        HOUR,
                        parts(
                                part(2, "gpu").build(),
                                part(2, "gpu").build(),
                                part(2, "cpu").build()))
                .iterate(2);
        assertThat(reserved(weir, "j").stream().mapToInt(TaskPlacement::getRequirement))
                .containsExactlyInAnyOrder(0, 1, 2);
        weir.submit("j", 6, HOUR, parts(part(6, "cpu").build())).iterate(3);
        assertThat(nodesOf("j")).containsExactlyInAnyOrder("c1", "c2");
    }

    @Test
    @Feature("REQ-7")
    void shouldPutTheNodesOfAnOperatorAboveThoseOfAPart() {
        weir.nodes(4, 1)
                .adopt("busy", 1, 100, 0, "n1")
                .submit("j", 2, HOUR, parts(part(1).setHosts(List.of("n1")).build(), part(1).build()));
        weir.request(
                "q",
                "root",
                SchedulerFixture.ADMINISTRATOR,
                RequestKind.MODIFY_JOB,
                "j",
                List.of(new NameValue("nodelist", "n3,n4")));
        weir.rebuildingAlways().iterate(0);

        assertThat(nodesOf("j")).containsExactlyInAnyOrder("n3", "n4");
    }

    @Test
    @Feature("REQ-7")
    void shouldSayThatPartsDoNotFitApart() {
        weir.nodes(1, 4)
                .submit("runs", 2, 100)
                .submit("ahead", 4, HOUR)
                .submit("j", 2, HOUR, parts(apart(1), apart(1)))
                .iterate(0);

        assertThat(weir.started()).containsExactly("runs");
        assertThat(Objects.requireNonNull(weir.publishedExplanations.get("j")).getMessage())
                .isEqualTo("has room, but not in the way its tasks have to lie");
    }

    @Test
    @Feature("REQ-7")
    void shouldSayOfEachNodeWhatItIsToEachPart() {
        nodes("cpu", 4, 4, "c1");
        nodes("gpu", 4, 4, "g1");
        weir.submit("busy", 4, 100, job -> job.setJobClass("gpu")).iterate(0);
        weir.submit("j", 2, HOUR, parts(apart(1, "cpu"), apart(1, "gpu"))).iterate(1);
        weir.request("q", RequestKind.EXPLAIN_JOB, "j", List.of(new NameValue("verbose", "true")))
                .iterate(2);

        List<NameValue> details = weir.lastAnswers().get(0).getDetails();
        assertThat(details)
                .contains(
                        new NameValue("node c1", "Req[0] could take 4 tasks"),
                        new NameValue("node g1", "Req[0] Class"),
                        new NameValue("node c1", "Req[1] Class"),
                        new NameValue("node g1", "Req[1] CPU"),
                        new NameValue("blocker", "busy"));
        assertThat(weir.lastAnswers().get(0).getMessage()).contains("has room for 0 of 1 task now (CPU)");
    }
}
