package io.weir.scheduler.journal;

import io.weir.scheduler.core.output.OutputKind;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.util.Arrays;
import java.util.List;

/** Which topic each kind of output goes to. */
public final class OutputTopics {
    private OutputTopics() {}

    /** Returns the topic of {@code kind}. */
    public static Topic<?> of(OutputKind kind) {
        return switch (kind) {
            case COMMAND -> Topics.COMMANDS;
            case DECISION -> Topics.DECISIONS;
            case NODE -> Topics.NODES;
            case JOB -> Topics.JOBS;
            case RESERVATION -> Topics.RESERVATIONS;
            case EXPLANATION -> Topics.EXPLANATIONS;
            case REQUEST_RESULT -> Topics.REQUEST_RESULTS;
            case NOTIFICATION -> Topics.NOTIFICATIONS;
            case PLUGIN_QUESTION -> Topics.PLUGIN_QUESTIONS;
            case NONSTOP_EVENT -> Topics.NONSTOP_EVENTS;
            case NODE_CATEGORY -> Topics.NODE_CATEGORIES;
            case TRIGGER_FIRING -> Topics.TRIGGER_FIRINGS;
            case CHARGE -> Topics.CHARGES;
        };
    }

    /** Returns every output topic, in the order of {@link OutputKind}. */
    public static List<Topic<?>> all() {
        return Arrays.<OutputKind>stream(OutputKind.values())
                .<Topic<?>>map(OutputTopics::of)
                .toList();
    }
}
