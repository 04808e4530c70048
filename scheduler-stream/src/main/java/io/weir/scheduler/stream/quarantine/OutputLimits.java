package io.weir.scheduler.stream.quarantine;

import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.quarantine.Suspect;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.journal.OutputTopics;
import io.weir.schemas.Charge;
import io.weir.schemas.Notification;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.ReservationStatus;
import io.weir.topics.AvroPayload;
import io.weir.topics.EntityKey;
import io.weir.topics.RecordSize;
import io.weir.topics.Topic;
import java.util.List;
import java.util.function.ToIntFunction;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that a record fits on its topic before it is sent. What the producer finds too large it reports after the
 * call, when nobody knows any more what it came from, and again after every restart. So inputs are limited, too: each is
 * put out again, in the journal. Immutable.
 */
public final class OutputLimits {
    /** What a batch of one record takes beside key, value and headers, generously. */
    private static final int OVERHEAD_BYTES = 128;

    private static final int PER_HEADER_BYTES = 12;

    /** What the headers of an iteration's outputs and the prefix of a value take, generously. */
    private static final int DRESS_BYTES = 128;

    /** Bytes of a character in UTF-8, at most. */
    private static final int MOST_UTF8 = 3;

    /** Bytes of the largest value of a store; its key is short. */
    private static final int MOST_STORED = RecordSize.LARGEST - (1 << 13);

    /** Largest record of a topic, in bytes. */
    private final ToIntFunction<Topic<?>> most;

    /** Largest record of a topic that is taken in, in bytes. */
    private final ToIntFunction<Topic<?>> mostInput;

    private final int mostStored;

    /** Creates the limits that topics are made with. */
    public OutputLimits() {
        this(RecordSize::most);
    }

    public OutputLimits(ToIntFunction<Topic<?>> most) {
        this(most, RecordSize::mostInput, MOST_STORED);
    }

    private OutputLimits(ToIntFunction<Topic<?>> most, ToIntFunction<Topic<?>> mostInput, int mostStored) {
        this.most = most;
        this.mostInput = mostInput;
        this.mostStored = mostStored;
    }

    /** Returns limits that let everything through, to see in a simulation what they are good for. */
    public static OutputLimits none() {
        ToIntFunction<Topic<?>> any = topic -> Integer.MAX_VALUE;
        return new OutputLimits(any, any, Integer.MAX_VALUE);
    }

    /** Returns how many bytes key, value and headers of a record of {@code topic} may have to be taken in. */
    public int mostInput(Topic<?> topic) {
        return mostInput.applyAsInt(topic);
    }

    /**
     * Checks a record.
     *
     * @throws UnfitOutputException when it is larger than its topic takes
     */
    public void check(Topic<?> topic, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        long size = (long) OVERHEAD_BYTES + length(key) + length(value);
        for (Header header : headers) {
            size += PER_HEADER_BYTES + header.key().length() + length(header.value());
        }
        int allowed = most.applyAsInt(topic);
        if (size > allowed) {
            String name = key == null ? "" : EntityKey.parse(key).toString();
            throw new UnfitOutputException(
                    "record " + name + " for " + topic.name() + " has " + size + " bytes; " + allowed + " are allowed",
                    null,
                    null);
        }
    }

    /**
     * Checks a value of a store.
     *
     * @throws UnfitOutputException when it is larger than its changelog takes
     */
    public void checkStored(String key, byte[] value) {
        if (value.length > mostStored) {
            throw new UnfitOutputException(
                    "stored record " + key + " has " + value.length + " bytes; " + mostStored + " are allowed",
                    null,
                    null);
        }
    }

    /**
     * Checks everything an iteration stores and puts out, encoding included, and lays what is unfit to its object.
     *
     * @throws UnfitOutputException for the first record that is unfit
     */
    public void check(IterationResult result) {
        check(result.changes());
        for (Output output : result.outputs()) {
            Topic<?> topic = OutputTopics.of(output.kind());
            int allowed = most.applyAsInt(topic)
                    - OVERHEAD_BYTES
                    - DRESS_BYTES
                    - output.key().length() * MOST_UTF8;
            check("record " + output.key() + " for " + topic.name(), output.value(), allowed, suspect(output));
        }
    }

    /**
     * Checks what is to be stored, encoding included.
     *
     * @throws UnfitOutputException for the first record that is unfit
     */
    public void check(List<Change> changes) {
        for (Change change : changes) {
            check("change of " + change.kind() + " " + change.id(), change.value(), mostStored, suspect(change));
        }
    }

    private static void check(String what, @Nullable SpecificRecord value, int allowed, @Nullable Suspect suspect) {
        if (value == null) {
            return;
        }
        int size;
        try {
            size = AvroPayload.encode(value).length;
        } catch (RuntimeException e) {
            throw new UnfitOutputException(what + " cannot be encoded: " + e, suspect, e);
        }
        if (size > allowed) {
            throw new UnfitOutputException(
                    what + " has " + size + " bytes; " + allowed + " are allowed", suspect, null);
        }
    }

    private static @Nullable Suspect suspect(Change change) {
        return switch (change.kind()) {
            case NODE, HISTORY, CATEGORY -> new Suspect(QuarantineKind.NODE, change.id());
            case JOB, EXPLANATION, NONSTOP, LIEN -> new Suspect(QuarantineKind.JOB, change.id());
            case RESERVATION -> reservation(change.id(), change.value());
            case ANSWER -> new Suspect(QuarantineKind.REQUEST, change.id());
            case ADVICE,
                    FAIRSHARE,
                    CREDENTIAL,
                    CATEGORY_TOTALS,
                    QUARANTINE,
                    EVENT,
                    TRIGGER,
                    CHARGE_RUN,
                    CHARGE,
                    POLICY,
                    DOMAIN -> null;
        };
    }

    private static @Nullable Suspect suspect(Output output) {
        String id = EntityKey.parse(output.key()).entity();
        return switch (output.kind()) {
            case NODE, NODE_CATEGORY -> new Suspect(QuarantineKind.NODE, id);
            case COMMAND, DECISION, JOB, EXPLANATION, NONSTOP_EVENT -> new Suspect(QuarantineKind.JOB, id);
            case RESERVATION -> reservation(id, output.value());
            case REQUEST_RESULT -> new Suspect(QuarantineKind.REQUEST, id);
            case PLUGIN_QUESTION -> new Suspect(QuarantineKind.PLUGIN_QUESTION, id);
            case NOTIFICATION ->
                output.value() instanceof Notification notice
                                && notice.getObjectType().equals("job")
                        ? new Suspect(QuarantineKind.JOB, notice.getObjectId())
                        : null;
            case TRIGGER_FIRING -> new Suspect(QuarantineKind.TRIGGER, id);
            case CHARGE ->
                output.value() instanceof Charge charge
                                && charge.getObjectType().equals("job")
                        ? new Suspect(QuarantineKind.JOB, charge.getObjectId())
                        : null;
        };
    }

    /** A reservation for a job is the job's. */
    private static Suspect reservation(String id, @Nullable SpecificRecord value) {
        if (value instanceof ReservationStatus status) {
            String job = status.getJobId();
            return AdministrativeReservation.describes(status)
                    ? new Suspect(QuarantineKind.RESERVATION, id)
                    : new Suspect(QuarantineKind.JOB, job == null ? id : job);
        }
        return new Suspect(QuarantineKind.JOB, id);
    }

    private static int length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }
}
