package io.weir.scheduler.core;

import static io.weir.scheduler.core.NodeAllocationTest.nodesOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.Measurement;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The PRIORITY policy: every component by its value, and the worked functions. */
@NullUnmarked
class NodePriorityTest {
    private static final long HOUR = 3600;
    private static final String PRIORITY = "NODEALLOCATIONPOLICY PRIORITY\nNODEAVAILABILITYPOLICY DEDICATED\n";

    private Consumer<SchedulerFixture> before = weir -> {};
    private Consumer<JobReport.Builder> job = report -> {};
    private String more = "";

    @Test
    @Feature("PRIO-1")
    void ADISK() {
        more = "NODEAVAILABILITYPOLICY COMBINED:DISK\n";
        worth("ADISK", 300, node -> node.setDiskMb(1000).setAvailableDiskMb(300L));
    }

    @Test
    @Feature("PRIO-2")
    void AMEM() {
        more = "NODEAVAILABILITYPOLICY COMBINED:MEM\n";
        worth("AMEM", 5000, node -> node.setMemoryMb(8000).setAvailableMemoryMb(5000L));
    }

    @Test
    @Feature("PRIO-5")
    void APROCS() {
        before = weir -> weir.adopt("r", 3, HOUR, -1, "a");
        worth("APROCS", 5, node -> node.setLoad(7.0));
    }

    @Test
    @Feature("PRIO-6")
    void ARCH() {
        worth("ARCH[ppc64]", 1, node -> node.setArch("ppc64"));
        worth("ARCH[ppc64]", 0, node -> node.setArch("x86_64"));
        worth("ARCH", 1, node -> node.setArch("x86_64"));
    }

    @Test
    @Feature("PRIO-7")
    void ASWAP() {
        more = "NODEAVAILABILITYPOLICY COMBINED:SWAP\n";
        worth("ASWAP", 400, node -> node.setSwapMb(500).setAvailableSwapMb(400L));
    }

    @Test
    @Feature("PRIO-8")
    void CDISK() {
        worth("CDISK", 1000, node -> node.setDiskMb(1000).setAvailableDiskMb(300L));
    }

    @Test
    @Feature("PRIO-9")
    void CMEM() {
        worth("CMEM", 8000, node -> node.setMemoryMb(8000).setAvailableMemoryMb(5000L));
    }

    @Test
    @Feature("PRIO-10")
    void COST() {
        more = "NODECFG[a] CHARGERATE=2.5\n";
        worth("COST", 2.5, node -> {});
    }

    @Test
    @Feature("PRIO-11")
    void CPROCS() {
        before = weir -> weir.adopt("r", 3, HOUR, -1, "a");
        worth("CPROCS", 8, node -> {});
    }

    @Test
    @Feature("PRIO-12")
    void CSWAP() {
        worth("CSWAP", 500, node -> node.setSwapMb(500).setAvailableSwapMb(400L));
    }

    @Test
    @Feature("PRIO-13")
    void FEATURE() {
        worth("FEATURE[fast]", 1, node -> node.setFeatures(List.of("fast")));
        worth("FEATURE[fast]", 1, node -> node.setFeatures(List.of("large", "fast")));
        worth("FEATURE[FAST]", 0, node -> node.setFeatures(List.of("fast")));
    }

    @Test
    @Feature("PRIO-14")
    void FREETIME() {
        before = weir -> weir.adopt("r", 4, 2 * HOUR, 0, "a");
        worth("FREETIME", 5_184_000 - HOUR, node -> {});
    }

    /** A reservation counts, and what its users' jobs hold there does not count again. */
    @Test
    @Feature("PRIO-14")
    void FREETIMEWithReservations() {
        before = weir -> weir.adopt("r", 3, HOUR, 0, "a")
                .request(
                        "rsv",
                        RequestKind.CREATE_RESERVATION,
                        "new",
                        List.of(
                                new NameValue("h", "^a$"),
                                new NameValue("t", "1"),
                                new NameValue("R", "PROCS:4"),
                                new NameValue("d", "4:00:00"),
                                new NameValue("a", "USER==ann")));
        job = report -> report.setUser("eve");
        worth("FREETIME", 5_184_000 - 2 * HOUR, node -> {});
    }

    @Test
    @Feature("PRIO-15")
    void GMETRIC() {
        worth("GMETRIC[temp]", 61.5, node -> node.setMetrics(List.of(new Measurement("temp", 61.5))));
        worth("GMETRIC[other]", 0, node -> node.setMetrics(List.of(new Measurement("temp", 61.5))));
    }

    @Test
    @Feature("PRIO-16")
    void JOBCOUNT() {
        before = weir -> weir.adopt("r", 3, HOUR, -1, "a").adopt("s", 1, HOUR, -1, "a");
        worth("JOBCOUNT", 2, node -> {});
    }

    @Test
    @Feature("PRIO-17")
    void LOAD() {
        worth("LOAD", 3.25, node -> node.setLoad(3.25));
    }

    @Test
    @Feature("PRIO-19")
    void NODEINDEX() {
        worth("NODEINDEX", 17, node -> node.setIndex(17));
    }

    @Test
    @Feature("PRIO-20")
    void OS() {
        worth("OS", 1, node -> node.setOs("linux"));
    }

    @Test
    @Feature("PRIO-21")
    void PARAPROCS() {
        before = weir -> weir.adopt("r", 3, HOUR, -1, "a");
        worth("PARAPROCS", 13, node -> {});
    }

    @Test
    @Feature("PRIO-22")
    void POWER() {
        worth("POWER", 1, node -> {});
    }

    @Test
    @Feature({"PRIO-23", "PREF-2", "PREF-3"})
    void PREF() {
        job = report -> report.setExtension("pref=feature:fast");
        worth("PREF", 1, node -> node.setFeatures(List.of("fast")));
        worth("PREF", 0, node -> {});
        for (String resource : List.of("mem", "swap", "disk")) {
            job = report -> report.setExtension("pref=" + resource + ">=2048");
            worth("PREF", 1, node -> amounts(node, resource, 2048, 2047));
            worth("PREF", 0, node -> amounts(node, resource, 2047, 4096));
        }
    }

    /** {@code much} of {@code resource}, {@code others} of every other. */
    private static void amounts(NodeReport.Builder node, String resource, long much, long others) {
        node.setMemoryMb(resource.equals("mem") ? much : others)
                .setSwapMb(resource.equals("swap") ? much : others)
                .setDiskMb(resource.equals("disk") ? much : others);
    }

    /** Without quotes the function ends at the first blank; the rest is no attribute. */
    @Test
    @Feature("PRIO-31")
    void shouldEndAFunctionWithoutQuotesAtItsFirstBlank() {
        SchedulerFixture weir = new SchedulerFixture();
        weir.policy(PRIORITY + "NODECFG[DEFAULT] PRIORITYF=NODEINDEX - 5*LOAD\n")
                .iterate(0);
        assertThat(weir.lastNotifications())
                .filteredOn(notice -> notice.getEvent().equals("configproblem"))
                .extracting(io.weir.schemas.Notification::getText)
                .anyMatch(text -> text.contains("unknown attribute '5*LOAD'") && text.contains("quoted"));
        weir.node("a", 1, NodeState.IDLE)
                .node("b", 1, NodeState.IDLE, node -> node.setLoad(0.5))
                .submit("j", 1, HOUR)
                .iterate(10);
        assertThat(nodesOf(weir, "j")).as("by NODEINDEX alone").containsExactly("b");
    }

    @Test
    @Feature("PREF-5")
    void shouldHonourThePreferenceOfTheResourceManager() {
        job = report -> report.setPreference("PREF(FEATURE:fast)");
        worth("PREF", 1, node -> node.setFeatures(List.of("fast")));
    }

    @Test
    @Feature("PRIO-24")
    void shouldWeighThePriorityOfTheAdministrator() {
        more = "NODECFG[a] PRIORITY=-40\n";
        worth("PRIORITY", -40, node -> {});
        more = "NODECFG[DEFAULT] PRIORITY=7\n";
        worth("PRIORITY", 7, node -> {});
    }

    @Test
    @Feature("PRIO-25")
    void PF7() {
        int high = 0;
        for (int seed = 1; seed <= 100; seed++) {
            String seeded = "RANDOMSEED " + seed + "\n";
            assertThat(chosen(seeded, "100*RANDOM", "-0.001", node -> {})).isEqualTo("a");
            assertThat(chosen(seeded, "100*RANDOM", "100", node -> {})).isEqualTo("b");
            assertThat(chosen(seeded, "1000000*RANDOM", "32768.1", node -> {})).isEqualTo("b");
            high += chosen(seeded, "100*RANDOM", "50", node -> {}).equals("a") ? 1 : 0;
        }
        assertThat(high).isBetween(35, 65);
    }

    @Test
    @Feature("PRIO-27")
    void SPEED() {
        worth("SPEED", 2400, node -> node.setProcSpeedMhz(2400).setSpeed(1.5));
        worth("SPEED", 1.5, node -> node.setSpeed(1.5));
    }

    @Test
    @Feature("PRIO-28")
    void SUSPENDEDJCOUNT() {
        before = weir -> weir.adopt("r", 3, HOUR, -1, "a")
                .adopt("s", 1, HOUR, -1, "a")
                .report("s", JobState.SUSPENDED, Long.MAX_VALUE);
        worth("SUSPENDEDJCOUNT", 1, node -> {});
        worth("JOBCOUNT", 1, node -> {});
    }

    @Test
    @Feature({"PRIO-30", "PRIO-31"})
    void shouldPreferTheFunctionOfTheNodeToThatOfAll() {
        String text = PRIORITY + "NODECFG[DEFAULT] PRIORITYF='-PRIORITY - 5'\nNODECFG[b] PRIORITYF='1 + PRIORITY'\n";
        assertThat(order(
                        text,
                        weir -> weir.node("a", 1, NodeState.IDLE)
                                .node("b", 1, NodeState.IDLE)
                                .node("c", 1, NodeState.IDLE)))
                .containsExactly("b", "c", "a");
    }

    @Test
    @Feature({"ALLOC-21", "PRIO-32"})
    void PF1() {
        String text = PRIORITY + "NODECFG[DEFAULT] PRIORITYF='SPEED + .01 * AMEM - 10 * JOBCOUNT'\n";
        assertThat(order(text, weir -> {
                    weir.node(
                            "third",
                            4,
                            NodeState.IDLE,
                            n -> n.setProcSpeedMhz(3000).setMemoryMb(1024));
                    weir.node(
                            "first",
                            1,
                            NodeState.IDLE,
                            n -> n.setProcSpeedMhz(2400).setMemoryMb(4096));
                    weir.node(
                            "second",
                            4,
                            NodeState.IDLE,
                            n -> n.setProcSpeedMhz(2400).setMemoryMb(2048));
                    weir.adopt("r1", 2, HOUR, -1, "third").adopt("r2", 1, HOUR, -1, "third");
                    weir.adopt("r3", 1, HOUR, -1, "second")
                            .adopt("r4", 1, HOUR, -1, "second")
                            .adopt("r5", 1, HOUR, -1, "second");
                }))
                .containsExactly("third", "first", "second");
    }

    @Test
    @Feature("PRIO-34")
    void PF3() {
        String text = PRIORITY + "NODECFG[DEFAULT] PRIORITYF=JOBCOUNT\n";
        assertThat(order(text, weir -> {
                    weir.node("one", 2, NodeState.IDLE)
                            .node("none", 1, NodeState.IDLE)
                            .node("three", 4, NodeState.IDLE);
                    weir.adopt("r1", 1, HOUR, -1, "one")
                            .adopt("r2", 1, HOUR, -1, "three")
                            .adopt("r3", 1, HOUR, -1, "three")
                            .adopt("r4", 1, HOUR, -1, "three");
                }))
                .containsExactly("three", "one", "none");
    }

    @Test
    @Feature("PRIO-35")
    void PF4() {
        String text = PRIORITY + "NODECFG[DEFAULT] PRIORITYF='100*APROCS - GMETRIC[temp]'\n";
        assertThat(order(text, weir -> {
                    hot(weir, "small", 4, 50);
                    hot(weir, "warm", 8, 80);
                    hot(weir, "cool", 8, 65);
                }))
                .containsExactly("cool", "warm", "small");
    }

    @Test
    @Feature({"PREF-4"})
    void PF6() {
        String text = PRIORITY + "NODECFG[DEFAULT] PRIORITYF='5 * PREF - LOAD'\n";
        job = report -> report.setExtension("pref=feature:fast");
        assertThat(order(text, weir -> {
                    loaded(weir, "hot", 6, "fast");
                    loaded(weir, "other", 0, "slow");
                    loaded(weir, "mild", 3, "fast");
                }))
                .containsExactly("mild", "other", "hot");
    }

    @Test
    void PF8() {
        String text = PRIORITY + "NODECFG[DEFAULT] PRIORITYF='10 * APROCS - LOAD - JOBCOUNT'\nNODECFG[x] PRIORITYF=";
        Consumer<SchedulerFixture> nodes = weir -> {
            weir.node("n", 5, NodeState.IDLE, n -> n.setLoad(1.5)).node("x", 1, NodeState.IDLE);
            weir.adopt("r", 1, HOUR, -1, "n");
        };
        assertThat(order(text + "37.4\n", nodes).get(0)).isEqualTo("n");
        assertThat(order(text + "37.6\n", nodes).get(0)).isEqualTo("x");
    }

    @Test
    @Feature({"ALLOC-3", "ALLOC-22", "PRIO-26"})
    void PF9() {
        assertThat(drawn("5*RSVAFFINITY - LOAD")).containsExactly("n3", "n2", "n1");
        assertThat(drawn("-LOAD")).containsExactly("n3", "n1", "n2");
    }

    @Test
    @Feature("PRIO-26")
    void RSVAFFINITY() {
        before = weir -> weir.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "new",
                        List.of(new NameValue("h", "a"), new NameValue("a", "user==ann-")))
                .iterate(0);
        worth("RSVAFFINITY", -1, node -> {});
        before = weir -> {};
        worth("RSVAFFINITY", 0, node -> {});
    }

    @Test
    @Feature("PREF-1")
    void PR1() {
        String text = PRIORITY + "NODECFG[DEFAULT] PRIORITYF='5 * PREF - LOAD'\n";
        Consumer<SchedulerFixture> nodes = weir -> {
            loaded(weir, "n1", 0, "fast");
            loaded(weir, "n2", 0, "slow");
            loaded(weir, "n3", 0, "fast");
            loaded(weir, "n4", 0, "slow");
        };
        job = report -> report.setExtension("pref=feature:fast");
        assertThat(order(text, nodes).subList(0, 2)).containsExactlyInAnyOrder("n1", "n3");

        SchedulerFixture weir = new SchedulerFixture().policy(text);
        nodes.accept(weir);
        weir.submit("all", 4, HOUR, job).iterate(0);
        assertThat(nodesOf(weir, "all")).hasSize(4);
    }

    @Test
    void shouldRunAJobWhosePreferenceCannotBeRead() {
        job = report -> report.setExtension("pref=colour:red");
        worth("PREF", 0, node -> node.setFeatures(List.of("fast")));
    }

    @Test
    @Feature("ALLOC-13")
    void IN1() {
        String text = "NODEALLOCATIONPOLICY PRIORITY\nNODEAVAILABILITYPOLICY DEDICATED:PROC COMBINED:MEM\n"
                + "CLASSCFG[interactive] HOSTLIST=interactive01,interactive02\n"
                + "NODECFG[interactive01] RCPROC=32 MAXLOAD=4.0 PRIORITYF='-20*LOAD - JOBCOUNT'\n"
                + "NODECFG[interactive02] RCPROC=32 MAXLOAD=4.0 PRIORITYF='-20*LOAD - JOBCOUNT'\n";
        SchedulerFixture weir = new SchedulerFixture().policy(text);
        weir.node("interactive01", 4, NodeState.IDLE, n -> n.setLoad(0.5));
        weir.node("interactive02", 4, NodeState.IDLE, n -> n.setLoad(0.2));
        weir.node("compute01", 64, NodeState.IDLE);
        weir.iterate(0);
        for (int i = 0; i < 9; i++) {
            weir.adopt("r" + i, 1, HOUR, -1, i < 3 ? "interactive01" : "interactive02");
        }
        weir.heartbeat(1, false, SchedulerFixture.EPOCH, 1);
        weir.submit("j", 1, HOUR, report -> report.setJobClass("interactive")).iterate(1);
        assertThat(nodesOf(weir, "j")).containsExactly("interactive02");
    }

    /** Returns the nodes that jobs get one after the other; n1 and n3 attract them by a reservation. */
    private List<String> drawn(String function) {
        SchedulerFixture weir =
                new SchedulerFixture().policy(PRIORITY + "NODECFG[DEFAULT] PRIORITYF='" + function + "'\n");
        double[] loads = {6, 0, 2};
        for (int i = 1; i <= 3; i++) {
            loaded(weir, "n" + i, loads[i - 1], "any");
        }
        weir.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "new",
                        List.of(new NameValue("h", "n1,n3"), new NameValue("a", "user==ann+")))
                .iterate(0);
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            weir.submit("j" + i, 1, HOUR);
        }
        weir.iterate(1);
        for (int i = 0; i < 3; i++) {
            order.addAll(nodesOf(weir, "j" + i));
        }
        return order;
    }

    private static void hot(SchedulerFixture weir, String id, int procs, double temperature) {
        weir.node(id, procs, NodeState.IDLE, n -> n.setMetrics(List.of(new Measurement("temp", temperature))));
    }

    private static void loaded(SchedulerFixture weir, String id, double load, String feature) {
        weir.node(id, 1, NodeState.IDLE, n -> n.setLoad(load).setFeatures(List.of(feature)));
    }

    /** Checks that {@code component} of node a is worth {@code expected}: just more than less, just less than more. */
    private void worth(String component, double expected, Consumer<NodeReport.Builder> node) {
        double little = 0.01;
        assertThat(chosen(more, component, Double.toString(expected - little), node))
                .as("%s above %s", component, expected - little)
                .isEqualTo("a");
        assertThat(chosen(more, component, Double.toString(expected + little), node))
                .as("%s below %s", component, expected + little)
                .isEqualTo("b");
    }

    /** Returns which node a job gets when node a has one function and node b another. */
    private String chosen(String settings, String a, String b, Consumer<NodeReport.Builder> node) {
        SchedulerFixture weir = new SchedulerFixture()
                .policy(PRIORITY + settings + "NODECFG[a] PRIORITYF='" + a + "'\nNODECFG[b] PRIORITYF='" + b + "'\n");
        weir.node("a", 8, NodeState.IDLE, node).node("b", 8, NodeState.IDLE);
        before.accept(weir);
        weir.submit("j", 1, HOUR, job).iterate(0);
        return nodesOf(weir, "j").get(0);
    }

    /** Returns the nodes that successive jobs get, each alone on its own. */
    private List<String> order(String policy, Consumer<SchedulerFixture> nodes) {
        SchedulerFixture weir = new SchedulerFixture().policy(policy);
        nodes.accept(weir);
        weir.iterate(0);
        List<String> order = new ArrayList<>();
        for (int i = 0; order.size() < 3 && i < 10; i++) {
            String id = "j" + i;
            weir.submit(id, 1, HOUR, job).iterate(0);
            if (weir.job(id).getAllocation().isEmpty()) {
                break;
            }
            String node = nodesOf(weir, id).get(0);
            order.add(node);
            weir.node(node, 8, NodeState.DRAINED);
        }
        return order;
    }
}
