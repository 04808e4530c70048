package io.weir.loop.host;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** A store in memory with a cache: its changelog gets what changed since the last commit, the latest of each key. */
final class SimulatedStore implements KeyValueStore<String, byte[]> {
    private final String name;
    private final NavigableMap<Bytes, byte[]> entries = new TreeMap<>();
    private final NavigableMap<Bytes, Boolean> changed = new TreeMap<>();

    SimulatedStore(String name) {
        this.name = name;
    }

    /** Takes in a record of the changelog. */
    void restore(byte[] key, byte @Nullable [] value) {
        set(Bytes.wrap(key), value);
    }

    /** Gives {@code changelog} what changed since the last call. */
    void drain(BiConsumer<byte[], byte @Nullable []> changelog) {
        changed.keySet().forEach(key -> changelog.accept(key.get(), entries.get(key)));
        changed.clear();
    }

    @Override
    public void put(String key, byte @Nullable [] value) {
        Bytes bytes = bytes(key);
        set(bytes, value);
        changed.put(bytes, true);
    }

    private void set(Bytes key, byte @Nullable [] value) {
        if (value == null) {
            entries.remove(key);
        } else {
            entries.put(key, value);
        }
    }

    @Override
    public byte @Nullable [] putIfAbsent(String key, byte[] value) {
        byte[] before = get(key);
        if (before == null) {
            put(key, value);
        }
        return before;
    }

    @Override
    public void putAll(List<KeyValue<String, byte[]>> list) {
        list.forEach(entry -> put(entry.key, entry.value));
    }

    @Override
    public byte @Nullable [] delete(String key) {
        byte[] before = get(key);
        put(key, null);
        return before;
    }

    @Override
    public byte @Nullable [] get(String key) {
        return entries.get(bytes(key));
    }

    @Override
    public KeyValueIterator<String, byte[]> range(String from, String to) {
        return new Entries(entries.subMap(bytes(from), true, bytes(to), true));
    }

    @Override
    public KeyValueIterator<String, byte[]> all() {
        return new Entries(entries);
    }

    @Override
    public long approximateNumEntries() {
        return entries.size();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {}

    @Override
    public void close() {}

    @Override
    public boolean persistent() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    private static Bytes bytes(String key) {
        return Bytes.wrap(key.getBytes(StandardCharsets.UTF_8));
    }

    private static final class Entries implements KeyValueIterator<String, byte[]> {
        private final Iterator<Map.Entry<Bytes, byte[]>> entries;

        Entries(Map<Bytes, byte[]> entries) {
            this.entries = new ArrayList<>(entries.entrySet()).iterator();
        }

        @Override
        public boolean hasNext() {
            return entries.hasNext();
        }

        @Override
        public KeyValue<String, byte[]> next() {
            Map.Entry<Bytes, byte[]> entry = entries.next();
            return new KeyValue<>(new String(entry.getKey().get(), StandardCharsets.UTF_8), entry.getValue());
        }

        @Override
        public String peekNextKey() {
            throw new UnsupportedOperationException("Nobody peeks");
        }

        @Override
        public void close() {}
    }
}
