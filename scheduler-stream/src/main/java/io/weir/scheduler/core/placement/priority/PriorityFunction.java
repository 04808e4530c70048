package io.weir.scheduler.core.placement.priority;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node priority function in linear form: a constant and one coefficient per component. Components that were named more
 * than once are already added up; the order of the terms is that of their first mention, so that sums come out the same
 * everywhere. Immutable.
 */
public final class PriorityFunction {
    /** Function of a site that sets none: {@code PRIORITY + 100*PREF + 100*RSVAFFINITY}. */
    public static final PriorityFunction BUILT_IN = new PriorityFunction(
            List.of(
                    new Term(1, NodePriorityComponent.PRIORITY, ""),
                    new Term(100, NodePriorityComponent.PREF, ""),
                    new Term(100, NodePriorityComponent.RSVAFFINITY, "")),
            0);

    private final List<Term> terms;
    private final double constant;

    PriorityFunction(List<Term> terms, double constant) {
        this.terms = List.copyOf(terms);
        this.constant = constant;
    }

    /**
     * A coefficient and what it weighs.
     *
     * @param index name in the brackets; empty when there is none
     */
    public record Term(double coefficient, NodePriorityComponent component, String index) {}

    /**
     * What was wrong with the text of a function.
     *
     * @param position place of the first character at fault, counted from 1
     * @param token text at fault
     */
    public record Problem(int position, String token, String message) {
        @Override
        public String toString() {
            return message + " at position " + position + (token.isEmpty() ? "" : " ('" + token + "')");
        }
    }

    /**
     * A function and what was wrong with its text.
     *
     * @param function null when the whole text is refused
     */
    public record Reading(@Nullable PriorityFunction function, List<Problem> problems) {
        public Reading {
            problems = List.copyOf(problems);
        }
    }

    /** What the components of one node are worth to one job. */
    @FunctionalInterface
    public interface Values {
        /** Returns the value of {@code term}'s component. */
        double of(Term term);
    }

    /** Reads a function; quotes around it are already gone. */
    public static Reading read(String text) {
        return new PriorityFunctionReader(text).read();
    }

    /** Returns the terms in the order of their first mention. */
    public List<Term> terms() {
        return terms;
    }

    /** Returns what is added whatever the node. */
    public double constant() {
        return constant;
    }

    /** Returns whether {@code component} has a term. */
    public boolean names(NodePriorityComponent component) {
        for (Term term : terms) {
            if (term.component() == component) {
                return true;
            }
        }
        return false;
    }

    /** Returns the value of a node; what only holds at present counts when {@code immediate}. */
    public double value(Values node, boolean immediate) {
        double sum = constant;
        for (int i = 0; i < terms.size(); i++) {
            Term term = terms.get(i);
            if (!immediate && term.component().timing() == NodePriorityComponent.Timing.DYNAMIC) {
                continue;
            }
            double share = term.coefficient() * node.of(term);
            sum += term.component() == NodePriorityComponent.RANDOM
                    ? Math.max(-NodePriorityComponent.RANDOM_LIMIT, Math.min(NodePriorityComponent.RANDOM_LIMIT, share))
                    : share;
        }
        return sum;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PriorityFunction that && terms.equals(that.terms) && constant == that.constant;
    }

    @Override
    public int hashCode() {
        return 31 * terms.hashCode() + Double.hashCode(constant);
    }

    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        for (Term term : terms) {
            parts.add(term.coefficient() + "*" + term.component()
                    + (term.index().isEmpty() ? "" : "[" + term.index() + "]"));
        }
        if (constant != 0 || parts.isEmpty()) {
            parts.add(Double.toString(constant));
        }
        return String.join(" + ", parts);
    }
}
