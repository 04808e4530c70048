package io.weir.command.letters;

import io.weir.command.terminal.BadInputException;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say which letters are meant. */
final class LetterFilter {
    private static final Pattern AGO = Pattern.compile("([0-9]{1,6})([smhd])");

    /** What the scheduler, connectors and the notifier give as a cause. */
    static final List<String> CAUSES = List.of(
            "QUARANTINED",
            "NOT_RESTORED",
            "UNDECODABLE",
            "TOO_LARGE",
            "OUT_OF_RANGE",
            "OUT_OF_BOUNDS",
            "INVALID",
            "INVALID_CLUSTER",
            "INVALID_ID",
            "NO_ROOM",
            "BUSY",
            "BAD_TIMESTAMP",
            "BAD_KEY",
            "MISROUTED",
            "BAD_HEADERS",
            "NO_CONNECTOR",
            "UNKNOWN_EPOCH",
            "INCOMPLETE",
            "UNKNOWN_NODE",
            "FAULT",
            "UNDELIVERED");

    @Option(names = "--cause", paramLabel = "CODE", description = "Those of this cause, such as QUARANTINED.")
    private @Nullable String cause;

    @Option(names = "--topic", paramLabel = "TOPIC", description = "Those from this topic, name without prefix.")
    private @Nullable String topic;

    @Option(names = "--cluster", paramLabel = "CLUSTER", description = "Those of this cluster.")
    private @Nullable String cluster;

    @Option(names = "--channel", paramLabel = "NAME", description = "Those that this channel or charging peer gave up.")
    private @Nullable String channel;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Those written since then: 90s, 15m, 2h, 7d ago, or an instant as in 2026-03-01T12:00:00Z.")
    private @Nullable String since;

    /** Whether a letter came from the topic that is asked for. */
    private boolean seen;

    /** Says whether no option was given. */
    boolean isEmpty() {
        return cause == null && topic == null && cluster == null && channel == null && since == null;
    }

    /** Returns the test that letters have to pass. */
    Predicate<FiledLetter> test(InstantSource clock) {
        if (cause != null && !CAUSES.contains(cause.toUpperCase(Locale.ROOT))) {
            throw new BadInputException(
                    "--cause " + cause + " is no cause of a dead letter; there are " + String.join(", ", CAUSES));
        }
        Instant from = since == null ? Instant.MIN : from(since, clock);
        return letter -> isFromTopic(letter)
                && (cause == null || cause.equalsIgnoreCase(letter.letter().getCause()))
                && (cluster == null || cluster.equals(letter.cluster()))
                && (channel == null || letter.channel().filter(channel::equals).isPresent())
                && !letter.filed().isBefore(from);
    }

    private boolean isFromTopic(FiledLetter letter) {
        boolean from = topic == null || topic.equals(letter.letter().getTopic());
        seen |= from;
        return from;
    }

    /** Refuses, when all letters were tested, a topic that is none of Weir's and that no letter came from: it is a slip. */
    void requireTopic() {
        String named = topic;
        if (named != null && !seen && Topics.byName(named).isEmpty()) {
            throw new BadInputException(
                    "--topic " + named + " is no topic of Weir, and no dead letter came from it; there" + " are "
                            + Topics.all().stream().map(Topic::name).collect(Collectors.joining(", ")));
        }
    }

    private static Instant from(String text, InstantSource clock) {
        Matcher ago = AGO.matcher(text.toLowerCase(Locale.ROOT));
        if (ago.matches()) {
            long count = Long.parseLong(ago.group(1));
            Duration duration = switch (ago.group(2)) {
                case "s" -> Duration.ofSeconds(count);
                case "m" -> Duration.ofMinutes(count);
                case "h" -> Duration.ofHours(count);
                default -> Duration.ofDays(count);
            };
            return clock.instant().minus(duration);
        }
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new BadInputException(
                    "--since is '" + text + "'; 90s, 15m, 2h, 7d or 2026-03-01T12:00:00Z is needed");
        }
    }
}
