package io.weir.rm.slurm.client;

import java.util.ArrayList;
import java.util.List;

/** Slurm's short way to write node names, {@code n[01-03,7],login}, taken apart. */
public final class HostList {
    private static final int MOST = 100_000;

    private HostList() {}

    /** Returns the names in the order written; what cannot be read is taken for a name. */
    public static List<String> expand(String text) {
        List<String> names = new ArrayList<>();
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
                    expandOne(text.substring(from, i), names);
                }
                from = i + 1;
            }
        }
        return List.copyOf(names);
    }

    private static void expandOne(String text, List<String> names) {
        int open = text.indexOf('[');
        int close = text.indexOf(']', open);
        if (open < 0 || close < 0) {
            names.add(text);
            return;
        }
        String before = text.substring(0, open);
        String after = text.substring(close + 1);
        for (String range : text.substring(open + 1, close).split(",", -1)) {
            String[] ends = range.split("-", 2);
            if (!ends[0].matches("\\d{1,9}") || !ends[ends.length - 1].matches("\\d{1,9}")) {
                names.add(text);
                return;
            }
            int width = ends[0].length();
            int last = Integer.parseInt(ends[ends.length - 1]);
            for (int number = Integer.parseInt(ends[0]); number <= last && names.size() < MOST; number++) {
                String digits = Integer.toString(number);
                expandOne(before + "0".repeat(Math.max(0, width - digits.length())) + digits + after, names);
            }
        }
    }
}
