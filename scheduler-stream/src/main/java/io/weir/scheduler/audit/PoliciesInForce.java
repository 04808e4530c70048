package io.weir.scheduler.audit;

import io.weir.scheduler.core.policy.language.RuntimeSettings;
import io.weir.schemas.Iteration;
import io.weir.schemas.PolicyVersion;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The configuration each cluster was scheduled by last, as its last iteration says: the policy version with what was added
 * at run time. Where nothing was scheduled yet, the version published last. Records that cannot be read are passed over.
 */
public final class PoliciesInForce {
    /** How far before its end the journal is searched before all of it is. */
    private static final long JOURNAL_TAIL = 5_000;

    private final RecordLog log;
    private final TopicNames names;
    private final InputReader decoder;
    private final SortedMap<String, PolicyVersion> versions = new TreeMap<>();
    private final SortedMap<String, PolicyVersion> published = new TreeMap<>();
    private final SortedMap<String, Iteration> iterations = new TreeMap<>();

    private PoliciesInForce(RecordLog log, TopicNames names, InputReader decoder) {
        this.log = log;
        this.names = names;
        this.decoder = decoder;
    }

    /**
     * A configuration in force.
     *
     * @param description which it is, for people
     * @param text the text, what was added at run time behind it
     */
    public record InForce(String description, String text) {}

    /** Returns the configurations in force, by cluster. */
    public static SortedMap<String, InForce> of(RecordLog log, TopicNames names, InputReader decoder) {
        return new PoliciesInForce(log, names, decoder).read();
    }

    private SortedMap<String, InForce> read() {
        each(Topics.POLICY, Long.MAX_VALUE, this::keep);
        each(Topics.JOURNAL, JOURNAL_TAIL, this::follow);
        if (!iterations.keySet().containsAll(published.keySet())) {
            each(Topics.JOURNAL, Long.MAX_VALUE, this::follow);
        }
        SortedMap<String, InForce> all = new TreeMap<>();
        published.forEach((cluster, version) -> all.put(cluster, inForce(cluster, version, RuntimeSettings.NONE)));
        iterations.forEach((cluster, last) -> {
            PolicyVersion version = versions.get(cluster + "/" + last.getPolicyVersion());
            if (version != null || last.getPolicyVersion().isEmpty()) {
                all.put(cluster, inForce(cluster, version, RuntimeSettings.from(last.getRuntimeSettings())));
            }
        });
        return Collections.unmodifiableSortedMap(all);
    }

    private static InForce inForce(String cluster, @Nullable PolicyVersion version, RuntimeSettings added) {
        String which = version == null
                ? "the built-in defaults"
                : "version " + version.getVersion() + ", published " + version.getTime();
        int count = added.lines().size();
        String more = count == 0 ? "" : ", with " + count + (count == 1 ? " setting" : " settings") + " of run time";
        return new InForce(
                "cluster " + cluster + ", " + which + more, added.appendedTo(version == null ? "" : version.getText()));
    }

    private void each(Topic<?> topic, long tail, Consumer<ConsumerRecord<byte[], byte[]>> take) {
        String name = names.full(topic);
        for (int number = 0; number < log.partitions(name); number++) {
            TopicPartition partition = new TopicPartition(name, number);
            long begin = log.beginning(partition);
            try (RecordLog.Reader reader = log.read(partition, Math.max(begin, log.end(partition) - tail))) {
                for (RecordLog.Entry entry = reader.next(); entry != null; entry = reader.next()) {
                    if (entry instanceof RecordLog.Found found) {
                        take.accept(found.value());
                    }
                }
            }
        }
    }

    private void keep(ConsumerRecord<byte[], byte[]> entry) {
        decoded(Topics.POLICY, entry).ifPresent(version -> {
            versions.put(version.getCluster() + "/" + version.getVersion(), version);
            published.put(version.getCluster(), version);
        });
    }

    private void follow(ConsumerRecord<byte[], byte[]> entry) {
        if (FactHeaders.KIND
                .get(entry.headers())
                .filter(FactHeaders.KIND_ITERATION::equals)
                .isPresent()) {
            decoded(Topics.JOURNAL, entry).ifPresent(last -> iterations.put(last.getCluster(), last));
        }
    }

    private <T extends SpecificRecord> Optional<T> decoded(Topic<T> topic, ConsumerRecord<byte[], byte[]> entry) {
        try {
            return Optional.of(decoder.read(topic, entry.value()));
        } catch (IOException e) {
            // No such record: intake has made it a dead letter.
            return Optional.empty();
        }
    }
}
