package io.weir.command.trial;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.weir.command.terminal.ExitCode;
import io.weir.command.terminal.Positive;
import io.weir.loop.Deed;
import io.weir.loop.LifePlan;
import io.weir.loop.Lives;
import io.weir.loop.Outcome;
import io.weir.loop.Protection;
import io.weir.loop.Shrinker;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir loop}: lives through many short lives of a whole site, each from a seed, and judges them. */
@Command(
        name = "loop",
        mixinStandardHelpOptions = true,
        description = {
            "Simulates scheduler, connectors, notifier, API, log and users in one process, in virtual time.",
            "",
            "Each seed is a life: a troubled time with kills, pauses, clock steps, a broker and a resource",
            "manager that go away, repeated facts and hostile users, then a quiet time. A life passes if the",
            "resource manager's record is clean, a replay gives the same, every request was answered once,",
            "and iterations go on in the quiet time. A life that fails prints its seed; --seed runs it again,",
            "--shrink reduces it, --trace shows what happened."
        })
public final class LoopCommand implements Callable<Integer> {
    private static final int MOST_SHRINKING_LIVES = 400;

    /** After so many lives a long run says how far it is. */
    private static final int PROGRESS = 1_000;

    @Option(
            names = "--seeds",
            converter = Positive.Amount.class,
            paramLabel = "N",
            description = "Number of seeds (default: ${DEFAULT-VALUE}).")
    private long seeds = 1_000;

    @Option(names = "--seed", paramLabel = "S", description = "First seed (default: random, printed); alone: this one.")
    private @Nullable Long seed;

    @Option(
            names = "--troubled-seconds",
            converter = Positive.Amount.class,
            paramLabel = "N",
            description = "Length of the troubled time of a life, in virtual time (default: ${DEFAULT-VALUE}).")
    private long troubledSeconds = Lives.TROUBLED_MILLIS / 1_000;

    @Option(
            names = "--without",
            paramLabel = "PROTECTION",
            split = ",",
            description = "Switches off a protection, to see whether the checks notice: ${COMPLETION-CANDIDATES}.")
    private Set<Protection> without = EnumSet.noneOf(Protection.class);

    @Option(
            names = "--at-once",
            converter = Positive.Count.class,
            paramLabel = "N",
            description = "Lives at the same time (default: processors).")
    private int atOnce = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--failures",
            converter = Positive.Count.class,
            paramLabel = "N",
            description = "Stops after this many failing lives (default:" + " ${DEFAULT-VALUE}).")
    private int mostFailures = 1;

    @Option(names = "--shrink", description = "Reduces the first failing life to what matters.")
    private boolean shrink;

    @Option(names = "--verbose", description = "Lets the services log to the terminal.")
    private boolean verbose;

    @Option(
            names = "--trace",
            description = "Shows everything that happened in the first failing life, or in the only" + " one.")
    private boolean trace;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (LoggerFactory.getLogger("io.weir") instanceof Logger services) {
            services.setLevel(verbose ? Level.INFO : Level.OFF);
        }
        boolean one = seed != null && !spec.commandLine().getParseResult().hasMatchedOption("--seeds");
        long first = seed == null ? new Random().nextInt(1_000_000_000) : seed;
        long count = one ? 1 : seeds;
        out.println(
                "seeds " + first + " to " + (first + count - 1) + (without.isEmpty() ? "" : ", without " + without));
        out.flush();
        try (Lives lives = new Lives(without)) {
            List<Outcome> failed = run(lives, first, count, out);
            Outcome shown = failed.isEmpty()
                    ? null
                    : shrink
                            ? new Shrinker(plan -> lives.live(plan, false), MOST_SHRINKING_LIVES).shrink(failed.get(0))
                            : failed.get(0);
            if (shown != null || (one && trace)) {
                LifePlan plan = shown == null ? LifePlan.of(first, troubledSeconds * 1_000) : shown.plan();
                show(lives.live(plan, trace), out);
            }
            out.flush();
            return failed.isEmpty() ? ExitCode.FINE : ExitCode.FAILED;
        }
    }

    private List<Outcome> run(Lives lives, long first, long count, PrintWriter out) throws InterruptedException {
        List<Outcome> failed = new ArrayList<>();
        long[] sums = new long[5];
        long started = System.nanoTime();
        lives.live(first, count, troubledSeconds * 1_000, atOnce, outcome -> {
            sums[0]++;
            sums[1] += outcome.iterations();
            sums[2] += outcome.starts();
            sums[3] += outcome.turns();
            sums[4] += outcome.replacements();
            if (!outcome.isFine()) {
                failed.add(outcome);
                out.println("seed " + outcome.plan().seed() + " FAILED after " + sums[0] + " lives: "
                        + outcome.charges().get(0));
                out.flush();
            }
            if (sums[0] % PROGRESS == 0 && sums[0] < count) {
                out.printf(
                        Locale.ROOT,
                        "%d lives in %.0f s, %d failed; the last was that of seed %d%n",
                        sums[0],
                        (System.nanoTime() - started) / 1e9,
                        failed.size(),
                        outcome.plan().seed());
                out.flush();
            }
            return failed.size() < mostFailures;
        });
        double seconds = (System.nanoTime() - started) / 1e9;
        out.printf(
                Locale.ROOT,
                "%d lives in %.1f s (%.0f/s), %d iterations, %d starts of processes, %d turns, %d replaced nodes,"
                        + " %d failed%n",
                sums[0],
                seconds,
                sums[0] / seconds,
                sums[1],
                sums[2],
                sums[3],
                sums[4],
                failed.size());
        return failed;
    }

    private static void show(Outcome outcome, PrintWriter out) {
        LifePlan plan = outcome.plan();
        out.println("seed " + plan.seed() + ": " + plan.nodes() + " nodes with " + plan.procsPerNode() + " processors, "
                + plan.jobs() + " jobs, " + plan.deeds().size() + " deeds, trace "
                + Long.toHexString(outcome.hash()));
        for (Deed deed : plan.deeds()) {
            out.println("  " + deed);
        }
        outcome.trace().forEach(out::println);
        outcome.charges().forEach(charge -> out.println("CHARGE " + charge));
    }
}
