package io.weir.scheduler.core.policy.language.value;

import java.util.List;

/** A typed value of a parameter or attribute. */
public sealed interface PolicyValue {
    /** Returns the value in the form in which it can be written. */
    String text();

    /** TRUE or FALSE. */
    record Flag(boolean on) implements PolicyValue {
        @Override
        public String text() {
            return on ? "TRUE" : "FALSE";
        }
    }

    /** A whole number; {@link #UNLIMITED} where none is the limit. Memory and disk are in megabytes. */
    record Whole(long number) implements PolicyValue {
        /** No limit. */
        public static final long UNLIMITED = Long.MAX_VALUE;

        @Override
        public String text() {
            return number == UNLIMITED ? "INFINITY" : Long.toString(number);
        }
    }

    /** A number with a fraction. */
    record Decimal(double number) implements PolicyValue {
        @Override
        public String text() {
            return Double.toString(number);
        }
    }

    /** An interval in seconds; {@link #INFINITE} for ever, -1 where the parameter gives that a meaning. */
    record Interval(long seconds) implements PolicyValue {
        /** For ever. */
        public static final long INFINITE = Long.MAX_VALUE;

        @Override
        public String text() {
            return seconds == INFINITE ? "INFINITY" : PolicyTime.format(seconds);
        }
    }

    /** A name, path, expression or other text; a word out of a fixed set in its official spelling. */
    record Text(String text) implements PolicyValue {}

    /** Several values, in order, each in its official spelling. */
    record Items(List<String> items) implements PolicyValue {
        public Items {
            items = List.copyOf(items);
        }

        @Override
        public String text() {
            return String.join(",", items);
        }
    }
}
