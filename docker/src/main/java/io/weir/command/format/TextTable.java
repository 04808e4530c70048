package io.weir.command.format;

import io.weir.command.terminal.PrintableText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table for people, printed at once: each column is as wide as its widest cell, so that long names shift nothing. A
 * heading with {@code >} in front is of numbers, which stand on the right. A row may have lines of text below it. The
 * last column is not padded.
 */
public final class TextTable {
    private static final String GAP = "  ";

    private final String[] headings;
    private final boolean[] right;
    private final List<Line> lines = new ArrayList<>();
    private final int[] least;
    private boolean underlined;
    private boolean spaced;
    private boolean silent;

    /** Makes a table with these headings. */
    public TextTable(String... headings) {
        this.headings = new String[headings.length];
        this.right = new boolean[headings.length];
        this.least = new int[headings.length];
        for (int column = 0; column < headings.length; column++) {
            right[column] = headings[column].startsWith(">");
            this.headings[column] = right[column] ? headings[column].substring(1) : headings[column];
        }
    }

    /** What stands in one line: cells, or text as it is. */
    private sealed interface Line {
        /** Cells of a row. */
        record Cells(List<String> texts) implements Line {}

        /** Text below a row. */
        record Text(String text) implements Line {}
    }

    /** Makes the columns no narrower than this; for tables that stand below one another. */
    public TextTable atLeast(int... widths) {
        for (int column = 0; column < widths.length; column++) {
            least[column] = Math.max(least[column], widths[column]);
        }
        return this;
    }

    /** Underlines each heading. */
    public TextTable underlined() {
        underlined = true;
        return this;
    }

    /** Leaves a line free below the headings. */
    public TextTable spaced() {
        spaced = true;
        return this;
    }

    /** Leaves the headings out. */
    public TextTable silent() {
        silent = true;
        return this;
    }

    /** Adds a row, a cell for each heading; a line end in a cell begins no line of its own. */
    public void row(String... cells) {
        if (cells.length != headings.length) {
            throw new IllegalArgumentException(cells.length + " cells for " + headings.length + " headings");
        }
        lines.add(new Line.Cells(Arrays.stream(cells).map(PrintableText::line).toList()));
    }

    /** Adds rows, each with a cell for each heading. */
    public TextTable rows(List<List<String>> rows) {
        rows.forEach(cells -> row(cells.toArray(String[]::new)));
        return this;
    }

    /** Adds a line below the last row. */
    public void below(String text) {
        lines.add(new Line.Text(text));
    }

    /** Returns how wide the columns are. */
    public int[] widths() {
        int[] widths = least.clone();
        for (int column = 0; column < widths.length; column++) {
            widths[column] = silent ? widths[column] : Math.max(widths[column], headings[column].length());
            for (Line line : lines) {
                if (line instanceof Line.Cells cells) {
                    widths[column] =
                            Math.max(widths[column], cells.texts().get(column).length());
                }
            }
        }
        return widths;
    }

    /** Prints the table. */
    public void print(PrintWriter out) {
        int[] widths = widths();
        if (!silent) {
            out.println(text(List.of(headings), widths));
        }
        if (underlined) {
            out.println(text(
                    Arrays.stream(headings)
                            .map(heading -> "-".repeat(heading.length()))
                            .toList(),
                    widths));
        }
        if (spaced) {
            out.println();
        }
        for (Line line : lines) {
            if (line instanceof Line.Cells cells) {
                out.println(text(cells.texts(), widths));
            } else if (line instanceof Line.Text below) {
                out.println(below.text());
            }
        }
    }

    private String text(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            String padding = " ".repeat(widths[column] - cell.length());
            line.append(column == 0 ? "" : GAP).append(right[column] ? padding + cell : cell + padding);
        }
        return line.toString().stripTrailing();
    }
}
