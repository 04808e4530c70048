package io.weir.loop.host;

import io.weir.scheduler.stream.store.IntakeStore;
import io.weir.scheduler.stream.store.Stores;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.apache.kafka.streams.processor.StateStore;

/** The stores of one task: what is in them, and what its processor sees of them. */
final class SimulatedStores {
    private final Map<String, SimulatedStore> contents = new LinkedHashMap<>();
    private final IntakeStore intake;

    /** Creates empty stores of {@code names}. */
    SimulatedStores(Iterable<String> names) {
        names.forEach(name -> contents.put(name, new SimulatedStore(name)));
        intake = new IntakeStore(Objects.requireNonNull(contents.get(Stores.INTAKE), Stores.INTAKE));
    }

    void forEach(BiConsumer<String, SimulatedStore> action) {
        contents.forEach(action);
    }

    /** Has what waits for a commit put into the stores, as Kafka Streams does before one. */
    void flushCaches() {
        intake.flushCache();
    }

    /** Returns a store as the processor sees it. */
    StateStore seen(String name) {
        StateStore store = name.equals(Stores.INTAKE) ? intake : contents.get(name);
        if (store == null) {
            throw new IllegalArgumentException("There is no store '" + name + "'");
        }
        return store;
    }
}
