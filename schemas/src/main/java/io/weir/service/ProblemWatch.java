package io.weir.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for problems that a service looked for when it started, and that may come while it runs: somebody changes a topic, or
 * starts another scheduler. What is seen twice in a row counts, for brokers that just started know of little. {@link #obstacle} may
 * be called from any thread.
 */
public final class ProblemWatch implements BrokerQuestions.Question {
    private static final Logger log = LoggerFactory.getLogger(ProblemWatch.class);

    private final Function<? super Admin, List<String>> look;
    private final String allClear;

    private List<String> seen = List.of();

    /** What was wrong both times; replaced as a whole. */
    private volatile List<String> lasting = List.of();

    /**
     * Makes a watch that has seen nothing yet.
     *
     * @param look returns a sentence or two on each problem there is now
     * @param allClear what the log says when none is left
     */
    public ProblemWatch(Function<? super Admin, List<String>> look, String allClear) {
        this.look = look;
        this.allClear = allClear;
    }

    @Override
    public void ask(Admin admin) {
        List<String> problems = List.copyOf(look.apply(admin));
        List<String> both = new ArrayList<>(problems);
        both.retainAll(seen);
        both.stream()
                .filter(problem -> !lasting.contains(problem))
                .forEach(problem -> log.error("Not ready: {}", problem));
        if (both.isEmpty() && !lasting.isEmpty()) {
            log.info(allClear);
        }
        seen = problems;
        lasting = List.copyOf(both);
    }

    /** Returns the first problem, and how many more there are; empty for none. */
    public Optional<String> obstacle() {
        List<String> problems = lasting;
        if (problems.isEmpty()) {
            return Optional.empty();
        }
        String more = problems.size() > 1
                ? " (and " + (problems.size() - 1) + " more, which the log of the service tells)"
                : "";
        return Optional.of(problems.get(0) + more);
    }
}
