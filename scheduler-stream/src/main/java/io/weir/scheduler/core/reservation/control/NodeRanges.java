package io.weir.scheduler.core.reservation.control;

import java.util.ArrayList;
import java.util.List;

/** Writes lists of nodes in short: {@code n1,n[3-7],rack2}. Three and more that differ by one each become a range. */
final class NodeRanges {
    private static final int LEAST = 3;
    private static final int MOST_DIGITS = 9;

    private NodeRanges() {}

    /** Returns {@code names} in their order; as many as {@code most} characters hold, and how many more there are. */
    static String text(List<String> names, int most) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < names.size()) {
            int next = endOfRun(names, at);
            List<String> parts = next - at >= LEAST
                    ? List.of(range(names.get(at), names.get(next - 1)))
                    : new ArrayList<>(names.subList(at, next));
            for (String part : parts) {
                if (text.length() + part.length() > most) {
                    return text + " and " + (names.size() - at) + " more";
                }
                text.append(text.isEmpty() ? "" : ",").append(part);
                at += parts.size() == 1 ? next - at : 1;
            }
        }
        return text.toString();
    }

    /** Returns the place behind the last of the names from {@code at} on that count up one by one. */
    private static int endOfRun(List<String> names, int at) {
        int end = at + 1;
        while (end < names.size() && follows(names.get(end - 1), names.get(end))) {
            end++;
        }
        return end;
    }

    private static boolean follows(String one, String next) {
        int digits = digits(one);
        return digits > 0
                && one.length() == next.length()
                && digits(next) == digits
                && prefix(one).equals(prefix(next))
                && number(next) == number(one) + 1;
    }

    private static String range(String first, String last) {
        return prefix(first) + "[" + first.substring(prefix(first).length()) + "-"
                + last.substring(prefix(last).length()) + "]";
    }

    private static String prefix(String name) {
        return name.substring(0, name.length() - digits(name));
    }

    private static int number(String name) {
        return Integer.parseInt(name.substring(name.length() - digits(name)));
    }

    private static int digits(String name) {
        int digits = 0;
        while (digits < Math.min(MOST_DIGITS, name.length())
                && Character.digit(name.charAt(name.length() - 1 - digits), 10) >= 0
                && name.charAt(name.length() - 1 - digits) < 128) {
            digits++;
        }
        return digits;
    }
}
