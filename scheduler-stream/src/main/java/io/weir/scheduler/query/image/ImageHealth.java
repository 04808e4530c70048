package io.weir.scheduler.query.image;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.service.BrokerTrouble;
import io.weir.service.Readiness;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How far the API's image is behind the topics, for metrics, readiness and whoever is refused because of it. An image that
 * nobody has asked for yet is not behind. Thread-safe.
 */
public final class ImageHealth {
    private static final String CONDITION = "api-image";
    private static final Duration BEHIND = Duration.ofSeconds(30);

    private final Counter restarts;
    private final Readiness.Condition upToDate;

    /** By the nanosecond clock; null before the first look and before the first trouble. */
    private @Nullable Long lastLook;

    private @Nullable Long troubleSince;

    /** What ends the trouble, as a sentence; empty where that is not known or there is none. */
    private String remedy = "";

    public ImageHealth(MeterRegistry meters, Readiness readiness) {
        this.upToDate = readiness.declare(CONDITION);
        upToDate.met();
        this.restarts = Counter.builder("weir.api.image.restarts")
                .description("Times the API's image was made anew because its thread died or stalled")
                .register(meters);
        Gauge.builder("weir.api.image.age", this, ImageHealth::ageSeconds)
                .description("Time since the API's image was up to date; 0 while nobody has asked for it")
                .baseUnit("seconds")
                .strongReference(true)
                .register(meters);
    }

    synchronized void caughtUp() {
        lastLook = System.nanoTime();
        troubleSince = null;
        remedy = "";
        upToDate.met();
    }

    synchronized void failed(RuntimeException cause) {
        remedy = BrokerTrouble.remedy(cause).map(words -> ". " + words).orElse("");
        if (troubleSince == null) {
            troubleSince = System.nanoTime();
        }
        if (age().compareTo(BEHIND) > 0) {
            upToDate.unmet("the state topics cannot be read for " + age().toSeconds() + " s: "
                    + BrokerTrouble.remedy(cause).orElse(cause.getClass().getSimpleName()));
        }
    }

    synchronized void restarted() {
        restarts.increment();
    }

    /** Says why a question is refused. */
    synchronized String excuse() {
        return lastLook == null
                ? "The state of the clusters is still being read; ask again" + remedy
                : "The state of the clusters cannot be read; what is known is " + age().toSeconds()
                        + " s old; ask again" + remedy;
    }

    private synchronized double ageSeconds() {
        return age().toMillis() / 1_000.0;
    }

    private Duration age() {
        Long since = lastLook == null ? troubleSince : lastLook;
        return since == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - since);
    }
}
