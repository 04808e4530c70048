package io.weir.scheduler.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.audit.AuditReport.Beginning;
import io.weir.scheduler.audit.AuditReport.ClusterReport;
import io.weir.scheduler.audit.snapshot.Snapshot;
import io.weir.scheduler.audit.snapshot.SnapshotChunks;
import io.weir.scheduler.state.JournalStatus;
import io.weir.scheduler.stream.FakeConnector;
import io.weir.scheduler.stream.StreamHarness;
import io.weir.schemas.SnapshotChunk;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topics;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Audits that begin at a snapshot, of a run whose journal has lost its first records or not. */
class SnapshotAuditTest {
    private static final String JOURNAL = StreamHarness.NAMES.full(Topics.JOURNAL);
    private static final String SNAPSHOTS = StreamHarness.NAMES.full(Topics.SNAPSHOTS);

    private final StreamHarness harness = StreamHarness.rm();
    private final FakeConnector connector = new FakeConnector(harness);
    private int job;

    /** Two snapshots, behind iterations 2 and 4, of six. */
    @BeforeEach
    void run() {
        harness.deliver(connector.hello());
        harness.deliver(connector.node("n1", 4));
        polls(2);
        keep();
        polls(2);
        keep();
        polls(2);
        assertThat(harness.iterations()).hasSize(6);
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void shouldBeginAtTheOldestSnapshotThatTheJournalContinues() {
        cutBehindIteration(1);
        assertThat(audit(1, false)).satisfies(report -> {
            assertThat(report.start()).map(Beginning::iteration).contains(2L);
            assertThat(report.beginning()).isEmpty();
        });

        cutBehindIteration(2);
        assertThat(audit(1, false).start()).map(Beginning::iteration).contains(2L);

        cutBehindIteration(3);
        assertThat(audit(1, false).start()).map(Beginning::iteration).contains(4L);

        cutBehindIteration(5);
        assertThat(audit(1, false)).satisfies(report -> {
            assertThat(report.start()).isEmpty();
            assertThat(report.beginning()).isPresent();
        });
    }

    @Test
    void shouldBeginLateOnlyWhereThatIsWanted() {
        assertThat(audit(1, false).start()).isEmpty();
        assertThat(audit(1, true).start()).map(Beginning::iteration).contains(4L);
        assertThat(audit(4, true).start()).map(Beginning::iteration).contains(2L);
        assertThat(audit(2, true).start()).isEmpty();
    }

    @Test
    void shouldFindWhatWasRewrittenBehindTheSnapshot() {
        cutBehindIteration(3);
        List<ConsumerRecord<byte[], byte[]>> decisions = harness.log.records(StreamHarness.NAMES.full(Topics.JOBS));
        int last = decisions.size() - 1;
        byte[] value = decisions.get(last).value().clone();
        value[value.length - 1] ^= 1;
        harness.log.rewrite(StreamHarness.NAMES.full(Topics.JOBS), last, value);

        assertThat(report(1, false, Optional.empty()).firstDivergence()).isPresent();
    }

    @Test
    void shouldNotTrustASnapshotOfAnotherJournal() {
        harness.log.records(SNAPSHOTS).clear();
        write(forged(snapshot()), 1 << 19);

        AuditReport report = report(1, true, Optional.empty());

        assertThat(report.firstDivergence())
                .hasValueSatisfying(found -> assertThat(found.toString()).contains("is not of this journal", "digest"));
    }

    @Test
    void shouldPassOverASnapshotThatWasTamperedWithOrIsNotWhole() {
        List<ConsumerRecord<byte[], byte[]>> kept = harness.log.records(SNAPSHOTS);
        SnapshotChunk newest =
                harness.codec.decode(Topics.SNAPSHOTS, kept.get(kept.size() - 1).value());
        byte[] bytes = newest.getEvents().array().clone();
        bytes[bytes.length / 2] ^= 1;
        SnapshotChunk changed = SnapshotChunk.newBuilder(newest)
                .setEvents(ByteBuffer.wrap(bytes))
                .build();
        harness.log.rewrite(SNAPSHOTS, kept.size() - 1, harness.codec.encode(Topics.SNAPSHOTS, changed));

        AuditReport report = report(1, true, Optional.empty());
        assertThat(report.clusters().get(0).start()).map(Beginning::iteration).contains(2L);
        assertThat(report.corrupt())
                .singleElement()
                .satisfies(place -> assertThat(place.message()).contains("does not have the hash that it states"));

        harness.log.records(SNAPSHOTS).clear();
        write(snapshot(), 1_000);
        harness.log.records(SNAPSHOTS).remove(1);
        assertThat(audit(1, true).start()).isEmpty();
    }

    @Test
    void shouldPutTogetherASnapshotOfManyParts() {
        harness.log.records(SNAPSHOTS).clear();
        write(snapshot(), 100);
        assertThat(harness.log.records(SNAPSHOTS)).hasSizeGreaterThan(10);

        assertThat(audit(1, true).start()).map(Beginning::iteration).contains(6L);
    }

    @Test
    void shouldKeepNoStateThatDiffers() {
        List<ConsumerRecord<byte[], byte[]>> jobs = harness.log.records(StreamHarness.NAMES.full(Topics.JOBS));
        jobs.remove(jobs.size() - 1);
        List<Snapshot> kept = new ArrayList<>();

        assertThat(report(1, false, Optional.of(kept)).isClean()).isFalse();

        assertThat(kept).isEmpty();
    }

    private void polls(int count) {
        for (int i = 0; i < count; i++) {
            connector.at(connector.rmTime().plusSeconds(60));
            harness.deliver(connector.job(++job, 1));
            harness.deliver(connector.heartbeat());
        }
    }

    private void keep() {
        write(snapshot(), 1 << 19);
    }

    private Snapshot snapshot() {
        List<Snapshot> kept = new ArrayList<>();
        assertThat(report(1, false, Optional.of(kept)).isClean()).isTrue();
        assertThat(kept).hasSize(1);
        return kept.get(0);
    }

    private static Snapshot forged(Snapshot snapshot) {
        return new Snapshot(
                JournalStatus.newBuilder(snapshot.journal())
                        .setDigest("0".repeat(64))
                        .setIteration(snapshot.iteration() - 1)
                        .setSequence(snapshot.sequence() - 1)
                        .build(),
                snapshot.entities());
    }

    private void write(Snapshot snapshot, int part) {
        for (SnapshotChunk chunk : SnapshotChunks.of(snapshot, part)) {
            harness.log.append(
                    SNAPSHOTS,
                    new EntityKey(chunk.getCluster(), chunk.getNumber() + "/" + chunk.getChunk()).toBytes(),
                    harness.codec.encode(Topics.SNAPSHOTS, chunk),
                    0,
                    StreamHarness.noHeaders());
        }
    }

    private void cutBehindIteration(long number) {
        List<ConsumerRecord<byte[], byte[]>> journal = harness.log.records(JOURNAL);
        while (FactHeaders.ITERATION.get(journal.get(0).headers()).orElse(0) < number) {
            journal.remove(0);
        }
        journal.remove(0);
        harness.log.deletedBefore(JOURNAL, journal.get(0).offset());
    }

    private ClusterReport audit(long fromIteration, boolean fromSnapshot) {
        AuditReport report = report(fromIteration, fromSnapshot, Optional.empty());
        assertThat(report.firstDivergence()).isEmpty();
        assertThat(report.corrupt()).isEmpty();
        return report.clusters().get(0);
    }

    private AuditReport report(long fromIteration, boolean fromSnapshot, Optional<List<Snapshot>> kept) {
        return new AuditReplayer(
                        harness.log,
                        StreamHarness.NAMES,
                        new InputReader(Optional.of(harness.codec)),
                        new AuditRange(fromIteration, fromSnapshot),
                        kept.map(list -> list::add),
                        (cluster, number, share) -> {})
                .verify();
    }
}
