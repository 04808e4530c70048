package io.weir.scheduler.journal;

import io.weir.schemas.Quarantine;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.util.Optional;

/**
 * What intake writes to the journal by itself. Such a record names a topic that nobody produces to: its inputs have no
 * other origin than the journal. Stateless.
 */
public final class IntakeRecords {
    /** Quarantines: what made the scheduler fail is set aside, in a replay as well. */
    public static final Topic<Quarantine> QUARANTINE = new Topic<>(
            "quarantine",
            Quarantine.class,
            "cluster/id",
            Topic.Role.JOURNAL,
            Topic.Cleanup.DELETE,
            Optional.empty(),
            "What was set aside because the scheduler failed on it; part of the journal.");

    private IntakeRecords() {}

    /** Returns the topic that tells how to decode {@code input}, made by intake or read from a topic. */
    public static Optional<Topic<?>> typeOf(Input input) {
        if (input.topic().equals(Input.INTAKE)) {
            return Optional.of(Topics.MONITORING_EVENTS);
        }
        return input.topic().equals(QUARANTINE.name()) ? Optional.of(QUARANTINE) : Topics.byName(input.topic());
    }
}
