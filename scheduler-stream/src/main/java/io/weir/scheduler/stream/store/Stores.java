package io.weir.scheduler.stream.store;

import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.scheduler.state.ConnectorIntake;
import io.weir.scheduler.state.DelayedInput;
import io.weir.scheduler.state.JournalStatus;
import io.weir.scheduler.state.ParkedFact;
import io.weir.scheduler.state.PartitionIntake;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.topics.RecordSize;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two stores of a task. {@value #ENTITIES} holds the core's state, an entity each under {@code cluster/KIND/id};
 * {@value #INTAKE} holds what the shell must not forget, and the schemas that both were written with. Together they are
 * all that survives a restart, or an upgrade.
 */
public final class Stores {
    private static final Logger log = LoggerFactory.getLogger(Stores.class);

    public static final String ENTITIES = "entities";
    public static final String INTAKE = "intake";

    private static final String JOURNAL = "/journal";
    private static final String CONNECTOR = "/connector/";
    private static final String PARKED = "/parked/";
    private static final String DELAYED = "/delayed/";
    static final String PARTITION = "/partition";

    /** A changelog record carries the timestamp of the input behind it, which may be virtual: no limit on it. */
    private static final Map<String, String> CHANGELOG = Map.of(
            "message.timestamp.after.max.ms",
            Long.toString(Long.MAX_VALUE),
            "max.message.bytes",
            Integer.toString(RecordSize.LARGEST));

    private final DeferringStore entities;
    private final DeferringStore intake;
    private final StoredRecords records;
    private final OutputLimits limits;

    public Stores(DeferringStore entities, DeferringStore intake, OutputLimits limits) {
        this.limits = limits;
        this.entities = entities;
        this.intake = intake;
        this.records = new StoredRecords(new WriterSchemas(intake));
    }

    /** Returns how the stores are built. They are cached, so that an entity reaches the changelog once a commit. */
    public static List<StoreBuilder<?>> builders() {
        return List.of(new DeferringStoreBuilder(builder(ENTITIES)), new DeferringStoreBuilder(builder(INTAKE)));
    }

    /** Says whether {@code directory}, the application's own, has the stores of the task of {@code partition}. */
    public static boolean areOn(Path directory, int partition) {
        Path task = directory.resolve("0_" + partition).resolve("rocksdb");
        return Files.isDirectory(task.resolve(ENTITIES)) && Files.isDirectory(task.resolve(INTAKE));
    }

    /** Returns the names of the topics that keep what the stores of {@code applicationId} hold. */
    public static List<String> changelogs(String applicationId) {
        return List.of(changelog(applicationId, ENTITIES), changelog(applicationId, INTAKE));
    }

    /** Returns the name of the topic that keeps what {@code store} holds. */
    static String changelog(String applicationId, String store) {
        return applicationId + "-" + store + "-changelog";
    }

    private static StoreBuilder<KeyValueStore<String, byte[]>> builder(String name) {
        return org.apache.kafka.streams.state.Stores.keyValueStoreBuilder(
                        org.apache.kafka.streams.state.Stores.persistentKeyValueStore(name),
                        Serdes.String(),
                        Serdes.ByteArray())
                .withCachingEnabled()
                .withLoggingEnabled(CHANGELOG);
    }

    /** Writes everything anew to the topics that keep it, which have lost it. */
    public void rewrite() {
        entities.rewrite();
        intake.rewrite();
    }

    /** Stores the new versions of entities of {@code cluster}. */
    public void put(String cluster, List<Change> changes) {
        for (Change change : changes) {
            String key = cluster + "/" + change.kind().name() + "/" + change.id();
            SpecificRecord value = change.value();
            if (value == null) {
                entities.delete(key);
            } else if (change.kind() == EntityKind.CREDENTIAL) {
                // Changes with nearly every input, and none makes it larger.
                records.keepSchema(value);
                entities.putAtCommit(key, () -> encode(key, value));
            } else {
                entities.put(key, encode(key, value));
            }
        }
    }

    /** Stores where the journal of {@code cluster} stands, as it does when the transaction is committed. */
    public void journalAtCommit(String cluster, Supplier<JournalStatus> status) {
        intake.putAtCommit(cluster + JOURNAL, () -> encode(cluster + JOURNAL, status.get()));
    }

    /** Stores what is known of a connector. */
    public void put(ConnectorIntake connector) {
        putIntake(key(connector.getCluster(), connector.getConnector()), connector);
    }

    /** Stores what is known of {@code connector} when the transaction is committed; less, or as much, as was put last. */
    public void connectorAtCommit(String cluster, String connector, Supplier<ConnectorIntake> known) {
        String key = key(cluster, connector);
        intake.putAtCommit(key, () -> encode(key, known.get()));
    }

    private static String key(String cluster, String connector) {
        return cluster + CONNECTOR + connector;
    }

    /** Stores a parked fact. */
    public void put(ParkedFact parked) {
        putIntake(numbered(parked.getCluster(), PARKED, parked.getNumber()), parked);
    }

    /** Forgets a parked fact. */
    public void deleteParked(String cluster, long number) {
        intake.delete(numbered(cluster, PARKED, number));
    }

    /** Stores an input that waits to be decoded. */
    public void put(DelayedInput delayed) {
        putIntake(numbered(delayed.getCluster(), DELAYED, delayed.getNumber()), delayed);
    }

    /** Forgets an input that waited to be decoded. */
    public void deleteDelayed(String cluster, long number) {
        intake.delete(numbered(cluster, DELAYED, number));
    }

    /** Stores how far the partition has come when the transaction is committed. */
    public void partitionAtCommit(Supplier<PartitionIntake> partition) {
        intake.putAtCommit(PARTITION, () -> encode(PARTITION, partition.get()));
    }

    private void putIntake(String key, SpecificRecord record) {
        intake.put(key, encode(key, record));
    }

    private byte[] encode(String key, SpecificRecord record) {
        byte[] value = records.encode(record);
        limits.checkStored(key, value);
        return value;
    }

    /** Reads everything; the result has an entry for each of {@code clusters}, stored or not. */
    public StoredState load(Iterable<String> clusters, int partition) {
        StoredState state = new StoredState(new PartitionIntake(partition, List.of()));
        clusters.forEach(state::of);
        try (KeyValueIterator<String, byte[]> all = entities.all()) {
            all.forEachRemaining(entry -> loadEntity(state, entry.key, entry.value));
        }
        try (KeyValueIterator<String, byte[]> all = intake.all()) {
            all.forEachRemaining(entry -> loadIntake(state, entry.key, entry.value));
        }
        return state;
    }

    private void loadEntity(StoredState state, String key, byte[] value) {
        String[] parts = key.split("/", 3);
        if (parts.length < 3) {
            tellOfForeign(ENTITIES, key);
            return;
        }
        state.of(parts[0]).entities().add(records.decode(key, kind(key, parts[1]), parts[2], value));
    }

    private void loadIntake(StoredState state, String key, byte[] value) {
        if (WriterSchemas.isKey(key)) {
            return;
        }
        if (key.equals(PARTITION)) {
            state.partition(records.decode(key, PartitionIntake.class, value));
            return;
        }
        int slash = key.indexOf('/');
        if (slash < 0) {
            tellOfForeign(INTAKE, key);
            return;
        }
        StoredState.OfCluster cluster = state.of(key.substring(0, slash));
        String rest = key.substring(slash);
        if (rest.equals(JOURNAL)) {
            cluster.journal(records.decode(key, JournalStatus.class, value));
        } else if (rest.startsWith(CONNECTOR)) {
            cluster.connectors().add(records.decode(key, ConnectorIntake.class, value));
        } else if (rest.startsWith(PARKED)) {
            cluster.parked().add(records.decode(key, ParkedFact.class, value));
        } else if (rest.startsWith(DELAYED)) {
            cluster.delayed().add(records.decode(key, DelayedInput.class, value));
        } else {
            throw unknown(key);
        }
    }

    /** No build writes such a key, so that nothing of the state is missing without it. */
    private static void tellOfForeign(String store, String key) {
        log.error(
                "Passed over, as it is no part of any state: store={} key='{}'. Another program has written to the topic that"
                        + " keeps the state; see who may",
                store,
                key.length() > 100 ? key.substring(0, 100) : key);
    }

    private static EntityKind kind(String key, String name) {
        for (EntityKind kind : EntityKind.values()) {
            if (kind.name().equals(name)) {
                return kind;
            }
        }
        throw unknown(key);
    }

    private static UnreadableStateException unknown(String key) {
        return new UnreadableStateException(
                "The stores hold the key '" + key + "', which this build does not know", null);
    }

    private static String numbered(String cluster, String kind, long number) {
        return cluster + kind + String.format(Locale.ROOT, "%019d", number);
    }

    /** Returns {@code text} as the bytes of a record key. */
    public static byte[] keyBytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
