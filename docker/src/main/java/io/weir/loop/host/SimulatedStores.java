package io.weir.loop.host;

import io.weir.scheduler.stream.store.DeferringStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.streams.processor.StateStore;

/** The stores of one task: what is in them, and what its processor sees of them. */
final class SimulatedStores {
    private final Map<String, SimulatedStore> contents = new LinkedHashMap<>();
    private final Map<String, DeferringStore> seen = new LinkedHashMap<>();

    /** Creates empty stores of {@code names}. */
    SimulatedStores(Iterable<String> names) {
        for (String name : names) {
            SimulatedStore store = new SimulatedStore(name);
            contents.put(name, store);
            seen.put(name, new DeferringStore(store));
        }
    }

    void forEach(BiConsumer<String, SimulatedStore> action) {
        contents.forEach(action);
    }

    /** Has what waits for a commit put into the stores, as Kafka Streams does before one. */
    void flushCaches() {
        seen.values().forEach(DeferringStore::flushCache);
    }

    /** Returns a store as the processor sees it. */
    StateStore seen(String name) {
        StateStore store = seen.get(name);
        if (store == null) {
            throw new IllegalArgumentException("There is no store '" + name + "'");
        }
        return store;
    }
}
