package io.weir.scheduler.cli;

import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.LineVerdict;
import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.PolicySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A configuration, read as the scheduler reads it, without the lines that make it throw an exception. There should be none;
 * the scheduler would set a version with such a line aside, and a check that broke off would not say which it is.
 *
 * @param lines all of them
 * @param settings what the others say
 * @param failing what is said of each line left out
 */
record TrialReading(List<PolicyLine> lines, PolicySettings settings, List<PolicyProblem> failing) {
    TrialReading {
        lines = List.copyOf(lines);
        failing = List.copyOf(failing);
    }

    /** Reads {@code text}. */
    static TrialReading of(String text) {
        return of(PolicyLine.parse(text), lines -> SitePolicy.read(lines).settings());
    }

    /** Reads {@code lines} by means of {@code reader}. */
    static TrialReading of(List<PolicyLine> lines, Function<List<PolicyLine>, PolicySettings> reader) {
        List<PolicyLine> left = new ArrayList<>(lines);
        List<PolicyProblem> failing = new ArrayList<>();
        while (true) {
            try {
                return new TrialReading(lines, reader.apply(left), failing);
            } catch (RuntimeException e) {
                if (left.isEmpty()) {
                    throw e;
                }
                failing.add(takeOut(left, reader, e));
            }
        }
    }

    /** Removes the last line of the shortest beginning of {@code lines} that fails; what follows fails or not without it. */
    private static PolicyProblem takeOut(
            List<PolicyLine> lines, Function<List<PolicyLine>, PolicySettings> reader, RuntimeException ofAll) {
        int good = 0;
        int bad = lines.size();
        RuntimeException why = ofAll;
        while (bad - good > 1) {
            int middle = (good + bad) >>> 1;
            try {
                var unused = reader.apply(List.copyOf(lines.subList(0, middle)));
                good = middle;
            } catch (RuntimeException e) {
                bad = middle;
                why = e;
            }
        }
        PolicyLine line = lines.remove(bad - 1);
        return new PolicyProblem(
                PolicyProblem.Kind.BAD_VALUE,
                line.origin(),
                line.parameter(),
                "the scheduler fails on this line, which is a fault of Weir: "
                        + why.getClass().getSimpleName() + ": " + why.getMessage()
                        + "; it would keep the version before, so write the line in another way and report it");
    }

    /** Returns what became of each line, in the order of the text. */
    List<LineVerdict> verdicts() {
        List<LineVerdict> read = settings.verdicts();
        if (failing.isEmpty()) {
            return read;
        }
        List<LineVerdict> verdicts = new ArrayList<>();
        int next = 0;
        for (PolicyLine line : lines) {
            List<PolicyProblem> own = failing.stream()
                    .filter(problem -> problem.origin().equals(line.origin()))
                    .toList();
            verdicts.add(own.isEmpty() ? read.get(next++) : LineVerdict.of(line, own));
        }
        return verdicts;
    }
}
