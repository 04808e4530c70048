package io.weir.scheduler.recorded;

import io.weir.scheduler.audit.AuditRange;
import io.weir.scheduler.audit.AuditReplayer;
import io.weir.scheduler.audit.AuditReport;
import io.weir.scheduler.audit.InMemoryRecordLog;
import io.weir.scheduler.audit.InputReader;
import io.weir.scheduler.audit.snapshot.SnapshotSink;
import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.scheduler.journal.Facts;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.recorded.RecordedJournal.WrittenRecord;
import io.weir.scheduler.stream.SchedulerTopology;
import io.weir.scheduler.stream.StreamHarness;
import io.weir.schemas.Iteration;
import io.weir.topics.AvroCodec;
import io.weir.topics.Topics;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Folds recorded journals with the scheduler of this build. Stateless. */
final class Replay {
    private Replay() {}

    /** Audits a journal and its outputs; the facts' own topics are gone, as after their retention. */
    static AuditReport audit(RecordedJournal journal, JournalSchemas schemas) {
        return audit(log(journal.records()), schemas, Optional.empty());
    }

    /** Audits a log of {@link #log}; {@code snapshots} takes the state at its end. */
    static AuditReport audit(InMemoryRecordLog log, JournalSchemas schemas, Optional<SnapshotSink> snapshots) {
        InputReader reader = new InputReader(Optional.of(schemas.codec()), schemas);
        return new AuditReplayer(
                        log,
                        StreamHarness.NAMES,
                        reader,
                        new AuditRange(1, false),
                        snapshots,
                        (cluster, number, share) -> {})
                .verify();
    }

    /** Returns a log of these records without the facts' own topics. */
    static InMemoryRecordLog log(List<WrittenRecord> records) {
        InMemoryRecordLog log = new InMemoryRecordLog();
        for (WrittenRecord record : records) {
            log.append(
                    StreamHarness.NAMES.prefix() + record.topic(),
                    record.key(),
                    record.value(),
                    record.timestamp(),
                    record.headers());
        }
        SchedulerTopology.inputs().forEach(input -> log.deletedBefore(StreamHarness.NAMES.full(input), Long.MAX_VALUE));
        return log;
    }

    /**
     * Returns the whole state that follows from a journal, but for the statistics of credentials: no decision depends on
     * them, and the builds that recorded the journals kept none.
     */
    static List<Change> state(List<WrittenRecord> records, AvroCodec codec) {
        ClusterScheduler core = new ClusterScheduler(StreamHarness.CLUSTER);
        for (WrittenRecord record : records) {
            if (record.isIteration()) {
                Iteration iteration = codec.decode(Topics.JOURNAL, Objects.requireNonNull(record.value()));
                core.iterate(iteration.getNow(), iteration.getTrigger(), iteration.getAnswers());
            } else if (record.isInput()) {
                Input input = record.entry().input();
                core.apply(
                        Facts.of(input, codec.decode(Recorder.source(input), Objects.requireNonNull(input.value()))));
            }
        }
        return JoinedState.of(core.snapshot()).stream()
                .filter(change -> change.kind() != EntityKind.CREDENTIAL)
                .toList();
    }
}
