package io.weir.topics;

import java.util.List;

/** The Kafka cluster cannot be used as it is; the message names every problem and what to do, one a line. */
public final class UnfitBrokerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final List<String> problems;

    /** Says everything that was found. */
    public UnfitBrokerException(List<String> problems) {
        super("The Kafka cluster cannot be used as it is:\n  " + String.join("\n  ", problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns the problems, one sentence or two each. */
    public List<String> problems() {
        return problems;
    }
}
