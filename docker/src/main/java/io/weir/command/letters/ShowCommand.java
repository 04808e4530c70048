package io.weir.command.letters;

import io.weir.command.client.TopicsAccess;
import io.weir.command.terminal.BadInputException;
import io.weir.command.terminal.ExitCode;
import io.weir.command.terminal.PrintableText;
import io.weir.schemas.DeadLetter;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir dead-letters show}. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = {
            "Shows one dead letter: headers, key and value.",
            "",
            "The value is shown as a record if the registry knows its schema, else in hexadecimal."
        },
        footer = {"", "Example: weir dead-letters show rm.jobs-0@1742"})
final class ShowCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private final TopicsAccess topics = new TopicsAccess();

    @Parameters(paramLabel = "ORIGIN", description = "Where the record came from, as listed: topic-partition@offset.")
    private String origin = "";

    @Option(
            names = "--most",
            paramLabel = "COUNT",
            defaultValue = "4000",
            description = "Characters, or bytes in hexadecimal, that are shown of a value (default: ${DEFAULT-VALUE}).")
    private int most = 4_000;

    @Override
    public Integer call() {
        try (TopicsAccess.Opened opened = topics.open();
                LetterLog log = new LetterLog(opened, topics.names())) {
            List<FiledLetter> found = new ArrayList<>();
            log.read(letter -> {
                if (letter.origin().equals(origin)) {
                    found.add(letter);
                }
            });
            log.tellUnread(spec.commandLine().getErr());
            if (found.isEmpty()) {
                throw new BadInputException(
                        "No dead letter came from '" + origin + "'; weir dead-letters list names them");
            }
            PrintWriter out = spec.commandLine().getOut();
            LetterText text = new LetterText(log.codec(), most);
            found.forEach(letter -> print(letter, text, out));
            out.flush();
        }
        return ExitCode.FINE;
    }

    private static void print(FiledLetter filed, LetterText text, PrintWriter out) {
        DeadLetter letter = filed.letter();
        if (filed.isMark()) {
            out.println("Sent again " + filed.filed() + ": " + LetterText.line(letter.getMessage()));
            return;
        }
        out.println("Origin:    " + LetterText.line(filed.origin()));
        out.println("Filed:     " + filed.filed() + " by " + LetterText.line(letter.getService()));
        out.println("Cause:     " + LetterText.line(letter.getCause()));
        out.println("Message:   " + PrintableText.line(letter.getMessage()));
        out.println("Cluster:   " + (filed.cluster().isEmpty() ? "unknown" : LetterText.line(filed.cluster())));
        out.println("Timestamp: "
                + (letter.getTimestamp() < 0
                        ? Long.toString(letter.getTimestamp())
                        : Instant.ofEpochMilli(letter.getTimestamp()).toString()));
        letter.getHeaders().forEach(header -> out.println("Header:    " + LetterText.header(header)));
        out.println("Key:       " + LetterText.key(letter));
        out.println("Value:     " + text.value(letter) + (letter.getTruncated() ? " (cut when it was filed)" : ""));
        out.println();
    }
}
