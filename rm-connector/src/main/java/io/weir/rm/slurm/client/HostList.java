package io.weir.rm.slurm.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Slurm's short way to write node names, {@code n[01-03,7],login}, taken apart. */
public final class HostList {
    private static final int MOST = 100_000;

    /** Brackets in one name; Slurm itself takes no more than a few. */
    private static final int MOST_DIMENSIONS = 8;

    /** Numbers written out, those of every dimension counted, and more of them the longer the text they stand in. */
    private static final int MOST_STEPS = 4 * MOST;

    /** A longer name is nobody's. */
    private static final int LONGEST = 256;

    private static final char WIDTH = '/';
    private static final Pattern NUMBERED = Pattern.compile("(.*?[^0-9])([0-9]{1,9})");

    private HostList() {}

    /**
     * Returns the names in the order written; what cannot be read is taken for a name. Of more than 100,000 names the rest is
     * left out.
     */
    public static List<String> expand(String text) {
        Expansion names = new Expansion();
        int depth = 0;
        int from = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? ',' : text.charAt(i);
            if (c == '[') {
                depth++;
            } else if (c == ']') {
                depth--;
            } else if (c == ',' && (depth == 0 || i == text.length())) {
                if (i > from) {
                    names.add(text.substring(from, i));
                }
                from = i + 1;
            }
        }
        return List.copyOf(names.found);
    }

    /** Returns names in the short way, in order of their numbers: a command has to fit into a line. */
    public static String compress(Collection<String> names) {
        TreeMap<String, TreeSet<Integer>> numbers = new TreeMap<>();
        List<String> parts = new ArrayList<>();
        for (String name : new TreeSet<>(names)) {
            Matcher form = NUMBERED.matcher(name);
            if (form.matches()) {
                // The width is part of the key: n01 is not n1.
                String digits = form.group(2);
                numbers.computeIfAbsent(form.group(1) + WIDTH + digits.length(), key -> new TreeSet<>())
                        .add(Integer.parseInt(digits));
            } else {
                parts.add(name);
            }
        }
        numbers.forEach((key, members) -> {
            int separator = key.lastIndexOf(WIDTH);
            String prefix = key.substring(0, separator);
            int width = Integer.parseInt(key.substring(separator + 1));
            List<String> ranges = new ArrayList<>();
            int from = members.first();
            int last = from;
            for (int number : members.tailSet(from, false)) {
                if (number != last + 1) {
                    ranges.add(range(from, last, width));
                    from = number;
                }
                last = number;
            }
            ranges.add(range(from, last, width));
            String only = ranges.get(0);
            parts.add(
                    ranges.size() == 1 && only.indexOf('-') < 0
                            ? prefix + only
                            : prefix + "[" + String.join(",", ranges) + "]");
        });
        return String.join(",", parts);
    }

    private static String range(int from, int to, int width) {
        return from == to ? digits(from, width) : digits(from, width) + "-" + digits(to, width);
    }

    private static String digits(int number, int width) {
        String digits = Integer.toString(number);
        return "0".repeat(Math.max(0, width - digits.length())) + digits;
    }

    /** Names being found. It ends after so many steps: an empty range makes a long one beside it yield nothing for long. */
    private static final class Expansion {
        private final List<String> found = new ArrayList<>();
        private int steps;

        void add(String text) {
            if (text.indexOf('[') < 0) {
                keep(text);
            } else {
                expand(text, 0);
            }
        }

        private void expand(String text, int dimension) {
            if (found.size() == MOST || text.indexOf('[') > LONGEST) {
                return;
            }
            int open = text.indexOf('[');
            int close = text.indexOf(']', open);
            if (open < 0 || close < 0 || dimension == MOST_DIMENSIONS) {
                keepShort(text);
                return;
            }
            String before = text.substring(0, open);
            String after = text.substring(close + 1);
            for (String range : text.substring(open + 1, close).split(",", -1)) {
                String[] ends = range.split("-", 2);
                if (!ends[0].matches("\\d{1,9}") || !ends[ends.length - 1].matches("\\d{1,9}")) {
                    keepShort(text);
                    return;
                }
                int width = ends[0].length();
                int last = Integer.parseInt(ends[ends.length - 1]);
                for (int number = Integer.parseInt(ends[0]); number <= last && steps < MOST_STEPS; number++) {
                    steps += 1 + text.length() / LONGEST;
                    expand(before + digits(number, width) + after, dimension + 1);
                }
            }
        }

        private void keepShort(String name) {
            if (name.length() <= LONGEST) {
                keep(name);
            }
        }

        private void keep(String name) {
            if (found.size() < MOST) {
                found.add(name);
            }
        }
    }
}
