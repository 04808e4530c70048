package io.weir.scheduler.stream.store;

import io.weir.scheduler.stream.quarantine.OutputLimits;
import java.nio.file.Path;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** The two stores of a task, in memory. */
public final class TestStores {
    /** Where entities are. */
    final DeferringStore entities = new DeferringStore(store(Stores.ENTITIES));

    /** Where the rest is. */
    final KeyValueStore<String, byte[]> inner = store(Stores.INTAKE);

    final DeferringStore intake = new DeferringStore(inner);

    /** Reads and writes both. */
    public final Stores stores;

    public TestStores() {
        this(new OutputLimits());
    }

    public TestStores(OutputLimits limits) {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
        MockProcessorContext<byte[], byte[]> context = new MockProcessorContext<>(
                properties, new TaskId(0, 0), Path.of("target", "harness").toFile());
        entities.init(context.getStateStoreContext(), entities);
        intake.init(context.getStateStoreContext(), intake);
        stores = new Stores(entities, intake, limits);
    }

    /** Returns what a commit would make durable beside the entities; schemas left out. */
    public TreeMap<String, byte[]> committed() {
        intake.flushCache();
        TreeMap<String, byte[]> contents = new TreeMap<>();
        try (KeyValueIterator<String, byte[]> all = inner.all()) {
            all.forEachRemaining(entry -> contents.put(entry.key, entry.value));
        }
        contents.keySet().removeIf(WriterSchemas::isKey);
        return contents;
    }

    private static KeyValueStore<String, byte[]> store(String name) {
        return org.apache.kafka.streams.state.Stores.keyValueStoreBuilder(
                        org.apache.kafka.streams.state.Stores.inMemoryKeyValueStore(name),
                        Serdes.String(),
                        Serdes.ByteArray())
                .withCachingDisabled()
                .withLoggingDisabled()
                .build();
    }
}
