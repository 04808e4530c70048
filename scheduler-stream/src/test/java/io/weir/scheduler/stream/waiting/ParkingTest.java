package io.weir.scheduler.stream.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.state.ParkedFact;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.scheduler.stream.store.StoredState;
import io.weir.scheduler.stream.store.TestStores;
import io.weir.scheduler.stream.waiting.Parking.Parked;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class ParkingTest {
    private static final int MEGABYTE = 1 << 20;

    static {
        AvroTrust.install();
    }

    private final TestStores kept = new TestStores(OutputLimits.none());
    private final Parking parking = new Parking("alpha", kept.stores);
    private long offset;

    @Test
    void shouldFindJobsByTheNodesTheyWaitForInOrderOfArrival() {
        park(job("j2", "n1", "n2"), false);
        park(job("j1", "n2"), false);
        park(job("j2", "n2"), false);

        assertThat(parking.jobsNaming("n2")).containsExactly("j2", "j1");
        assertThat(parking.jobsNaming("n1")).containsExactly("j2");
        assertThat(parking.jobsNaming("n3")).isEmpty();
    }

    @Test
    void shouldHaveLaterReportsOfAJobWaitBehindTheFirst() {
        park(job("j1", "n1"), false);
        park(job("j2", "n1"), false);
        park(job("j1", "n9"), false);

        assertThat(parking.isWaiting("j1")).isTrue();
        assertThat(parking.isWaiting("j3")).isFalse();
        assertThat(parking.reportsOf("j1")).extracting(Parked::number).containsExactly(1L, 3L);
        assertThat(parking.reportsOf("j3")).isEmpty();
    }

    @Test
    void shouldForgetAJobAndItsNodesWithItsLastReport() {
        park(job("j1", "n1"), false);
        park(job("j1", "n1"), false);
        parking.remove(parking.reportsOf("j1").get(0));
        assertThat(parking.isWaiting("j1")).isTrue();
        assertThat(parking.jobsNaming("n1")).containsExactly("j1");
        assertThat(parking.reportsOf("j1")).extracting(Parked::number).containsExactly(2L);

        parking.remove(parking.reportsOf("j1").get(0));

        assertThat(parking.isWaiting("j1")).isFalse();
        assertThat(parking.jobsNaming("n1")).isEmpty();
        assertThat(parking.isEmpty()).isTrue();
        assertThat(kept.committed()).isEmpty();
    }

    /** What waits for its epoch waits for no node, whatever it names. */
    @Test
    void shouldKeepReportsThatWaitForTheirEpochApart() {
        park(job("j1", "n1"), true);
        park(job("j2", "n1"), false);
        assertThat(parking.isWaiting("j1")).isFalse();
        assertThat(parking.jobsNaming("n1")).containsExactly("j2");

        parking.remove(parking.list(Parked::awaitsEpoch).get(0));

        assertThat(parking.jobsNaming("n1")).containsExactly("j2");
        assertThat(parking.size()).isEqualTo(1);
    }

    @Test
    void shouldListWhatIsWantedInOrderOfArrival() {
        park(job("j1", "n1"), true);
        park(node("n1"), true);
        park(job("j2", "n1"), false);

        assertThat(parking.list(Parked::awaitsEpoch)).extracting(Parked::number).containsExactly(1L, 2L);
    }

    @Test
    void shouldTellConnectorsApart() {
        park(node("n1"), true);

        Parked parked = parking.list(entry -> true).get(0);
        assertThat(parked.isOf("sim")).isTrue();
        assertThat(parked.isOf("other")).isFalse();
    }

    @Test
    void shouldHaveRoomForTwentyThousandOfWhichHalfMayWaitForTheirEpoch() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(parking.hasRoom(input(1), true)).isTrue();
            park(node("n1"), true);
        }
        assertThat(parking.hasRoom(input(1), true)).isFalse();
        for (int i = 0; i < 10_000; i++) {
            assertThat(parking.hasRoom(input(1), false)).isTrue();
            park(node("n1"), false);
        }
        assertThat(parking.hasRoom(input(1), false)).isFalse();

        parking.remove(parking.list(Parked::awaitsEpoch).get(0));

        assertThat(parking.hasRoom(input(1), true)).isTrue();
        assertThat(parking.hasRoom(input(1), false)).isTrue();
    }

    @Test
    void shouldHaveRoomForSixtyFourMegabytesOfWhichHalfMayWaitForTheirEpoch() {
        parking.park(input(32 * MEGABYTE - 1), Fact.foreign(node("n1")), 1, true);
        assertThat(parking.hasRoom(input(1), true)).isTrue();
        assertThat(parking.hasRoom(input(2), true)).isFalse();

        parking.park(input(32 * MEGABYTE), Fact.foreign(node("n1")), 1, false);
        assertThat(parking.hasRoom(input(1), false)).isTrue();
        assertThat(parking.hasRoom(input(2), false)).isFalse();

        parking.remove(parking.list(Parked::awaitsEpoch).get(0));

        assertThat(parking.hasRoom(input(32 * MEGABYTE), true)).isTrue();
        assertThat(parking.hasRoom(input(32 * MEGABYTE + 1), false)).isFalse();
    }

    @Test
    void shouldWaitOnWithTheSameAfterARestart() {
        park(job("j1", "n1"), false);
        park(job("j2", "n1"), true);
        StoredState.OfCluster stored = stored();
        Parking restored = new Parking("alpha", kept.stores);
        for (ParkedFact parked : stored.parked()) {
            SpecificRecord record = parked.getAwaitsEpoch() ? job("j2", "n1") : job("j1", "n1");
            restored.restore(
                    parked, WaitingInputs.restore(parked.getInput()), new Fact(record, parked.getConnector(), 7));
        }

        assertThat(restored.list(entry -> true))
                .extracting(
                        Parked::number,
                        Parked::sequence,
                        Parked::awaitsEpoch,
                        entry -> entry.input().toString())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(1L, 41L, false, "rm.jobs-0@1"),
                        org.assertj.core.groups.Tuple.tuple(2L, 42L, true, "rm.jobs-0@2"));
        assertThat(restored.jobsNaming("n1")).containsExactly("j1");
        restored.park(input(1), new Fact(node("n2"), "sim", 7), 5, true);
        assertThat(stored().parked()).extracting(ParkedFact::getNumber).containsExactly(1L, 2L, 3L);
    }

    private StoredState.OfCluster stored() {
        return kept.stores.load(List.of("alpha"), 0).of("alpha");
    }

    private void park(SpecificRecord record, boolean awaitsEpoch) {
        Input input = input(20);
        parking.park(input, new Fact(record, "sim", 7), 40 + input.offset(), awaitsEpoch);
    }

    private Input input(int bytes) {
        return new Input("rm.jobs", 0, ++offset, 1, new RecordHeaders(), new byte[0], new byte[bytes]);
    }

    private static JobReport job(String id, String... nodes) {
        return JobReport.newBuilder()
                .setCluster("alpha")
                .setJobId(id)
                .setQueueSequence(1)
                .setState(JobState.RUNNING)
                .setTasks(1)
                .setProcsPerTask(1)
                .setWalltimeSeconds(60L)
                .setSubmitTime(Instant.EPOCH)
                .setAllocation(Stream.of(nodes)
                        .map(node -> new NodeAllocation(node, 1))
                        .toList())
                .build();
    }

    private static NodeReport node(String id) {
        return NodeReport.newBuilder()
                .setCluster("alpha")
                .setNodeId(id)
                .setState(NodeState.IDLE)
                .setProcs(1)
                .build();
    }
}
