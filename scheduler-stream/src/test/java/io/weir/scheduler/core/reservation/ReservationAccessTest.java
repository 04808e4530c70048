package io.weir.scheduler.core.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.placement.NodeAffinity;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.reservation.acl.AclSubject;
import io.weir.schemas.NodeAllocation;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Node n1 has 8 processors, n2 as many; it is 1000. */
class ReservationAccessTest {
    private static final long NOW = 1_000;
    private static final long END = 2_000;

    private final TestCluster cluster = new TestCluster().nodes(2, 8);
    private final AdministrativeReservationTable table = new AdministrativeReservationTable();
    private final ReservationAccess access = new ReservationAccess(table, cluster.nodes, cluster.jobs);

    private final Job plain = job(null);
    private final Job named = job("r");
    private final Job inAny = job("");

    @Test
    void shouldBeOpenWithoutReservations() {
        assertThat(access.open()).isTrue();
        assertThat(access.open(plain)).isTrue();
        assertThat(access.open("n1")).isTrue();
        assertThat(access.open(named)).isFalse();

        reserve("r", "USER==ann");
        assertThat(access.open()).isFalse();
        assertThat(access.open(plain)).isFalse();
        assertThat(access.open("n1")).isFalse();
        assertThat(access.open("n2")).isTrue();
    }

    @Test
    void shouldNotBeOpenToAJobWhoseQualityOfServiceConfinesIt() {
        Job confined = TestJob.waiting("j", report -> report.setQos("inside"));
        Job other = TestJob.waiting("j", report -> report.setQos("other"));
        assertThat(access.open(confined)).isTrue();

        access.configure(TestCluster.policy("QOSCFG[inside] QFLAGS=USERESERVED:r", "QOSCFG[other] PRIORITY=1"));

        assertThat(access.open(confined)).isFalse();
        assertThat(access.open(other)).isTrue();
        assertThat(access.open(plain)).isTrue();
    }

    @Test
    void shouldNameTheReservationsOfTheJobAndOfItsQualityOfService() {
        access.configure(TestCluster.policy("QOSCFG[inside] QFLAGS=USERESERVED:q"));

        assertThat(access.names(plain)).isEmpty();
        assertThat(access.names(named)).containsExactly("r");
        assertThat(access.names(TestJob.waiting("j", report -> report.setQos("inside"))))
                .containsExactly("q");
        assertThat(access.names(
                        TestJob.waiting("j", report -> report.setQos("inside").setReservation("r"))))
                .containsExactly("r", "q");
    }

    @Test
    void shouldSayWhatEveryReservationMeansInTheOrderOfTheirIds() {
        reserve("a", "USER==bob");
        reserve("b", "USER==ann");
        reserve("r", "USER==ann");

        assertThat(access.of(plain)).isEqualTo(new JobAccess(false, "-++"));
        assertThat(access.of(named)).isEqualTo(new JobAccess(true, "-+*"));
        assertThat(access.of(inAny)).isEqualTo(new JobAccess(true, "-**"));
    }

    @Test
    void shouldConfineAJobThatAListLocksIn() {
        reserve("a", "USER==ann");
        reserve("b", "USER==&ann");

        assertThat(access.of(plain)).isEqualTo(new JobAccess(true, "+*"));
        assertThat(access.confined(plain)).isTrue();
        assertThat(access.admitted(plain)).isTrue();
    }

    /** Of the names it has two, and no reservation goes by both. */
    @Test
    void shouldKeepAJobInsideReservationsThatGoByAllItsNames() {
        access.configure(TestCluster.policy("QOSCFG[inside] QFLAGS=USERESERVED:q"));
        reserve("q", "USER==ann");
        reserve("r", "USER==ann");
        Job both = TestJob.waiting("j", report -> report.setQos("inside").setReservation("r"));

        assertThat(access.of(both)).isEqualTo(new JobAccess(true, "++"));
        assertThat(access.admitted(both)).isFalse();
        assertThat(access.named(both)).isTrue();
    }

    @Test
    void shouldLetOnlyJobsThatNameItIntoOneThatIsByName() {
        table.put(TestReservation.of(
                "r",
                NOW,
                END,
                TestReservation.terms("USER==ann").flags(List.of("BYNAME")),
                TestReservation.on("n1", 4)));

        assertThat(access.mayUse(plain, get("r"))).isFalse();
        assertThat(access.mayUse(inAny, get("r"))).isFalse();
        assertThat(access.mayUse(named, get("r"))).isTrue();
    }

    @Test
    void shouldGoByTheAccessList() {
        reserve("r", "USER==bob");

        assertThat(access.mayUse(plain, get("r"))).isFalse();
        assertThat(access.mayUse(TestJob.waiting("j", report -> report.setUser("bob")), get("r")))
                .isTrue();
    }

    @Test
    void shouldConfineAJobThatNamesAReservation() {
        reserve("r", "USER==ann");

        assertThat(access.confined(plain)).isFalse();
        assertThat(access.confined(named)).isTrue();
        assertThat(access.confined(inAny)).isTrue();
    }

    @Test
    void shouldAdmitAJobToAReservationItHasToStayInsideThatLetsItIn() {
        reserve("r", "USER==ann");
        reserve("s", "USER==bob");

        assertThat(access.admitted(plain)).isFalse();
        assertThat(access.admitted(named)).isTrue();
        assertThat(access.admitted(inAny)).isTrue();
        assertThat(access.admitted(job("s"))).isFalse();
        assertThat(access.admitted(job("t"))).isFalse();
    }

    @Test
    void shouldKnowWhetherThereIsAReservationOfEveryName() {
        reserve("r", "USER==bob");

        assertThat(access.named(plain)).isTrue();
        assertThat(access.named(named)).isTrue();
        assertThat(access.named(inAny)).isTrue();
        assertThat(access.named(job("t"))).isFalse();
    }

    @Test
    void shouldDrawAJobAsTheListsSay() {
        reserve("r", "USER==ann+", NOW, END, "n1");
        assertThat(drawn(plain, "n1")).isEqualTo(NodeAffinity.POSITIVE);
        assertThat(drawn(plain, "n2")).isEqualTo(NodeAffinity.NONE);

        reserve("r", "USER==ann=", NOW, END, "n1");
        assertThat(drawn(plain, "n1")).isEqualTo(NodeAffinity.NEUTRAL);

        reserve("r", "USER==ann-", NOW, END, "n1");
        assertThat(drawn(plain, "n1")).isEqualTo(NodeAffinity.NEGATIVE);

        reserve("r", "USER==bob", NOW, END, "n1");
        assertThat(drawn(plain, "n1")).isEqualTo(NodeAffinity.NONE);
    }

    @Test
    void shouldDrawAJobAsAllReservationsOfANodeTogetherSay() {
        reserve("a", "USER==ann=", NOW, END, "n1");
        reserve("b", "USER==ann+", NOW, END, "n1");
        assertThat(drawn(plain, "n1")).isEqualTo(NodeAffinity.POSITIVE);

        reserve("c", "USER==ann-", NOW, END, "n1");
        assertThat(drawn(plain, "n1")).isEqualTo(NodeAffinity.NEGATIVE);
    }

    @Test
    void shouldDrawAJobToReservationsOfItsTimeAlone() {
        reserve("r", "USER==ann+", NOW, END, "n1");

        assertThat(access.affinity(plain, "n1", 0, NOW)).isEqualTo(NodeAffinity.NONE);
        assertThat(access.affinity(plain, "n1", END, END + 1)).isEqualTo(NodeAffinity.NONE);
        assertThat(access.affinity(plain, "n1", 0, NOW + 1)).isEqualTo(NodeAffinity.POSITIVE);
    }

    @Test
    void shouldRequireTheNodesOfAReservationThatAJobHasToStayInside() {
        reserve("q", "USER==ann-", NOW, END, "n1");
        reserve("r", "USER==ann-", NOW, END, "n1");

        assertThat(drawn(named, "n1")).isEqualTo(NodeAffinity.REQUIRED);
        assertThat(drawn(plain, "n1")).isEqualTo(NodeAffinity.NEGATIVE);
    }

    /** What is remembered of one job and one set of terms serves no other. */
    @Test
    void shouldAskAgainForAnotherJobPolicyOrTerms() {
        reserve("r", "USER==bob,QOS==inside", NOW, END, "n1");
        Job bobs = TestJob.waiting("j", report -> report.setUser("bob"));
        assertThat(drawn(plain, "n1")).isEqualTo(NodeAffinity.NONE);
        assertThat(drawn(bobs, "n1")).isEqualTo(NodeAffinity.POSITIVE);

        reserve("r", "USER==ann", NOW, END, "n1");
        assertThat(drawn(bobs, "n1")).isEqualTo(NodeAffinity.NONE);

        Job confined = TestJob.waiting("j", report -> report.setQos("inside"));
        table.put(TestReservation.of(
                "r",
                NOW,
                END,
                TestReservation.terms("USER==ann").flags(List.of("BYNAME")),
                TestReservation.on("n1", 4)));
        assertThat(drawn(confined, "n1")).isEqualTo(NodeAffinity.NONE);
        access.configure(TestCluster.policy("QOSCFG[inside] QFLAGS=USERESERVED:r"));
        assertThat(drawn(confined, "n1")).isEqualTo(NodeAffinity.REQUIRED);
    }

    /** A job of 100 s meets the reservation from 901 on, and leaves it behind from 2000 on. */
    @ParameterizedTest
    @CsvSource({"0, 901", "900, 901", "901, 2000", "1999, 2000", "2000, 4102444800"})
    void shouldKnowWhenAJobIsDrawnOtherwise(long from, long next) {
        reserve("r", "USER==ann");

        assertThat(access.drawnOtherwise(from, 100)).isEqualTo(next);
    }

    @Test
    void shouldTakeTheFirstInstantOfAllReservations() {
        reserve("r", "USER==ann", NOW, END, "n1");
        reserve("s", "USER==ann", NOW + 10, END - 10, "n1");

        assertThat(access.drawnOtherwise(0, 100)).isEqualTo(901);
        assertThat(access.drawnOtherwise(950, 100)).isEqualTo(END - 10);
    }

    @Test
    void shouldKeepReservedAmountsFromThoseOutside() {
        reserve("r", "USER==bob");

        assertThat(access.blocks(plain, 0, NOW)).containsExactly(block(NOW, END, 4));
        assertThat(access.blocks(plain, 1, NOW)).isEmpty();
        assertThat(access.blocks(TestJob.waiting("j", report -> report.setUser("bob")), 0, NOW))
                .isEmpty();
    }

    @Test
    void shouldLeaveWhatJobsOfAReservationsUsersHoldToThem() {
        reserve("r", "USER==bob");
        Job running = TestJob.running(
                "x", NOW, report -> report.setUser("bob").setWalltimeSeconds(5_000L), new NodeAllocation("n1", 3));
        cluster.jobs.put(running);
        cluster.nodes.hold("x", running.shares());

        assertThat(access.blocks(plain, 0, NOW)).containsExactly(block(NOW, END, 1));
    }

    @Test
    void shouldKeepEverythingOutsideOfItFromAJobThatHasToStayInside() {
        reserve("q", "USER==ann");
        reserve("r", "USER==ann");

        assertThat(access.blocks(named, 0, NOW))
                .containsExactly(block(NOW, END, 4), block(END, TimeArgument.FOREVER, 8));
        assertThat(access.blocks(named, 1, NOW)).containsExactly(block(NOW, TimeArgument.FOREVER, 8));
        assertThat(access.blocks(inAny, 0, NOW)).containsExactly(block(END, TimeArgument.FOREVER, 8));
    }

    @Test
    void shouldChangeItsVersionWithTheReservations() {
        long before = access.version();
        reserve("r", "USER==ann");

        assertThat(access.version()).isNotEqualTo(before);
        assertThat(access.reservations()).containsExactly(get("r"));
    }

    @Test
    void shouldTellAccessListsWhatAJobIs() {
        Job job = TestJob.waiting(
                "j",
                report -> report.setGroup("g")
                        .setAccount("a")
                        .setJobClass("c")
                        .setQos("q")
                        .setTasks(3)
                        .setFlags(List.of("X"))
                        .setReservation(""));

        assertThat(access.subject(job))
                .isEqualTo(new AclSubject("ann", "g", "a", "c", "q", "j", List.of(), List.of("X"), 100, 3));
        assertThat(access.subject(named).reservations()).containsExactly("r");
    }

    private static Job job(@Nullable String reservation) {
        return TestJob.waiting("j", report -> report.setReservation(reservation));
    }

    private NodeAffinity drawn(Job job, String node) {
        return access.affinity(job, node, NOW, NOW + 100);
    }

    private void reserve(String id, String acl) {
        reserve(id, acl, NOW, END, "n1");
    }

    private void reserve(String id, String acl, long start, long end, String node) {
        table.put(TestReservation.of(id, start, end, acl, TestReservation.on(node, 4)));
    }

    private AdministrativeReservation get(String id) {
        return Objects.requireNonNull(table.get(id));
    }

    private static NodeBlock block(long from, long to, int procs) {
        return new NodeBlock(from, to, new Capacity(procs, 0, 0, 0));
    }
}
