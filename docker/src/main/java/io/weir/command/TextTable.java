package io.weir.command;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Prints rows under headings, each column as wide as its widest cell; the last column is not padded. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<String> headings;

    /** Makes a table with these headings. */
    public TextTable(String... headings) {
        this.headings = List.of(headings);
    }

    /** Prints the table. */
    public void print(List<List<String>> rows, PrintWriter out) {
        int[] widths = new int[headings.size()];
        Arrays.setAll(widths, column -> headings.get(column).length());
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        out.println(line(headings, widths).toUpperCase(Locale.ROOT));
        rows.forEach(row -> out.println(line(row, widths)));
    }

    private static String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            boolean last = column == cells.size() - 1;
            line.append(cell).append(last ? "" : " ".repeat(widths[column] - cell.length()) + GAP);
        }
        return line.toString();
    }
}
