package io.weir.topics;

import io.weir.service.BrokerQuestions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches whether topics stay as they were when they were verified: somebody may change the settings of one, or delete it, while
 * everything runs, and what is lost by that nobody would miss before the next audit. What is seen twice in a row counts: brokers
 * that just started know of little. {@link #obstacle} may be called from any thread.
 */
public final class TopicWatch implements BrokerQuestions.Question {
    private static final Logger log = LoggerFactory.getLogger(TopicWatch.class);

    private final TopicSettings settings;
    private final List<Topic<?>> topics;
    private final String applicationId;

    private List<String> seen = List.of();

    /** What was wrong both times; replaced as a whole. */
    private volatile List<String> lasting = List.of();

    /**
     * Makes a watch that has seen nothing yet.
     *
     * @param applicationId whose changelogs are watched, too
     */
    public TopicWatch(TopicSettings settings, Collection<? extends Topic<?>> topics, String applicationId) {
        this.settings = settings;
        this.topics = List.copyOf(topics);
        this.applicationId = applicationId;
    }

    @Override
    public void ask(Admin admin) {
        take(new TopicProvisioner(admin, settings).problems(topics, applicationId));
    }

    /** Takes in what is wrong now. */
    void take(List<String> problems) {
        List<String> both = new ArrayList<>(problems);
        both.retainAll(seen);
        both.stream()
                .filter(problem -> !lasting.contains(problem))
                .forEach(problem -> log.error("Not ready: {}", problem));
        if (both.isEmpty() && !lasting.isEmpty()) {
            log.info("All topics are as they have to be again");
        }
        seen = List.copyOf(problems);
        lasting = List.copyOf(both);
    }

    /** Returns what is wrong with the topics; empty when nothing is. */
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
