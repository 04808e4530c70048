package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.JobReport;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.TaskPlacement;
import io.weir.schemas.TaskRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The allocation policies by their worked examples. */
@NullUnmarked
class NodeAllocationTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    @Test
    @Feature({"ALLOC-1", "ALLOC-19", "ALLOC-20"})
    void LA2() {
        weir.nodes(4, 1).submit("a", 2, HOUR).iterate(0);
        assertThat(nodesOf("a")).containsExactlyInAnyOrder("n4", "n3");
    }

    @Test
    @Feature("ALLOC-19")
    void shouldTakeTheFirstNodesWhereTheSiteWantsThem() {
        weir.policy("NODEALLOCATIONPOLICY FIRSTAVAILABLE");
        weir.nodes(4, 1).submit("a", 2, HOUR).iterate(0);
        assertThat(nodesOf("a")).containsExactlyInAnyOrder("n1", "n2");
    }

    /**
     * A on p2 until 2 h, B on p3 until 3 h; p1 is reserved from 6 h and p4 from 4 h, by jobs that need them together with
     * nodes busy until then.
     */
    @Test
    @Feature({"ALLOC-14", "ALLOC-15", "ALLOC-20", "ALLOC-28"})
    void LA1() {
        SchedulerFixture last = aroundReservations("");
        assertThat(nodesOf(last, "C")).containsExactly("p4");
        assertThat(nodesOf(last, "D")).containsExactly("p1");
    }

    @Test
    @Feature("ALLOC-19")
    void shouldLeaveTheLongJobNoNodeWhereTheFirstIsTakenFirst() {
        SchedulerFixture first = aroundReservations("NODEALLOCATIONPOLICY FIRSTAVAILABLE\n");
        assertThat(nodesOf(first, "C")).containsExactly("p1");
        assertThat(nodesOf(first, "D")).isEmpty();
    }

    @Test
    @Feature("ALLOC-20")
    void LA3() {
        weir.nodes(3, 1).adopt("r", 1, 10 * HOUR, 0, "n3");
        weir.submit("top", 2, HOUR, job -> job.setHosts(List.of("n2", "n3")))
                .submit("j", 1, 2 * HOUR)
                .iterate(0);
        assertThat(weir.reservedStart("top")).isEqualTo(10 * HOUR);
        assertThat(nodesOf("j")).containsExactly("n2");
    }

    @Test
    @Feature({"ALLOC-19", "ALLOC-28"})
    void shouldPreferTheNodeThatIsFreeFirst() {
        assertThat(reservedLater("FIRSTAVAILABLE")).containsExactly("n2", "n1");
    }

    @Test
    @Feature({"ALLOC-20", "ALLOC-28"})
    void shouldPreferTheNodeThatIsFreeLast() {
        assertThat(reservedLater("LASTAVAILABLE")).containsExactly("n3", "n2");
    }

    @Test
    @Feature("ALLOC-18")
    void CL2() {
        weir.policy("NODEALLOCATIONPOLICY CPULOAD\nNODEAVAILABILITYPOLICY DEDICATED\nRESERVATIONDEPTH 3");
        node("a", 4, n -> n.setLoad(3.5));
        node("b", 8, n -> n.setLoad(6.0));
        node("c", 2, n -> n.setLoad(0.1));
        weir.adopt("ra", 4, 24 * HOUR, 0, "a").adopt("rb", 8, 24 * HOUR, 0, "b").adopt("rc", 2, 24 * HOUR, 0, "c");
        for (int i = 1; i <= 3; i++) {
            weir.submit("j" + i, 1, HOUR, job -> job.setNodeAccess("SINGLEJOB"));
        }
        weir.iterate(0);
        assertThat(List.of(reserved(weir, "j1"), reserved(weir, "j2"), reserved(weir, "j3")))
                .containsExactly(List.of("c"), List.of("a"), List.of("b"));
    }

    @Test
    @Feature({"ALLOC-4", "ALLOC-23"})
    void MR1() {
        memoryNodes(weir.policy("NODEALLOCATIONPOLICY MINRESOURCE"));
        memory("x", 256);
        memory("y", 640);
        weir.iterate(0);
        assertThat(nodesOf("x")).containsExactly("B");
        assertThat(nodesOf("y")).containsExactly("A");
    }

    @Test
    @Feature("ALLOC-4")
    void shouldBlockTheBigJobWhereTheFirstNodeIsTakenFirst() {
        memoryNodes(weir.policy("NODEALLOCATIONPOLICY FIRSTAVAILABLE"));
        memory("x", 256);
        memory("y", 640);
        weir.iterate(0);
        assertThat(nodesOf("x")).containsExactly("A");
        assertThat(nodesOf("y")).isEmpty();
    }

    @Test
    @Feature("ALLOC-23")
    void MR2() {
        weir.policy("NODEALLOCATIONPOLICY MINRESOURCE");
        node("small", 1, n -> n.setMemoryMb(256));
        node("large", 1, n -> n.setMemoryMb(1024));
        memory("y", 128);
        memory("x", 512);
        weir.iterate(0);
        assertThat(nodesOf("y")).containsExactly("small");
        assertThat(nodesOf("x")).containsExactly("large");
    }

    @Test
    @Feature("ALLOC-24")
    void CO1() {
        assertThat(contiguous(2)).containsExactlyInAnyOrder("n5", "n6");
        assertThat(contiguous(3)).containsExactlyInAnyOrder("n1", "n2", "n3");
        assertThat(contiguous(4)).isEmpty();
    }

    @Test
    @Feature("ALLOC-25")
    void MB1() {
        assertThat(balanced(2)).containsExactlyInAnyOrder("s6", "s7");
        assertThat(balanced(3)).containsExactlyInAnyOrder("s1", "s2", "s3");
        assertThat(balanced(4)).containsExactlyInAnyOrder("s4", "s5", "s6", "s7");
    }

    @Test
    @Feature("ALLOC-26")
    void FA1() {
        weir.policy("NODEALLOCATIONPOLICY FASTEST");
        node("a", 1, n -> n.setSpeed(1.0));
        node("b", 1, n -> n.setSpeed(1.5));
        node("c", 1, n -> {});
        weir.submit("1", 1, HOUR).submit("2", 1, HOUR).submit("3", 1, HOUR).iterate(0);
        assertThat(nodesOf("1")).containsExactly("b");
        assertThat(nodesOf("2")).containsExactly("c");
        assertThat(nodesOf("3")).containsExactly("a");
    }

    @Test
    @Feature("ALLOC-26")
    void FA2() {
        weir.policy("NODEALLOCATIONPOLICY FASTEST");
        node("a", 1, n -> n.setSpeed(1.0).setProcSpeedMhz(2400));
        node("b", 1, n -> n.setSpeed(1.0).setProcSpeedMhz(3000));
        node("c", 1, n -> n.setSpeed(1.0).setProcSpeedMhz(2400));
        weir.submit("1", 1, HOUR).iterate(0);
        assertThat(nodesOf("1")).containsExactly("b");
    }

    @Test
    @Feature("ALLOC-26")
    void shouldDrawTheOrderOfEqualNodesFromTheSeed() {
        List<List<String>> orders = new ArrayList<>();
        for (int seed = 1; seed <= 5; seed++) {
            assertThat(drawn(seed)).isEqualTo(drawn(seed));
            orders.add(drawn(seed));
        }
        assertThat(orders.stream().distinct().count()).isGreaterThan(2);
    }

    @Test
    @Feature("ALLOC-17")
    void CL1() {
        weir.policy("NODEALLOCATIONPOLICY CPULOAD\nNODEAVAILABILITYPOLICY DEDICATED");
        node("a", 4, n -> n.setLoad(3.5));
        node("b", 8, n -> n.setLoad(6.0));
        node("c", 2, n -> n.setLoad(0.1));
        node("full", 16, n -> n.setLoad(16.0));
        List<String> order = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            weir.submit("j" + i, 1, HOUR, job -> job.setNodeAccess("SINGLEJOB"));
        }
        weir.iterate(0);
        for (int i = 1; i <= 3; i++) {
            order.addAll(nodesOf("j" + i));
        }
        assertThat(order).containsExactly("b", "c", "a");
    }

    @Test
    @Feature({"ALLOC-5", "ALLOC-6"})
    void SH1() {
        assertThat(shared("-APROCS")).containsExactly("B", "A");
        assertThat(shared("APROCS")).containsExactly("A", "");
    }

    @Test
    @Feature("ALLOC-7")
    void shouldWeighSeveralResourcesAtOnce() {
        weir.policy("NODEALLOCATIONPOLICY PRIORITY\nNODECFG[DEFAULT] PRIORITYF='-APROCS -0.01*AMEM'");
        node("wide", 8, n -> n.setMemoryMb(1000));
        node("deep", 4, n -> n.setMemoryMb(2000));
        memory("j", 100);
        weir.iterate(0);
        assertThat(nodesOf("j")).containsExactly("wide");
    }

    @Test
    void TD1() {
        assertThat(dealt("PACK")).containsExactlyInAnyOrder(4, 2);
        assertThat(dealt("RR")).containsExactlyInAnyOrder(3, 3);
        assertThat(dealt("DISPERSE")).containsExactlyInAnyOrder(2, 2, 2);
        assertThat(dealt("DEFAULT")).containsExactlyInAnyOrder(4, 2);
    }

    @Test
    void TD2() {
        weir.policy("JOBNODEMATCHPOLICY EXACTNODE").nodes(1, 4);
        weir.submit("j", 1, HOUR, job -> job.setExtension("nodes=2:ppn=2")).iterate(0);
        assertThat(nodesOf("j")).isEmpty();
        weir.node("n2", 4, NodeState.IDLE).iterate(1);
        assertThat(nodesOf("j")).containsExactlyInAnyOrder("n1", "n2");
        assertThat(tasksOf(weir, "j")).containsExactly(2, 2);
    }

    @Test
    void shouldPackThePartsOfAJobOntoOneNodeUnlessTheSiteWantsExactNodes() {
        weir.nodes(1, 4);
        weir.submit("j", 1, HOUR, job -> job.setExtension("nodes=2:ppn=2")).iterate(0);
        assertThat(nodesOf("j")).containsExactly("n1");
        assertThat(tasksOf(weir, "j")).containsExactly(4);
    }

    @Test
    void shouldOnlyTakeNodesOfExactlyTheProcessorsAskedFor() {
        weir.policy("JOBNODEMATCHPOLICY EXACTPROC");
        node("big", 8, n -> {});
        node("fit", 2, n -> {});
        weir.submit("j", 1, HOUR, job -> job.setExtension("nodes=1:ppn=2")).iterate(0);
        assertThat(nodesOf("j")).containsExactly("fit");
    }

    @Test
    void shouldPutAsManyTasksOnANodeAsTheJobSays() {
        weir.nodes(4, 4);
        weir.submit("exact", 4, HOUR, job -> job.setExtension("tpn=2,nallocpolicy=FIRSTAVAILABLE"))
                .submit("odd", 3, HOUR, job -> job.setExtension("tpn=2"))
                .iterate(0);
        assertThat(tasksOf(weir, "exact")).containsExactly(2, 2);
        assertThat(tasksOf(weir, "odd")).containsExactlyInAnyOrder(2, 1);
    }

    @Test
    void shouldPutAsManyTasksOnANodeAsTheResourceManagerSays() {
        weir.nodes(3, 4);
        weir.submit(
                        "j",
                        3,
                        HOUR,
                        job -> job.setRequirements(List.of(TaskRequirement.newBuilder()
                                .setTasks(3)
                                .setTasksPerNode(1)
                                .build())))
                .iterate(0);
        assertThat(tasksOf(weir, "j")).containsExactly(1, 1, 1);
    }

    @Test
    void shouldWaitForAsManyNodesAsExactTasksPerNodeNeed() {
        weir.nodes(1, 4);
        weir.submit("two", 2, HOUR, job -> job.setExtension("tpn=1")).iterate(0);
        assertThat(nodesOf("two")).isEmpty();

        weir.node("n2", 4, NodeState.IDLE).iterate(1);

        assertThat(nodesOf("two")).containsExactlyInAnyOrder("n1", "n2");
    }

    @Test
    void shouldSpreadTheGroupsOfAJobThatSaysHowManyTasksANodeTakes() {
        weir.nodes(2, 8);
        weir.submit("packed", 1, HOUR, job -> job.setExtension("nodes=2:ppn=2"))
                .submit("spread", 1, HOUR, job -> job.setExtension("nodes=2:ppn=2,tpn=2"))
                .iterate(0);
        assertThat(tasksOf(weir, "packed")).containsExactly(4);
        assertThat(tasksOf(weir, "spread")).containsExactly(2, 2);
    }

    @Test
    void shouldPutAtLeastAsManyTasksOnANodeAsTheJobSays() {
        weir.nodes(4, 4);
        weir.submit("possible", 7, HOUR, job -> job.setExtension("tpn=3+"))
                .submit("impossible", 5, HOUR, job -> job.setExtension("tpn=3+"))
                .iterate(0);
        assertThat(tasksOf(weir, "possible")).containsExactlyInAnyOrder(4, 3);
        assertThat(nodesOf("impossible")).isEmpty();
    }

    @Test
    @Feature("ALLOC-2")
    void shouldLetTheJobsPolicyWinOverThePartitionsAndThatOverTheSites() {
        weir.policy("NODEALLOCATIONPOLICY FIRSTAVAILABLE\nPARCFG[q] NODEALLOCATIONPOLICY=MINRESOURCE");
        node("p1", 1, n -> n.setPartition("p").setMemoryMb(500));
        node("p2", 1, n -> n.setPartition("p").setMemoryMb(400));
        node("q1", 1, n -> n.setPartition("q").setMemoryMb(500));
        node("q2", 1, n -> n.setPartition("q").setMemoryMb(400));
        node("q3", 1, n -> n.setPartition("q").setMemoryMb(600));
        weir.submit("site", 1, HOUR, job -> job.setPartitions(List.of("p")))
                .submit("partition", 1, HOUR, job -> job.setPartitions(List.of("q")))
                .submit(
                        "job",
                        1,
                        HOUR,
                        job -> job.setPartitions(List.of("q")).setExtension("nallocpolicy=LASTAVAILABLE"))
                .iterate(0);
        assertThat(nodesOf("site")).containsExactly("p1");
        assertThat(nodesOf("partition")).containsExactly("q2");
        assertThat(nodesOf("job")).containsExactly("q3");
    }

    @Test
    void AC1() {
        weir.nodes(1, 4);
        weir.submit("1", 1, HOUR, job -> job.setNodeAccess("SINGLEUSER")).iterate(0);
        weir.submit("2", 1, HOUR, job -> job.setUser("bob"))
                .submit("3", 1, HOUR)
                .iterate(1);
        assertThat(nodesOf("1")).containsExactly("n1");
        assertThat(nodesOf("2")).isEmpty();
        assertThat(nodesOf("3")).containsExactly("n1");
        weir.end("1", 2).iterate(2);
        assertThat(nodesOf("2")).containsExactly("n1");
    }

    @Test
    void shouldGiveAJobThatSharesWithNobodyTheWholeNode() {
        weir.nodes(2, 4);
        weir.submit("alone", 1, HOUR, job -> job.setNodeAccess("SINGLEJOB"))
                .submit("other", 5, HOUR)
                .submit("small", 4, HOUR)
                .iterate(0);
        assertThat(weir.job("alone").getAllocation()).containsExactly(new NodeAllocation("n2", 4));
        assertThat(nodesOf("other")).isEmpty();
        assertThat(nodesOf("small")).containsExactly("n1");
    }

    @Test
    void shouldStartAllRequirementsTogetherInOnePartition() {
        node("p1", 4, n -> n.setPartition("p").setFeatures(List.of("gpu")));
        node("q1", 4, n -> n.setPartition("q"));
        node("q2", 4, n -> n.setPartition("q").setFeatures(List.of("gpu")));
        List<TaskRequirement> both = List.of(
                TaskRequirement.newBuilder()
                        .setTasks(1)
                        .setProcsPerTask(2)
                        .setFeatures(List.of("gpu"))
                        .build(),
                TaskRequirement.newBuilder().setTasks(6).setProcsPerTask(1).build());
        weir.submit("j", 7, HOUR, job -> job.setRequirements(both)).iterate(0);
        assertThat(weir.job("j").getPlacements())
                .containsExactly(
                        new TaskPlacement("q2", 0, 1), new TaskPlacement("q2", 1, 2), new TaskPlacement("q1", 1, 4));
    }

    @Test
    void shouldShareTheFloatingResourcesOfTheWholeCluster() {
        node("GLOBAL", 1, n -> n.setGres(List.of(new NameCount("matlab", 3L))));
        weir.nodes(4, 1);
        for (int i = 1; i <= 4; i++) {
            weir.submit("j" + i, 1, HOUR, job -> job.setExtension("gres=matlab:2"));
        }
        weir.iterate(0);
        assertThat(nodesOf("j1")).containsExactly("n4");
        assertThat(nodesOf("j2")).isEmpty();
        weir.end("j1", 10).iterate(10);
        assertThat(nodesOf("j2")).hasSize(1);
    }

    private SchedulerFixture aroundReservations(String policy) {
        SchedulerFixture around = new SchedulerFixture().policy(policy + "RESERVATIONDEPTH 2");
        for (String id : new String[] {"p1", "p2", "p3", "p4", "q1", "q2"}) {
            around.node(id, 1, NodeState.IDLE);
        }
        around.adopt("A", 1, 2 * HOUR, 0, "p2").adopt("B", 1, 3 * HOUR, 0, "p3");
        around.adopt("E", 1, 6 * HOUR, 0, "q1").adopt("F", 1, 4 * HOUR, 0, "q2");
        around.submit("X1", 2, 24 * HOUR, job -> job.setHosts(List.of("p1", "q1")))
                .submit("X4", 2, 24 * HOUR, job -> job.setHosts(List.of("p4", "q2")))
                .submit("C", 1, 3 * HOUR)
                .submit("D", 1, 5 * HOUR)
                .iterate(0);
        assertThat(around.reservedStart("X1")).isEqualTo(6 * HOUR);
        assertThat(around.reservedStart("X4")).isEqualTo(4 * HOUR);
        return around;
    }

    /** Returns the nodes reserved for a job of two nodes where n1 and n3 come free at 2 h and n2 at 1 h. */
    private List<String> reservedLater(String policy) {
        SchedulerFixture busy =
                new SchedulerFixture().policy("NODEALLOCATIONPOLICY " + policy + "\nNODECFG[n1] FEATURES=x");
        busy.nodes(3, 1);
        busy.adopt("a", 1, 2 * HOUR, 0, "n1").adopt("b", 1, HOUR, 0, "n2").adopt("c", 1, 2 * HOUR, 0, "n3");
        busy.submit("j", 2, HOUR, job -> job.setExtension("mem=0,taskdist=PACK"))
                .iterate(0);
        busy.submit("particular", 1, HOUR, job -> job.setHosts(List.of("n1"))).iterate(0);
        assertThat(busy.reservedStart("j")).isEqualTo(2 * HOUR);
        return reserved(busy, "j");
    }

    private static List<String> reserved(SchedulerFixture of, String job) {
        return of.publishedReservations.get(job).getPlacements().stream()
                .map(TaskPlacement::getNodeId)
                .toList();
    }

    private void memoryNodes(SchedulerFixture on) {
        on.node("A", 1, NodeState.IDLE, n -> n.setMemoryMb(768));
        on.node("B", 1, NodeState.IDLE, n -> n.setMemoryMb(512));
    }

    private void memory(String id, long megabytes) {
        weir.submit(id, 1, HOUR, needs(1, r -> r.setMemoryMb(megabytes)));
    }

    private static Consumer<JobReport.Builder> needs(int tasks, Consumer<TaskRequirement.Builder> more) {
        TaskRequirement.Builder requirement = TaskRequirement.newBuilder().setTasks(tasks);
        more.accept(requirement);
        return job -> job.setRequirements(List.of(requirement.build()));
    }

    private List<String> contiguous(int nodes) {
        SchedulerFixture block = new SchedulerFixture().policy("NODEALLOCATIONPOLICY CONTIGUOUS");
        for (int i = 1; i <= 8; i++) {
            block.node("n" + i, 1, i == 4 || i == 7 ? NodeState.DOWN : NodeState.IDLE);
        }
        block.submit("j", nodes, HOUR).iterate(0);
        return nodesOf(block, "j");
    }

    private List<String> balanced(int nodes) {
        SchedulerFixture speeds = new SchedulerFixture().policy("NODEALLOCATIONPOLICY MAXBALANCE");
        int[] mhz = {500, 500, 500, 750, 750, 800, 800, 1000};
        for (int i = 1; i <= 8; i++) {
            int speed = mhz[i - 1];
            speeds.node("s" + i, 1, NodeState.IDLE, n -> n.setProcSpeedMhz(speed));
        }
        speeds.submit("j", nodes, HOUR).iterate(0);
        return nodesOf(speeds, "j");
    }

    private List<String> drawn(int seed) {
        SchedulerFixture random = new SchedulerFixture()
                .policy("NODEALLOCATIONPOLICY FASTEST\nRANDOMSEED " + seed)
                .nodes(5, 1);
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            random.submit("j" + i, 1, HOUR);
        }
        random.iterate(0);
        for (int i = 0; i < 5; i++) {
            order.addAll(nodesOf(random, "j" + i));
        }
        return order;
    }

    private List<String> shared(String function) {
        SchedulerFixture two = new SchedulerFixture()
                .policy("NODEALLOCATIONPOLICY PRIORITY\nNODECFG[DEFAULT] PRIORITYF='" + function + "'");
        two.node("A", 64, NodeState.IDLE).node("B", 64, NodeState.IDLE);
        two.adopt("a", 40, 100 * HOUR, -10, "A").adopt("b", 52, 100 * HOUR, -10, "B");
        two.submit("x", 1, 10, HOUR, 0).submit("y", 1, 20, HOUR, 1).iterate(2);
        return List.of(String.join(",", nodesOf(two, "x")), String.join(",", nodesOf(two, "y")));
    }

    private List<Integer> dealt(String distribution) {
        SchedulerFixture three = new SchedulerFixture().nodes(3, 4);
        three.submit("j", 6, HOUR, job -> job.setExtension("taskdist=" + distribution))
                .iterate(0);
        return tasksOf(three, "j");
    }

    private void node(String id, int procs, Consumer<NodeReport.Builder> more) {
        weir.node(id, procs, NodeState.IDLE, more);
    }

    private List<String> nodesOf(String job) {
        return nodesOf(weir, job);
    }

    static List<String> nodesOf(SchedulerFixture of, String job) {
        return of.job(job).getAllocation().stream()
                .map(NodeAllocation::getNodeId)
                .toList();
    }

    static List<Integer> tasksOf(SchedulerFixture of, String job) {
        return of.job(job).getPlacements().stream().map(TaskPlacement::getTasks).toList();
    }
}
