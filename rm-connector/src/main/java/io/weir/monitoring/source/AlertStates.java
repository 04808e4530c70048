package io.weir.monitoring.source;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The latest state of each alert of a node, so that what has not changed is told once. Holds so many alerts at most, the
 * oldest are forgotten first, and little of each, whatever its fingerprint. Used by one thread at a time.
 */
final class AlertStates {

    private static final int REMEMBERED = 100_000;
    private static final int LONGEST_KEY = 128;

    private final Map<String, State> states = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, State> eldest) {
            boolean many = size() > REMEMBERED;
            if (many) {
                count(eldest.getValue(), -1);
            }
            return many;
        }
    };

    /** How many lasting alerts of a name are active on a node, where there are any. */
    private final Map<String, Integer> active = new HashMap<>();

    /** The state of an alert and since when; {@code object} is its name and its node, null where it is not counted. */
    private record State(@Nullable String object, boolean active, Instant since) {}

    /** Returns whether an alert is in another state than the one last heard of, which it is from now on. */
    boolean isNew(String name, String node, String fingerprint, boolean lasting, boolean active, Instant since) {
        State state = new State(lasting ? key(name + "\n" + node) : null, active, since);
        count(state, 1);
        State before = states.put(key(name + "\n" + node + "\n" + fingerprint), state);
        if (before != null) {
            count(before, -1);
        }
        return !state.equals(before);
    }

    /** Returns whether a lasting alert of this name is active on a node, whatever else its labels say. */
    boolean isActive(String name, String node) {
        return active.containsKey(key(name + "\n" + node));
    }

    private void count(State state, int change) {
        String object = state.object();
        if (state.active() && object != null) {
            active.merge(object, change, (now, more) -> now + more == 0 ? null : now + more);
        }
    }

    /** Forgets all. */
    void clear() {
        states.clear();
        active.clear();
    }

    /** Returns how many characters the keys have together. */
    long characters() {
        return states.keySet().stream().mapToLong(String::length).sum();
    }

    private static String key(String text) {
        if (text.length() <= LONGEST_KEY) {
            return text;
        }
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
