package io.weir.command.letters;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.weir.command.client.TopicsAccess;
import io.weir.command.format.FormatOption;
import io.weir.command.format.TextTable;
import io.weir.command.terminal.ExitCode;
import io.weir.command.terminal.Positive;
import io.weir.command.terminal.PrintableText;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir dead-letters list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Lists dead letters, the newest last: where each record came from, and why it could not be used.",
        footer = {"", "Example: weir dead-letters list --cause QUARANTINED --since 2h"})
final class ListCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private final TopicsAccess topics = new TopicsAccess();

    @Mixin
    private final LetterFilter filter = new LetterFilter();

    @Option(
            names = "--limit",
            paramLabel = "COUNT",
            defaultValue = "50",
            converter = Positive.Count.class,
            description = "Largest number of records to list, the newest of them (default: ${DEFAULT-VALUE}).")
    private int limit = 50;

    @Mixin
    private final FormatOption format = new FormatOption();

    @Override
    public Integer call() throws IOException {
        Predicate<FiledLetter> wanted = filter.test(InstantSource.system());
        Deque<Row> rows = new ArrayDeque<>();
        Set<String> redriven = new HashSet<>();
        try (TopicsAccess.Opened opened = topics.open();
                LetterLog log = new LetterLog(opened, topics.names())) {
            log.read(letter -> {
                if (letter.isMark()) {
                    redriven.add(letter.identity());
                } else if (wanted.test(letter)) {
                    rows.addLast(Row.of(letter));
                    if (rows.size() > limit) {
                        rows.removeFirst();
                    }
                }
            });
            log.tellUnread(spec.commandLine().getErr());
            filter.requireTopic();
        }
        if (format.isJson()) {
            json(rows, redriven);
        } else {
            text(rows, redriven);
        }
        return ExitCode.FINE;
    }

    private void text(Deque<Row> rows, Set<String> redriven) {
        List<List<String>> cells = new ArrayList<>();
        for (Row row : rows) {
            cells.add(List.of(
                    row.filed,
                    row.origin,
                    row.service,
                    row.cluster,
                    row.cause,
                    (redriven.contains(row.identity) ? "(sent again) " : "") + LetterText.line(row.message)));
        }
        new TextTable("FILED", "ORIGIN", "SERVICE", "CLUSTER", "CAUSE", "MESSAGE")
                .rows(cells)
                .print(spec.commandLine().getOut());
    }

    private void json(Deque<Row> rows, Set<String> redriven) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        ArrayNode array = mapper.createArrayNode();
        for (Row row : rows) {
            array.addObject()
                    .put("filed", row.filed)
                    .put("origin", row.origin)
                    .put("service", row.service)
                    .put("cluster", row.cluster)
                    .put("cause", row.cause)
                    .put("message", row.message)
                    .put("redriven", redriven.contains(row.identity));
        }
        spec.commandLine()
                .getOut()
                .println(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(array));
    }

    /** A letter without what it holds, which may be large. */
    private record Row(
            String filed,
            String origin,
            String identity,
            String service,
            String cluster,
            String cause,
            String message) {
        static Row of(FiledLetter letter) {
            return new Row(
                    letter.filed().toString(),
                    LetterText.line(letter.origin()),
                    letter.identity(),
                    LetterText.line(letter.letter().getService()),
                    LetterText.line(letter.cluster()),
                    LetterText.line(letter.letter().getCause()),
                    PrintableText.line(letter.letter().getMessage()));
        }
    }
}
