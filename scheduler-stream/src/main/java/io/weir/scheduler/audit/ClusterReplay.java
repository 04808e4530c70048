package io.weir.scheduler.audit;

import io.weir.scheduler.audit.AuditReport.Beginning;
import io.weir.scheduler.audit.AuditReport.ClusterReport;
import io.weir.scheduler.audit.Divergence.Kind;
import io.weir.scheduler.audit.Divergence.Place;
import io.weir.scheduler.audit.Folded.Derived;
import io.weir.scheduler.audit.Folded.Failed;
import io.weir.scheduler.audit.Folded.Fed;
import io.weir.scheduler.audit.Folded.Refused;
import io.weir.scheduler.audit.JournalReader.Applied;
import io.weir.scheduler.audit.JournalReader.Closed;
import io.weir.scheduler.audit.JournalReader.Item;
import io.weir.scheduler.audit.snapshot.Snapshot;
import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.journal.Build;
import io.weir.scheduler.journal.ClosedIteration;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.journal.JournalChain;
import io.weir.scheduler.journal.JournalEntry;
import io.weir.scheduler.journal.OutputRecord;
import io.weir.scheduler.state.JournalStatus;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatReference;
import io.weir.schemas.Iteration;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.Quarantine;
import io.weir.schemas.TopicCount;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the core derives of one cluster with what was written. After the first difference it stands still: what
 * follows from a wrong state says nothing. One thread.
 */
final class ClusterReplay {
    private final String cluster;
    private final long fromIteration;
    private final boolean truncated;
    private final JournalChain chain;
    private final InputReader decoder;
    private final Function<Input, Optional<FactVerifier>> facts;
    private final Map<String, OutputVerifier> outputs;
    private final Epochs epochs;
    private final SnapshotStarts starts;
    private @Nullable Fact lastFact;
    private boolean begun;

    /** Where the journal begins, when its first records have expired: its links are verified, nothing is derived. */
    private @Nullable Beginning beginning;

    /** The snapshot to begin at whose place is not reached yet: up to there the journal's links are verified. */
    private @Nullable Snapshot ahead;

    /** Where the item checked last is. */
    private @Nullable Place last;

    /** The place of the snapshot from which everything was derived; null where that was from the first record on. */
    private @Nullable Beginning start;

    private @Nullable Divergence divergence;
    private long factsCompared;

    /**
     * Starts with an empty cluster.
     *
     * @param fromIteration first iteration to compare; those before are only folded in
     * @param truncated whether retention has deleted records of the journal: those before the cluster's first may have
     *     been its own
     * @param facts the log an input came from, where it still exists
     * @param outputs verifiers by topic name
     * @param starts the snapshots at which audits begin
     */
    ClusterReplay(
            String cluster,
            long fromIteration,
            boolean truncated,
            InputReader decoder,
            Function<Input, Optional<FactVerifier>> facts,
            Map<String, OutputVerifier> outputs,
            Epochs epochs,
            SnapshotStarts starts) {
        this.cluster = cluster;
        this.fromIteration = fromIteration;
        this.truncated = truncated;
        this.chain = new JournalChain(cluster, decoder.encoder());
        this.decoder = decoder;
        this.facts = facts;
        this.outputs = outputs;
        this.epochs = epochs;
        this.starts = starts;
    }

    /** Looks at what the core made of the next item. */
    void check(Folded folded) {
        if (divergence != null) {
            return;
        }
        begin(folded.item());
        if (folded instanceof Failed failed) {
            throw failed.failure();
        }
        if (folded.item() instanceof Applied applied) {
            startAtSnapshot(applied, applied.place());
            if (divergence == null) {
                apply(applied, folded);
            }
        } else if (folded.item() instanceof Closed closed) {
            startAtSnapshot(closed, closed.place());
            if (divergence == null) {
                close(closed, folded);
            }
        }
    }

    /** Looks at the first item whether some came before that have expired, and trusts it then. */
    private void begin(Item first) {
        if (begun) {
            return;
        }
        begun = true;
        boolean cut = truncated && !first.canBegin();
        ahead = starts.of(first, cut).orElse(null);
        if (cut || ahead != null) {
            long sequence = first instanceof Applied applied
                    ? applied.entry().sequence() - 1
                    : first instanceof Closed closed ? closed.iteration().getLastInput() : 0;
            beginning = new Beginning(0, sequence);
        }
    }

    /** Goes on from the snapshot to begin at when {@code next} is the first that is not part of it. */
    private void startAtSnapshot(Item next, Place place) {
        last = place;
        if (ahead != null && !SnapshotStarts.covers(ahead, next)) {
            enter(ahead, place);
        }
    }

    private void enter(Snapshot snapshot, Place place) {
        ahead = null;
        JournalStatus found = chain.status();
        JournalStatus due = snapshot.journal();
        if (found.getSequence() > 0 || found.getIteration() > 0) {
            List<FieldDifference> fields = new ArrayList<>();
            fields.addAll(FieldDifference.of("iteration", found.getIteration(), due.getIteration()));
            fields.addAll(FieldDifference.of("sequence", found.getSequence(), due.getSequence()));
            fields.addAll(FieldDifference.of("digest", found.getDigest(), due.getDigest()));
            if (!fields.isEmpty()) {
                diverge(
                        Kind.JOURNAL_ORDER,
                        place,
                        "the snapshot behind iteration " + due.getIteration() + " is not of this journal",
                        fields);
                return;
            }
        }
        chain.resume(due);
        due.getOutputs().forEach(count -> {
            OutputVerifier verifier = outputs.get(count.getTopic());
            if (verifier != null) {
                verifier.beginBehind(count.getCount());
            }
        });
        beginning = null;
        start = new Beginning(due.getIteration(), due.getSequence());
    }

    private void apply(Applied item, Folded folded) {
        JournalEntry recorded = item.entry();
        Input input = recorded.input();
        boolean trusted = beginning != null && chain.sequence() == 0;
        if (!trusted && recorded.sequence() != chain.sequence() + 1) {
            diverge(
                    Kind.JOURNAL_ORDER,
                    item.place(),
                    "sequence " + (chain.sequence() + 1) + " is due, found " + recorded.sequence()
                            + "; a record was dropped, added or moved",
                    List.of());
            return;
        }
        JournalEntry derived = trusted ? recorded : chain.append(input);
        if (trusted) {
            chain.adopt(recorded);
        }
        if (isComparing()) {
            compare(item, recorded, derived);
        }
        if (divergence == null && beginning == null) {
            applied(item, folded);
        }
    }

    private void compare(Applied item, JournalEntry recorded, JournalEntry derived) {
        Input input = recorded.input();
        Optional<FactVerifier> log = facts.apply(input).filter(verifier -> verifier.isRetained(input));
        boolean sound = Arrays.equals(recorded.digest(), derived.digest())
                && item.record().timestamp() == input.timestamp();
        if (!sound) {
            List<FieldDifference> fields =
                    log.map(verifier -> verifier.peekDifferences(input)).orElse(List.of());
            diverge(
                    Kind.JOURNAL_RECORD,
                    item.place(),
                    "input " + recorded.sequence() + " from " + input
                            + " is not the one that was written: its digest does not follow",
                    fields);
        } else if (log.isPresent()) {
            factsCompared++;
            log.get().compare(cluster, chain.iteration() + 1, input).ifPresent(found -> divergence = found);
        }
    }

    private void applied(Applied item, Folded folded) {
        if (folded instanceof Refused refused) {
            diverge(
                    Kind.JOURNAL_RECORD,
                    item.place(),
                    "input " + chain.sequence() + " " + refused.message(),
                    List.of());
        } else if (folded instanceof Fed fed) {
            epochs.apply(cluster, fed.fact());
            if (!(fed.fact().record() instanceof Quarantine)) {
                lastFact = fed.fact();
            }
        }
    }

    private void close(Closed item, Folded folded) {
        Iteration recorded = item.iteration();
        @Nullable Beginning first = beginning;
        if (first != null && first.iteration() == 0) {
            beginning = new Beginning(recorded.getNumber(), first.sequence());
        } else if (recorded.getNumber() != chain.iteration() + 1) {
            diverge(
                    Kind.JOURNAL_ORDER,
                    item.place(),
                    "iteration " + (chain.iteration() + 1) + " is due, found " + recorded.getNumber()
                            + "; a record was dropped, added or moved",
                    List.of());
            return;
        }
        if (first != null) {
            follow(item);
            return;
        }
        if (recorded.getDecisionVersion() != ClusterScheduler.DECISION_VERSION) {
            diverge(
                    Kind.ITERATION,
                    item.place(),
                    "it was decided by version " + recorded.getDecisionVersion()
                            + " of the rules, this build has " + ClusterScheduler.DECISION_VERSION
                            + "; replay with release "
                            + recorded.getBuild(),
                    List.of());
            return;
        }
        if (!(folded instanceof Derived present)) {
            throw new IllegalStateException("Nothing was derived of iteration " + recorded.getNumber());
        }
        ClosedIteration derived =
                chain.close(present.result(), recorded.getTrigger(), recorded.getAnswers(), recorded.getBuild());
        if (recorded.getNumber() < fromIteration) {
            chain.adopt(recorded, item.payload());
            derived.outputs().forEach(this::skip);
            recorded.getOutputs().forEach(this::skipTo);
            return;
        }
        List<FieldDifference> fields = new ArrayList<>(differences(item, derived.iteration()));
        fields.addAll(envelope(item));
        Optional<Divergence> output = firstDifference(derived.outputs());
        if (fields.isEmpty()) {
            // The same in the schema of another build is other bytes, over which that build made its digests.
            chain.adopt(recorded, item.payload());
            output.ifPresent(this::diverge);
        } else {
            diverge(item, fields, output.or(() -> leftOver(recorded.getNumber())));
        }
    }

    /** Verifies that an iteration follows from the one before and its inputs, as far as they are there. */
    private void follow(Closed item) {
        Iteration recorded = item.iteration();
        JournalStatus due = chain.status();
        List<FieldDifference> fields = new ArrayList<>();
        if (due.getIteration() > 0) {
            fields.addAll(FieldDifference.of("previous", recorded.getPrevious(), due.getPrevious()));
        }
        if (due.getIteration() > 0 || due.getSequence() > 0) {
            fields.addAll(FieldDifference.of("lastInput", recorded.getLastInput(), due.getSequence()));
            fields.addAll(FieldDifference.of("inputsDigest", recorded.getInputsDigest(), due.getDigest()));
        }
        fields.addAll(envelopeOf(item));
        if (fields.isEmpty() || recorded.getNumber() < fromIteration) {
            chain.adopt(recorded, item.payload());
        } else {
            diverge(Kind.ITERATION, item.place(), "the iteration does not follow from what comes before", fields);
        }
    }

    private List<FieldDifference> differences(Closed item, Iteration derived) {
        byte[] encoded = decoder.encoder().encode(derived);
        if (Arrays.equals(item.payload(), encoded)) {
            return List.of();
        }
        List<FieldDifference> fields = FieldDifference.between(item.iteration(), derived);
        return fields.isEmpty()
                        && decoder.isOfThisBuild(Topics.JOURNAL, item.record().value())
                ? FieldDifference.of("value", item.payload(), encoded)
                : fields;
    }

    /** What an iteration's record says about itself beside its value. */
    private List<FieldDifference> envelope(Closed item) {
        Iteration recorded = item.iteration();
        List<FieldDifference> fields = new ArrayList<>(envelopeOf(item));
        if (recorded.getTrigger() == IterationTrigger.HEARTBEAT && !answersLastFact(recorded.getAnswers())) {
            fields.add(new FieldDifference(
                    "answers",
                    String.valueOf(recorded.getAnswers()),
                    "the heartbeat before it: " + (lastFact == null ? "none" : lastFact.record())));
        }
        return fields;
    }

    private static List<FieldDifference> envelopeOf(Closed item) {
        Iteration recorded = item.iteration();
        RecordHeaders headers = new RecordHeaders();
        FactHeaders.KIND.put(headers, FactHeaders.KIND_ITERATION);
        FactHeaders.ITERATION.put(headers, recorded.getNumber());
        List<FieldDifference> fields =
                new ArrayList<>(FieldDifference.headers(item.record().headers(), headers));
        fields.addAll(FieldDifference.of(
                "timestamp", item.record().timestamp(), recorded.getNow().toEpochMilli()));
        return fields;
    }

    private boolean answersLastFact(@Nullable HeartbeatReference answers) {
        @Nullable Fact fact = lastFact;
        if (answers != null && fact == null && start != null) {
            // The heartbeat is part of the snapshot.
            return chain.iteration() == start.iteration() + 1;
        }
        if (answers == null || fact == null) {
            return false;
        }
        if (fact.record() instanceof Heartbeat heartbeat) {
            return answers.getConnector().equals(fact.connector())
                    && answers.getEpoch() == fact.epoch()
                    && answers.getNumber() == heartbeat.getNumber();
        }
        return fact.record() instanceof GenericEvent event
                && Input.INTAKE.equals(event.getSource())
                && event.getObjectId().equals(answers.getConnector());
    }

    private void skip(OutputRecord output) {
        OutputVerifier verifier = outputs.get(output.topic().name());
        if (verifier != null) {
            verifier.skip(output);
        }
    }

    private void skipTo(TopicCount count) {
        OutputVerifier verifier = outputs.get(count.getTopic());
        if (verifier != null) {
            verifier.skipTo(count.getCount());
        }
    }

    /** Compares an iteration's outputs, in order, up to the first that differs. */
    private Optional<Divergence> firstDifference(List<OutputRecord> derived) {
        for (OutputRecord output : derived) {
            OutputVerifier verifier = outputs.get(output.topic().name());
            Optional<Divergence> found = verifier == null ? Optional.empty() : verifier.expect(output);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<Divergence> leftOver(long iteration) {
        return outputs.values().stream()
                .flatMap(verifier -> verifier.leftOver(iteration).stream())
                .findFirst();
    }

    /** Says what the output topics hold beyond what was derived, or lack. */
    void finish() {
        if (ahead != null && last != null && divergence == null) {
            enter(ahead, last);
        }
        if (beginning != null) {
            return;
        }
        for (OutputVerifier verifier : outputs.values()) {
            if (divergence == null) {
                verifier.finish(chain.iteration()).ifPresent(found -> divergence = found);
            }
        }
    }

    /** Notes a difference found by somebody else, if it is the first. */
    void diverge(Divergence found) {
        if (divergence == null) {
            divergence = found;
        }
    }

    boolean hasDiverged() {
        return divergence != null;
    }

    /** Says whether not all of the journal was derived: its beginning has expired, or was left out. */
    boolean isCutShort() {
        return beginning != null || start != null;
    }

    /** Says whether its state was derived up to the journal's end, and nothing differs. */
    boolean isVerified() {
        return begun && divergence == null && beginning == null && ahead == null;
    }

    /** Returns where the journal ends. */
    JournalStatus status() {
        return chain.status();
    }

    String cluster() {
        return cluster;
    }

    long iteration() {
        return chain.iteration();
    }

    ClusterReport report(long unverifiedFacts) {
        return new ClusterReport(
                cluster,
                chain.iteration(),
                chain.sequence(),
                outputs.values().stream().mapToLong(OutputVerifier::compared).sum(),
                factsCompared,
                chain.newInputs() + unverifiedFacts,
                Optional.ofNullable(beginning),
                Optional.ofNullable(start),
                Optional.ofNullable(divergence));
    }

    private boolean isComparing() {
        return chain.iteration() + 1 >= fromIteration;
    }

    private static String otherBuild(String build) {
        return build.equals(Build.current())
                ? ""
                : "; build " + build + " made it, this is build " + Build.current()
                        + ", which may decide otherwise or write by other schemas: verify it with the build that made it, and"
                        + " the iterations of this one with --from-iteration";
    }

    /** Notes that an iteration differs, and the first of its outputs that does. */
    private void diverge(Closed item, List<FieldDifference> fields, Optional<Divergence> output) {
        String message = "the iteration is not the one the core derives"
                + output.map(first -> "; the first output that differs is at " + first.place() + ": " + first.message())
                        .orElse("")
                + otherBuild(item.iteration().getBuild());
        List<FieldDifference> all = new ArrayList<>(fields);
        output.ifPresent(first -> all.addAll(first.fields()));
        divergence = new Divergence(Kind.ITERATION, cluster, item.iteration().getNumber(), item.place(), message, all);
    }

    private void diverge(Kind kind, Place place, String message, List<FieldDifference> fields) {
        divergence = new Divergence(kind, cluster, chain.iteration() + 1, place, message, fields);
    }
}
