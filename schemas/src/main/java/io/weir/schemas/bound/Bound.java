package io.weir.schemas.bound;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a value may be. Immutable. */
public sealed interface Bound
        permits Bound.Whole, Bound.Decimal, Bound.Moment, Bound.Name, Bound.Text, Bound.Prose, Bound.Items, Fields {
    /** Returns what is wrong with a value that is there; null when nothing is. {@code text} adds up its characters. */
    @Nullable
    Breach check(Object value, TextTally text);

    /** Returns the value as it is used: texts that only inform are cut to what is allowed. The same object if nothing is cut. */
    default Object fit(Object value) {
        return value;
    }

    /** Returns whether {@link #fit} may change anything. */
    default boolean cuts() {
        return false;
    }

    /** Returns the bound in words. */
    String words();

    /**
     * A whole number.
     *
     * @param unit what it counts; empty for a plain number
     */
    record Whole(long least, long most, String unit) implements Bound {
        @Override
        public @Nullable Breach check(Object value, TextTally text) {
            long number = ((Number) value).longValue();
            return number >= least && number <= most
                    ? null
                    : Breach.range("is " + number + "; " + least + " to " + most + " are allowed");
        }

        @Override
        public String words() {
            return (least == Long.MIN_VALUE && most == Long.MAX_VALUE ? "any number" : least + " to " + most)
                    + (unit.isEmpty() ? "" : " " + unit);
        }
    }

    /**
     * A number with a fraction; never infinite and never NaN.
     *
     * @param unit what it counts; empty for a plain number
     */
    record Decimal(double least, double most, String unit) implements Bound {
        @Override
        public @Nullable Breach check(Object value, TextTally text) {
            double number = (Double) value;
            if (!Double.isFinite(number)) {
                return Breach.range("is " + number + "; a finite number is needed");
            }
            return number >= least && number <= most
                    ? null
                    : Breach.range("is " + number + "; " + least + " to " + most + " are allowed");
        }

        @Override
        public String words() {
            return least + " to " + most + (unit.isEmpty() ? "" : " " + unit);
        }
    }

    /** An instant of the years that schedules are made for. */
    record Moment() implements Bound {
        /** The earliest. */
        public static final Instant EARLIEST = Instant.EPOCH;

        /** The first that is too late: the begin of 2100, where reservations without an end are taken to end. */
        public static final Instant END = Instant.ofEpochSecond(4_102_444_800L);

        @Override
        public @Nullable Breach check(Object value, TextTally text) {
            Instant instant = (Instant) value;
            return instant.isBefore(EARLIEST) || !instant.isBefore(END)
                    ? Breach.range("is " + instant + "; 1970 to 2099 are allowed")
                    : null;
        }

        @Override
        public String words() {
            return "1970 to 2099";
        }
    }

    /** A text that names something: what does not fit is refused, since no other name may be made of it. */
    record Name(int least, int most) implements Bound {
        @Override
        public @Nullable Breach check(Object value, TextTally text) {
            String name = (String) value;
            text.add(name.length());
            if (name.length() < least || name.length() > most) {
                return Breach.range("has " + name.length() + " characters; " + least + " to " + most + " are allowed");
            }
            return hasControls(name, false) ? Breach.content("contains a control character") : null;
        }

        @Override
        public String words() {
            return least + " to " + most + " characters, no control characters";
        }
    }

    /**
     * A text that is read or kept word for word, in several lines if need be: what does not fit is refused.
     *
     * @param controls whether whoever reads it deals with control characters
     */
    record Text(int most, boolean controls) implements Bound {
        @Override
        public @Nullable Breach check(Object value, TextTally text) {
            String written = (String) value;
            text.add(written.length());
            if (written.length() > most) {
                return Breach.range("has " + written.length() + " characters; at most " + most + " are allowed");
            }
            return !controls && hasControls(written, true) ? Breach.content("contains a control character") : null;
        }

        @Override
        public String words() {
            return "up to " + most + " characters"
                    + (controls ? "" : ", no control characters but those that end lines and tabs");
        }
    }

    /**
     * A text that informs, or that its owner wrote: a longer one is cut, control characters and what is no character are
     * replaced, for the sake of what else its record says.
     *
     * @param lines whether it may have several lines
     */
    record Prose(int most, boolean lines) implements Bound {
        private static final char REPLACEMENT = '\uFFFD';

        /** Stands at the end of a text that was cut; no name that anything has ends in it. */
        private static final char CUT = '…';

        @Override
        public @Nullable Breach check(Object value, TextTally text) {
            text.add(Math.min(most, ((String) value).length()));
            return null;
        }

        @Override
        public Object fit(Object value) {
            return cut((String) value);
        }

        @Override
        public boolean cuts() {
            return true;
        }

        /** Returns {@code text} as it is used. */
        public String cut(String text) {
            if (text.length() <= most && isFit(text)) {
                return text;
            }
            int end = text.length() <= most ? text.length() : most - 1;
            if (end < text.length() && end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
                end--;
            }
            StringBuilder kept = new StringBuilder(text.substring(0, end));
            for (int i = 0; i < kept.length(); i++) {
                if (isUnfit(kept.charAt(i))) {
                    kept.setCharAt(i, REPLACEMENT);
                }
            }
            return end == text.length() ? kept.toString() : kept.append(CUT).toString();
        }

        private boolean isFit(String text) {
            for (int i = 0; i < text.length(); i++) {
                if (isUnfit(text.charAt(i))) {
                    return false;
                }
            }
            return true;
        }

        private boolean isUnfit(char c) {
            return isControl(c, lines) || c == '\uFFFE' || c == '\uFFFF';
        }

        @Override
        public String words() {
            return "up to " + most + " characters" + (lines ? ", several lines" : "") + "; a longer text is cut";
        }
    }

    /**
     * A list.
     *
     * @param each what each of its items may be
     */
    record Items(int most, Bound each) implements Bound {
        @Override
        public @Nullable Breach check(Object value, TextTally text) {
            List<?> list = (List<?>) value;
            if (list.size() > most) {
                return Breach.range("has " + list.size() + " entries; at most " + most + " are allowed");
            }
            for (int i = 0; i < list.size(); i++) {
                Breach breach = each.check(list.get(i), text);
                if (breach != null) {
                    return breach.within("[" + i + "]");
                }
            }
            return null;
        }

        @Override
        public boolean cuts() {
            return each.cuts();
        }

        @Override
        public Object fit(Object value) {
            if (!each.cuts()) {
                return value;
            }
            List<?> list = (List<?>) value;
            List<Object> fitted = null;
            for (int i = 0; i < list.size(); i++) {
                Object item = list.get(i);
                Object next = each.fit(item);
                if (fitted == null && next != item) {
                    fitted = new ArrayList<>(list.subList(0, i));
                }
                if (fitted != null) {
                    fitted.add(next);
                }
            }
            return fitted == null ? value : fitted;
        }

        @Override
        public String words() {
            return "up to " + most + (each instanceof Fields ? "" : ", each " + each.words());
        }
    }

    private static boolean hasControls(String text, boolean lines) {
        for (int i = 0; i < text.length(); i++) {
            if (isControl(text.charAt(i), lines)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isControl(char c, boolean lines) {
        return Character.isISOControl(c) && !(lines && (c == '\n' || c == '\t' || c == '\r'));
    }
}
