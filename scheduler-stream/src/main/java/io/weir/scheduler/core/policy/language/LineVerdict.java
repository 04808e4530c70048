package io.weir.scheduler.core.policy.language;

import java.util.List;

/**
 * What became of one line of a configuration.
 *
 * @param origin where it begins
 * @param source the line as written, continuations joined
 * @param verdict what became of it
 * @param problems what there is to say about it
 */
public record LineVerdict(Origin origin, String source, Verdict verdict, List<PolicyProblem> problems) {
    /** What became of a line; the worst of its settings decides. */
    public enum Verdict {
        /** In force. */
        APPLIED("applied"),
        /** Accepted; another service acts on it. */
        ELSEWHERE("elsewhere"),
        /** Accepted; nothing acts on it yet. */
        NO_EFFECT("no effect yet"),
        /** In force under its new name. */
        DEPRECATED("deprecated"),
        /** The parameter or an attribute is not known, and was ignored. */
        UNKNOWN("unknown"),
        /** A value is not legal; that setting keeps its previous or default value. */
        BAD_VALUE("bad value");

        private final String shown;

        Verdict(String shown) {
            this.shown = shown;
        }

        /** Returns it in words. */
        public String shown() {
            return shown;
        }

        private static Verdict of(PolicyProblem.Kind kind) {
            return switch (kind) {
                case BAD_VALUE -> BAD_VALUE;
                case UNKNOWN -> UNKNOWN;
                case DEPRECATED -> DEPRECATED;
                case ELSEWHERE -> ELSEWHERE;
                case NO_EFFECT -> NO_EFFECT;
                case DOUBTFUL -> APPLIED;
            };
        }
    }

    public LineVerdict {
        problems = List.copyOf(problems);
    }

    /** Judges a line by what was found about it. */
    public static LineVerdict of(PolicyLine line, List<PolicyProblem> problems) {
        Verdict worst = Verdict.APPLIED;
        for (PolicyProblem problem : problems) {
            Verdict verdict = Verdict.of(problem.kind());
            worst = verdict.compareTo(worst) > 0 ? verdict : worst;
        }
        return new LineVerdict(line.origin(), line.source(), worst, problems);
    }
}
