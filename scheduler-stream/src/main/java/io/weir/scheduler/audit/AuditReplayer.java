package io.weir.scheduler.audit;

import io.weir.scheduler.audit.AuditReport.ClusterReport;
import io.weir.scheduler.audit.Divergence.Kind;
import io.weir.scheduler.audit.JournalReader.Closed;
import io.weir.scheduler.audit.JournalReader.Item;
import io.weir.scheduler.audit.JournalReader.Malformed;
import io.weir.scheduler.audit.JournalReader.Unreadable;
import io.weir.scheduler.audit.snapshot.Snapshot;
import io.weir.scheduler.audit.snapshot.SnapshotSink;
import io.weir.scheduler.journal.OutputTopics;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Verifies what a scheduler left on its topics: folds the journal with the core that wrote it, and compares every
 * iteration, every output and, where they are retained, the facts. Reads only; the state that was verified may be kept as a
 * snapshot. Use once.
 */
public final class AuditReplayer {
    private final RecordLog log;
    private final TopicNames names;
    private final InputReader decoder;
    private final long fromIteration;
    private final Progress progress;
    private final List<RecordLog.Corrupt> corrupt = Collections.synchronizedList(new ArrayList<>());
    private final Epochs epochs = new Epochs();
    private final Map<String, Optional<FactVerifier>> facts = new TreeMap<>();
    private final Tally tally = new Tally();
    private final SnapshotStarts starts;
    private final Optional<SnapshotSink> snapshots;

    /** Offsets of the journal, those of transaction markers among them. */
    private long journal;

    /** Offsets of those partitions of the journal that have been gone through. */
    private long behind;

    /** Prepares an audit from iteration {@code fromIteration} on; those before are only folded in. */
    public AuditReplayer(RecordLog log, TopicNames names, InputReader decoder, long fromIteration, Progress progress) {
        this(log, names, decoder, new AuditRange(fromIteration, false), Optional.empty(), progress);
    }

    /**
     * Prepares an audit.
     *
     * @param range which part of the journal to compare
     * @param snapshots takes the state of each cluster behind the last iteration, where nothing differs
     */
    public AuditReplayer(
            RecordLog log,
            TopicNames names,
            InputReader decoder,
            AuditRange range,
            Optional<SnapshotSink> snapshots,
            Progress progress) {
        this.log = log;
        this.names = names;
        this.decoder = decoder;
        this.fromIteration = range.fromIteration();
        this.progress = progress;
        this.snapshots = snapshots;
        this.starts = new SnapshotStarts(
                new SnapshotTopic(log, names, decoder, corrupt), range.fromSnapshot(), fromIteration, corrupt);
    }

    /** Runs the audit. */
    public AuditReport verify() {
        // Outputs and their iteration are committed together: the journal's end is looked at after theirs.
        for (Topic<?> topic : OutputTopics.all()) {
            partitions(topic).forEach(log::end);
        }
        DeadLetterIndex deadLetters = DeadLetterIndex.read(log, names, decoder, corrupt);
        Map<String, ClusterReplay> clusters = new TreeMap<>();
        for (TopicPartition partition : partitions(Topics.JOURNAL)) {
            journal += log.end(partition) - log.beginning(partition);
        }
        for (TopicPartition partition : partitions(Topics.JOURNAL)) {
            partition(partition, clusters, deadLetters);
            behind += log.end(partition) - log.beginning(partition);
        }
        finishFacts(clusters, deadLetters);
        facts.values().forEach(verifier -> verifier.ifPresent(FactVerifier::close));
        List<ClusterReport> reports = clusters.values().stream()
                .map(cluster -> cluster.report(tally.of(cluster.cluster())))
                .toList();
        return new AuditReport(reports, List.copyOf(corrupt));
    }

    private void partition(TopicPartition partition, Map<String, ClusterReplay> clusters, DeadLetterIndex deadLetters) {
        Map<Topic<?>, TopicDemux> outputs = new LinkedHashMap<>();
        for (Topic<?> topic : OutputTopics.all()) {
            TopicPartition output = new TopicPartition(names.full(topic), partition.partition());
            if (partition.partition() < log.partitions(output.topic())) {
                outputs.put(
                        topic,
                        new TopicDemux(output, log, corrupt, new RedrivenOutputs(topic, output, log, deadLetters)));
            }
        }
        Map<String, ClusterReplay> here = new TreeMap<>();
        JournalFold core = new JournalFold(decoder, log.beginning(partition) > 0, starts);
        try (JournalReader journal = new JournalReader(log, partition, decoder)) {
            compare(journal, core, here, outputs, deadLetters, log.beginning(partition) > 0);
            log.refresh(partition);
            compare(journal, core, here, outputs, deadLetters, log.beginning(partition) > 0);
        }
        here.values().forEach(ClusterReplay::finish);
        if (log.beginning(partition) == 0) {
            strangers(here, outputs);
        }
        outputs.values().forEach(TopicDemux::close);
        snapshots.ifPresent(sink -> here.values().stream()
                .filter(cluster -> cluster.isVerified() && corrupt.isEmpty())
                .forEach(cluster -> sink.write(new Snapshot(cluster.status(), core.state(cluster.cluster())))));
        clusters.putAll(here);
    }

    /** Reads on one thread, folds on another and compares on this one, in the order of the journal; one thread if it is at hand. */
    private void compare(
            JournalReader journal,
            JournalFold core,
            Map<String, ClusterReplay> here,
            Map<Topic<?>, TopicDemux> outputs,
            DeadLetterIndex deadLetters,
            boolean isTruncated) {
        if (log.isAtHand()) {
            for (Item item = journal.next(); item != null; item = journal.next()) {
                compare(core.fold(item), here, outputs, deadLetters, isTruncated);
            }
            return;
        }
        try (Ahead<Item> read = new Ahead<>("audit-read", journal::next);
                Ahead<Folded> folded = new Ahead<>("audit-fold", () -> {
                    Item item = read.next();
                    return item == null ? null : core.fold(item);
                })) {
            for (Folded next = folded.next(); next != null; next = folded.next()) {
                compare(next, here, outputs, deadLetters, isTruncated);
            }
        }
    }

    private void compare(
            Folded folded,
            Map<String, ClusterReplay> here,
            Map<Topic<?>, TopicDemux> outputs,
            DeadLetterIndex deadLetters,
            boolean isTruncated) {
        if (folded.item() instanceof Unreadable unreadable) {
            corrupt.add(unreadable.corrupt());
            return;
        }
        ClusterReplay replay = replay(folded.item().cluster(), here, outputs, deadLetters, isTruncated);
        if (folded.item() instanceof Malformed malformed) {
            replay.diverge(new Divergence(
                    Kind.JOURNAL_RECORD,
                    malformed.cluster(),
                    replay.iteration() + 1,
                    malformed.place(),
                    malformed.message(),
                    List.of()));
            return;
        }
        replay.check(folded);
        if (folded.item() instanceof Closed closed) {
            TopicPartition partition =
                    new TopicPartition(closed.record().topic(), closed.record().partition());
            long gone = behind + closed.record().offset() + 1 - log.beginning(partition);
            progress.iteration(replay.cluster(), replay.iteration(), Math.min(1, (double) gone / journal));
        }
    }

    private ClusterReplay replay(
            String cluster,
            Map<String, ClusterReplay> here,
            Map<Topic<?>, TopicDemux> outputs,
            DeadLetterIndex deadLetters,
            boolean isTruncated) {
        return here.computeIfAbsent(cluster, name -> {
            Map<String, OutputVerifier> verifiers = new LinkedHashMap<>();
            outputs.forEach((topic, demux) -> verifiers.put(
                    topic.name(),
                    new OutputVerifier(
                            name,
                            topic,
                            demux,
                            log.beginning(demux.partition()) > 0,
                            log.segments(demux.partition().topic()),
                            decoder)));
            return new ClusterReplay(
                    name,
                    fromIteration,
                    isTruncated,
                    decoder,
                    input -> facts(input.topic(), input.partition(), deadLetters),
                    verifiers,
                    epochs,
                    starts);
        });
    }

    private Optional<FactVerifier> facts(String name, int partition, DeadLetterIndex deadLetters) {
        return facts.computeIfAbsent(
                name + "-" + partition,
                place -> Topics.byName(name)
                        .filter(topic -> partition < log.partitions(names.full(topic)))
                        .map(topic -> new FactVerifier(
                                topic,
                                new TopicPartition(names.full(topic), partition),
                                log,
                                corrupt,
                                decoder,
                                deadLetters)));
    }

    private void finishFacts(Map<String, ClusterReplay> clusters, DeadLetterIndex deadLetters) {
        if (clusters.isEmpty()
                || fromIteration > 1
                || clusters.values().stream().anyMatch(ClusterReplay::isCutShort)
                || clusters.values().stream().anyMatch(ClusterReplay::hasDiverged)) {
            return;
        }
        for (Topic<?> topic : Topics.schedulerInputs()) {
            partitions(topic).forEach(partition -> facts(topic.name(), partition.partition(), deadLetters));
        }
        Map<String, Long> iterations = new TreeMap<>();
        clusters.forEach((name, cluster) -> iterations.put(name, cluster.iteration()));
        for (Optional<FactVerifier> verifier : facts.values()) {
            Optional<Divergence> found = verifier.flatMap(present -> present.finish(epochs, iterations, tally));
            found.ifPresent(divergence -> owner(divergence, clusters).diverge(divergence));
        }
    }

    /** Output topics hold records of the journal's clusters and of no other. */
    private void strangers(Map<String, ClusterReplay> here, Map<Topic<?>, TopicDemux> outputs) {
        if (here.isEmpty() || here.values().stream().anyMatch(ClusterReplay::hasDiverged)) {
            return;
        }
        for (TopicDemux output : outputs.values()) {
            @Nullable ConsumerRecord<byte[], byte[]> stranger = output.stranger(here.keySet());
            if (stranger != null) {
                Divergence divergence = new Divergence(
                        Kind.OUTPUT_EXTRA,
                        "",
                        0,
                        JournalReader.place(stranger),
                        "its key names a cluster of which the journal knows nothing",
                        List.of());
                owner(divergence, here).diverge(divergence);
            }
        }
    }

    private static ClusterReplay owner(Divergence divergence, Map<String, ClusterReplay> clusters) {
        ClusterReplay owner = clusters.get(divergence.cluster());
        return owner != null ? owner : clusters.values().iterator().next();
    }

    private List<TopicPartition> partitions(Topic<?> topic) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (int partition = 0; partition < log.partitions(names.full(topic)); partition++) {
            partitions.add(new TopicPartition(names.full(topic), partition));
        }
        return partitions;
    }

    /** Is told how far the audit has come. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Iteration {@code number} of {@code cluster} was re-derived.
         *
         * @param share how much of the journal has been gone through, 0 to 1
         */
        void iteration(String cluster, long number, double share);
    }
}
