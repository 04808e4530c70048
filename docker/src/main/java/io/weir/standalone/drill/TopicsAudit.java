package io.weir.standalone.drill;

import io.weir.scheduler.audit.AuditReplayer;
import io.weir.scheduler.audit.AuditReport;
import io.weir.scheduler.audit.InputReader;
import io.weir.scheduler.audit.KafkaRecordLog;
import io.weir.scheduler.audit.StateRebuilder;
import io.weir.standalone.Connection;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Derives all that a scheduler left on its topics again, as {@code weir replay --verify} and {@code rebuild} do. */
public final class TopicsAudit {
    private TopicsAudit() {}

    /** Returns what differs; empty when the topics are what the journal says they are. */
    public static List<String> problems(Connection connection, TopicNames names) throws IOException {
        List<String> problems = new ArrayList<>();
        try (AvroCodec codec = new AvroCodec(names, connection.registry());
                KafkaRecordLog log = new KafkaRecordLog(connection.kafka())) {
            InputReader decoder = new InputReader(Optional.of(codec));
            AuditReport report = new AuditReplayer(log, names, decoder, 1, (cluster, number, share) -> {}).verify();
            if (report.clusters().isEmpty()) {
                problems.add("the journal is empty");
            }
            report.corrupt().forEach(place -> problems.add("cannot be read: " + place));
            report.clusters()
                    .forEach(cluster -> cluster.divergence()
                            .ifPresent(divergence -> problems.add("replay diverges: " + divergence)));
            if (!problems.isEmpty()) {
                return problems;
            }
            for (StateRebuilder.RebuiltState state : new StateRebuilder(log, names, decoder).rebuild()) {
                state.firstDifference()
                        .ifPresent(entity -> problems.add("the state topics differ from the journal at " + entity));
            }
        }
        return problems;
    }
}
