package io.weir.scheduler.journal;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.state.JournalStatus;
import io.weir.scheduler.state.OutputCount;
import io.weir.schemas.HeartbeatReference;
import io.weir.schemas.Iteration;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.TopicCount;
import io.weir.topics.AvroPayload;
import io.weir.topics.Topic;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The running end of one cluster's journal: numbers inputs and outputs, keeps the digests, and makes the Iteration
 * records. The stream writes what it returns; the audit compares what it returns with what was written. One thread.
 */
public final class JournalChain {
    private static final byte[] START = new byte[Sha256.LENGTH];

    private final String cluster;
    private final PayloadEncoder encoder;
    private long sequence;
    private byte[] digest = START;
    private long iteration;
    /** SHA-256 of the last Iteration record, hexadecimal; empty before the first. */
    private String previous = "";

    private long lastInput;
    private final SortedMap<String, Long> outputs = new TreeMap<>();
    private @Nullable Instant now;
    private @Nullable Instant nextWake;

    /** Starts the journal of {@code cluster}. */
    public JournalChain(String cluster) {
        this(cluster, AvroPayload::encode);
    }

    /** Starts the journal of {@code cluster}, with digests over what {@code encoder} makes of its records. */
    public JournalChain(String cluster, PayloadEncoder encoder) {
        this.cluster = cluster;
        this.encoder = encoder;
    }

    /** Continues where {@code status} says. */
    public JournalChain(JournalStatus status) {
        this(status.getCluster());
        resume(status);
    }

    /** Goes on where {@code status} says, which is trusted. */
    public final void resume(JournalStatus status) {
        sequence = status.getSequence();
        digest = Sha256.parseHex(status.getDigest());
        iteration = status.getIteration();
        previous = status.getPrevious();
        lastInput = status.getLastInput();
        outputs.clear();
        status.getOutputs().forEach(count -> outputs.put(count.getTopic(), count.getCount()));
        now = status.getNow();
        nextWake = status.getNextWake();
    }

    /** Returns where the journal stands; {@link #JournalChain(JournalStatus)} continues there. */
    public JournalStatus status() {
        List<OutputCount> counts = new ArrayList<>(outputs.size());
        outputs.forEach((topic, count) -> counts.add(new OutputCount(topic, count)));
        return new JournalStatus(
                cluster, sequence, Sha256.hex(digest), iteration, previous, lastInput, counts, now, nextWake);
    }

    /** Appends an input. */
    public JournalEntry append(Input input) {
        sequence++;
        digest = InputDigest.next(digest, sequence, input);
        return new JournalEntry(sequence, input, digest);
    }

    /**
     * Closes an iteration: numbers its outputs and makes its record.
     *
     * @param build release that decided
     * @throws IllegalStateException when the core's iteration numbers do not follow one another
     */
    public ClosedIteration close(
            IterationResult result, IterationTrigger trigger, @Nullable HeartbeatReference answers, String build) {
        if (result.number() != iteration + 1) {
            throw new IllegalStateException("Cluster " + cluster + ": iteration " + result.number()
                    + " does not follow iteration " + iteration
                    + "; the stores and the core disagree, restore both from the journal");
        }
        List<OutputRecord> records = number(result);
        Iteration closed = new Iteration(
                cluster,
                result.number(),
                result.now(),
                trigger,
                answers,
                result.listened(),
                result.policyVersion(),
                build,
                ClusterScheduler.DECISION_VERSION,
                sequence,
                Sha256.hex(digest),
                counts(),
                OutputsDigest.of(records),
                result.commands(),
                result.nextWake(),
                previous,
                result.runtimeSettings(),
                result.standing());
        byte[] link = Sha256.of(encoder.encode(closed));
        iteration = result.number();
        previous = Sha256.hex(link);
        digest = link;
        lastInput = sequence;
        now = result.now();
        nextWake = result.nextWake();
        return new ClosedIteration(records, closed);
    }

    /**
     * Goes on from {@code recorded} as if it were the iteration closed last; for a reader that trusts what lies before.
     *
     * @param payload its bytes on the topic, without schema id: another build may have written them by another schema
     */
    public void adopt(Iteration recorded, byte[] payload) {
        byte[] link = Sha256.of(payload);
        iteration = recorded.getNumber();
        previous = Sha256.hex(link);
        digest = link;
        sequence = recorded.getLastInput();
        lastInput = sequence;
        outputs.clear();
        recorded.getOutputs().forEach(count -> outputs.put(count.getTopic(), count.getCount()));
        now = recorded.getNow();
        nextWake = recorded.getNextWake();
    }

    /** Goes on from {@code recorded} as if it were the input appended last; for a reader that trusts what lies before. */
    public void adopt(JournalEntry recorded) {
        sequence = recorded.sequence();
        digest = recorded.digest();
    }

    /** Returns the sequence of the last input; 0 before the first. */
    public long sequence() {
        return sequence;
    }

    /** Returns the number of the last iteration; 0 before the first. */
    public long iteration() {
        return iteration;
    }

    /** Returns how many inputs came in since the last iteration. */
    public long newInputs() {
        return sequence - lastInput;
    }

    /** Returns the instant of the last iteration; null before the first. */
    public @Nullable Instant now() {
        return now;
    }

    /** Returns when the scheduler wants to run again though nothing happens; null for never. */
    public @Nullable Instant nextWake() {
        return nextWake;
    }

    private List<OutputRecord> number(IterationResult result) {
        List<OutputRecord> records = new ArrayList<>(result.outputs().size());
        for (Output output : result.outputs()) {
            Topic<?> topic = OutputTopics.of(output.kind());
            long number = outputs.merge(topic.name(), 1L, Long::sum);
            records.add(new OutputRecord(
                    topic, number, result.number(), result.now(), output.key(), output.value(), encoder));
        }
        return records;
    }

    private List<TopicCount> counts() {
        List<TopicCount> counts = new ArrayList<>(outputs.size());
        outputs.forEach((topic, count) -> counts.add(new TopicCount(topic, count)));
        return counts;
    }
}
