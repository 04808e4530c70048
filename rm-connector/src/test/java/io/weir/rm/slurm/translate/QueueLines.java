package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.QueueLine;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lines as squeue writes them for {@link QueueLine#format}. */
final class QueueLines {
    /** The mark with which they begin. */
    static final String MARK = "0123456789abcdef";

    private static final String SEPARATOR = "\u001f";

    private static final Map<String, String> USUAL = Map.of(
            "%F",
            "1",
            "%K",
            "N/A",
            "%r",
            "None",
            "%Q",
            "0",
            "%S",
            "N/A",
            "%N",
            "",
            "%e",
            "N/A",
            "%C",
            "1",
            "%D",
            "1",
            "%V",
            "1970-01-01T00:16:40");

    private QueueLines() {}

    static Map<String, QueueLine> parse(String listing) {
        return QueueLine.parse(MARK, listing);
    }

    /** Returns a line; {@code fields} are squeue's codes and values in turn, what is not among them is as usual. */
    static String line(String... fields) {
        Map<String, String> values = new HashMap<>(USUAL);
        for (int i = 0; i < fields.length; i += 2) {
            values.put(fields[i], fields[i + 1]);
        }
        return Stream.of(QueueLine.format(MARK).split(SEPARATOR, -1))
                .map(code -> code.equals(MARK) ? code : values.getOrDefault(code, "(null)"))
                .collect(Collectors.joining(SEPARATOR));
    }
}
