package io.weir.scheduler.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.audit.AuditReport;
import io.weir.scheduler.audit.AuditReport.Beginning;
import io.weir.scheduler.audit.InMemoryRecordLog;
import io.weir.scheduler.audit.snapshot.Snapshot;
import io.weir.scheduler.audit.snapshot.SnapshotChunks;
import io.weir.scheduler.recorded.RecordedJournal.WrittenRecord;
import io.weir.scheduler.stream.StreamHarness;
import io.weir.schemas.SnapshotChunk;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A snapshot in the middle of each recorded journal, the records before it expired at a random place: from there on every
 * iteration and every output is derived as from the first record on.
 */
class RecordedSnapshotsTest {
    private static final int ROUNDS = Integer.getInteger("weir.snapshot.rounds", 2);

    static Stream<Named<Life>> lives() {
        return Lives.all().stream().map(life -> Named.of(life.name(), life));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lives")
    void shouldDeriveFromASnapshotWhatFollowsFromTheWholeJournal(Life life) throws IOException {
        RecordedJournal journal = RecordedJournal.read(RecordedJournalsTest.file(life));
        Random random = new Random(life.name().hashCode());
        try (JournalSchemas schemas = new JournalSchemas(journal.schemas())) {
            for (int round = 0; round < ROUNDS; round++) {
                check(journal.records(), schemas, random);
            }
        }
    }

    private static void check(List<WrittenRecord> records, JournalSchemas schemas, Random random) {
        List<WrittenRecord> entries =
                records.stream().filter(WrittenRecord::isOfJournal).toList();
        int place = 1 + random.nextInt(entries.size() - 1);
        Snapshot snapshot = snapshot(records, entries.subList(0, place), schemas);
        int cut = 1 + random.nextInt(place);
        InMemoryRecordLog log = Replay.log(records);
        append(log, snapshot, schemas);
        String name = StreamHarness.NAMES.full(Topics.JOURNAL);
        log.records(name).subList(0, cut).clear();
        log.deletedBefore(name, cut);

        AuditReport report = Replay.audit(log, schemas, Optional.empty());

        assertThat(report.corrupt()).isEmpty();
        assertThat(report.firstDivergence())
                .as("snapshot behind record %d, journal cut before record %d", place, cut)
                .isEmpty();
        assertThat(report.clusters()).singleElement().satisfies(cluster -> {
            assertThat(cluster.start()).contains(new Beginning(snapshot.iteration(), snapshot.sequence()));
            assertThat(cluster.iterations())
                    .isEqualTo(
                            entries.stream().filter(WrittenRecord::isIteration).count());
            assertThat(cluster.beginning()).isEmpty();
        });
    }

    /** Returns what an audit keeps when the journal is {@code entries} so far. */
    private static Snapshot snapshot(List<WrittenRecord> records, List<WrittenRecord> entries, JournalSchemas schemas) {
        long iterations = entries.stream().filter(WrittenRecord::isIteration).count();
        List<WrittenRecord> soFar = new ArrayList<>(entries);
        records.stream()
                .filter(record -> !record.isOfJournal()
                        && FactHeaders.ITERATION.get(record.headers()).orElse(0) <= iterations)
                .forEach(soFar::add);
        List<Snapshot> kept = new ArrayList<>();
        AuditReport report = Replay.audit(Replay.log(soFar), schemas, Optional.of(kept::add));
        assertThat(report.isClean()).as("%s", report).isTrue();
        return kept.get(0);
    }

    private static void append(InMemoryRecordLog log, Snapshot snapshot, JournalSchemas schemas) {
        for (SnapshotChunk chunk : SnapshotChunks.of(snapshot)) {
            log.append(
                    StreamHarness.NAMES.full(Topics.SNAPSHOTS),
                    new EntityKey(chunk.getCluster(), chunk.getNumber() + "/" + chunk.getChunk()).toBytes(),
                    schemas.codec().encode(Topics.SNAPSHOTS, chunk),
                    0,
                    new RecordHeaders());
        }
    }
}
