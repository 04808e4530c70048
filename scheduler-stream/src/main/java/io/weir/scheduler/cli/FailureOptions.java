package io.weir.scheduler.cli;

import io.weir.scheduler.core.policy.node.NodeFailurePolicy;
import io.weir.scheduler.simulator.FailureFigures;
import io.weir.scheduler.simulator.FailureModel;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a simulation with failing nodes, and what it prints. */
final class FailureOptions {
    @Option(
            names = "--failures",
            paramLabel = "mtbf=T,mttr=T[,shape=K][,seed=N]",
            description =
                    "Let nodes fail: mean time between failures of a node, mean time to repair (such as 30d, 4h, 20m, "
                            + "90s), shape of the Weibull distribution (1, the default: exponential), seed of the draws "
                            + "(default 1).")
    @Nullable
    String failures;

    @Option(
            names = "--failure-policies",
            paramLabel = "P",
            split = ",",
            description =
                    "Policies for jobs whose nodes fail, with one run for each; default CANCEL, FAIL, HOLD, IGNORE,"
                            + " NOTIFY, REQUEUE and MIGRATE. * behind one: for the node of task 0 alone.")
    private @Nullable List<String> chosen;

    private static final List<String> ALL = List.of("CANCEL", "FAIL", "HOLD", "IGNORE", "NOTIFY", "REQUEUE", "MIGRATE");

    /** Returns the policies asked for, as values of NODEALLOCRESFAILUREPOLICY. */
    List<String> policies() {
        return chosen == null
                ? ALL
                : chosen.stream().map(FailureOptions::policy).toList();
    }

    private static String policy(String text) {
        try {
            return NodeFailurePolicy.of(text.strip().toUpperCase(Locale.ROOT)).toString();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--failure-policies: there is no policy '" + text + "'; there are " + String.join(", ", ALL), e);
        }
    }

    /** Returns the model asked for; null when nodes do not fail. */
    @Nullable
    FailureModel model() {
        if (failures == null) {
            if (chosen != null) {
                throw new IllegalArgumentException("--failure-policies: give --failures, too, or no node fails");
            }
            return null;
        }
        Duration between = null;
        Duration repair = null;
        double shape = 1;
        long seed = 1;
        for (String part : failures.split(",", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            String value = part.substring(equals + 1);
            try {
                switch (name.strip().toLowerCase(Locale.ROOT)) {
                    case "mtbf" -> between = duration(value);
                    case "mttr" -> repair = duration(value);
                    case "shape" -> shape = Double.parseDouble(value);
                    case "seed" -> seed = Long.parseLong(value);
                    default ->
                        throw new IllegalArgumentException("there are mtbf=, mttr=, shape= and seed=, not " + part);
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("--failures: '" + part + "' has no number as its value", e);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("--failures: " + e.getMessage(), e);
            }
        }
        if (between == null || repair == null) {
            throw new IllegalArgumentException("--failures: mtbf= and mttr= are needed, such as mtbf=30d,mttr=4h");
        }
        return new FailureModel(between, repair, shape, seed);
    }

    private static Duration duration(String text) {
        if (text.isEmpty()) {
            throw new NumberFormatException("nothing");
        }
        String number = text.substring(0, text.length() - 1);
        double amount = Double.parseDouble(Character.isDigit(text.charAt(text.length() - 1)) ? text : number);
        long unit = switch (text.charAt(text.length() - 1)) {
            case 'd' -> 86_400;
            case 'h' -> 3_600;
            case 'm' -> 60;
            default -> 1;
        };
        if (!(amount > 0 && amount * unit < 1e11)) {
            throw new NumberFormatException(text);
        }
        return Duration.ofSeconds(Math.round(amount * unit));
    }

    static void printHead(PrintWriter out) {
        out.printf(
                "%-10s %9s %7s %9s %9s %12s %16s %12s %10s %6s %6s %9s %7s%n",
                "policy",
                "completed",
                "ended",
                "failures",
                "job hits",
                "lost node-h",
                "wasted proc-h",
                "resume mean",
                "unfinished",
                "lost",
                "twice",
                "exceeded",
                "replay");
    }

    static void print(FailureFigures figures, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "%-10s %9d %7d %9d %9d %12.1f %16.1f %12s %10d %6d %6d %9d %7s%n",
                figures.policy(),
                figures.completed(),
                figures.ended(),
                figures.failures(),
                figures.struck(),
                figures.lostNodeSeconds() / 3600.0,
                figures.wastedProcSeconds() / 3600.0,
                figures.resumed() == 0 ? "-" : String.format(Locale.ROOT, "%.0f s", figures.meanSecondsToResume()),
                figures.unfinished(),
                figures.lost(),
                figures.startedTwice(),
                figures.exceeded(),
                figures.replayed() ? "same" : "DIFFERS");
    }
}
