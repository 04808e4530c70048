package io.weir.rm.nativerm;

import io.weir.rm.nativerm.text.Problem;
import io.weir.rm.nativerm.text.Problems;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of problems once: those that the poll before had too are not told again. One thread. */
final class ProblemLog {
    private static final Logger log = LoggerFactory.getLogger(ProblemLog.class);

    private Set<String> told = Set.of();
    private Problems last = new Problems();

    /** Tells what is new in {@code problems}. */
    void tell(Problems problems) {
        Set<String> texts = new HashSet<>();
        for (Problem problem : problems.first()) {
            String text = problem.source() + ": " + problem.text();
            if (texts.add(text) && !told.contains(text)) {
                log.warn("problem in a text: {}", problem);
            }
        }
        if (problems.count() != last.count()) {
            log.info("problems={} in the text of the poll, {} in the one before", problems.count(), last.count());
        }
        told = texts;
        last = problems;
    }

    /** Returns the first problems of the last poll. */
    List<Problem> first() {
        return last.first();
    }

    /** Returns how many problems the last poll had. */
    long count() {
        return last.count();
    }
}
