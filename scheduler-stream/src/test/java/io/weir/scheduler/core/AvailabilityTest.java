package io.weir.scheduler.core;

import static io.weir.scheduler.core.NodeAllocationTest.nodesOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What nodes take at present, by what they gave away and by what is measured. */
@NullUnmarked
class AvailabilityTest {
    private static final long HOUR = 3600;

    @Test
    @Feature({"AVAIL-1", "AVAIL-4"})
    void AV1() {
        assertThat(started("", 0.4)).containsExactly(4, 4, 4, 4);
        assertThat(started("NODEAVAILABILITYPOLICY DEDICATED", 0.4)).containsExactly(4, 4, 4, 4);
        assertThat(started("NODEAVAILABILITYPOLICY COMBINED", 0.4)).containsExactly(4, 4, 4, 4);
    }

    @Test
    @Feature({"AVAIL-3", "AVAIL-5", "AVAIL-7", "AVAIL-8", "AVAIL-9"})
    void AV2() {
        assertThat(started("NODEAVAILABILITYPOLICY UTILIZED", 0.4)).containsExactly(4, 7, 8, 8);
    }

    /** A's raise of the load is gone in the next iteration, so B, which it kept waiting, starts though nothing was said. */
    @Test
    @Feature({"AVAIL-7", "AVAIL-8"})
    void shouldForgetTheRaiseInTheNextIterationThoughNothingIsReported() {
        SchedulerFixture weir = new SchedulerFixture();
        weir.node("n1", 8, NodeState.IDLE, node -> node.setLoad(3.4));
        weir.submit("a", 3, 600).submit("b", 4, 600).iterate(10);
        assertThat(weir.started()).containsExactly("a");

        weir.heartbeat(1, false, SchedulerFixture.EPOCH, 20).iterate(20);
        assertThat(weir.started()).containsExactly("b");
    }

    @Test
    @Feature({"AVAIL-3", "AVAIL-6"})
    void AV3() {
        assertThat(started("NODEAVAILABILITYPOLICY UTILIZED", 1.0)).containsExactly(4, 4, 4, 4);
    }

    @Test
    @Feature("AVAIL-3")
    void AV4() {
        assertThat(started("NODEAVAILABILITYPOLICY UTILIZED", 0.6)).containsExactly(4, 6, 7, 7);
    }

    @Test
    @Feature("AVAIL-3")
    void AV5() {
        assertThat(started("NODEAVAILABILITYPOLICY UTILIZED", 0.5)).containsExactly(4, 6, 7, 8);
    }

    @Test
    @Feature({"AVAIL-2", "AVAIL-10", "AVAIL-11"})
    void AV6() {
        String policy = "NODEAVAILABILITYPOLICY DEDICATED:PROC COMBINED:MEM";
        assertThat(fits(policy, job -> job.setTasks(3))).isTrue();
        assertThat(fits(policy, job -> job.setTasks(4))).isFalse();
        assertThat(fits(policy, job -> job.setExtension("mem=5000"))).isTrue();
        assertThat(fits(policy, job -> job.setExtension("mem=5001"))).isFalse();
    }

    @Test
    @Feature("AVAIL-10")
    void AV7() {
        String policy = "NODEAVAILABILITYPOLICY UTILIZED:PROC COMBINED:MEM";
        assertThat(fits(policy, job -> job.setTasks(1))).isTrue();
        assertThat(fits(policy, job -> job.setTasks(2))).isFalse();
    }

    @Test
    @Feature({"ALLOC-12", "ALLOC-13"})
    void AV8() {
        String policy = "NODEAVAILABILITYPOLICY DEDICATED\nNODECFG[n] RCPROC=32 MAXLOAD=4.0";
        Consumer<SchedulerFixture> running = weir -> weir.adopt("r", 10, HOUR, -1, "n");
        assertThat(fits(policy, running, node -> node.setProcs(4).setLoad(4.1), job -> {}))
                .isFalse();
        assertThat(fits(policy, running, node -> node.setProcs(4).setLoad(3.9), job -> job.setTasks(22)))
                .isTrue();
        assertThat(fits(
                        policy + "\nNODELOADPOLICY ADJUSTPROCS",
                        running,
                        node -> node.setProcs(4).setLoad(3.2),
                        job -> {}))
                .isTrue();
        assertThat(fits(
                        policy + "\nNODELOADPOLICY ADJUSTPROCS",
                        running,
                        node -> node.setProcs(4).setLoad(3.2),
                        job -> job.setTasks(2)))
                .isFalse();
    }

    /** A start a second ahead, again and again, would keep others from an idle node. */
    @ParameterizedTest
    @ValueSource(strings = {"NODEMAXLOAD 2.5\nNODELOADPOLICY ADJUSTPROCS", "NODECFG[DEFAULT] MAXPROC=3"})
    void shouldReserveNothingForJobThatANodeCouldOnlyHoldWithoutItsLimit(String policy) {
        SchedulerFixture weir = new SchedulerFixture();
        weir.policy(policy).node("n", 4, NodeState.IDLE);
        weir.submit("uneven", 3, HOUR, job -> job.setExtension("tpn=2"))
                .submit("all", 4, HOUR)
                .submit("together", 4, HOUR, job -> job.setExtension("tpn=4"))
                .submit("fits", 3, HOUR)
                .iterate(0);
        assertThat(weir.started()).containsExactly("fits");
        assertThat(weir.publishedReservations).isEmpty();
    }

    @Test
    @Feature("AVAIL-2")
    void AV9() {
        assertThat(fits(
                        "NODEAVAILABILITYPOLICY DEDICATED",
                        weir -> weir.adopt("r", 4, HOUR, -1, "n"),
                        node -> node.setLoad(0.0),
                        job -> {}))
                .isFalse();
        assertThat(fits("NODEAVAILABILITYPOLICY DEDICATED", weir -> {}, node -> node.setLoad(50.0), job -> {}))
                .isTrue();
    }

    @Test
    @Feature("AVAIL-3")
    void AV10() {
        String policy = "NODEAVAILABILITYPOLICY UTILIZED:PROC";
        assertThat(fits(policy, weir -> {}, node -> node.setLoad(3.6), job -> job.setProcsPerTask(2)))
                .isFalse();
        assertThat(fits(policy, weir -> {}, node -> node.setLoad(3.6), job -> {}))
                .isTrue();
    }

    @Test
    @Feature("ALLOC-13")
    void AV11() {
        Consumer<SchedulerFixture> running = weir -> weir.adopt("r", 10, HOUR, -1, "n");
        Consumer<NodeReport.Builder> node =
                n -> n.setProcs(32).setMemoryMb(8000).setAvailableMemoryMb(0L);
        assertThat(fits("NODEAVAILABILITYPOLICY DEDICATED:PROC COMBINED:MEM", running, node, job -> {}))
                .isFalse();
        assertThat(fits("NODEAVAILABILITYPOLICY DEDICATED:PROC DEDICATED:MEM", running, node, job -> {}))
                .isTrue();
    }

    /** One entry changes all four resources; each is given away and measured by itself. */
    @ParameterizedTest
    @CsvSource({
        "DEDICATED, 4, 3, 6",
        "DEDICATED, 7, 2, 3",
        "UTILIZED, 4, 3, 3",
        "UTILIZED, 7, 8, 8",
        "COMBINED, 4, 3, 3",
        "COMBINED, 7, 8, 3"
    })
    @Feature({"AVAIL-2", "AVAIL-3", "AVAIL-4", "AVAIL-9", "AVAIL-11"})
    void shouldGoByOnePolicyForAllResources(String policy, int dedicated, int unused, int available) {
        for (String resource : List.of("procs", "mem", "swap", "disk")) {
            assertThat(takes(policy, resource, dedicated, unused, available))
                    .as("%s %s of 10", available, resource)
                    .isTrue();
            assertThat(takes(policy, resource, dedicated, unused, available + 1))
                    .as("%s %s of 10", available + 1, resource)
                    .isFalse();
        }
    }

    /**
     * Tells whether a job that asks for so much of one resource starts on a node that has 10 of each, where a job was given
     * some of it and some is measured as unused.
     */
    private static boolean takes(String policy, String resource, int dedicated, int unused, int asked) {
        SchedulerFixture weir = new SchedulerFixture().policy("NODEAVAILABILITYPOLICY DEDICATED");
        weir.node("n", 10, NodeState.IDLE, AvailabilityTest::tenOfEach);
        weir.submit("r", 1, HOUR, job -> ask(job, resource, dedicated)).iterate(0);
        weir.policy("NODEAVAILABILITYPOLICY " + policy);
        weir.node("n", 10, NodeState.RUNNING, node -> {
            tenOfEach(node);
            switch (resource) {
                case "procs" -> node.setLoad(10.0 - unused);
                case "mem" -> node.setAvailableMemoryMb((long) unused);
                case "swap" -> node.setAvailableSwapMb((long) unused);
                default -> node.setAvailableDiskMb((long) unused);
            }
        });
        weir.heartbeat(1, false, SchedulerFixture.EPOCH, 30).iterate(30);
        weir.submit("j", 1, HOUR, job -> ask(job, resource, asked)).iterate(30);
        return !nodesOf(weir, "j").isEmpty();
    }

    private static void tenOfEach(NodeReport.Builder node) {
        node.setMemoryMb(10).setSwapMb(10).setDiskMb(10);
    }

    private static void ask(JobReport.Builder job, String resource, int amount) {
        if (resource.equals("procs")) {
            job.setProcsPerTask(amount);
        } else {
            job.setExtension(resource + "=" + amount);
        }
    }

    @Test
    @Feature({"AVAIL-10", "AVAIL-11"})
    void shouldLetANodeHaveAPolicyOfItsOwn() {
        String policy = "NODEAVAILABILITYPOLICY UTILIZED\nNODECFG[n] NODEAVAILABILITYPOLICY=DEDICATED:PROC";
        assertThat(fits(policy, weir -> {}, node -> node.setLoad(9.0), job -> job.setTasks(4)))
                .isTrue();
    }

    @Test
    @Feature("ALLOC-9")
    void shouldRunManyInteractiveTasksOnFewIdleCores() {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("NODEAVAILABILITYPOLICY DEDICATED:PROC COMBINED:MEM\nNODECFG[n] RCPROC=32 MAXLOAD=4.0");
        for (int i = 0; i < 24; i++) {
            weir.submit("j" + i, 1, HOUR);
        }
        long running = 0;
        for (int i = 0; i < 8; i++) {
            double load = 0.1 * running;
            weir.node("n", 4, NodeState.RUNNING, node -> node.setLoad(load));
            weir.heartbeat(i + 1, false, SchedulerFixture.EPOCH, 30L * i + 1);
            weir.iterate(30L * i + 1);
            running += weir.started().size();
        }
        assertThat(running).isGreaterThanOrEqualTo(20);
    }

    @Test
    void shouldHoldTheCapsOfANode() {
        String policy = "NODECFG[n] MAXJOB=2 MAXPROC=3";
        assertThat(fits(policy, weir -> weir.adopt("r", 1, HOUR, -1, "n"), node -> {}, job -> job.setTasks(2)))
                .isTrue();
        assertThat(fits(policy, weir -> weir.adopt("r", 1, HOUR, -1, "n"), node -> {}, job -> job.setTasks(3)))
                .isFalse();
        assertThat(fits(
                        policy,
                        weir -> weir.adopt("r", 1, HOUR, -1, "n").adopt("s", 1, HOUR, -1, "n"),
                        node -> {},
                        job -> {}))
                .isFalse();
        assertThat(fits(
                        "NODECFG[DEFAULT] MAXPROCPERUSER=1",
                        weir -> weir.adopt("r", 1, HOUR, -1, "n"),
                        node -> {},
                        job -> job.setUser("bob")))
                .isTrue();
        assertThat(fits(
                        "NODECFG[DEFAULT] MAXPROCPERUSER=1",
                        weir -> weir.adopt("r", 1, HOUR, -1, "n"),
                        node -> {},
                        job -> {}))
                .isFalse();
    }

    /**
     * What is reserved comes due on a node that has not got the room by measurement: it starts no more than anything else
     * would, and is looked at again after NODEBUSYSTATEDELAYTIME, not every second.
     */
    @ParameterizedTest
    @CsvSource({
        "RESERVATIONPOLICY HIGHEST, 0, mem=2000",
        "RESERVATIONPOLICY HIGHEST, 3, procs=2",
        "RESERVATIONPOLICY CURRENTHIGHEST, 0, mem=2000",
        "RESERVATIONPOLICY CURRENTHIGHEST, 3, procs=2",
        "RESERVATIONPOLICY NEVER, 0, 'mem=2000,deadline=+4:00:00'",
        "NODEAVAILABILITYPOLICY DEDICATED;NODEALLOCATIONPOLICY CPULOAD;RESERVATIONPOLICY HIGHEST, 4, procs=2"
    })
    @Feature({"AVAIL-1", "AVAIL-4"})
    void shouldStartNothingThatIsDueWhereTooLittleIsMeasured(String policy, double load, String asked) {
        SchedulerFixture weir = new SchedulerFixture()
                .policy(policy.replace(';', '\n'))
                .node(
                        "n",
                        4,
                        NodeState.IDLE,
                        node -> node.setMemoryMb(8000)
                                .setAvailableMemoryMb(1000L)
                                .setLoad(load));
        weir.submit("j", 1, HOUR, job -> job.setExtension(asked)).iterate(10);
        long due = weir.reservedStart("j");
        assertThat(due).isBetween(70L, 130L);

        weir.iterate(11);
        assertThat(weir.reservedStart("j")).isEqualTo(due);
        weir.iterate(due);
        assertThat(weir.started()).isEmpty();
        long next = weir.reservedStart("j");
        assertThat(next).isBetween(due + 60, due + 120);

        weir.node(
                "n",
                4,
                NodeState.IDLE,
                node -> node.setMemoryMb(8000).setAvailableMemoryMb(8000L).setLoad(0.0));
        weir.heartbeat(1, false, SchedulerFixture.EPOCH, next).iterate(next);
        assertThat(weir.started()).containsExactly("j");
    }

    /** A node that stops taking jobs before a reservation there comes due does not get the job then. */
    @ParameterizedTest
    @CsvSource({"BUSY", "DRAINING"})
    @Feature("AVAIL-1")
    void shouldStartNothingThatIsDueOnNodeThatTakesNothingAnyMore(NodeState state) {
        SchedulerFixture weir = new SchedulerFixture().policy("RESERVATIONPOLICY HIGHEST");
        weir.node("n", 4, NodeState.IDLE).adopt("r", 4, 100, 0, "n");
        weir.submit("j", 4, 60).iterate(0);
        assertThat(weir.reservedStart("j")).isEqualTo(100);

        weir.end("r", 90).node("n", 4, state).iterate(100);
        assertThat(weir.started()).isEmpty();
    }

    /** Until a node may be back that others use, what ends by then is not kept waiting for a job that needs it. */
    @Test
    @Feature("AVAIL-1")
    void shouldFillTheTimeUntilANodeInUseMayBeBack() {
        SchedulerFixture weir = new SchedulerFixture();
        weir.node("n1", 4, NodeState.IDLE, node -> node.setMemoryMb(8000).setAvailableMemoryMb(1000L));
        weir.node("n2", 4, NodeState.IDLE, node -> node.setMemoryMb(8000));
        weir.submit("both", 2, HOUR, job -> job.setProcsPerTask(4).setExtension("mem=5000"))
                .submit("long", 4, HOUR)
                .submit("short", 4, 60)
                .iterate(10);
        assertThat(weir.started()).containsExactly("short");
        assertThat(weir.reservedStart("both")).isBetween(70L, 130L);
    }

    /** Returns how many of eight jobs run after each of four iterations when each induces {@code load}. */
    private static List<Integer> started(String policy, double load) {
        SchedulerFixture weir = new SchedulerFixture().policy(policy);
        for (int i = 0; i < 8; i++) {
            weir.submit("j" + i, 1, HOUR);
        }
        List<Integer> all = new ArrayList<>();
        int running = 0;
        for (int i = 0; i < 4; i++) {
            double measured = load * running;
            weir.node("n", 4, NodeState.RUNNING, node -> node.setLoad(measured));
            weir.heartbeat(i + 1, false, SchedulerFixture.EPOCH, 30L * i + 1);
            weir.iterate(30L * i + 1);
            running += weir.started().size();
            all.add(running);
        }
        return all;
    }

    /** Tells whether a job starts on a node of 4 processors and 8000 MB where another one holds 1 and 2000. */
    private static boolean fits(String policy, Consumer<JobReport.Builder> job) {
        SchedulerFixture weir = new SchedulerFixture().policy("NODEAVAILABILITYPOLICY DEDICATED");
        weir.node("n", 4, NodeState.IDLE, node -> node.setMemoryMb(8000));
        weir.submit("r", 1, HOUR, other -> other.setExtension("mem=2000")).iterate(0);
        weir.policy(policy);
        weir.node(
                "n",
                4,
                NodeState.RUNNING,
                node -> node.setMemoryMb(8000).setLoad(3.2).setAvailableMemoryMb(5000L));
        weir.heartbeat(1, false, SchedulerFixture.EPOCH, 30).iterate(30);
        weir.submit("j", 1, HOUR, job).iterate(30);
        return !nodesOf(weir, "j").isEmpty();
    }

    private static boolean fits(
            String policy,
            Consumer<SchedulerFixture> running,
            Consumer<NodeReport.Builder> node,
            Consumer<JobReport.Builder> job) {
        SchedulerFixture weir = new SchedulerFixture().policy(policy);
        weir.node("n", 4, NodeState.RUNNING, node);
        weir.iterate(0);
        running.accept(weir);
        weir.heartbeat(1, false, SchedulerFixture.EPOCH, 1);
        weir.submit("j", 1, HOUR, job).iterate(1);
        return !nodesOf(weir, "j").isEmpty();
    }
}
