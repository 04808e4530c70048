package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.JobReport;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.TaskRequirement;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that no state of the nodes could ever hold: they are deferred with the reason, and nobody waits behind them. */
class ImpossibleJobTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    /** Two nodes of two processors, the second in {@code partition}. */
    private void twoNodes(String policy, String partition) {
        weir.policy("BACKFILLPOLICY NONE\n" + policy)
                .node("n1", 2, NodeState.IDLE, node -> node.setPartition("p"))
                .node("n2", 2, NodeState.IDLE, node -> node.setPartition(partition));
        weir.heartbeat(1, true, SchedulerFixture.EPOCH, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "p, nodes=1:ppn=2+2:ppn=2, ''",
        "q, nodes=1:ppn=2+1:ppn=2, ''",
        "q, nodes=3, ''",
        "p, nodes=3, JOBNODEMATCHPOLICY EXACTNODE",
        "p, nodes=1+1+1, NODEACCESSPOLICY SINGLETASK",
        "p, procs=4, NODECFG[DEFAULT] MAXPROC=1",
        "p, procs=4, NODECFG[DEFAULT] MAXPROCPERUSER=1",
        "p, procs=4, NODECFG[DEFAULT] MAXPE=1",
        "p, procs=4, NODECFG[n1] MAXPROC=1"
    })
    void shouldLetNobodyWaitBehindAJobThatTheNodesCouldNeverHold(String partition, String asked, String policy) {
        twoNodes(policy, partition);
        weir.submit("never", 1, HOUR, job -> job.setExtension(asked))
                .submit("next", 1, HOUR)
                .iterate(0);
        assertThat(weir.started()).containsExactly("next");
        assertThat(weir.job("never").getMessages())
                .containsExactly("the request is larger than the nodes could ever hold");
    }

    /** What would fit on idle nodes waits, whatever keeps it waiting now. */
    @ParameterizedTest
    @CsvSource({
        "p, nodes=1:ppn=2+1:ppn=2, ''",
        "p, nodes=2:ppn=2, JOBNODEMATCHPOLICY EXACTNODE",
        "p, nodes=1+1, NODEACCESSPOLICY SINGLETASK",
        "p, procs=2, NODECFG[DEFAULT] MAXPROC=1",
        "q, nodes=1+1, ''"
    })
    void shouldLetAJobWaitThatIdleNodesWouldHold(String partition, String asked, String policy) {
        twoNodes(policy, partition);
        weir.adopt("r1", 1, HOUR, 0, "n1").node("n2", 2, NodeState.DOWN, node -> node.setPartition(partition));
        weir.submit("waits", 1, HOUR, job -> job.setExtension(asked)).iterate(0);
        assertThat(weir.job("waits").getDeferrals()).isZero();
        assertThat(weir.job("waits").getMessages()).isEmpty();
    }

    /** Three licences float over the cluster; {@code more} have more tasks than that, in one requirement or in several. */
    @ParameterizedTest
    @ValueSource(strings = {"4", "2 2"})
    void shouldKnowWhatFloatsOverTheCluster(String tasks) {
        twoNodes("", "p");
        weir.node("GLOBAL", 0, NodeState.IDLE, node -> node.setGres(List.of(new NameCount("lic", 3L))));
        weir.submit("never", 1, HOUR, licences(tasks.split(" ")))
                .submit("next", 1, HOUR, licences("3"))
                .iterate(0);
        assertThat(weir.started()).containsExactly("next");
        assertThat(weir.job("never").getDeferrals()).isEqualTo(1);
    }

    /** Nodes with licences of their own take none of those that float. */
    @Test
    void shouldCountWhatNodesHaveOfTheirOwnBesideWhatFloats() {
        twoNodes("", "p");
        weir.node("GLOBAL", 0, NodeState.IDLE, node -> node.setGres(List.of(new NameCount("lic", 3L))));
        weir.node("n1", 2, NodeState.BUSY, node -> node.setPartition("p").setGres(List.of(new NameCount("lic", 2L))));
        weir.submit("waits", 1, HOUR, licences("4")).iterate(0);
        assertThat(weir.job("waits").getDeferrals()).isZero();
    }

    /** Each node by itself could still have the last licence. */
    @Test
    void shouldSayThatTooLittleOfWhatFloatsIsFree() {
        weir.nodes(2, 4).policy("RESERVATIONPOLICY NEVER");
        weir.node("GLOBAL", 0, NodeState.IDLE, node -> node.setGres(List.of(new NameCount("lic", 3L))));
        weir.submit("first", 1, HOUR, licences("2"))
                .submit("waits", 1, HOUR, licences("2"))
                .iterate(0);
        assertThat(weir.started()).containsExactly("first");
        assertThat(weir.publishedExplanations.get("waits").getMessage())
                .contains("free of what floats over the cluster");
    }

    /** A reservation of the resource manager's ends, a node it set aside comes back: nothing of the job was wrong. */
    @Test
    void shouldNotDeferAJobForNodesThatAreLeftOutForNow() {
        twoNodes("RESERVATIONDEPTH 1", "p");
        weir.submit(
                        "waits",
                        1,
                        HOUR,
                        job -> job.setExcludedHosts(List.of("n1", "n2")).setExcludedForNow(true))
                .submit("next", 1, HOUR)
                .iterate(0);
        assertThat(weir.started()).containsExactly("next");
        assertThat(weir.job("waits").getDeferrals()).isZero();
        assertThat(weir.publishedExplanations.get("waits").getMessage()).contains("without those left out for now");

        weir.submit("waits", 1, HOUR).iterate(1);
        assertThat(weir.started()).containsExactly("waits");
    }

    @Test
    void shouldConsiderAJobAtOnceThatAsksForSomethingElse() {
        twoNodes("", "p");
        weir.submit("j", 1, HOUR, job -> job.setExtension("nodes=1:ppn=3")).iterate(0);
        assertThat(weir.job("j").getDeferrals()).isEqualTo(1);
        weir.submit("j", 1, HOUR, job -> job.setExtension("nodes=1:ppn=3")).iterate(1);
        assertThat(weir.job("j").getDeferrals()).isEqualTo(1);

        weir.submit("j", 1, HOUR, job -> job.setExtension("nodes=1:ppn=2")).iterate(2);
        assertThat(weir.started()).containsExactly("j");
    }

    /** A node comes that has what the job asks for. */
    @ParameterizedTest
    @CsvSource({"feature=fast", "class=long", "nodes=1:ppn=3", "hostlist=n3"})
    void shouldConsiderAJobAtOnceThatNodesCouldHoldByNow(String asked) {
        twoNodes("CLASSCFG[long] HOSTLIST=n3", "p");
        weir.submit("j", 1, HOUR, job -> job.setExtension(asked)).iterate(0);
        assertThat(weir.job("j").getDeferrals()).isEqualTo(1);
        weir.node("n1", 2, NodeState.IDLE, node -> node.setPartition("p").setFeatures(List.of("slow")))
                .iterate(1);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.job("j").getDeferrals()).isEqualTo(1);

        weir.node("n3", 3, NodeState.IDLE, node -> node.setPartition("p").setFeatures(List.of("fast")))
                .iterate(2);
        assertThat(weir.started()).containsExactly("j");
        assertThat(weir.job("j").getMessages()).isEmpty();
    }

    /** As when a cluster is installed node by node, or grows in a cloud. */
    @Test
    void shouldTellOfAJobOnceHoweverManyNodesComeThatAreTooSmallForIt() {
        twoNodes("", "p");
        weir.submit("j", 1, HOUR, job -> job.setExtension("nodes=1:ppn=9")).iterate(0);
        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).contains("jobdefer");

        for (int node = 3; node < 9; node++) {
            weir.node("n" + node, 2, NodeState.IDLE, report -> report.setPartition("p"))
                    .iterate(node);
            assertThat(weir.lastNotifications()).isEmpty();
            assertThat(weir.job("j").getDeferrals()).isEqualTo(1);
            assertThat(weir.job("j").getMessages())
                    .containsExactly("the request is larger than the nodes could ever hold");
        }
    }

    /** A node that is there already is given what the job asks for; what it is given besides is no reason to look at others. */
    @ParameterizedTest
    @CsvSource({"feature=fast", "class=long", "nodes=1:ppn=3", "gres=gpu"})
    void shouldConsiderAJobAtOnceThatANodeIsChangedFor(String asked) {
        twoNodes("", "p");
        Consumer<NodeReport.Builder> before =
                node -> node.setPartition("p").setClasses(List.of(new NameCount("c", 2L)));
        weir.node("n1", 2, NodeState.IDLE, before).node("n2", 2, NodeState.IDLE, before);
        weir.submit("j", 1, HOUR, job -> job.setExtension(asked)).iterate(0);
        assertThat(weir.job("j").getDeferrals()).isEqualTo(1);
        weir.node("n1", 2, NodeState.IDLE, before.andThen(node -> node.setFeatures(List.of("slow"))))
                .iterate(1);
        assertThat(weir.job("j").getDeferrals()).isEqualTo(1);
        assertThat(weir.lastNotifications()).isEmpty();

        weir.node(
                        "n1",
                        4,
                        NodeState.IDLE,
                        before.andThen(node -> node.setFeatures(List.of("fast"))
                                .setGres(List.of(new NameCount("gpu", 1L)))
                                .setClasses(List.of(new NameCount("c", 4L), new NameCount("long", 4L)))))
                .iterate(2);
        assertThat(weir.started()).containsExactly("j");
        assertThat(weir.job("j").getMessages()).isEmpty();
    }

    private static Consumer<JobReport.Builder> licences(String... tasks) {
        return job -> job.setRequirements(List.of(tasks).stream()
                .map(number -> TaskRequirement.newBuilder()
                        .setTasks(Integer.parseInt(number))
                        .setGres(List.of(new NameCount("lic", 1L)))
                        .build())
                .toList());
    }

    @ParameterizedTest
    @CsvSource({
        "feature=fast, 'Features: no node has the features, generic resources, architecture and operating system asked for'",
        "os=solaris, 'Features: no node has the features, generic resources, architecture and operating system asked for'",
        "network=ib, Network: no node has the network asked for",
        "hostlist=n7, Policy: there is no host n7",
        "partition=zz, Policy: there is no partition zz",
        "class=long, Class: no node takes jobs of class long",
        "'hostlist=n1,feature=fast', 'Features: no node has the features, generic resources, architecture and operating system asked for'",
        "nodes=1:ppn=3, the request is larger than the nodes could ever hold"
    })
    void shouldSayWhatNoNodeHas(String asked, String why) {
        twoNodes("CLASSCFG[long] HOSTLIST=n9", "p");
        weir.submit("never", 1, HOUR, job -> job.setExtension(asked)).iterate(0);
        assertThat(weir.job("never").getMessages()).contains(why);
        assertThat(weir.job("never").getDeferrals()).isEqualTo(1);
    }

    /** MAXTASK of a node is for the tasks of all jobs; it binds also where nodes have classes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldPromiseNoMoreTasksThanNodesTake(boolean classes) {
        Consumer<NodeReport.Builder> two =
                node -> node.setMaxTasks(2).setClasses(classes ? List.of(new NameCount("c", 4L)) : List.of());
        weir.policy("RESERVATIONPOLICY HIGHEST").node("n1", 8, NodeState.IDLE, two);
        weir.heartbeat(1, true, SchedulerFixture.EPOCH, 0);
        weir.submit("first", 1, 100)
                .submit("never", 3, HOUR)
                .submit("second", 2, HOUR)
                .iterate(0);
        assertThat(weir.started()).containsExactly("first");
        assertThat(weir.job("never").getDeferrals()).isEqualTo(1);
        assertThat(weir.reservedStart("second")).isEqualTo(100);

        weir.iterate(1);
        assertThat(weir.started()).isEmpty();
        weir.end("first", 100).iterate(100);
        assertThat(weir.started()).containsExactly("second");
    }

    /** What several requirements lack is said of them together. */
    @Test
    void shouldSayThatRequirementsDoNotFitSideBySide() {
        weir.nodes(2, 2).adopt("r", 1, HOUR, 0, "n1").policy("RESERVATIONPOLICY NEVER");
        weir.submit("both", 1, HOUR, job -> job.setExtension("nodes=1:ppn=2+1:ppn=2"))
                .iterate(0);
        assertThat(weir.publishedExplanations.get("both").getMessage())
                .contains("but not for all of them side by side");
    }
}
