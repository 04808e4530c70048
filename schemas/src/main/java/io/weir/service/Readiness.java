package io.weir.service;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/**
 * What has to be true before a service may be given work: named conditions, each met or not with a reason. A service with
 * no unmet condition is ready. Thread-safe.
 */
public final class Readiness {

    private static final String MET = "";
    private static final String OK = "ok";

    /** Reason by condition; {@link #MET} when met. */
    private final Map<String, String> conditions = new ConcurrentSkipListMap<>();

    /** What may stand in the way, by conditions that are asked for it. */
    private final Map<String, Supplier<Optional<String>>> asked = new ConcurrentSkipListMap<>();

    /** Declares a condition, unmet so far. */
    public Condition declare(String name) {
        conditions.put(name, "not yet");
        return new Condition(name);
    }

    /** Declares a condition that holds unless {@code obstacle} says, when asked, why it does not. */
    public void declare(String name, Supplier<Optional<String>> obstacle) {
        asked.put(name, obstacle);
    }

    /** Says whether every condition is met. */
    public boolean isReady() {
        return conditions.values().stream().allMatch(MET::equals)
                && asked.values().stream().allMatch(obstacle -> obstacle.get().isEmpty());
    }

    /** Returns each condition with {@code ok} or the reason why it is not met, sorted by name. */
    public Map<String, String> report() {
        Map<String, String> report = new TreeMap<>();
        conditions.forEach((name, reason) -> report.put(name, reason.equals(MET) ? OK : reason));
        asked.forEach((name, obstacle) -> report.put(name, obstacle.get().orElse(OK)));
        return report;
    }

    /** One named condition. */
    public final class Condition {

        private final String name;

        private Condition(String name) {
            this.name = name;
        }

        /** Says that it holds. */
        public void met() {
            conditions.put(name, MET);
        }

        /** Says that it does not hold, and why. */
        public void unmet(String reason) {
            conditions.put(name, reason.isEmpty() ? "unmet" : reason);
        }
    }
}
