package io.weir.scheduler.audit;

import io.weir.scheduler.audit.JournalReader.Applied;
import io.weir.scheduler.audit.JournalReader.Closed;
import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.journal.AvroBinary;
import io.weir.scheduler.journal.Facts;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.journal.OutputTopics;
import io.weir.topics.AvroPayload;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds the state of every cluster from the journal alone, as of its last iteration, and compares it with what the
 * state topics hold. Reads only. One thread.
 */
public final class StateRebuilder {
    private static final List<Topic<?>> STATE_TOPICS =
            List.of(Topics.NODES, Topics.JOBS, Topics.RESERVATIONS, Topics.EXPLANATIONS);

    private final RecordLog log;
    private final TopicNames names;
    private final InputReader decoder;

    /** Prepares a rebuild. */
    public StateRebuilder(RecordLog log, TopicNames names, InputReader decoder) {
        this.log = log;
        this.names = names;
        this.decoder = decoder;
    }

    /**
     * Rebuilds.
     *
     * @throws IOException when the journal cannot be read throughout
     */
    public List<RebuiltState> rebuild() throws IOException {
        List<RebuiltState> rebuilt = new ArrayList<>();
        String journal = names.full(Topics.JOURNAL);
        for (int partition = 0; partition < log.partitions(journal); partition++) {
            // The journal first: what a scheduler that runs on publishes later is told by its iteration.
            SortedMap<String, Fold> folds = fold(new TopicPartition(journal, partition));
            SortedMap<String, StateHash> held = held(partition, folds);
            for (Map.Entry<String, Fold> fold : folds.entrySet()) {
                StateHash derived = new StateHash(fold.getValue().published);
                StateHash found = fold.getValue().begins.isPresent()
                        ? derived
                        : held.getOrDefault(fold.getKey(), new StateHash(new TreeMap<>()));
                rebuilt.add(new RebuiltState(
                        fold.getKey(),
                        fold.getValue().iteration,
                        derived.entities().size(),
                        derived.hash(),
                        found.hash(),
                        fold.getValue().begins,
                        firstDifference(derived, found)));
            }
        }
        return rebuilt;
    }

    private SortedMap<String, Fold> fold(TopicPartition journal) throws IOException {
        SortedMap<String, Fold> folds = new TreeMap<>();
        boolean truncated = log.beginning(journal) > 0;
        try (JournalReader reader = new JournalReader(log, journal, decoder)) {
            for (JournalReader.Item item = reader.next(); item != null; item = reader.next()) {
                Fold fold = folds.get(item.cluster());
                if (fold == null && (item instanceof Applied || item instanceof Closed)) {
                    fold = new Fold(item.cluster(), truncated && !item.canBegin());
                    folds.put(item.cluster(), fold);
                }
                if (fold != null && item instanceof Applied applied) {
                    fold.add(applied, decoder);
                } else if (fold != null && item instanceof Closed closed) {
                    fold.close(closed);
                } else {
                    throw new IOException("The journal cannot be read throughout: " + item
                            + "; verify it with 'weir replay --verify'");
                }
            }
        }
        return folds;
    }

    private SortedMap<String, StateHash> held(int partition, SortedMap<String, Fold> folds) {
        SortedMap<String, StateHash> held = new TreeMap<>();
        for (Topic<?> topic : STATE_TOPICS) {
            if (partition >= log.partitions(names.full(topic))) {
                continue;
            }
            try (RecordLog.Reader reader = log.read(new TopicPartition(names.full(topic), partition))) {
                for (RecordLog.Entry entry = reader.next(); entry != null; entry = reader.next()) {
                    if (entry instanceof RecordLog.Found found && !isLater(found.value(), folds)) {
                        hold(held, topic, found.value());
                    }
                }
            }
        }
        return held;
    }

    private static boolean isLater(ConsumerRecord<byte[], byte[]> record, SortedMap<String, Fold> folds) {
        if (record.key() == null) {
            return false;
        }
        Fold fold = folds.get(EntityKey.parse(record.key()).cluster());
        return fold != null && FactHeaders.ITERATION.get(record.headers()).orElse(0) > fold.iteration;
    }

    private void hold(SortedMap<String, StateHash> held, Topic<?> topic, ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null) {
            return;
        }
        EntityKey key = EntityKey.parse(record.key());
        SortedMap<String, byte[]> entities = held.computeIfAbsent(key.cluster(), name -> new StateHash(new TreeMap<>()))
                .entities();
        byte[] payload = record.value() == null ? null : payload(topic, record.value());
        if (payload == null) {
            entities.remove(StateHash.key(topic.name(), key.entity()));
        } else {
            entities.put(StateHash.key(topic.name(), key.entity()), payload);
        }
    }

    /** Returns the payload of a value as this build writes it: what an earlier one wrote stands until it changes. */
    private byte @Nullable [] payload(Topic<?> topic, byte[] value) {
        if (!decoder.isOfThisBuild(topic, value)) {
            try {
                return AvroPayload.encode(decoder.read(topic, value));
            } catch (IOException e) {
                // It differs, then.
            }
        }
        return AvroBinary.payload(value);
    }

    private static Optional<Difference> firstDifference(StateHash derived, StateHash held) {
        TreeSet<String> keys = new TreeSet<>(derived.entities().keySet());
        keys.addAll(held.entities().keySet());
        return keys.stream()
                .filter(key -> !Arrays.equals(
                        derived.entities().get(key), held.entities().get(key)))
                .findFirst()
                .map(key -> new Difference(
                        key,
                        firstField(
                                key,
                                derived.entities().get(key),
                                held.entities().get(key))));
    }

    private static Optional<FieldDifference> firstField(String key, byte @Nullable [] derived, byte @Nullable [] held) {
        Optional<Topic<?>> topic = Topics.byName(key.substring(0, key.indexOf('/')));
        if (derived == null || held == null || topic.isEmpty()) {
            return Optional.of(new FieldDifference(
                    "entity", held == null ? "nothing" : "one", derived == null ? "nothing" : "one"));
        }
        try {
            return FieldDifference.between(
                            AvroBinary.decode(topic.get().type(), held),
                            AvroBinary.decode(topic.get().type(), derived))
                    .stream()
                    .findFirst();
        } catch (IOException e) {
            return Optional.of(new FieldDifference("value", FieldDifference.text(held), FieldDifference.text(derived)));
        }
    }

    /**
     * The state of a cluster.
     *
     * @param iteration the iteration it stands at
     * @param entities nodes, jobs, reservations and explanations
     * @param derivedHash hash of the state that follows from the journal
     * @param heldHash hash of what the state topics hold
     * @param begins the first iteration of the journal, when earlier records have expired: no state follows from it then
     * @param firstDifference the first entity that differs
     */
    public record RebuiltState(
            String cluster,
            long iteration,
            long entities,
            String derivedHash,
            String heldHash,
            OptionalLong begins,
            Optional<Difference> firstDifference) {}

    /**
     * An entity whose state differs.
     *
     * @param entity its topic and id
     * @param field the first field that differs, where it can be told
     */
    public record Difference(String entity, Optional<FieldDifference> field) {
        @Override
        public String toString() {
            return entity + field.map(first -> ", " + first).orElse("");
        }
    }

    /** The fold of one cluster. Facts wait for their iteration: the state of the last one is what was published. */
    private static final class Fold {
        private final ClusterScheduler core;
        private final List<Fact> waiting = new ArrayList<>();

        /** Payload of the newest version that was published, by entity: a bare change of epoch is not. */
        private final SortedMap<String, byte[]> published = new TreeMap<>();

        private final boolean cutShort;
        private OptionalLong begins = OptionalLong.empty();
        private long iteration;

        private Fold(String cluster, boolean cutShort) {
            core = new ClusterScheduler(cluster);
            this.cutShort = cutShort;
            if (cutShort) {
                begins = OptionalLong.of(0);
            }
        }

        private void add(Applied applied, InputReader decoder) throws IOException {
            if (!cutShort) {
                Input input = applied.entry().input();
                waiting.add(Facts.of(input, decoder.read(input)));
            }
        }

        private void close(Closed closed) {
            if (cutShort) {
                iteration = closed.iteration().getNumber();
                if (begins.orElse(0) == 0) {
                    begins = OptionalLong.of(iteration);
                }
                return;
            }
            waiting.forEach(core::apply);
            waiting.clear();
            core.iterate(closed.iteration().getNow(), closed.iteration().getListened())
                    .outputs()
                    .forEach(this::publish);
            iteration = closed.iteration().getNumber();
        }

        private void publish(Output output) {
            Topic<?> topic = OutputTopics.of(output.kind());
            if (STATE_TOPICS.contains(topic)) {
                String key = StateHash.key(
                        topic.name(), EntityKey.parse(output.key()).entity());
                if (output.value() == null) {
                    published.remove(key);
                } else {
                    published.put(key, AvroPayload.encode(output.value()));
                }
            }
        }
    }
}
