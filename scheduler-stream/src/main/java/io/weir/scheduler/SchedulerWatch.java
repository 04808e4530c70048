package io.weir.scheduler;

import io.weir.service.BrokerQuestions;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches whether a scheduler of another application.id comes to work on the same topics: one that started in the same moment as
 * this one, so that neither saw the other, or an older build, which does not look. {@link #obstacle} may be called from any thread.
 */
final class SchedulerWatch implements BrokerQuestions.Question {
    private static final Logger log = LoggerFactory.getLogger(SchedulerWatch.class);

    private final String applicationId;
    private final List<String> inputs;

    /** What is said of the others; replaced as a whole. */
    private volatile List<String> others = List.of();

    /** Makes a watch that has seen none yet. */
    SchedulerWatch(String applicationId, List<String> inputs) {
        this.applicationId = applicationId;
        this.inputs = List.copyOf(inputs);
    }

    @Override
    public void ask(Admin admin) {
        take(OtherSchedulers.problems(admin, applicationId, inputs));
    }

    /** Takes in what is said of others now. */
    void take(List<String> now) {
        now.stream().filter(other -> !others.contains(other)).forEach(other -> log.error("Not ready: {}", other));
        if (now.isEmpty() && !others.isEmpty()) {
            log.info("No other scheduler is at work on these topics any more");
        }
        others = List.copyOf(now);
    }

    /** Returns what is said of another scheduler; empty for none. */
    Optional<String> obstacle() {
        return others.stream().findFirst();
    }
}
