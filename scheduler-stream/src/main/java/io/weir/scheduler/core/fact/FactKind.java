package io.weir.scheduler.core.fact;

import io.weir.schemas.CommandResult;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeMetric;
import io.weir.schemas.NodeReport;
import io.weir.schemas.PluginAnswer;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.Quarantine;
import io.weir.schemas.Request;
import org.apache.avro.specific.SpecificRecord;

/** The kinds of fact: whoever deals with facts switches over them without a default, so that a new one is not missed. */
enum FactKind {
    NODE(NodeReport.class),
    JOB(JobReport.class),
    HEARTBEAT(Heartbeat.class),
    COMMAND_RESULT(CommandResult.class),
    REQUEST(Request.class),
    POLICY(PolicyVersion.class),
    PLUGIN_ANSWER(PluginAnswer.class),
    DELIVERY_RESULT(DeliveryResult.class),
    QUARANTINE(Quarantine.class),
    EVENT(GenericEvent.class),
    METRIC(NodeMetric.class);

    private static final FactKind[] ALL = values();

    private final Class<? extends SpecificRecord> type;

    FactKind(Class<? extends SpecificRecord> type) {
        this.type = type;
    }

    /** Returns the type of its records. */
    Class<? extends SpecificRecord> type() {
        return type;
    }

    /**
     * Returns the kind of {@code record}.
     *
     * @throws IllegalArgumentException when it is no fact; {@link FactCheck} refuses such a record before
     */
    static FactKind of(SpecificRecord record) {
        for (FactKind kind : ALL) {
            if (kind.type == record.getClass()) {
                return kind;
            }
        }
        throw new IllegalArgumentException("Record " + record.getSchema().getFullName() + " is no fact");
    }
}
