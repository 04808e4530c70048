package io.weir.monitoring.format;

import java.util.ArrayList;
import java.util.List;

/**
 * What was read from one message: observations, alerts, and how many parts could not be read, the first of them with the
 * reason. Bounded; what goes beyond is counted as unreadable. Used by one thread.
 */
public final class Reading {

    /** Observations and alerts of one message. */
    public static final int MOST = 50_000;

    private static final int LONGEST_REASON = 200;

    private final List<Observation> observations = new ArrayList<>();
    private final List<Alert> alerts = new ArrayList<>();
    private int unreadable;
    private String firstReason = "";

    /** Returns the reading of a message that cannot be read at all, for {@code reason}. */
    public static Reading failed(String reason) {
        Reading reading = new Reading();
        reading.unreadable(reason);
        return reading;
    }

    /** Returns the observations, in their order. */
    public List<Observation> observations() {
        return observations;
    }

    /** Returns the alerts, in their order. */
    public List<Alert> alerts() {
        return alerts;
    }

    /** Returns how many parts could not be read. */
    public int unreadable() {
        return unreadable;
    }

    /** Returns why the first of them could not; empty when all could. */
    public String firstReason() {
        return firstReason;
    }

    /** Whether there was anything to read. */
    public boolean isEmpty() {
        return observations.isEmpty() && alerts.isEmpty() && unreadable == 0;
    }

    void add(Observation observation) {
        if (observations.size() >= MOST) {
            unreadable("more than " + MOST + " values in one message");
        } else {
            observations.add(observation);
        }
    }

    void add(Alert alert) {
        if (alerts.size() >= MOST) {
            unreadable("more than " + MOST + " alerts in one message");
        } else {
            alerts.add(alert);
        }
    }

    /** Counts a part; a reason that quotes it is cut, without control characters. */
    void unreadable(String reason) {
        if (unreadable++ == 0) {
            String line = reason.substring(0, Math.min(LONGEST_REASON, reason.length()));
            firstReason = line.replaceAll("\\p{Cntrl}", " ") + (line.length() < reason.length() ? "..." : "");
        }
    }
}
