package io.weir.scheduler.stream.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;
import org.jspecify.annotations.Nullable;

/**
 * A store of which some records are made when their transaction is about to be committed, not whenever they change. How far the
 * partition, a connector and a journal have come moves with every input, and so does what is counted of a credential.
 *
 * <p>Kafka Streams tells no processor of a commit. It flushes the caches of stores first, so this is a store with a cache of
 * what is still to be made; {@link CachedStateStore} is internal to Kafka Streams, and {@code SchedulerTopologyTest} shows that
 * it is still called. One thread.
 */
public final class DeferringStore implements StateStore, CachedStateStore<String, byte[]> {
    private final KeyValueStore<String, byte[]> inner;
    private final Map<String, Supplier<byte[]>> atCommit = new LinkedHashMap<>();

    /** Creates a store over {@code inner}, which it owns. */
    public DeferringStore(KeyValueStore<String, byte[]> inner) {
        this.inner = inner;
    }

    byte @Nullable [] get(String key) {
        return inner.get(key);
    }

    /** Puts {@code value} now, in place of one that was to be made at the commit. */
    void put(String key, byte[] value) {
        atCommit.remove(key);
        inner.put(key, value);
    }

    void putIfAbsent(String key, byte[] value) {
        inner.putIfAbsent(key, value);
    }

    void delete(String key) {
        atCommit.remove(key);
        inner.delete(key);
    }

    /** Returns all that has been put, without what is still to be made; the caller closes it. */
    KeyValueIterator<String, byte[]> all() {
        return inner.all();
    }

    /** Puts once more all that has been put, so that it is in the changelog. */
    void rewrite() {
        Map<String, byte[]> everything = new LinkedHashMap<>();
        try (KeyValueIterator<String, byte[]> all = inner.all()) {
            all.forEachRemaining(entry -> everything.put(entry.key, entry.value));
        }
        everything.forEach(inner::put);
    }

    /** Has {@code value} made and put when the transaction is committed, unless another one is named for {@code key} by then. */
    void putAtCommit(String key, Supplier<byte[]> value) {
        atCommit.put(key, value);
    }

    @Override
    public void flushCache() {
        atCommit.forEach((key, value) -> inner.put(key, value.get()));
        atCommit.clear();
        if (inner instanceof CachedStateStore<?, ?> cached) {
            cached.flushCache();
        }
    }

    @Override
    public void clearCache() {
        atCommit.clear();
        if (inner instanceof CachedStateStore<?, ?> cached) {
            cached.clearCache();
        }
    }

    @Override
    public boolean setFlushListener(CacheFlushListener<String, byte[]> listener, boolean sendOldValues) {
        return false;
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        atCommit.clear();
        inner.init(context, root);
    }

    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        inner.commit(changelogOffsets);
    }

    @Override
    public @Nullable Long committedOffset(TopicPartition partition) {
        return inner.committedOffset(partition);
    }

    @Override
    @SuppressWarnings("deprecation") // Kafka Streams still asks
    public boolean managesOffsets() {
        return inner.managesOffsets();
    }

    @Override
    public void close() {
        atCommit.clear();
        inner.close();
    }

    @Override
    public boolean persistent() {
        return inner.persistent();
    }

    @Override
    public boolean isOpen() {
        return inner.isOpen();
    }

    @Override
    public <R> QueryResult<R> query(Query<R> query, PositionBound positionBound, QueryConfig config) {
        return inner.query(query, positionBound, config);
    }

    @Override
    public Position getPosition() {
        return inner.getPosition();
    }
}
