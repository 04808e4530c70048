package io.weir.monitoring.source;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.monitoring.format.Format;
import io.weir.monitoring.format.Reading;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes messages from wherever they come: reads them, writes their facts, and says now and then how much could not be
 * matched. Thread-safe.
 */
final class MessageIntake {

    /** A longer message is not looked at. */
    static final int LONGEST_BYTES = 4 << 20;

    private static final Logger log = LoggerFactory.getLogger(MessageIntake.class);
    private static final Duration BETWEEN_COMPLAINTS = Duration.ofMinutes(1);

    private final FactMaker maker;
    private final FactWriter writer;
    private final MeterRegistry meters;
    private final Clock clock;
    private Instant nextComplaint = Instant.MIN;
    private long complaints;

    MessageIntake(FactMaker maker, FactWriter writer, MeterRegistry meters, Clock clock) {
        this.maker = maker;
        this.writer = writer;
        this.meters = meters;
        this.clock = clock;
    }

    /**
     * Takes {@code message}, which comes from {@code origin} at this moment, and comes back when its facts are written.
     *
     * @throws KafkaException when they could not be; the same message may be given again
     */
    Facts take(String origin, Format format, byte[] message) throws InterruptedException {
        return take(origin, format, message, Instant.MAX);
    }

    /**
     * Takes {@code message}, which came from {@code origin}, and comes back when its facts are written.
     *
     * @param sent when it was sent, which counts for what has no time of its own; no later than now
     * @throws KafkaException when they could not be; the same message may be given again
     */
    Facts take(String origin, Format format, byte[] message, Instant sent) throws InterruptedException {
        Reading reading = message.length > LONGEST_BYTES ? new Reading() : read(origin, format, message);
        Instant now = clock.instant();
        Facts facts = maker.make(reading, sent.isBefore(now) ? sent : now);
        try {
            writer.write(facts);
        } catch (RuntimeException | InterruptedException e) {
            maker.forget();
            throw e;
        }
        for (Matching matching : Matching.values()) {
            if (facts.count(matching) > 0) {
                count(origin, matching, facts.count(matching));
            }
        }
        if (message.length > LONGEST_BYTES) {
            count(origin, Matching.OUT_OF_BOUNDS, 1);
        }
        complain(origin, facts, message.length);
        return facts;
    }

    /** Formats are made not to fail on anything; one that does all the same must not stop what comes behind. */
    private static Reading read(String origin, Format format, byte[] message) {
        try {
            return format.read(message);
        } catch (RuntimeException e) {
            log.error(
                    "origin={} bytes={}: format {} failed; please report this",
                    origin,
                    message.length,
                    format.name(),
                    e);
            return Reading.failed(format.name() + " failed: " + e);
        }
    }

    private void count(String origin, Matching matching, int parts) {
        Counter.builder("weir.monitoring.source.parts")
                .description("Values and alerts received, by what became of them")
                .tag("origin", origin)
                .tag("matching", matching.name().toLowerCase(java.util.Locale.ROOT))
                .register(meters)
                .increment(parts);
    }

    private synchronized void complain(String origin, Facts facts, int bytes) {
        int unmatched =
                facts.count(Matching.UNREADABLE) + facts.count(Matching.NO_NODE) + facts.count(Matching.OUT_OF_BOUNDS);
        if (unmatched == 0 && bytes <= LONGEST_BYTES) {
            return;
        }
        complaints++;
        Instant now = clock.instant();
        if (!now.isBefore(nextComplaint)) {
            nextComplaint = now.plus(BETWEEN_COMPLAINTS);
            log.warn(
                    "origin={} bytes={}: parts that could not be matched {}{}; messages of this kind so far: {}",
                    origin,
                    bytes,
                    facts.counts(),
                    facts.reason().isEmpty() ? "" : ": " + facts.reason().replaceAll("\\p{Cntrl}", " "),
                    complaints);
        }
    }
}
