package io.weir.loop.log;

import java.util.Map;
import java.util.Optional;

/** Settings of a Kafka client as somebody gave them, with Kafka's defaults for those that matter here. */
record ClientSettings(Map<String, ?> given) {
    private static final long MICROS_PER_MILLI = 1_000;

    Optional<String> text(String key) {
        return Optional.ofNullable(given.get(key)).map(String::valueOf);
    }

    String text(String key, String otherwise) {
        return text(key).orElse(otherwise);
    }

    boolean flag(String key, boolean otherwise) {
        return text(key).map(Boolean::parseBoolean).orElse(otherwise);
    }

    int number(String key, int otherwise) {
        return text(key).map(Integer::parseInt).orElse(otherwise);
    }

    /** Returns a time that is set in milliseconds, in microseconds. */
    long micros(String key, long otherwiseMillis) {
        return text(key).map(Long::parseLong).orElse(otherwiseMillis) * MICROS_PER_MILLI;
    }
}
