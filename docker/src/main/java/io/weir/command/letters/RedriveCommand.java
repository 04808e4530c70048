package io.weir.command.letters;

import io.weir.command.client.TopicsAccess;
import io.weir.command.terminal.BadInputException;
import io.weir.command.terminal.ExitCode;
import io.weir.standalone.access.Account;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir dead-letters redrive}. */
@Command(
        name = "redrive",
        mixinStandardHelpOptions = true,
        description = {
            "Sends unusable records again once the cause is fixed.",
            "",
            "Sends the named records, or all that match the options. Each goes back unchanged to its original",
            "partition, with the header weir-redriven-from.",
            "",
            "A request, a policy, an event or a command's result is processed as if it came for the first",
            "time. An old report of a node or job is not applied, because the connector may have reported",
            "something newer since; the scheduler asks the connector for a full poll instead. A notification",
            "or a charge goes only to the channel or peer that gave it up. An expired command is answered as",
            "expired. Heartbeats are not sent again."
        },
        footer = {
            "",
            "Examples: weir dead-letters redrive requests-0@17",
            "          weir dead-letters redrive --cause QUARANTINED --topic requests --dry-run",
            "",
            "It needs the administrator's account: with --data that of the directory",
            "(credentials/weir-admin.properties, which only its owner can read), with --bootstrap-server the",
            "account in --client-config. It writes to the original topic and to the dead letters, with the",
            "transactional id PREFIXdead-letters-weir-dead-letters. Only one of these commands can run at a",
            "time.",
            "",
            "Exit codes: 0 all sent, 1 some were not, 2 bad usage, 4 not permitted."
        })
final class RedriveCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private final TopicsAccess topics = new TopicsAccess();

    @Mixin
    private final LetterFilter filter = new LetterFilter();

    @Parameters(
            arity = "0..*",
            paramLabel = "ORIGIN",
            description = "Where the records came from, as listed: topic-partition@offset.")
    private List<String> origins = List.of();

    @Option(names = "--force", description = "Also sends records that were sent again before.")
    private boolean force;

    @Option(names = "--dry-run", description = "Shows what would be sent and sends nothing.")
    private boolean dryRun;

    @Option(
            names = "--limit",
            paramLabel = "COUNT",
            defaultValue = "1000",
            description = "Refuses to send more than this many (default: ${DEFAULT-VALUE}).")
    private int limit = 1_000;

    @Override
    public Integer call() {
        if (origins.isEmpty() && filter.isEmpty()) {
            throw new BadInputException(
                    "Name origins, or say by --cause, --topic, --cluster or --since which are meant");
        }
        Predicate<FiledLetter> meant = filter.test(InstantSource.system());
        Set<String> named = new HashSet<>(origins);
        try (TopicsAccess.Opened opened = topics.open(Account.ADMIN);
                LetterLog log = new LetterLog(opened, topics.names());
                Redriver redriver = dryRun ? null : new Redriver(opened, topics.names(), log.codec())) {
            Map<String, FiledLetter> letters = new LinkedHashMap<>();
            Set<String> redriven = new HashSet<>();
            log.read(letter -> {
                if (letter.isMark()) {
                    redriven.add(letter.identity());
                } else if ((named.isEmpty() || named.contains(letter.origin())) && meant.test(letter)) {
                    letters.put(letter.identity(), letter);
                    if (letters.size() > limit) {
                        throw new BadInputException("More than " + limit + " letters are meant; narrow them, or give"
                                + " a larger --limit");
                    }
                }
            });
            log.tellUnread(spec.commandLine().getErr());
            filter.requireTopic();
            letters.values().forEach(letter -> named.remove(letter.origin()));
            if (!named.isEmpty()) {
                throw new BadInputException(
                        "No dead letter came from " + named + "; weir dead-letters list names them");
            }
            return redrive(letters.values(), redriven, redriver);
        }
    }

    /** Sends what can be sent; only says so without {@code redriver}. */
    private int redrive(Iterable<FiledLetter> letters, Set<String> redriven, @Nullable Redriver redriver) {
        PrintWriter out = spec.commandLine().getOut();
        int result = ExitCode.FINE;
        for (FiledLetter letter : letters) {
            Optional<String> obstacle = redriven.contains(letter.identity()) && !force
                    ? Optional.of("it was sent again before; --force sends it once more")
                    : Redriver.obstacle(letter);
            if (obstacle.isPresent()) {
                out.println(LetterText.line(letter.origin()) + " not sent: " + obstacle.get());
                result = ExitCode.FAILED;
            } else if (redriver == null) {
                out.println(letter.origin() + " would be sent" + reader(letter));
            } else {
                out.println(letter.origin() + " sent again as " + redriver.send(letter) + reader(letter));
            }
        }
        out.flush();
        return result;
    }

    private static String reader(FiledLetter letter) {
        return letter.channel()
                .map(channel -> " for " + LetterText.line(channel))
                .orElse("");
    }
}
