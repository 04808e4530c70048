package io.weir.scheduler.core.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.policy.reservation.ReservedTasksPerNode;
import io.weir.scheduler.core.reservation.acl.AccessControlList;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.ReservationType;
import io.weir.schemas.TaskPlacement;
import io.weir.schemas.TaskRequirement;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AdministrativeReservationTest {
    static {
        AvroTrust.install();
    }

    private static final TaskResources TASK =
            new TaskResources(2, 100, 200, 300, new TreeMap<>(Map.of("gpu", 1L, "tape", 2L)));

    @Test
    void shouldComeBackFromItsRecordAsItWas() {
        TermsEdit terms = everything().task(TASK).tasks(5).tasksPerNode(new ReservedTasksPerNode(3, true));
        AdministrativeReservation made = AdministrativeReservation.made(
                        "ann.1",
                        ReservationType.STANDING,
                        terms.done(),
                        100,
                        200,
                        List.of(
                                new ReservedNode("n1", 3, new Capacity(6, 300, 600, 900)),
                                new ReservedNode("n2", 2, new Capacity(4, 200, 400, 600))),
                        50)
                .movedTo(120)
                .accounted(7, 3, 4_000, 130)
                .charged(11)
                .used()
                .changedIn(9);

        assertThat(AdministrativeReservation.from(made.toRecord("c"))).isEqualTo(made);
    }

    @Test
    void shouldComeBackFromItsRecordWithNothingButATime() {
        AdministrativeReservation made = TestReservation.of("r", 100, 200, new TermsEdit());

        assertThat(AdministrativeReservation.from(made.toRecord("c"))).isEqualTo(made);
    }

    @Test
    void shouldComeBackFromItsRecordWithWholeNodes() {
        AdministrativeReservation made =
                TestReservation.of("r", 100, 200, new TermsEdit().hosts("n."), TestReservation.on("n1", 4));

        assertThat(AdministrativeReservation.from(made.toRecord("c"))).isEqualTo(made);
    }

    @Test
    void shouldPublishWhatItSetsAside() {
        ReservationStatus record = TestReservation.of(
                        "r",
                        100,
                        200,
                        everything().task(TASK).tasks(3).tasksPerNode(new ReservedTasksPerNode(2, false)),
                        new ReservedNode("n1", 2, new Capacity(4, 0, 0, 0)),
                        new ReservedNode("n2", 1, new Capacity(2, 0, 0, 0)))
                .toRecord("c");

        assertThat(record.getCluster()).isEqualTo("c");
        assertThat(record.getProcs()).isEqualTo(6);
        assertThat(record.getAllocation()).containsExactly(new NodeAllocation("n1", 4), new NodeAllocation("n2", 2));
        assertThat(record.getPlacements())
                .containsExactly(new TaskPlacement("n1", 0, 2), new TaskPlacement("n2", 0, 1));
        assertThat(record.getVariables()).containsExactly(new NameValue("v", "1"));
        assertThat(record.getAccountable()).containsExactly(new NameValue("ACCT", "a"));
        TaskRequirement task = Objects.requireNonNull(record.getTask());
        assertThat(task.getTasks()).isEqualTo(3);
        assertThat(task.getTasksPerNode()).isEqualTo(2);
        assertThat(task.getMemoryMb()).isEqualTo(100);
    }

    /** All nodes of a host expression: the record of a task has at least one. */
    @Test
    void shouldPublishATaskOfAReservationThatCountsNone() {
        ReservationStatus record =
                TestReservation.of("r", 100, 200, new TermsEdit().task(TASK)).toRecord("c");

        assertThat(record.getTaskCount()).isNull();
        assertThat(Objects.requireNonNull(record.getTask()).getTasks()).isEqualTo(1);
        assertThat(record.getTask().getTasksPerNode()).isNull();
    }

    @Test
    void shouldPublishTheStartAskedForWhereItIsAnother() {
        AdministrativeReservation made = TestReservation.of("r", 100, 200, "USER==ann");

        assertThat(made.toRecord("c").getRequestedStart()).isNull();
        assertThat(made.movedTo(120).toRecord("c").getRequestedStart()).isEqualTo(Instant.ofEpochSecond(100));
    }

    /** Versions stored before these fields were there. */
    @Test
    void shouldTakeTheStartForTimesThatARecordLacks() {
        ReservationStatus record = ReservationStatus.newBuilder(
                        TestReservation.of("r", 100, 200, "USER==ann").toRecord("c"))
                .setAccountedTo(null)
                .setCreatedAt(null)
                .setRequestedStart(null)
                .build();

        AdministrativeReservation read = AdministrativeReservation.from(record);

        assertThat(read.accountedTo()).isEqualTo(100);
        assertThat(read.createdAt()).isEqualTo(100);
        assertThat(read.requestedStart()).isEqualTo(100);
    }

    @ParameterizedTest
    @EnumSource(ReservationType.class)
    void shouldBeDescribedByRecordsThatAreNoJobs(ReservationType type) {
        ReservationStatus record = ReservationStatus.newBuilder(
                        TestReservation.of("r", 100, 200, "USER==ann").toRecord("c"))
                .setType(type)
                .build();

        boolean expected = type == ReservationType.ADMINISTRATIVE
                || type == ReservationType.STANDING
                || type == ReservationType.SYSTEM;
        assertThat(AdministrativeReservation.describes(record)).isEqualTo(expected);
    }

    @Test
    void shouldSumUpItsNodes() {
        AdministrativeReservation made = TestReservation.of(
                "r",
                100,
                200,
                "USER==ann",
                new ReservedNode("n1", 3, new Capacity(6, 0, 0, 0)),
                new ReservedNode("n2", 2, new Capacity(4, 0, 0, 0)));

        assertThat(made.procs()).isEqualTo(10);
        assertThat(made.tasks()).isEqualTo(5);
        assertThat(made.nodeIds()).containsExactly("n1", "n2");
    }

    @Test
    void shouldSayWhatItSetsAsideOnANode() {
        ReservedNode second = TestReservation.on("n2", 2);
        AdministrativeReservation made =
                TestReservation.of("r", 100, 200, "USER==ann", TestReservation.on("n1", 1), second);

        assertThat(made.byNode().get("n2")).isSameAs(second);
        assertThat(made.byNode()).doesNotContainKey("n3");
    }

    /** Both ends are exclusive. */
    @ParameterizedTest
    @CsvSource({"0, 100, false", "0, 101, true", "150, 160, true", "199, 300, true", "200, 300, false"})
    void shouldOverlapWhatHasASecondInCommon(long from, long to, boolean overlaps) {
        assertThat(TestReservation.of("r", 100, 200, "USER==ann").overlaps(from, to))
                .isEqualTo(overlaps);
    }

    @ParameterizedTest
    @CsvSource({"ann.1, true", "label, true", "group, true", "standing, true", "owner, false", "profile, false"})
    void shouldGoByItsNames(String name, boolean known) {
        AdministrativeReservation made = TestReservation.of(
                "ann.1",
                100,
                200,
                new TermsEdit()
                        .label("label")
                        .group("group")
                        .standing("standing")
                        .owner("owner")
                        .profile("profile"));

        assertThat(made.goesBy(name)).isEqualTo(known);
    }

    @Test
    void shouldReserveAsAnotherWithTheSameTimeNodesAndTerms() {
        AdministrativeReservation made = TestReservation.of("r", 100, 200, "USER==ann", TestReservation.on("n1", 1));

        assertThat(made.reservesAs(made.charged(5).changedIn(7).named("s"))).isTrue();
        assertThat(made.reservesAs(made.at(101, 200))).isFalse();
        assertThat(made.reservesAs(made.at(100, 201))).isFalse();
        assertThat(made.reservesAs(made.on(List.of()))).isFalse();
        assertThat(made.reservesAs(made.with(TestReservation.terms("USER==bob").done())))
                .isFalse();
    }

    @Test
    void shouldChangeOneThingAtATime() {
        AdministrativeReservation made = TestReservation.of("r", 100, 200, "USER==ann", TestReservation.on("n1", 1));
        ReservationTerms terms = TestReservation.terms("USER==bob").done();
        List<ReservedNode> nodes = List.of(TestReservation.on("n2", 1));

        assertThat(made.with(terms).terms()).isEqualTo(terms);
        assertThat(made.named("s").id()).isEqualTo("s");
        assertThat(made.on(nodes).nodes()).isEqualTo(nodes);
        assertThat(made.charged(5).chargedMillis()).isEqualTo(5);
        assertThat(made.used().spent()).isTrue();
        assertThat(made.changedIn(3).changedIn()).isEqualTo(3);
    }

    @Test
    void shouldAddWhatIsAccounted() {
        AdministrativeReservation made = TestReservation.of("r", 100, 200, "USER==ann")
                .accounted(10, 4, 6_000, 110)
                .accounted(20, 6, 14_000, 120);

        assertThat(made.reservedProcSeconds()).isEqualTo(30);
        assertThat(made.usedProcSeconds()).isEqualTo(10);
        assertThat(made.unusedWeighted()).isEqualTo(20_000);
        assertThat(made.accountedTo()).isEqualTo(120);
    }

    @Test
    void shouldKeepItsLengthWhenMovedAndRememberWhatWasAskedFor() {
        AdministrativeReservation moved =
                TestReservation.of("r", 100, 200, "USER==ann").movedTo(150);

        assertThat(moved.start()).isEqualTo(150);
        assertThat(moved.end()).isEqualTo(250);
        assertThat(moved.accountedTo()).isEqualTo(150);
        assertThat(moved.requestedStart()).isEqualTo(100);
        assertThat(moved.requestedEnd()).isEqualTo(200);
    }

    @Test
    void shouldHaveNoEndAfterAMoveWhereItHadNone() {
        AdministrativeReservation moved =
                TestReservation.of("r", 100, TimeArgument.FOREVER, "USER==ann").movedTo(150);

        assertThat(moved.end()).isEqualTo(TimeArgument.FOREVER);
        assertThat(moved.requestedEnd()).isEqualTo(TimeArgument.FOREVER);
    }

    @Test
    void shouldTakeAnotherTimeAsAskedFor() {
        AdministrativeReservation made =
                TestReservation.of("r", 100, 200, "USER==ann").movedTo(150).at(300, 350);

        assertThat(made.start()).isEqualTo(300);
        assertThat(made.end()).isEqualTo(350);
        assertThat(made.requestedStart()).isEqualTo(300);
    }

    private static TermsEdit everything() {
        TermsEdit terms = new TermsEdit()
                .label("label")
                .owner("USER:ann")
                .group("group")
                .subtype("subtype")
                .acl(AccessControlList.read("USER==ann,DURATION<=1:00").list())
                .hosts("n.")
                .features(List.of("big", "fast"))
                .partition("p")
                .flags(List.of("BYNAME", "TIMEFLEX"))
                .priority(4)
                .profile("profile")
                .standing("standing")
                .comment("comment");
        terms.variables().put("v", "1");
        terms.accountable().put("ACCT", "a");
        return terms;
    }
}
